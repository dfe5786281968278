// Package confine starts the processes that touch a solution, the Go compiler
// and the guest's runner, so that they end when they should and take no more
// than they may. It does not look at what they do.
package confine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Limits of one process and its children. Zero means none.
type Limits struct {
	Memory uint64        // bytes of address space
	CPU    time.Duration // whole seconds of processor time, rounded up
}

// Command returns a command that runs under limits in a process group of its
// own, which is killed as a whole when ctx ends or this process dies.
func Command(ctx context.Context, limits Limits, name string, args ...string) *exec.Cmd {
	line := append([]string{name}, args...)
	if supported && limits != (Limits{}) {
		line = limited(limits, line)
	}
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	if _, err := exec.LookPath(name); err != nil {
		cmd.Err = err
	}
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	return cmd
}

// limited returns the command line that sets limits and then becomes line. A
// process can only limit itself, so it is one of the system's shell, which
// starts sooner than another of this program. A limit that can't be set is
// above one that the system has set already.
func limited(limits Limits, line []string) []string {
	script := "ulimit -c 0 2>/dev/null; "
	if limits.Memory > 0 {
		script += fmt.Sprintf("ulimit -v %d 2>/dev/null; ", limits.Memory>>10)
	}
	if limits.CPU > 0 {
		script += fmt.Sprintf("ulimit -t %d 2>/dev/null; ", (limits.CPU+time.Second-1)/time.Second)
	}
	return append([]string{"/bin/sh", "-c", script + `exec "$@"`, "sh"}, line...)
}

// Supported tells which limits this platform enforces, in words, for de doctor
// and reports.
func Supported() (enforced bool, words string) {
	if supported {
		return true, "memory, processor time and wall time of builds and runs are limited"
	}
	return false, "only wall time is limited on this system; memory and processor time are not"
}

// KillGroup ends cmd and all that it started. A process that has ended already
// is no error.
func KillGroup(cmd *exec.Cmd) error {
	if err := killGroup(cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
