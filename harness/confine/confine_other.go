//go:build !linux

package confine

import (
	"errors"
	"os"
	"syscall"
)

const supported = false

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) error { return p.Kill() }

func setLimits(uint64, uint64) error { return nil }

func become(string, []string, []string) error {
	return errors.New("limits can't be set on this system")
}
