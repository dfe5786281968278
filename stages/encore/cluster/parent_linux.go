package cluster

import "syscall"

// endWithParent has the server end when we are killed.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGQUIT }
