package grading

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// A CaseReport is what became of one case of a schedule.
type CaseReport struct {
	Case    string        `json:"case"` // its ID
	Verdict Verdict       `json:"verdict"`
	Broken  []BrokenCheck `json:"broken,omitempty"` // the headline first
}

// A BrokenCheck is a check as one case broke it.
type BrokenCheck struct {
	Check  string     `json:"check"`
	Kind   fault.Kind `json:"kind"`
	Unless string     `json:"unless,omitempty"` // see [Finding]
}

// each tells of every case of the schedules. Where a stage did not come to its
// end, nobody knows which cases of the last batch were run.
func (r *record) each() []CaseReport {
	all := make([]CaseReport, len(r.stage.Cases))
	for i, c := range r.stage.Cases {
		all[i] = CaseReport{Case: c.ID, Verdict: Inconclusive}
		if r.ended && r.began[i] {
			all[i].Verdict = Pass
		}
	}
	for _, f := range r.failed {
		if f.Index >= len(all) {
			continue
		}
		c := &all[f.Index]
		c.Verdict, c.Broken = Fail, nil
		for _, finding := range f.Findings {
			c.Broken = append(c.Broken, BrokenCheck{finding.Check, finding.Kind, finding.Unless})
		}
	}
	return all
}

// A Secret is the cases of a stage that its students may not see.
type Secret struct {
	Cases      []schedule.Case // in the order of Suite.Compare
	ResultOnly map[string]bool // the IDs of those of which the result may be told; of the others only numbers
}

// Withheld is what is told of the cases of a [Secret].
type Withheld struct {
	ResultOnly Count            `json:"resultOnly"`
	Hidden     Count            `json:"hidden"`
	Results    []WithheldResult `json:"results,omitempty"` // what those of ResultOnly broke, in the order of the cases
	Checks     []WithheldCheck  `json:"checks,omitempty"`  // what those of Hidden broke, in the order of the checks
}

// A WithheldResult is a check that a case breaks which is not shown.
type WithheldResult struct {
	Case  string     `json:"case"` // its ID
	Check string     `json:"check"`
	Kind  fault.Kind `json:"kind"`
}

// A WithheldCheck is how many hidden cases break a check.
type WithheldCheck struct {
	Check  string `json:"check"`
	Failed int    `json:"failed"`
}

// Words in place of what was said of cases that are not shown.
const (
	withheldUnfinished = "Not all of the cases that are not shown were run."
	withheldFault      = "A fault of de, in cases that are not shown."
)

// Disclosing returns the report of a solution with what may be told of found,
// that of the same solution on secret cases alone, by stage. It is the only way
// from one into the other: what goes over is made anew here from IDs, checks,
// kinds and numbers, so that a field of a report that is not named here is not
// told. Not even time is, which a solution can take as it likes. Secrets must be run with Config.Each.
func (r Report) Disclosing(secrets map[string]Secret, found Report) Report {
	r.Stages = slices.Clone(r.Stages)
	for i, s := range r.Stages {
		secret, ok := secrets[s.Stage]
		if !ok {
			continue
		}
		r.Stages[i] = disclosing(s, secret, found.stage(s.Stage))
		r.Verdict = worse(r.Verdict, r.Stages[i].Verdict)
	}
	switch {
	case r.Verdict == HarnessFault:
	case found.Verdict == HarnessFault:
		r.Verdict, r.Problem = HarnessFault, withheldFault
	case found.Problem != "" && r.Problem == "":
		r.Problem = withheldUnfinished
	}
	return r
}

// stage is the report of a stage, an inconclusive one if there is none.
func (r Report) stage(id string) StageReport {
	for _, s := range r.Stages {
		if s.Stage == id {
			return s
		}
	}
	return StageReport{Verdict: Inconclusive}
}

// disclosing is Disclosing for one stage.
func disclosing(s StageReport, secret Secret, found StageReport) StageReport {
	w := &Withheld{}
	w.ResultOnly.Total = len(secret.ResultOnly)
	w.Hidden.Total = len(secret.Cases) - w.ResultOnly.Total
	s.Withheld = w
	if len(s.Checks) == 0 {
		return s // there is nothing to be run
	}
	s.Checks = slices.Clone(s.Checks)
	t := newTally(s, secret, found, w)
	verdict := Pass
	if slices.ContainsFunc(found.Each, func(c CaseReport) bool { return c.Verdict == Inconclusive }) || len(found.Each) == 0 {
		verdict = Inconclusive
	}
	for i, c := range s.Checks {
		s.Checks[i] = t.check(c, found)
		if t.failed(c.Name) == 0 {
			continue
		}
		verdict = Fail
		if n := t.hidden[c.Name]; n > 0 {
			w.Checks = append(w.Checks, WithheldCheck{c.Name, n})
		}
		if s.Verdict != Fail {
			s.Verdict, s.Kind = Fail, s.Checks[i].Kind
		}
	}
	if s.Verdict = worse(s.Verdict, verdict); s.Verdict == Inconclusive && s.Problem == "" {
		s.Problem = withheldUnfinished
	}
	return s
}

// A tally counts by check what the cases of a secret broke, as if they had been
// run together with those that are shown.
type tally struct {
	*Withheld
	hidden  map[string]int              // how many hidden cases
	results map[string][]WithheldResult // of those of which the result may be told
	blocked map[string]string           // by which other check, where it was broken in no other way
}

func newTally(s StageReport, secret Secret, found StageReport, w *Withheld) tally {
	t := tally{w, map[string]int{}, map[string][]WithheldResult{}, map[string]string{}}
	broken := map[string]bool{}
	for _, c := range s.Checks {
		broken[c.Name] = c.Verdict == Fail
	}
	for _, c := range found.Each {
		for _, b := range c.Broken {
			broken[b.Check] = broken[b.Check] || b.Unless == ""
		}
	}
	for _, c := range found.Each {
		t.add(c, secret.ResultOnly[c.Case], broken)
	}
	return t
}

// add counts one case.
func (t tally) add(c CaseReport, told bool, broken map[string]bool) {
	count := &t.Hidden
	if told {
		count = &t.ResultOnly
	}
	if c.Verdict != Inconclusive {
		count.Ran++
	}
	if c.Verdict == Fail {
		count.Failed++
	}
	seen := map[string]bool{}
	for _, b := range c.Broken {
		switch {
		case b.Unless != "" && broken[b.Unless]:
			t.blocked[b.Check] = b.Unless
		case seen[b.Check]:
		case told:
			one := WithheldResult{c.Case, b.Check, b.Kind}
			t.Results, t.results[b.Check] = append(t.Results, one), append(t.results[b.Check], one)
		default:
			t.hidden[b.Check]++
		}
		seen[b.Check] = true
	}
}

func (t tally) failed(check string) int { return t.hidden[check] + len(t.results[check]) }

// check adds what is known of a check to what its report says. A case that may be
// shown stays the one that is.
func (t tally) check(c CheckReport, found StageReport) CheckReport {
	n := t.failed(c.Name)
	c.Failed += n
	switch by, blocked := t.blocked[c.Name]; {
	case c.Verdict == Fail:
	case n > 0:
		c.Verdict, c.BlockedBy, c.Problem = Fail, "", t.words(c.Name)
		c.Kind = fault.NotShown
		if told := t.results[c.Name]; len(told) > 0 {
			c.Kind, c.Shortest = told[0].Kind, told[0].Case
		}
	case blocked:
		c.block(by)
	default:
		other := found.check(c.Name)
		if other.Verdict == Blocked {
			c.block(other.BlockedBy)
		} else if other.Verdict == Inconclusive {
			c.Verdict, c.BlockedBy = Inconclusive, ""
		}
	}
	return c
}

// block makes a check that passed one that is blocked by another.
func (c *CheckReport) block(by string) {
	if c.Verdict == Pass {
		c.Verdict, c.BlockedBy = Blocked, by
	}
}

// check is the report of a check, an inconclusive one if there is none.
func (s StageReport) check(name string) CheckReport {
	for _, c := range s.Checks {
		if c.Name == name {
			return c
		}
	}
	return CheckReport{Verdict: Inconclusive}
}

// words say how often a check was broken in cases that are not shown.
func (t tally) words(check string) string {
	hidden := fmt.Sprintf("%d of %s", t.hidden[check], Plural(t.Hidden.Total, "hidden case"))
	results := fmt.Sprintf("%d of %s told by the result only", len(t.results[check]), Plural(t.ResultOnly.Total, "case"))
	switch {
	case len(t.results[check]) == 0:
		return "It is broken in " + hidden + "."
	case t.hidden[check] == 0:
		return "It is broken in " + results + "."
	}
	return "It is broken in " + results + ", and in " + hidden + "."
}
