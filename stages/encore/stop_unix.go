//go:build unix

package encore

import "syscall"

// stop stops the process where it is; resume lets it go on. Until it is given a
// line, too, it does not get far.
func (p *process) stop() { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }

func (p *process) resume() { _ = p.cmd.Process.Signal(syscall.SIGCONT) }
