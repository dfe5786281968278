//go:build unix && !linux

package cluster

import "syscall"

func endWithParent(*syscall.SysProcAttr) {}
