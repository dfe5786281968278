package operators

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/01-operators/wire"
	"github.com/flk-byo/de/stages/stream"
)

// diagnosed returns what is wrong in an attempt, by the check that it breaks,
// or nil. A few more attempts, each without one of the things that may be the
// cause, tell which that is, so that one mistake does not break many checks.
// It is the attempt itself that is shown.
func (s *subject) diagnosed(a *attempt) *grading.Finding {
	p := a.problem
	switch {
	case p == nil:
		return nil
	case p.leak != "" || !a.steps[a.at].uses() || !s.revive(p.died):
		return a.finding(p.breaks(a.steps[a.at]), "")
	case s.right(a.steps[:a.at+1]):
		return a.finding(isolation, "Where the caller overwrites each slice that Run returns, as it may: ")
	case s.rightWithout(a, a.earlierRun):
		return a.finding(isolation, "Without the runs before it is right, after them not: ")
	case s.rightWithout(a, a.another):
		return a.finding(isolation, "Without the other operators it is right, beside them not: ")
	}
	check := s.culprit(a)
	if check == isolation {
		return a.finding(isolation, "Its operators are right one by one, but share something: ")
	}
	return a.finding(check, "")
}

// culprit returns the check that an attempt breaks, of those that are broken by
// one run alone.
func (s *subject) culprit(a *attempt) string {
	p, at := a.problem, a.steps[a.at]
	if at.op.Name == opRun && (p.died != nil || p.output != "" || p.calls != "") && s.right(a.byRecord()) {
		return runCheck
	}
	if at.node.op.Name == opChain {
		if check := s.wrongLeaf(a); check != "" {
			return check
		}
	}
	return p.breaks(at)
}

// wrongLeaf returns the check that operators of a chain break without the
// chain, given the records that they should get in it, or "" if they are right:
// each by itself, and each beside the others.
func (s *subject) wrongLeaf(a *attempt) string {
	var made, used []step
	for _, leaf := range a.steps[a.at].node.leaves() {
		making := step{op: leaf.op, node: leaf}
		alone := append([]step{making}, processes(leaf, a.arrived(leaf))...)
		if b := s.attempt(alone, false); b.problem != nil {
			s.revive(b.problem.died)
			return b.problem.breaks(alone[b.at])
		}
		if !slices.ContainsFunc(made, func(s step) bool { return s.node == leaf }) {
			made, used = append(made, making), append(used, alone[1:]...)
		}
	}
	if !s.right(append(made, used...)) {
		return isolation
	}
	return ""
}

// arrived are the records that should have reached a leaf.
func (a *attempt) arrived(leaf *node) []stream.Record {
	var all []stream.Record
	for _, e := range a.log {
		all = append(all, arrivals(e.want, leaf)...)
	}
	return all
}

// right tells whether nothing is wrong in an attempt of these steps.
func (s *subject) right(steps []step) bool {
	b := s.attempt(steps, false)
	if b.problem != nil {
		s.revive(b.problem.died)
	}
	return b.problem == nil
}

// revive makes sure that the solution can be called after it died, if it did.
// It is left dead where it would only take long to die again.
func (s *subject) revive(died *fault.Fault) bool {
	switch {
	case died == nil:
		return true
	case died.Kind != fault.Panic && died.Kind != fault.NotImplemented:
		return false
	case s.restart != nil:
		s.solution = wire.Stage{Object: s.restart()}
	}
	return true
}

// rightWithout tells whether a goes right, in a fresh guest, without the steps
// before the wrong one that drop says. It is false if there are none.
func (s *subject) rightWithout(a *attempt, drop func(step) bool) bool {
	kept := slices.DeleteFunc(slices.Clone(a.steps[:a.at]), drop)
	if len(kept) == a.at {
		return false
	}
	if s.restart != nil {
		s.solution = wire.Stage{Object: s.restart()}
	}
	return s.right(append(kept, a.steps[a.at]))
}

func (a *attempt) earlierRun(s step) bool { return s.op.Name == opRun }

// another tells whether s is about an operator that has no part in the one that
// went wrong.
func (a *attempt) another(s step) bool {
	at := a.steps[a.at].node
	if s.uses() {
		return s.node != at
	}
	return !at.has(s.node)
}

// has tells whether n is other, or a chain that has it as a part.
func (n *node) has(other *node) bool {
	return n == other || slices.ContainsFunc(n.parts, func(p *node) bool { return p.has(other) })
}

// byRecord are a's steps up to the wrong one, each run as a Process of one
// record after the other.
func (a *attempt) byRecord() []step {
	var all []step
	for _, s := range a.steps[:a.at+1] {
		if s.op.Name == opRun {
			all = append(all, processes(s.node, s.source)...)
		} else {
			all = append(all, s)
		}
	}
	return all
}

// processes are steps that let n process records.
func processes(n *node, records []stream.Record) []step {
	var all []step
	for _, r := range records {
		all = append(all, step{op: schedule.Op{Name: opProcess}, node: n, source: []stream.Record{r}})
	}
	return all
}
