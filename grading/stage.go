package grading

import (
	"fmt"
	"maps"
	"slices"

	"github.com/flk-byo/de/harness/fault"
)

// batchSize is how many cases are run between two lines of a report. To announce
// each, and to wait for the slower guest after each, would take longer than most
// of them do.
const batchSize = 64

// stage runs the agenda of one stage.
func (j *judge) stage(s StageJob, suite Suite) error {
	for _, b := range j.benches {
		b.enter(suite, s)
	}
	a := newAgenda(suite, j.cases[s.Index], s)
	if err := j.send(Message{Phase: PhaseStage, Stage: s.Index, Total: a.size(), Sweep: a.sweep.Parts}); err != nil {
		return err
	}
	size := a.size()
	if j.broken() {
		size = len(a.scheduled) // they come to the same: what never starts need not be explored
	}
	end := size
	if s.To > 0 {
		end = min(s.To, end)
	}
	out := &output{judge: j, agenda: a, stage: s, shown: map[string]bool{}}
	for at := s.From; at < end; {
		next := min(a.stretch(at), end)
		run := out.cases
		if at >= len(a.scheduled) && at < a.sweepEnd() {
			run = out.sweepParts
		}
		if ended, err := run(at, next); ended || err != nil {
			return err
		}
		at = next
	}
	if j.job.Explain && !j.job.Guarded && s.From == 0 && !out.first {
		if err := out.insist(); err != nil {
			return err
		}
	}
	return j.send(Message{Phase: PhaseEnd, Stage: s.Index, More: end < size, CameUp: j.cameUp()})
}

// broken tells that the solution's initialisation dies: then each case fails by
// that, at no cost.
func (j *judge) broken() bool { return j.benches[0].broken != nil }

// cameUp are the situations that the benches came to.
func (j *judge) cameUp() []string {
	all := map[string]bool{}
	for _, b := range j.benches {
		maps.Copy(all, b.cameUp)
	}
	return slices.Sorted(maps.Keys(all))
}

// An output runs the agenda of a stage, and reports the results in its order.
type output struct {
	*judge
	agenda
	stage  StageJob
	limits int             // cases that ended at the time limit
	costly int             // at any limit
	shown  map[string]bool // checks for which a case was sent in full
	first  bool            // the first case of all did not pass
}

func (o *output) announce(first, next int) error {
	return o.send(Message{Phase: PhaseCase, Stage: o.stage.Index, Case: first, Next: next})
}

// cases runs the cases of some places: as fast as it can until the first that
// fails, then batch by batch.
func (o *output) cases(at, end int) (ended bool, err error) {
	if !o.job.Guarded {
		next, results, err := o.sprint(o.agenda, at, end, o.announce)
		if err != nil {
			return true, err
		}
		if at = next; results != nil {
			if ended, err := o.results([]*CaseResult{o.settled(results, at)}, at); ended || err != nil {
				return true, err
			}
			at++
		}
	}
	size := batchSize
	if o.job.Guarded {
		size = 1
	}
	for at < end {
		next := min(at+size, end)
		if err := o.announce(at, next); err != nil {
			return true, err
		}
		all := o.run(o.agenda, at, next)
		results := make([]*CaseResult, len(all))
		for i, by := range all {
			results[i] = o.settled(by, at+i)
		}
		if ended, err := o.results(results, at); ended || err != nil {
			return true, err
		}
		at += len(results)
	}
	return false, nil
}

// settled makes one result of those by bench, a short one of that of a long
// script.
func (o *output) settled(by []*CaseResult, place int) *CaseResult {
	r := o.settle(by, o.agenda, place)
	if r == nil {
		return nil
	}
	if o.isLong(place) {
		r = o.shrunk(r, func() error { return o.announce(place, place+1) })
	}
	if f := r.Findings[0]; r.Explored || !o.shown[f.Check+f.Unless] {
		r = o.everywhere(r)
	}
	return r
}

// results reports those of the places from one on, and whether the stage ends
// with them.
func (o *output) results(results []*CaseResult, from int) (ended bool, err error) {
	for _, r := range results {
		if r == nil {
			continue
		}
		o.first = o.first || r.Index == 0
		if r.trim(o.shown); len(r.Steps) > 0 && r.Findings[0].Kind == fault.Nondeterministic {
			r.Findings[0].Apart = o.parted(r)
		}
		if err := o.send(Message{Stage: o.stage.Index, Failed: r}); err != nil {
			return true, err
		}
		end := Message{Phase: PhaseEnd, Stage: o.stage.Index, Next: from + len(results)}
		if r.Explored && r.Findings[0].Check != o.suite.Isolation {
			return true, o.send(end) // they come by size: a longer one would say no more
		}
		if r.timedOut() {
			o.limits++
		}
		if r.costly() {
			o.costly++
		}
		if o.job.MaxLimits > 0 && !o.broken() && (o.limits >= o.job.MaxLimits || o.costly >= maxCostly) {
			end.Stop = fmt.Sprintf("%d cases ended at a limit, so the others were not run", max(o.limits, o.costly))
			return true, o.send(end)
		}
	}
	return false, nil
}

// pointOfNoReturn is that of Outcome.Unsafe, or where the first finding is seen.
func (r *CaseResult) pointOfNoReturn() int {
	seen := r.Findings[0].Step
	if r.unsafe == nil {
		return seen
	}
	at := r.unsafe()
	if at < 0 || seen >= 0 && seen < at {
		return seen
	}
	return at
}

// trim fills in the timeline, or leaves out what need not be told at length twice.
func (r *CaseResult) trim(shown map[string]bool) {
	full := r.Explored && !r.Leaks // it may be smaller than those that were shown
	for _, f := range r.Findings {
		full = full || !shown[f.Check+f.Unless]
		shown[f.Check+f.Unless] = true
	}
	if full {
		if r.steps != nil {
			r.Steps = r.steps()
			r.Unsafe = r.pointOfNoReturn()
			r.shorten()
		}
		return
	}
	r.Printed = ""
	for i := range r.Findings {
		r.Findings[i].Diff = nil
	}
}
