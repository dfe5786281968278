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
	log     []entry // of the steps that were begun
}

// An entry tells of one step.
type entry struct {
	step
	trace *trace
	want  []event         // what the trace should be
	got   []stream.Record // what came out
	due   []stream.Record // what should
	over  bool            // it came to its end
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
			a.log = append(a.log, entry{step: st, trace: d.now})
			e := &a.log[i]
			if st.uses() {
				e.want = model(st.node, st.source, stack)
				e.due = oracle(st.node, st.source, batch)
				d.now.expect(e.want)
				a.problem = e.use(d, change)
			} else {
				a.problem = e.make(d)
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
		a.problem = &problem{died: died}
	}
	return a
}

// make carries out a step that makes an operator, or turns to another.
func (e *entry) make(d *driver) *problem {
	if d.ops[e.node] != nil {
		return nil
	}
	op := d.make(e.node)
	if op == nil {
		return &problem{output: fmt.Sprintf("What should be the operator %s is nil.", e.op)}
	}
	d.ops[e.node] = op
	return compared(d.now.events, nil)
}

// use carries out a step that uses an operator, and judges it.
func (e *entry) use(d *driver, change bool) *problem {
	leak := ""
	if e.op.Name == opProcess {
		e.got = d.process(d.ops[e.node], e.source[0])
	} else {
		e.want = slices.DeleteFunc(e.want, func(e event) bool { return e.kind == out })
		r := d.RunThenChange(e.source, d.ops[e.node], change)
		e.got = r.Output
		if !slices.Equal(r.Input, e.source) {
			leak = "The source was changed, by Run or through the slice that it returned; it is only lent."
		} else if !r.Behind {
			leak = "What the caller has behind the source, in the same array, was changed: append to a slice of your own."
		}
	}
	e.over = true
	p := compared(d.now.events, e.want)
	wrong := !slices.Equal(e.got, e.due)
	if p == nil && (wrong || leak != "") {
		p = &problem{}
	}
	if leak != "" {
		p.leak = leak
	}
	if wrong {
		p.output = fmt.Sprintf("%s %s instead of %s.", e.did(), list(e.got), list(e.due))
		p.diff = diff.List(e.due, e.got)
	}
	return p
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
	_, row := a.rows()
	if p.died != nil {
		f := grading.Died(check, p.died, row)
		f.Problem = before + f.Problem
		if check == chainCheck || check == runCheck {
			f.Unless = operatorsCheck
		}
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
	f := grading.Broken(check, row, "%s", before+text)
	if p.output != "" {
		f.Kind = fault.WrongOutput
		f.Diff = p.diff
	}
	if check == oneAtATime && a.steps[a.at].node.op.Name == opChain {
		f.Unless = chainCheck
	}
	return f
}
