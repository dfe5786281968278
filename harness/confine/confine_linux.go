package confine

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const supported = true

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(p *os.Process) error {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		return err
	}
	return nil
}

func setLimits(memory, seconds uint64) error {
	for _, limit := range []struct {
		resource int
		value    uint64
	}{{unix.RLIMIT_AS, memory}, {unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_CORE, 0}} {
		if limit.value == 0 && limit.resource != unix.RLIMIT_CORE {
			continue
		}
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			return err
		}
	}
	return nil
}

func become(path string, line, environ []string) error {
	return syscall.Exec(path, line, environ)
}
