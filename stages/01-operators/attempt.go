package operators

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/01-operators/contract"
	"github.com/flk-byo/de/stages/01-operators/wire"
	"github.com/flk-byo/de/stages/stream"
)

// An attempt is a case carried out once, up to the first step that goes wrong.
type attempt struct {
	steps   []step
	at      int // index of the step that went wrong
	problem *problem
	want    []event // of that step
	came    []event // of all steps up to it, what should be
	rows    []grading.Step
	row     int // of the rows, where it showed
}

// A problem is what went wrong in a step. Several of its parts can be set.
type problem struct {
	died   *fault.Fault
	output string // wrong records came out
	calls  string // a function was not called as it should
	leaf   *node  // whose function that is
	order  string // the order of what happened is wrong
	leak   string // memory is shared that should not be
	diff   []string
}

// attempt carries out steps. With change, the caller of Run overwrites what it
// returns.
func (s *subject) attempt(steps []step, change bool) *attempt {
	a := &attempt{steps: steps}
	d := &driver{solution: s.solution, bodies: bodies{}, ops: map[*node]contract.Operator{}}
	stack, batch := bodies{}, bodies{} // what the functions of model and oracle remember
	died := fault.Guard(func() {
		for i, st := range steps {
			a.at = i
			d.now = new(trace)
			a.want = nil
			if st.uses() {
				a.use(d, st, change, stack, batch)
			} else {
				a.make(d, st)
			}
			if a.problem != nil {
				return
			}
		}
		if change && !s.solution.KeptIntact() {
			a.problem = &problem{leak: "A slice that Run returned was written to later; it is the caller's, so make a new one in each run."}
		}
		d.release()
	})
	if died != nil {
		a.tell(d.now, a.want)
		a.problem = &problem{died: died}
		a.row = len(a.rows) - 1
	}
	return a
}

// make carries out a step that makes an operator, or turns to another.
func (a *attempt) make(d *driver, st step) {
	a.rows = append(a.rows, grading.Step{Object: st.object(), Action: st.action(), Note: st.node.function.doc})
	if d.ops[st.node] != nil {
		a.rows[len(a.rows)-1].Note = ""
		return
	}
	op := d.make(st.node)
	a.tell(d.now, nil)
	switch {
	case op == nil:
		a.problem = &problem{output: fmt.Sprintf("The operator that %s should make is nil.", st.op)}
	case len(d.now.events) > 0:
		a.problem = compared(d.now.events, nil)
	}
	d.ops[st.node] = op
}

// use carries out a step that uses an operator, and judges it.
func (a *attempt) use(d *driver, st step, change bool, stack, batch bodies) {
	a.want = model(st.node, st.source, stack)
	a.came = append(a.came, a.want...)
	want := oracle(st.node, st.source, batch)
	a.rows = append(a.rows, grading.Step{Object: st.object(), Action: st.action()})
	var got []stream.Record
	if st.op.Name == opProcess {
		got = d.process(d.ops[st.node], st.source[0])
	} else {
		a.want = slices.DeleteFunc(a.want, func(e event) bool { return e.kind == out })
		r := d.RunThenChange(st.source, d.ops[st.node], change)
		got = r.Output
		if !slices.Equal(r.Input, st.source) {
			a.problem = &problem{leak: "The source was changed, by Run or through the slice that it returned; it is only lent."}
		}
	}
	mismatch := a.tell(d.now, a.want)
	if a.problem == nil {
		a.problem = compared(d.now.events, a.want)
	}
	if !slices.Equal(got, want) {
		if a.problem == nil {
			a.problem = &problem{}
		}
		a.problem.output = fmt.Sprintf("%s %s instead of %s.", st.did(), list(got), list(want))
		a.problem.diff = diff.List(want, got)
	}
	end := grading.Step{Object: st.object(), Action: fmt.Sprintf("%s %s", st.verb(), list(got))}
	if a.problem != nil && a.problem.output != "" {
		end.Note = "expected " + list(want)
	}
	a.rows = append(a.rows, end)
	a.row = len(a.rows) - 1
	if mismatch >= 0 {
		a.row = mismatch
	}
}

// release gives up the operators, so that a guest can free them.
func (d *driver) release() {
	for _, op := range d.ops {
		if remote, ok := op.(wire.Operator); ok {
			remote.Release()
		}
	}
}

// breaks returns the check that a problem of a step breaks, as far as the step
// alone can tell.
func (p *problem) breaks(at step) string {
	switch {
	case p.died != nil:
		return at.check()
	case p.leak != "":
		return isolation
	case p.calls != "" && p.leaf == at.node && at.node.op.Name != opOwn:
		return callsCheck
	case p.calls != "" || p.output != "":
		return at.check()
	default:
		return oneAtATime
	}
}

// finding returns the problem of a as a finding by that check.
func (a *attempt) finding(check, before string) *grading.Finding {
	p := a.problem
	if p.died != nil {
		f := grading.Died(check, p.died, a.row)
		f.Problem = before + f.Problem
		return &f
	}
	text := p.output
	switch {
	case p.leak != "":
		text = p.leak
	case check == callsCheck || text == "" && p.calls != "":
		text = p.calls
	case check == oneAtATime || text == "":
		text = p.order
	}
	f := grading.Broken(check, a.row, "%s", before+text)
	if p.output != "" {
		f.Kind = fault.WrongOutput
		f.Diff = p.diff
	}
	return f
}
