//go:build unix

package encore

import (
	"os/exec"
	"syscall"
)

// apart keeps a command from what is meant for us, as Ctrl-C is.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// stop stops the process where it is; resume lets it go on. Until it is given a
// line, too, it does not get far.
func (p *process) stop() { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }

func (p *process) resume() { _ = p.cmd.Process.Signal(syscall.SIGCONT) }
