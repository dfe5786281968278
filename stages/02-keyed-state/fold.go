package keyedstate

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A fold is an operator of the solution's, made by Reduce over a function of
// ours: what it does is on record.
type fold struct {
	operator contract.Operator
	function function
	number   int // of the operator, from 1
	rows     *timeline
	calls    []call // of the function, since the last record came
}

// A call is one of the function that a fold reduces by.
type call struct{ acc, value int64 }

// maxCalls is how often a function may be called for one record: once is right.
const maxCalls = 100

func (s subject) reduce(state contract.State, f function, number int, rows *timeline) *fold {
	o := &fold{function: f, number: number, rows: rows}
	o.operator = s.solution.Reduce(state, o.call)
	return o
}

// call is the function as the solution sees it.
func (o *fold) call(acc, v int64) int64 {
	if len(o.calls) == maxCalls {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling f without an end"})
	}
	o.calls = append(o.calls, call{acc, v})
	result := o.function.apply(acc, v)
	o.rows.add(row{
		object: "f",
		action: func() string { return fmt.Sprintf("%s(%d, %d) = %d", o.function.name, acc, v, result) },
	})
	return result
}

// process hands r to the operator and returns what it emitted. Where of is not
// 0, r is record number at of so many.
func (o *fold) process(r stream.Record, at, of int) []stream.Record {
	took := func(what string, r stream.Record) {
		o.rows.add(row{object: "operator", number: o.number, at: at, of: of, action: func() string { return what + diff.Record(r) }})
	}
	took("process ", r)
	o.calls = nil
	var emitted []stream.Record
	o.operator.Process(r, func(e stream.Record) {
		emitted = append(emitted, e)
		if len(emitted) <= maxListed {
			took("emit ", e)
		}
	})
	return emitted
}

// judgeCalls returns a finding unless f was called for r as it must be.
func (o *fold) judgeCalls(r stream.Record, want answer, step int) *grading.Finding {
	broken := func(problem string, args ...any) *grading.Finding {
		return grading.Broken(reduceCalls, step, "For "+diff.Record(r)+" "+problem, args...)
	}
	if want.first {
		if len(o.calls) > 0 {
			return broken("f was called with (%d, %d), but it is the first record of its key: there is no acc yet, and the value becomes it.",
				o.calls[0].acc, o.calls[0].value)
		}
		return nil
	}
	right := call{want.acc, r.Value}
	switch {
	case len(o.calls) == 0:
		return broken("f was not called, though acc is %d: it is not the first record of its key.", want.acc)
	case len(o.calls) > 1:
		return broken("f was called %d times; once is the rule.", len(o.calls))
	case o.calls[0] == right:
		return nil
	case o.calls[0] == call{right.value, right.acc}:
		return broken("f was called with (%d, %d), the value before acc; right is (%d, %d).",
			o.calls[0].acc, o.calls[0].value, right.acc, right.value)
	default:
		return broken("f was called with (%d, %d) instead of (%d, %d), acc and the value.",
			o.calls[0].acc, o.calls[0].value, right.acc, right.value)
	}
}

// judgeOutput returns a finding unless just the right record was emitted for r.
func judgeOutput(r stream.Record, want answer, emitted []stream.Record, step int) *grading.Finding {
	right := stream.Record{Key: r.Key, Value: want.result, Time: r.Time}
	if len(emitted) == 1 && emitted[0] == right {
		return nil
	}
	f := &grading.Finding{
		Check: reduceOutput, Kind: fault.WrongOutput, Step: step,
		Diff: diff.List([]stream.Record{right}, emitted),
	}
	switch {
	case len(emitted) == 1 && right.Key == emitted[0].Key && right.Value == emitted[0].Value:
		f.Problem = fmt.Sprintf("For %s it emitted the right acc, but with time %d; the time is that of the record.", diff.Record(r), emitted[0].Time)
	case len(emitted) == 1:
		f.Problem = fmt.Sprintf("For %s it emitted %s instead of %s.", diff.Record(r), diff.Record(emitted[0]), diff.Record(right))
	case len(emitted) == 0:
		f.Problem = fmt.Sprintf("For %s nothing was emitted before Process returned, instead of %s.", diff.Record(r), diff.Record(right))
	default:
		f.Problem = fmt.Sprintf("For %s %d records were emitted instead of one, %s.", diff.Record(r), len(emitted), diff.Record(right))
	}
	return f
}
