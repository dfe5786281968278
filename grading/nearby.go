package grading

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
)

// A Near is a case that differs from another in one thing.
type Near struct {
	Words string // in what, e.g. "commit_lag 0 instead of 1"
	Case  schedule.Case
}

// maxNear bounds how many operations of a script are left out in turn.
const maxNear = 12

// Nearby returns cases that differ from c in one thing, those that are nearest by
// it: a script without one of its operations; a run with the next smaller or
// larger value of a parameter, or with a record fewer. Runs are taken from pool,
// so that they have IDs.
func (s Suite) Nearby(c schedule.Case, pool []schedule.Case) []Near {
	if c.Script != nil {
		return s.shorter(c)
	}
	var all []Near
	if fewer := len(c.Records) - 1; fewer >= 0 {
		if i := slices.IndexFunc(pool, func(p schedule.Case) bool {
			return p.Script == nil && slices.Equal(p.Records, c.Records[:fewer]) && slices.Equal(differing(c, p), nil)
		}); i >= 0 {
			all = append(all, Near{fmt.Sprintf("%s instead of %d", Plural(fewer, "record"), fewer+1), pool[i]})
		}
	}
	for k, setting := range c.Params {
		for _, p := range beside(c, k, pool) {
			all = append(all, Near{fmt.Sprintf("%s %s instead of %s", setting.Name, p.Params[k].Text, setting.Text), p})
		}
	}
	return all
}

// shorter returns a script without each of its operations, where that makes
// sense.
func (s Suite) shorter(c schedule.Case) []Near {
	var all []Near
	for i, op := range c.Script[:min(len(c.Script), maxNear)] {
		rest := slices.Delete(slices.Clone(c.Script), i, i+1)
		if len(rest) == 0 || !s.Spec.Allows(rest) {
			continue
		}
		all = append(all, Near{
			fmt.Sprintf("without operation %d, %s", i+1, op),
			schedule.Case{ID: schedule.SequenceID(s.ID, rest), Script: rest},
		})
	}
	return all
}

// beside returns the cases of the pool with the same records as c that differ
// from it in the k-th parameter alone: the next smaller one, and the next larger.
func beside(c schedule.Case, k int, pool []schedule.Case) []schedule.Case {
	var near [2]*schedule.Case
	for i, p := range pool {
		if p.Script != nil || !slices.Equal(differing(c, p), []int{k}) || !slices.Equal(p.Records, c.Records) {
			continue
		}
		side := 0
		if p.Params[k].Value > c.Params[k].Value {
			side = 1
		}
		if near[side] == nil || distance(c, p, k) < distance(c, *near[side], k) {
			near[side] = &pool[i]
		}
	}
	var all []schedule.Case
	for _, p := range near {
		if p != nil {
			all = append(all, *p)
		}
	}
	return all
}

func distance(a, b schedule.Case, k int) int {
	d := a.Params[k].Value - b.Params[k].Value
	return max(d, -d)
}

// differing returns the indices of the parameters in which two cases differ.
func differing(a, b schedule.Case) []int {
	var all []int
	for k := range min(len(a.Params), len(b.Params)) {
		if a.Params[k].Value != b.Params[k].Value {
			all = append(all, k)
		}
	}
	return all
}

// A NearReport tells what became of a [Near].
type NearReport struct {
	Words   string  `json:"words"`
	Case    string  `json:"case"` // its ID
	Verdict Verdict `json:"verdict"`
	Check   string  `json:"check,omitempty"` // that it breaks
}

// nearby tells of the cases that stand on the agenda behind the one that is
// explained.
func (r *record) nearby() []NearReport {
	var all []NearReport
	for i, near := range r.stage.Nearby {
		place := len(r.stage.Cases) - len(r.stage.Nearby) + i
		report := NearReport{Words: near.Words, Case: near.Case.ID, Verdict: Inconclusive}
		if r.began[place] {
			report.Verdict = Pass
		}
		for _, f := range r.failed {
			if f.Index == place {
				report.Verdict, report.Check = Fail, cmp.Or(report.Check, f.Findings[0].Check)
			}
		}
		all = append(all, report)
	}
	return all
}

// explained drops the failures of nearby cases, which are told of apart.
func (r *record) explained() []CaseResult {
	if len(r.stage.Nearby) == 0 {
		return r.failed
	}
	own := len(r.stage.Cases) - len(r.stage.Nearby)
	return slices.DeleteFunc(slices.Clone(r.failed), func(c CaseResult) bool { return c.Index >= own })
}
