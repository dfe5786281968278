package transactionalsink

import (
	"iter"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// sinkSigns are those of a script, told by one operation and the sinks before it.
var sinkSigns = grading.Signs[moment]{
	{"commit-again", "A commit comes for an ID that is committed already.", func(m moment) bool {
		return m.is(opCommit) && m.fate() == opCommit
	}},
	{"commit-of-an-aborted-id", "A commit comes for an ID that was aborted.", func(m moment) bool {
		return m.is(opCommit) && m.fate() == opAbort
	}},
	{"commit-of-an-unknown-id", "A commit comes for an ID that was never pre-committed, while another is prepared.", func(m moment) bool {
		return m.is(opCommit) && m.unknown() && len(m.sink.prepared) > 0
	}},
	{"pre-commit-of-an-id-told-before", "An ID is pre-committed for which a commit or an abort came before.", func(m moment) bool {
		return m.is(opPreCommit) && m.sink.told[m.id()]
	}},
	{"commit-out-of-order", "A commit comes while an older transaction is prepared.", func(m moment) bool {
		return m.is(opCommit) && m.live() && m.sink.prepared[0].id != m.id()
	}},
	{"commit-with-something-open", "A prepared transaction is committed while another is open.", func(m moment) bool {
		return m.is(opCommit) && m.live() && len(m.sink.open) > 0
	}},
	{"abort-of-a-committed-id", "An abort comes for an ID that is committed.", func(m moment) bool {
		return m.is(opAbort) && m.fate() == opCommit
	}},
	{"abort-again", "An abort comes for an ID that was aborted already.", func(m moment) bool {
		return m.is(opAbort) && m.fate() == opAbort
	}},
	{"abort-of-an-unknown-id", "An abort comes for an ID that was never pre-committed, while another is prepared.", func(m moment) bool {
		return m.is(opAbort) && m.unknown() && len(m.sink.prepared) > 0
	}},
	{"abort-with-others-prepared", "A prepared transaction is aborted while another is prepared.", func(m moment) bool {
		return m.is(opAbort) && m.live() && len(m.sink.prepared) > 1
	}},
	{"abort-with-something-open", "A prepared transaction is aborted while another is open.", func(m moment) bool {
		return m.is(opAbort) && m.live() && len(m.sink.open) > 0
	}},
	{"abort-open-with-something-open", "The open transaction is aborted with something in it, while another is prepared.", func(m moment) bool {
		return m.is(opAbortOpen) && len(m.sink.open) > 0 && len(m.sink.prepared) > 0
	}},
	{"abort-open-with-nothing-open", "The open transaction is aborted though nothing is in it.", func(m moment) bool {
		return m.is(opAbortOpen) && len(m.sink.open) == 0
	}},
	{"empty-transaction", "A transaction is pre-committed with nothing in it.", func(m moment) bool {
		return m.is(opPreCommit) && len(m.sink.open) == 0
	}},
	{"equal-records-in-a-sink", "A record is written to a sink that holds or shows an equal one.", func(m moment) bool {
		return m.is(opWrite) && m.sink.has(scriptRecord(m.op.Args[0]))
	}},
	{"ids-that-fall", "An ID is pre-committed while a larger one is prepared.", func(m moment) bool {
		return m.is(opPreCommit) && slices.ContainsFunc(m.sink.prepared, func(t transaction) bool { return t.id > m.id() })
	}},
	{"more-than-eight-prepared", "A ninth transaction is prepared beside eight others.", func(m moment) bool {
		return m.is(opPreCommit) && len(m.sink.prepared) >= 8
	}},
	{"two-sinks-with-the-same-id", "An ID is pre-committed in one sink that is prepared in another.", func(m moment) bool {
		return m.is(opPreCommit) && slices.ContainsFunc(m.others, func(w *witness) bool { _, ok := w.holds(m.id()); return ok })
	}},
	{"two-sinks-with-something-open", "A record is written to one sink while something is open in another.", func(m moment) bool {
		return m.is(opWrite) && slices.ContainsFunc(m.others, func(w *witness) bool { return len(w.open) > 0 })
	}},
	{"returned-slice-overwritten", "The owner of the output overwrites a slice with records that it was given.", func(m moment) bool {
		return m.is(opChange) && len(m.sink.visible) > 0
	}},
}

// A moment is an operation of a script, and how things stand before it.
type moment struct {
	op     schedule.Op
	sink   *witness // the one at hand
	others []*witness
}

// A witness is what a sink must be like, and what became of the IDs in it.
type witness struct {
	*model
	fates map[stream.CheckpointID]string // the operation that ended it
	told  map[stream.CheckpointID]bool   // a commit or an abort came before the pre-commit
}

// moments are those of a script. Each is good until the next.
func moments(script []schedule.Op) iter.Seq[moment] {
	return func(yield func(moment) bool) {
		sinks := map[int64]*witness{}
		now := int64(1)
		for _, op := range script {
			if op.Name == opSink {
				now = op.Args[0]
			}
			if sinks[now] == nil {
				sinks[now] = &witness{newModel(), map[stream.CheckpointID]string{}, map[stream.CheckpointID]bool{}}
			}
			m := moment{op: op, sink: sinks[now]}
			for n, w := range sinks {
				if n != now {
					m.others = append(m.others, w)
				}
			}
			if !yield(m) {
				return
			}
			m.pass()
		}
	}
}

// pass lets the operation take effect.
func (m moment) pass() {
	if m.is(opCommit) || m.is(opAbort) {
		if m.live() {
			m.sink.fates[m.id()] = m.op.Name
		} else if m.unknown() {
			m.sink.told[m.id()] = true
		}
	}
	apply(m.sink.model, m.op)
}

func (m moment) is(op string) bool { return m.op.Name == op }

// id is that of a pre-commit, a commit or an abort.
func (m moment) id() stream.CheckpointID { return stream.CheckpointID(m.op.Args[0]) }

// live tells whether the ID is prepared.
func (m moment) live() bool { _, ok := m.sink.holds(m.id()); return ok }

func (m moment) unknown() bool { return !m.sink.used[m.id()] }

// fate is the operation that ended the ID, or empty.
func (m moment) fate() string { return m.sink.fates[m.id()] }

// has tells whether r is anywhere in the sink.
func (w *witness) has(r stream.Record) bool {
	return slices.Contains(w.open, r) || slices.Contains(w.visible, r) ||
		slices.ContainsFunc(w.prepared, func(t transaction) bool { return slices.Contains(t.records, r) })
}
