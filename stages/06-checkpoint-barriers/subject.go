package checkpointbarriers

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A solution is what cases are run against: a guest's, through [wire.Stage],
// or a native one.
type solution interface {
	Inject(rs []stream.Record, every int) wire.Injection
	NewAligner(channels int) contract.Aligner
	newChanged(channels int) changed
}

// A changed aligner is one whose caller overwrites and keeps what it is given,
// and keeps what it hands over.
type changed interface {
	contract.Aligner
	Intact() (slicesAre, barriersAre bool)
}

// A subject runs and judges cases against one solution.
type subject struct {
	solution solution
	watched  func(function string) bool
	turn     int // see [grading.Guest]
}

func bind(g grading.Guest) grading.Subject {
	return subject{remote{wire.Stage{Object: g.Solution}}, g.Watched, g.Turn}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself.
func Native(s contract.Stage) grading.Subject {
	return subject{solution: &native{Stage: s}, watched: func(string) bool { return false }}
}

// Run is [grading.Subject]'s.
func (s subject) Run(c schedule.Case) grading.Outcome {
	var o grading.Outcome
	if c.Script == nil && c.Param(channels) == 0 {
		o = s.runInjection(c)
		o.Situations = func() []string { return injectionSigns.In(c) }
	} else {
		o = s.runAligners(c)
	}
	if slept := grading.Slept(noSleep, s.watched); slept != nil && !died(o.Findings) {
		o.Findings = append(o.Findings, *slept)
	}
	return o
}

func died(found []grading.Finding) bool {
	return slices.ContainsFunc(found, func(f grading.Finding) bool { return f.Fault != nil })
}

// runInjection calls InjectBarriers, and in the first turn once more.
func (s subject) runInjection(c schedule.Case) grading.Outcome {
	var first, second wire.Injection
	twice := s.turn == 0
	call := func() wire.Injection { return s.solution.Inject(slices.Clone(c.Records), c.Param(barrierEvery)) }
	death := fault.Guard(func() {
		first = call()
		if twice {
			second = call()
		}
	})
	found := func(f *grading.Finding) grading.Outcome { return grading.Outcome{Findings: []grading.Finding{*f}} }
	if death != nil {
		f := grading.Died(injection, death, -1)
		return found(&f)
	}
	if f := judgeInjection(c, items(first.Output)); f != nil {
		return found(f)
	}
	if !slices.Equal(first.Input, c.Records) {
		return found(broken("The slice of input records was changed; it is only lent."))
	}
	if !twice {
		return grading.Outcome{}
	}
	if f := judgeInjection(c, items(second.Output)); f != nil {
		return found(broken(secondCall + f.Problem))
	}
	if !second.Intact {
		return found(broken(writtenAgain))
	}
	return grading.Outcome{}
}

// The problems of a second call, or how they begin.
const (
	secondCall   = "A first call was right, a second one, after the first result was overwritten, was not: "
	writtenAgain = "The slice that a first call returned was written to by a second one; it is the caller's."
)

// broken is a finding of isolation in a case of InjectBarriers.
func broken(problem string) *grading.Finding {
	f := grading.Broken(isolation, -1, "%s", problem)
	f.Unless = injection
	return f
}

type remote struct{ wire.Stage }

func (r remote) newChanged(channels int) changed { return r.NewChanged(channels) }

// native adapts a solution of this process to what a guest's stub offers.
type native struct {
	contract.Stage
	injector wire.Injector
}

func (n *native) Inject(rs []stream.Record, every int) wire.Injection {
	return n.injector.Inject(n.Stage, rs, every)
}

func (n *native) newChanged(channels int) changed {
	return &wire.Changed{Aligner: n.NewAligner(channels)}
}
