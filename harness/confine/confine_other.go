//go:build !linux

package confine

import (
	"os"
	"syscall"
)

const supported = false

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) error { return p.Kill() }
