package keyedstate

import (
	"iter"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

var situations = slices.Concat(stateSigns.Situations(), operatorSigns.Situations(), streamSigns.Situations())

// came returns the names of the situations that came up in a case that was right.
func came(c schedule.Case) []string {
	if c.Script == nil {
		return streamSigns.During(folds(c))
	}
	return append(stateSigns.During(moments(c.Script)), operatorSigns.During(moments(c.Script))...)
}

// streamSigns are told by a record that comes to an operator. Those of scripts are
// in situations_script.go.
var streamSigns = grading.Signs[folded]{
	{"acc-of-zero-in-a-stream", "A record comes when the acc of its key is 0.", func(f folded) bool {
		return !f.first && f.acc == 0
	}},
	{"acc-that-stays", "A record does not change the acc of its key.", func(f folded) bool {
		return !f.first && f.acc == f.result
	}},
	{"same-call-again", "A record makes the call of f again that the record before it of its key made.", func(f folded) bool {
		return !f.first && f.earlier != nil && *f.earlier == f.call()
	}},
	{"order-of-arguments-matters", "The call of f would give something else with its arguments in the other order.", func(f folded) bool {
		return !f.first && f.function.apply(f.record.Value, f.acc) != f.result
	}},
	{"sum-that-wraps-around", "A sum goes beyond the range of an int64.", func(f folded) bool {
		return !f.first && f.function.name == "sum" && (f.result < f.acc) != (f.record.Value < 0)
	}},
	{"first-record-that-f-would-change", "A first record of a key comes that f would change if acc were 0.", func(f folded) bool {
		return f.first && f.function.apply(0, f.record.Value) != f.record.Value
	}},
	{"time-that-falls", "A record has an earlier time than the one before it of its key.", func(f folded) bool {
		return f.seen && f.record.Time < f.last.Time
	}},
	{"key-that-begins-anew", "A record is the first of its key since that was deleted.", func(f folded) bool {
		return f.first && f.seen && f.meet(f.records, f.index, f.lastIndex)
	}},
	{"key-of-two-operators", "The record before of a key went to the other operator over the same state.", func(f folded) bool {
		return !f.first && f.operators == shared && f.operatorOf(f.index) != f.operatorOf(f.lastIndex)
	}},
	{"key-of-two-states", "A key comes to an operator that the other, over a state of its own, has seen.", func(f folded) bool {
		return f.operators == apart && f.seen && f.stateOf(f.index) != f.stateOf(f.lastIndex)
	}},
	{"acc-that-was-restored", "A first record for an operator finds an acc in its state, which was restored.", func(f folded) bool {
		return f.state == stateRestored && !f.first && f.lastIndex < f.start(len(f.records))
	}},
	{"hundred-keys", "A stream has more than a hundred keys.", func(f folded) bool { return f.keys > 100 }},
}

// A folded is a record that came to an operator, with what must come of it.
type folded struct {
	parameters
	answer
	record    stream.Record
	records   []stream.Record
	index     int
	seen      bool          // its key came before, in any state
	last      stream.Record // then
	lastIndex int
	earlier   *call // of f, for the record before of its key, in any state
	keys      int   // that came so far
}

// call is the one of f that the record makes.
func (f folded) call() call { return call{f.acc, f.record.Value} }

// folds are the records of a case that come to operators.
func folds(c schedule.Case) iter.Seq[folded] {
	return func(yield func(folded) bool) {
		before := map[string]folded{}
		p := parametersOf(c)
		for i, r := range c.Records {
			f := folded{parameters: p, answer: oracle(c.Records, i, p), record: r, records: c.Records, index: i}
			if b, ok := before[r.Key]; ok {
				f.seen, f.last, f.lastIndex = true, b.record, b.index
				if call := b.call(); !b.first {
					f.earlier = &call
				}
			}
			before[r.Key] = f
			f.keys = len(before)
			if i >= p.start(len(c.Records)) && !yield(f) {
				return
			}
		}
	}
}
