package plain

import "fmt"

// notification tells what breaks the rule: what is pre-committed at barrier k is
// committed at barrier k+lag, neither before it nor as late as the barrier after
// it. It holds up to the crash or the end, where so many records are written.
func (r *reproRun) notification(end, every, lag int) string {
	for i, p := range r.calls {
		if p.name != "pre-commit" || len(p.records) == 0 || p.written > end || p.written%every != 0 || p.begun >= end {
			continue
		}
		k := p.written / every
		due, late := (k+lag)*every, (k+lag+1)*every // in records
		at, committed := r.settled(i)
		switch {
		case committed && at < due && at < end:
			return fmt.Sprintf("checkpoint %d was committed after %d records, but it is notified at barrier %d, after %d", k, at, k+lag, due)
		case late <= min(end, r.written()) && at >= late:
			return fmt.Sprintf("checkpoint %d was not committed before barrier %d, but it is notified at barrier %d", k, k+lag+1, k+lag)
		}
	}
	return ""
}

// settled tells after how many written records the transaction that call i
// pre-committed was committed or aborted, and which.
func (r *reproRun) settled(i int) (at int, committed bool) {
	p := r.calls[i]
	for _, c := range r.calls[i+1:] {
		if c.sink != p.sink || c.id != p.id {
			continue
		}
		if c.name == "pre-commit" || len(c.records) == 0 { // its ID is used again, and it is lost
			break
		}
		return c.written, c.name == "commit"
	}
	return 1 << 30, false
}
