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
	if p == nil {
		return nil
	}
	if p.died == nil && p.leak == "" {
		if s.attempt(a.steps, false).problem == nil {
			return a.finding(isolation, "Where the caller overwrites each slice that Run returns, as it may: ")
		}
		if alone := a.withoutEarlierRuns(); len(alone) <= a.at && s.attempt(alone, false).problem == nil {
			return a.finding(isolation, "Without the runs before it is right, after them not: ")
		}
	}
	return a.finding(s.culprit(a), "")
}

// culprit returns the check that an attempt breaks, of those that are broken by
// one run alone.
func (s *subject) culprit(a *attempt) string {
	p, at := a.problem, a.steps[a.at]
	check := p.breaks(at)
	if !at.uses() || check == isolation || !s.revive(p.died) {
		return check
	}
	if at.op.Name == opRun && (p.died != nil || p.output != "") && s.right(a.byRecord(at)) {
		return runCheck
	}
	if at.node.op.Name == opChain {
		if wrong := s.wrongLeaf(a, at); wrong != "" {
			return wrong
		}
	}
	return check
}

// wrongLeaf returns the check that an operator of a chain breaks without the
// chain, given the records that it should get in it, or "" if none does.
func (s *subject) wrongLeaf(a *attempt, at step) string {
	arriving := map[*node][]stream.Record{}
	for _, e := range a.want {
		if e.kind == called {
			arriving[e.leaf] = append(arriving[e.leaf], e.record)
		}
	}
	for _, leaf := range at.node.leaves() {
		alone := append([]step{{op: leaf.op, node: leaf}}, processes(leaf, arriving[leaf])...)
		if b := s.attempt(alone, false); b.problem != nil {
			s.revive(b.problem.died)
			return b.problem.breaks(alone[b.at])
		}
	}
	return ""
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

// byRecord are the steps that make what a's have made up to at, and then let
// its operator process the same records, one by one.
func (a *attempt) byRecord(at step) []step {
	making := slices.DeleteFunc(slices.Clone(a.steps[:a.at]), step.uses)
	return append(making, processes(at.node, at.source)...)
}

// processes are steps that let n process records.
func processes(n *node, records []stream.Record) []step {
	var all []step
	for _, r := range records {
		all = append(all, step{op: schedule.Op{Name: opProcess}, node: n, source: []stream.Record{r}})
	}
	return all
}

// withoutEarlierRuns are a's steps up to where it stopped, without the runs
// before that.
func (a *attempt) withoutEarlierRuns() []step {
	steps := slices.DeleteFunc(slices.Clone(a.steps[:a.at]), func(s step) bool { return s.op.Name == opRun })
	return append(steps, a.steps[a.at])
}
