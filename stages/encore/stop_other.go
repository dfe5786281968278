//go:build !unix

package encore

import "os/exec"

// apart has nothing to do here.
func apart(*exec.Cmd) {}

// stop has nothing to do here: the process waits for a line anyway.
func (p *process) stop() {}

func (p *process) resume() {}
