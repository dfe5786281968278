package plain

import (
	"fmt"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// barriers tells what breaks the rule: one checkpoint is saved at every barrier
// that the run comes to, in order, and none between barriers.
func (r *reproRun) barriers() string {
	latest := r.start.Offset
	next := latest - latest%r.every + r.every // the barrier that is due
	for i, c := range r.calls {
		offset := c.checkpoint.Offset
		switch {
		case c.name != "Save":
			continue
		case r.afterCrash(i) && r.wrong():
			return "" // the recovery was wrong before
		case offset < 0 || offset > len(r.records):
			return fmt.Sprintf("a checkpoint of offset %d was saved, and there are %d records", offset, len(r.records))
		case offset < latest:
			return fmt.Sprintf("a checkpoint of offset %d was saved after one of offset %d", offset, latest)
		case offset > next:
			return fmt.Sprintf("no checkpoint was saved at the barrier after %d records", next)
		case offset != latest && offset != len(r.records) && offset%r.every != 0:
			return fmt.Sprintf("a checkpoint of offset %d was saved, where no barrier is", offset)
		}
		if latest = offset; offset == next {
			next += r.every
		}
	}
	if !r.dead && next <= len(r.records) && (r.crash == contract.NoCrash || !r.wrong()) {
		return fmt.Sprintf("no checkpoint was saved at the barrier after %d records", next)
	}
	return ""
}
