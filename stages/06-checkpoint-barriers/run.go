package checkpointbarriers

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/wire"
)

// A run carries out a plan on aligners of the solution, and compares what comes
// out after each arrival with the oracle.
type run struct {
	plan
	solution solution
	changing bool // the caller overwrites and keeps what it is given

	answers  []answer // by aligner, of all that arrives there
	aligners [maxAligners + 1]contract.Aligner
	seen     [maxAligners + 1][]arrival
	done     int    // arrivals
	went     string // what came of the last of them, where that is wrong
}

// runAligners carries a case out by a caller who changes what it is given, and
// by one who only reads: a schedule's by both in the first turn, so that a second
// aligner shows what the first left behind. Else the turns share them out.
func (s subject) runAligners(c schedule.Case) grading.Outcome {
	p := planOf(c)
	answers := answersTo(p)
	var f *grading.Finding
	var r *run
	if s.turn%2 == 0 {
		if f, r = s.carryOut(p, answers, true); f != nil {
			return s.explain(f, r)
		}
	}
	if s.turn%2 == 1 || s.turn == 0 && !explored(c) {
		if f, r = s.carryOut(p, answers, false); f != nil {
			if s.turn == 0 {
				f.Problem = secondAligner + f.Problem
				f.Check, f.Unless = isolation, f.Check
			}
			return outcome(r.several(f), r)
		}
	}
	return grading.Outcome{Steps: r.timeline, Situations: func() []string { return alignerSigns.During(p.moments()) }}
}

// How the problems begin of findings that one who only reads does not meet, or
// not with a first aligner.
const (
	secondAligner = "The first aligner was right, a second one in the same process is not, so they share something. "
	overwritten   = "The caller overwrites each slice that it is given, and appends to it. "
	keptSlice     = "A slice that aligner"
	keptBarrier   = "A barrier that arrived at aligner"
)

func explored(c schedule.Case) bool {
	return strings.HasPrefix(c.ID, schedule.SequenceID(spec.Stage, nil))
}

// explain tells what a failure is due to that a caller met who changes what it
// is given: to that, if one who only reads meets none.
func (s subject) explain(f *grading.Finding, r *run) grading.Outcome {
	if f.Fault != nil || f.Check == isolation {
		return outcome(f, r)
	}
	if again, plain := s.carryOut(r.plan, r.answers, false); again != nil {
		return outcome(r.several(again), plain)
	}
	f.Problem = overwritten + f.Problem
	f.Check, f.Unless = isolation, f.Check
	return outcome(f, r)
}

// several makes a failure with more than one aligner one of isolation.
func (r *run) several(f *grading.Finding) *grading.Finding {
	if len(r.answers) > 2 && f.Fault == nil && f.Check != isolation {
		f.Check, f.Unless = isolation, f.Check
	}
	return f
}

func outcome(f *grading.Finding, r *run) grading.Outcome {
	seen := r.plan
	seen.arrivals = r.arrivals[:r.done]
	return grading.Outcome{
		Findings: []grading.Finding{*f}, Steps: r.timeline,
		Situations: func() []string { return alignerSigns.During(seen.moments()) },
	}
}

// answersTo are by aligner, from 1, what must come of all that arrives there. That
// our two opinions on it differ is a fault of ours, and a panic.
func answersTo(p plan) []answer {
	var histories [][]arrival
	for _, a := range p.arrivals {
		for len(histories) <= a.aligner {
			histories = append(histories, nil)
		}
		histories[a.aligner] = append(histories[a.aligner], a)
	}
	answers := make([]answer, len(histories))
	for n, history := range histories {
		answers[n] = oracle(p.channels, history)
		answers[n].agreed(p.channels, history)
	}
	return answers
}

func (s subject) carryOut(p plan, answers []answer, changing bool) (found *grading.Finding, r *run) {
	r = &run{plan: p, solution: s.solution, answers: answers, changing: changing}
	death := fault.Guard(func() { found = r.arrive() })
	for _, a := range r.aligners {
		if remote, ok := a.(wire.Aligner); ok {
			fault.Guard(remote.Release) // a dead guest needs no telling
		}
	}
	if death != nil {
		f := grading.Died(r.diedBy(), death, r.done-1)
		found = &f
	}
	return found, r
}

// arrive lets all arrive, up to the first that is answered wrongly.
func (r *run) arrive() *grading.Finding {
	for _, a := range r.arrivals {
		if r.aligners[a.aligner] == nil {
			r.aligners[a.aligner] = r.newAligner()
		}
		r.seen[a.aligner] = append(r.seen[a.aligner], a)
		r.done++
		history := r.seen[a.aligner]
		s := step{
			plan: r.plan, number: r.done, history: history,
			want: r.answers[a.aligner].out[len(history)-1],
			got:  call(r.aligners[a.aligner], a),
		}
		if f := s.judge(); f != nil {
			r.went = "downstream went " + list(s.got, s.label)
			return f
		}
	}
	return r.intact()
}

// intact returns a finding if what was returned, or handed over, has changed.
func (r *run) intact() *grading.Finding {
	for n, a := range r.aligners {
		c, ok := a.(changed)
		if !ok || !r.changing {
			continue
		}
		problem := ""
		switch slicesAre, barriersAre := c.Intact(); {
		case !slicesAre:
			problem = keptSlice + " %d returned was written to later; it is the caller's, so return a new one each time."
		case !barriersAre:
			problem = keptBarrier + " %d has another ID since; a barrier is never changed, so make a new one."
		default:
			continue
		}
		f := grading.Broken(isolation, r.done-1, problem, n)
		f.Unless = release
		return f
	}
	return nil
}

func (r *run) newAligner() contract.Aligner {
	if r.changing {
		return r.solution.newChanged(r.channels)
	}
	return r.solution.NewAligner(r.channels)
}

func call(to contract.Aligner, a arrival) []item {
	if a.end {
		return items(to.Finish(a.channel))
	}
	return items(to.Receive(a.channel, a.item.element()))
}

// diedBy is the check that a solution broke which died at the last arrival.
func (r *run) diedBy() string {
	if r.done == 0 {
		return consistentCut
	}
	return blame(r.channels, r.seen[r.arrivals[r.done-1].aligner], consistentCut)
}

// timeline is what arrived, what must come of it and how things must stand then.
// Where something else came of the last one, that is its note.
func (r *run) timeline() []grading.Step {
	var steps []grading.Step
	var histories [maxAligners + 1][]arrival
	for i, a := range r.arrivals[:r.done] {
		histories[a.aligner] = append(histories[a.aligner], a)
		now := oracle(r.channels, histories[a.aligner])
		note := r.note(now, histories[a.aligner])
		if i == r.done-1 && r.went != "" {
			note = r.went // the problem says what is out of the ordinary
		}
		steps = append(steps, grading.Step{
			Object: fmt.Sprintf("aligner %d", a.aligner),
			Action: a.text(r.label),
			State:  r.state(now, histories[a.aligner]),
			Note:   note,
		})
	}
	return steps
}

// state is how an aligner stands: "out [a1]  aligning 1: waits for channel 1  held-back [a2]".
func (r *run) state(now answer, history []arrival) string {
	text := "out " + list(now.out[len(history)-1], r.label)
	if now.aligning == 0 {
		return text
	}
	var waiting []string
	for _, i := range now.waiting {
		if history[i].end {
			waiting = append(waiting, "end")
		} else {
			waiting = append(waiting, history[i].item.text(r.label))
		}
	}
	return text + fmt.Sprintf("  aligning %d, waits for %s  held-back %s",
		now.aligning, channelList(now.missing(r.channels)), bracketed(waiting))
}

// note says so where an arrival is out of the ordinary.
func (r *run) note(now answer, history []arrival) string {
	before := oracle(r.channels, history[:len(history)-1])
	switch {
	case len(now.givenUp) > len(before.givenUp):
		return fmt.Sprintf("%d is given up", now.givenUp[len(now.givenUp)-1].id)
	case len(now.late) > len(before.late):
		return "late: dropped"
	}
	return ""
}
