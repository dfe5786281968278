//go:build !unix

package encore

// stop has nothing to do here: the process waits for a line anyway.
func (p *process) stop() {}

func (p *process) resume() {}
