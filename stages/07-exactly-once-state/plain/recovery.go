package plain

import (
	"fmt"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// recovery tells what breaks the rule: after the crash the store is asked for its
// latest checkpoint.
func (r *reproRun) recovery() string {
	calls, end, atStart, ok := r.window()
	if !ok || r.dead && end == len(r.calls) {
		return "" // it may not have come to it
	}
	asked, want := 0, 1
	if atStart && r.crash > 0 {
		want = 2 // the start has a question of its own
	}
	for _, c := range calls {
		if c.name == "Latest" {
			asked++
		}
	}
	if asked < want {
		return fmt.Sprintf("the crash comes after %d records, and the store was asked %d times for its latest checkpoint around it, want %d", r.crash, asked, want)
	}
	return ""
}

// asks tells what breaks the rule: a run begins by asking the store.
func (r *reproRun) asks() string {
	if len(r.calls) == 0 || r.calls[0].name != "Latest" {
		return "the run does not begin by asking the store for its latest checkpoint"
	}
	return ""
}

// window returns the calls between the last checkpoint that was surely saved
// before the crash and the first that was surely saved after it, whose index is
// end, whether there was none before it, and whether there is a crash.
func (r *reproRun) window() (calls []reproCall, end int, atStart, ok bool) {
	if r.crash == contract.NoCrash || r.crash >= len(r.records)-r.start.Offset {
		return nil, 0, false, false
	}
	crash, since := r.start.Offset+r.crash, r.start.Offset
	first := 0
	end, atStart = len(r.calls), true
	for i, c := range r.calls {
		offset := c.checkpoint.Offset
		if c.name != "Save" {
			continue
		}
		if offset > crash {
			end = i
			break
		}
		if offset < crash && offset > since {
			first, atStart, since = i+1, false, offset
		}
	}
	return r.calls[first:end], end, atStart, true
}
