package plain

import (
	"fmt"

	"github.com/flk-byo/de/stages/stream"
)

// barriers tells what breaks the rule: at every barrier up to the crash or the
// end, where so many records are written, the open transaction is pre-committed,
// under an ID of its own, and between barriers nothing is.
func (r *reproRun) barriers(end, every int, crashes bool) string {
	type use struct {
		sink int
		id   stream.CheckpointID
	}
	used, preCommitted := map[use]bool{}, map[int]bool{}
	for _, p := range r.calls {
		if p.name != "pre-commit" {
			continue
		}
		switch u := (use{p.sink, p.id}); {
		case p.id < 1:
			return fmt.Sprintf("pre-commit of %d: IDs are positive", p.id)
		case used[u]:
			return fmt.Sprintf("pre-commit of %d: sink %d has had that ID before", p.id, p.sink)
		case len(p.records) > 0 && p.written < end && p.written%every != 0:
			return fmt.Sprintf("pre-commit after %d records, where no barrier is", p.written)
		default:
			used[u] = true
		}
		preCommitted[p.written] = preCommitted[p.written] || len(p.records) > 0
	}
	for at := every; at <= min(end, r.written()); at += every {
		if at == end && crashes {
			break // the crash may come before this barrier
		}
		if !preCommitted[at] {
			return fmt.Sprintf("no pre-commit at barrier %d, after %d records", at/every, at)
		}
	}
	return ""
}
