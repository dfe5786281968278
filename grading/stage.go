package grading

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/harness/rpc"
)

// batchSize is how many cases are run between two lines of a report. To announce
// each, and to wait for the slower guest after each, would take longer than most
// of them do.
const batchSize = 64

// stage runs the cases of one stage.
func (j *judge) stage(s StageJob, suite Suite) error {
	for _, b := range j.benches {
		b.enter(suite, rpc.Ref(s.Place+1))
	}
	cases := j.cases[s.Index]
	scheduled := len(cases)
	if s.Explore && suite.Explore != nil {
		cases = slices.AppendSeq(slices.Clone(cases), suite.Explore())
	}
	if err := j.send(Message{Phase: PhaseStage, Stage: s.Index, Total: len(cases)}); err != nil {
		return err
	}
	end := len(cases)
	if s.To > 0 {
		end = min(s.To, end)
	}
	out := output{judge: j, stage: s, suite: suite, shown: map[string]bool{}}
	at := s.From
	if !j.job.Guarded {
		next, results, err := j.sprint(cases[:end], at, scheduled, out.announce)
		if err != nil {
			return err
		}
		if at = next; results != nil {
			r := j.settle(results, cases[at], at, at >= scheduled)
			if ended, err := out.results([]*CaseResult{r}, at); ended || err != nil {
				return err
			}
			at++
		}
	}
	size := batchSize
	if j.job.Guarded {
		size = 1
	}
	for at < end {
		next := min(at+size, end)
		if err := out.announce(at, next); err != nil {
			return err
		}
		results := j.run(cases[at:next], at, scheduled)
		if ended, err := out.results(results, at); ended || err != nil {
			return err
		}
		at += len(results)
	}
	return j.send(Message{Phase: PhaseEnd, Stage: s.Index})
}

// An output reports the results of a stage, in the order of the cases.
type output struct {
	*judge
	stage  StageJob
	suite  Suite
	limits int             // cases that ended at the time limit
	costly int             // at any limit
	shown  map[string]bool // checks for which a case was sent in full
}

func (o *output) announce(first, next int) error {
	return o.send(Message{Phase: PhaseCase, Stage: o.stage.Index, Case: first, Next: next})
}

// results reports those of the cases from an index on, and whether the stage
// ends with them.
func (o *output) results(results []*CaseResult, from int) (ended bool, err error) {
	for _, r := range results {
		if r == nil {
			continue
		}
		r.trim(o.shown)
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
		if o.job.MaxLimits > 0 && (o.limits >= o.job.MaxLimits || o.costly >= maxCostly) {
			end.Stop = fmt.Sprintf("%d cases ended at a limit, so the others were not run", max(o.limits, o.costly))
			return true, o.send(end)
		}
	}
	return false, nil
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
			r.shorten()
		}
		return
	}
	r.Printed = ""
	for i := range r.Findings {
		r.Findings[i].Diff = nil
	}
}
