package exactlyoncestate

import (
	"slices"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A run is the account of one run of a job: what it was given, the calls that
// it made on the store, and how it ended. The checks read it.
type run struct {
	records      []stream.Record
	every, crash int
	base         contract.Checkpoint // in the store beforehand; zero if there was none
	found        bool                // base is one
	begun        bool                // the question for base is not among the events

	events []event
	died   *fault.Fault // also if we killed it
	result map[string]int64
	input  []stream.Record // as found afterwards
	kept   bool            // what the run before returned is as its owner left it

	summed   map[string]int64 // by sums, up to summedTo
	summedTo int
}

func (r *run) killed() bool { return r.died != nil && r.died.Kind == fault.Killed }

// crashes tells whether the simulated crash comes before the source's end, and
// at which position in the source.
func (r *run) crashes() (position int, ok bool) {
	if r.crash == contract.NoCrash || r.crash >= len(r.records)-r.base.Offset {
		return 0, false
	}
	return r.base.Offset + r.crash, true
}

// afterCrash tells whether event i, a call of Save, comes after the simulated
// crash: the source is beyond it by then, or has been there before.
func (r *run) afterCrash(i int) bool {
	if r.crash == contract.NoCrash {
		return false
	}
	offset := r.events[i].checkpoint.Offset
	if offset-r.base.Offset > r.crash {
		return true
	}
	return slices.ContainsFunc(r.events[:i], func(e event) bool { return e.op == opSave && e.checkpoint.Offset >= offset })
}

// sums are those that a state must hold at a position, from base's offset on,
// which a run that was killed may have left anywhere. Positions mostly grow, so
// it goes on from where it was.
func (r *run) sums(position int) map[string]int64 {
	if r.summed == nil || position < r.summedTo {
		r.summed, r.summedTo = r.base.State, r.base.Offset
	}
	position = min(position, len(r.records))
	if from := max(r.summedTo, 0); from < position {
		r.summed = sumsAfter(r.summed, r.records[from:position])
	}
	r.summedTo = position
	return r.summed
}

// barrier returns k where position is that of barrier k, else 0.
func (r *run) barrier(position int) int {
	if position%r.every != 0 {
		return 0
	}
	return position / r.every
}

// next is the position of the first barrier beyond position.
func (r *run) next(position int) int { return position - position%r.every + r.every }

// A window is the part of a run in which the crash must have come: the events
// from first up to, but not with, end.
type window struct {
	first, end int
	atStart    bool // no checkpoint was saved before the crash
	since      int  // the offset of the last one that was, or that of the start
}

// crashWindow is the part of the run between the last checkpoint that was
// surely saved before the crash and the first that was surely saved after it.
// One that is saved just at the crash may be either.
func (r *run) crashWindow() (window, bool) {
	position, ok := r.crashes()
	if !ok {
		return window{}, false
	}
	w := window{end: len(r.events), atStart: true, since: r.base.Offset}
	for i, e := range r.events {
		if e.op != opSave {
			continue
		}
		offset := e.checkpoint.Offset
		if offset > position {
			w.end = i
			break
		}
		if offset < position && offset > w.since {
			w.first, w.atStart, w.since = i+1, false, offset
		}
	}
	return w, true
}

// asked are the calls of Latest in the window.
func (r *run) asked(w window) []int {
	var calls []int
	for i := w.first; i < w.end; i++ {
		if r.events[i].op == opLatest {
			calls = append(calls, i)
		}
	}
	return calls
}

// restoring are the calls of Latest, as events, by one of which the run
// recovered: those in the window. Where the start is in it as well, and has its
// own question, that can be told only if there is just one more.
func (r *run) restoring() []int {
	w, ok := r.crashWindow()
	if !ok || r.crash == 0 {
		return nil
	}
	calls := r.asked(w)
	if !w.atStart {
		return calls
	}
	if len(calls) != 2 {
		return nil
	}
	return calls[1:]
}

// recovered is the call of Latest by which the run surely recovered, if that
// can be told.
func (r *run) recovered() (event int, ok bool) {
	calls := r.restoring()
	for _, i := range calls {
		if r.events[i].marked {
			return i, true
		}
	}
	if len(calls) != 1 {
		return 0, false
	}
	return calls[0], true
}

// question is the number of event i, a call of Latest, among those of its kind.
func (r *run) question(i int) int {
	n := 0
	for _, e := range r.events[:i+1] {
		n += oneIf(e.op == opLatest)
	}
	return n
}

// from is the run from its event i on, a call of Latest, as a run of its own
// that began with the checkpoint it was given then.
func (r *run) from(i int) *run {
	rest := *r
	rest.crash, rest.begun = contract.NoCrash, true
	rest.base, rest.found = r.events[i].checkpoint, r.events[i].found
	rest.events = r.events[i+1:]
	rest.summed = nil
	return &rest
}
