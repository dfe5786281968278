package operators

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/01-operators/contract"
	"github.com/flk-byo/de/stages/01-operators/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A solution is what cases are run against: a guest's, through [wire.Stage],
// or a native one.
type solution interface {
	contract.Stage
	RunThenChange(source []stream.Record, op contract.Operator, change bool) wire.Result
	KeptIntact() bool
}

// A subject runs and judges cases against one solution.
type subject struct {
	solution solution
	watched  func(function string) bool
	turn     int               // see [grading.Guest]
	restart  func() rpc.Object // makes a guest that died fit to be called; nil if native
}

func bind(g grading.Guest) grading.Subject {
	return &subject{wire.Stage{Object: g.Solution}, g.Watched, g.Turn, g.Restart}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself.
func Native(s contract.Stage) grading.Subject {
	return &subject{solution: &native{Stage: s}, watched: func(string) bool { return false }}
}

// again is up to how many records a stream may have to be run once more.
const again = 5

// Run is [grading.Subject]'s. Under the first seed a short stream that was
// right is run once more, since state that is kept shows only then. Scripts say
// by themselves what is done twice.
func (s *subject) Run(c schedule.Case) grading.Outcome {
	a := s.attempt(steps(c), true)
	found := s.diagnosed(a)
	if found == nil && s.turn == 0 && c.Script == nil && len(c.Records) <= again {
		if a = s.attempt(steps(c), true); a.problem != nil {
			found = a.finding(isolation, "The first time it was right, a second time in the same process it was not: ")
		}
	}
	var all []grading.Finding
	if found != nil {
		all = append(all, *found)
	}
	if slept := grading.Slept(noSleep, s.watched); slept != nil && (found == nil || found.Fault == nil) {
		all = append(all, *slept)
	}
	return grading.Outcome{Findings: all, Steps: a.timeline, Situations: a.situations}
}

// native adapts a solution of this process to what a guest's stub offers.
type native struct {
	contract.Stage
	kept wire.Kept
}

func (n *native) RunThenChange(source []stream.Record, op contract.Operator, change bool) wire.Result {
	input := wire.Lend(source)
	output := n.Run(input, op)
	r := wire.Result{Output: slices.Clone(output)}
	if change {
		n.kept.Overwrite(output)
	}
	r.Input, r.Behind = input, wire.BehindIntact(input)
	return r
}

func (n *native) KeptIntact() bool { return n.kept.Intact() }
