package watermarks

import (
	"cmp"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/03-watermarks/contract"
	"github.com/flk-byo/de/stages/03-watermarks/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A subject runs and judges cases against one solution.
type subject struct {
	solution contract.Stage
	watched  func(function string) bool
	restart  func() contract.Stage // a solution without a past
	turn     int                   // see [grading.Guest]
}

func bind(g grading.Guest) grading.Subject {
	restart := func() contract.Stage { return wire.Stage{Object: g.Restart()} }
	return subject{wire.Stage{Object: g.Solution}, g.Watched, restart, g.Turn}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself.
func Native(s contract.Stage) grading.Subject {
	return subject{s, func(string) bool { return false }, func() contract.Stage { return s }, 0}
}

// Run is [grading.Subject]'s.
func (s subject) Run(c schedule.Case) grading.Outcome {
	p := planOf(c)
	r := &run{plan: p, solution: s.solution}
	found := r.carryOut()
	slept := grading.Slept(noSleep, s.watched)
	if found != nil && found.Fault == nil && len(p.objects) > 1 && !s.failsAlone(p, p.calls[found.Step].object) {
		found.Check, found.Unless = isolation, cmp.Or(found.Unless, found.Check)
		found.Problem = "Each alone is right, together they are not, so they share something: " + found.Problem
	}
	var all []grading.Finding
	if found != nil {
		all = append(all, *found)
	}
	if slept != nil && (found == nil || found.Fault == nil) {
		all = append(all, *slept)
	}
	return grading.Outcome{Findings: all, Steps: r.timeline, Situations: r.situations}
}

// failsAlone tells whether an object is wrong even if there are no others.
func (s subject) failsAlone(p *plan, index int) bool {
	r := &run{plan: p.only(index), solution: s.restart()}
	return r.carryOut() != nil
}

// A run carries out a plan on a solution, up to the first wrong answer.
type run struct {
	plan       *plan
	solution   contract.Stage
	generators []contract.Generator // by object; nil where it is a merger
	mergers    []contract.Merger
	seen       []answer // by call
}

// carryOut returns what was found, if anything. Its step is that of the call.
func (r *run) carryOut() (found *grading.Finding) {
	death := fault.Guard(func() {
		for i := range r.plan.calls {
			r.seen = append(r.seen, answer{})
			r.seen[i] = r.do(r.plan.calls[i])
			if !r.seen[i].equal(r.plan.calls[i].want) {
				found = r.wrong(i)
				return
			}
		}
	})
	if death != nil {
		at := len(r.seen) - 1
		c := r.plan.calls[at]
		d := grading.Died(r.plan.objects[c.object].purpose(c), death, at)
		return &d
	}
	r.release()
	return found
}

func (r *run) do(c call) answer {
	if c.nth < 0 {
		r.create(c.op)
		return answer{}
	}
	if g := r.generators[c.object]; g != nil {
		return of(g.Observe(c.record))
	}
	m, ch := r.mergers[c.object], int(c.op.Args[0])
	switch c.op.Name {
	case opUpdate:
		return of(m.Update(ch, stream.Watermark(c.op.Args[1])))
	case opIdle:
		return of(m.Idle(ch))
	default:
		return of(m.Finish(ch))
	}
}

func of(w stream.Watermark, told bool) answer { return answer{w, told} }

func (r *run) create(op schedule.Op) {
	var g contract.Generator
	var m contract.Merger
	if op.Name == opMaxDelay {
		g = r.solution.BoundedOutOfOrderness(op.Args[0])
	} else {
		m = r.solution.NewMerger(int(op.Args[0]))
	}
	r.generators, r.mergers = append(r.generators, g), append(r.mergers, m)
}

// release gives up the objects, so that a guest can free them.
func (r *run) release() {
	for i := range r.generators {
		switch o := any(r.generators[i]).(type) {
		case wire.Generator:
			releaseObject(o.Object)
		}
		switch o := any(r.mergers[i]).(type) {
		case wire.Merger:
			releaseObject(o.Object)
		}
	}
}

func releaseObject(o rpc.Object) {
	fault.Guard(o.Release) // a dead guest needs no telling
}
