package windows

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/04-windows/wire"
)

// A subject runs and judges cases against one solution, a guest's, through
// [wire.Stage], or a native one.
type subject struct {
	solution contract.Stage
	watched  func(function string) bool
	turn     int // see [grading.Guest]
}

func bind(g grading.Guest) grading.Subject {
	return subject{wire.Stage{Object: g.Solution}, g.Watched, g.Turn}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself.
func Native(s contract.Stage) grading.Subject {
	return subject{solution: s, watched: func(string) bool { return false }}
}

// A manner is how a plan is carried out.
type manner struct {
	reading wire.Reading
	own     bool // operators are given the solution's own assigners, not ours
}

// What a solution is taken through. The owner of what the eager one returns
// overwrites all of it; the modest one asks for late records only at the end.
// The plain one tells whose fault a difference is.
var (
	eager  = manner{reading: wire.Reading{Late: true, Change: true}}
	modest = manner{own: true}
	plain  = manner{reading: wire.Reading{Late: true}}
)

// Run is [grading.Subject]'s.
func (s subject) Run(c schedule.Case) grading.Outcome {
	p := planned(c)
	f := s.judge(p)
	slept := grading.Slept(noSleep, s.watched)
	var found []grading.Finding
	if f != nil {
		found = append(found, f.Finding)
	}
	if slept != nil && (f == nil || f.Fault == nil) {
		found = append(found, *slept)
	}
	return grading.Outcome{
		Findings:   found,
		Steps:      func() []grading.Step { return p.timeline(f) },
		Situations: func() []string { return p.situations(p.upTo(f)) },
	}
}

// judge takes the solution through the plan in two manners, of which the later
// turns have one each, and returns the first that is wrong.
func (s subject) judge(p *plan) *failure {
	if s.turn%2 == 1 {
		return s.eagerly(p)
	}
	if s.turn == 0 {
		if f := s.eagerly(p); f != nil {
			return f
		}
	}
	return s.modestly(p)
}

// eagerly goes through the plan overwriting all that is returned. If that goes
// wrong, it tells by the plain manner whether the overwriting is to blame.
func (s subject) eagerly(p *plan) *failure {
	f := s.pass(p, eager)
	if f == nil || f.Fault != nil || f.Kind == fault.RuleBroken {
		return f
	}
	if other := s.pass(p, plain); other != nil {
		return other
	}
	f.leak()
	f.Problem = "It goes wrong once a caller overwrites the slices that it was given, which are its own: " + f.Problem
	return f
}

// withOwnAssigner begins what is said of a failure that only they bring about.
const withOwnAssigner = "With your own assigner: "

// modestly goes through the plan with the solution's own assigners. If that goes
// wrong, it tells by ours whether those are to blame, and by the eager manner,
// which was right before, whether something is left of that.
func (s subject) modestly(p *plan) *failure {
	f := s.pass(p, modest)
	if f == nil || f.Kind == fault.RuleBroken {
		return f
	}
	if own := p.ownAssigner(); own != "" {
		if other := s.pass(p, manner{}); other == nil {
			f.Unless = own
			f.Problem = withOwnAssigner + f.Problem
			return f
		}
	}
	if s.turn == 0 && f.Fault == nil && s.pass(p, eager) != nil {
		f.leak()
		f.Problem = "The first run was right, a second one in the same process was not: " + f.Problem
	}
	return f
}

// leak makes a finding one of isolation, which says nothing where the rule that
// was found broken is broken anyway.
func (f *failure) leak() {
	if f.Check != isolation {
		f.Check, f.Unless = isolation, f.Check
	}
}

// ownAssigner is the check of the assigners that the plan's operators are given,
// or empty where there are none of the solution's.
func (p *plan) ownAssigner() string {
	for _, o := range p.operators {
		switch o.windows.Name {
		case opTumbling, opSliding:
			return o.windows.Name
		}
	}
	return ""
}
