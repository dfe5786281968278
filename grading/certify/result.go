package certify

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

// Version is the version of the JSON form of a [Result]. It changes when a field
// changes its meaning or goes; new fields may come without.
const Version = 1

// A Result is what was found of a course.
type Result struct {
	Version int     `json:"version"`
	Course  string  `json:"course"`
	Every   int     `json:"every"` // one in so many of the mutants and variants was judged
	Summary Summary `json:"summary"`
	Stages  []Stage `json:"stages"`
}

// A Summary counts over all stages.
type Summary struct {
	Mutants    int `json:"mutants"`    // written by hand
	Killed     int `json:"killed"`     // of them
	Made       int `json:"made"`       // mutants made by machine
	MadeKilled int `json:"madeKilled"` // of them, by a check
	TimedOut   int `json:"timedOut"`   // of them, which is no kill
	Equivalent int `json:"equivalent"` // of them, as right as the reference
	Variants   int `json:"variants"`
	Rejected   int `json:"rejected"` // of the variants
	Problems   int `json:"problems"` // 0: the course is certified
}

// A Stage is the evidence on one stage, and the problems that it shows.
type Stage struct {
	Stage      string      `json:"stage"` // "08"
	Title      string      `json:"title"`
	Reference  Reference   `json:"reference"`
	Skeleton   Skeleton    `json:"skeleton"`
	Situations []Situation `json:"situations"`
	Content    []string    `json:"content"` // what is wrong with brief, hints, contract or schedules
	Mutants    []Mutant    `json:"mutants"`
	Made       Made        `json:"made"`
	Variants   []Variant   `json:"variants"`

	// RightCanary is the verdict on the reference where it stands among the
	// mutants, WrongCanary on a mutant among the variants: a certificate that
	// takes everything for what it should be would show by them.
	RightCanary grading.Verdict `json:"rightCanary"`
	WrongCanary grading.Verdict `json:"wrongCanary"`

	Problems []string `json:"problems"`
}

// A Reference is how the reference fared.
type Reference struct {
	Rounds   int      `json:"rounds"`
	Seeds    int      `json:"seeds"` // of each round
	Cases    int      `json:"cases"`
	Explored int      `json:"explored"`
	Failed   []string `json:"failed,omitempty"` // by round that was no pass, what became of it
}

// A Skeleton is how the skeleton fared.
type Skeleton struct {
	Verdict grading.Verdict `json:"verdict"`
	Kind    fault.Kind      `json:"kind,omitempty"`
	Words   string          `json:"words"`
}

// A Situation is one of those that must come up.
type Situation struct {
	Name   string `json:"name"`
	CameUp bool   `json:"cameUp"`
}

// A Mutant is a known-wrong solution and what became of it.
type Mutant struct {
	Name     string          `json:"name"`
	Fault    string          `json:"fault"`
	Check    string          `json:"check"`    // that it must fail by
	Recorded string          `json:"recorded"` // the smallest case that it is recorded to fail by
	Verdict  grading.Verdict `json:"verdict"`
	KilledBy string          `json:"killedBy,omitempty"` // a check
	Broken   []string        `json:"broken,omitempty"`   // all checks that it breaks
	Case     string          `json:"case,omitempty"`     // the smallest that it fails by
	Words    string          `json:"words"`
}

// Made is what became of the mutants that were made by machine.
type Made struct {
	Total       int            `json:"total"`
	Judged      int            `json:"judged"`
	KilledBy    map[string]int `json:"killedBy"` // by check
	TimedOut    int            `json:"timedOut"`
	Equivalent  int            `json:"equivalent"`  // listed as such, and they pass
	NotCompiled int            `json:"notCompiled"` // beside the total
	Same        int            `json:"same"`        // beside the total: the same code as another's
	Wrong       []string       `json:"wrong"`       // survivors that are not listed, and what is listed and no survivor
}

// A Variant is a known-right, unusual solution and what became of it.
type Variant struct {
	Name    string          `json:"name"`
	Verdict grading.Verdict `json:"verdict"`
	Words   string          `json:"words,omitempty"`
}

func (r *Result) sum() {
	s := &r.Summary
	for _, stage := range r.Stages {
		s.Mutants += len(stage.Mutants)
		for _, m := range stage.Mutants {
			if m.killed() {
				s.Killed++
			}
		}
		s.Made += stage.Made.Judged
		for _, n := range stage.Made.KilledBy {
			s.MadeKilled += n
		}
		s.TimedOut += stage.Made.TimedOut
		s.Equivalent += stage.Made.Equivalent
		s.Variants += len(stage.Variants)
		for _, v := range stage.Variants {
			if v.Verdict != grading.Pass {
				s.Rejected++
			}
		}
		s.Problems += len(stage.Problems)
	}
}

func (m Mutant) killed() bool { return m.Verdict == grading.Fail && m.KilledBy == m.Check }

// Audit returns all that the evidence shows to be wrong with a stage, of whose
// mutants one in every was judged.
func (s *Stage) Audit(suite grading.Suite, every int) []string {
	problems := []string{}
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, words := range s.Reference.Failed {
		problem("the reference does not pass: %s", words)
	}
	if s.Skeleton.Kind != fault.NotImplemented {
		problem("the skeleton does not fail as not implemented: %s", s.Skeleton.Words)
	}
	for _, situation := range s.Situations {
		if !situation.CameUp {
			problem("the situation %s never comes up", situation.Name)
		}
	}
	problems = append(problems, s.Content...)
	if s.RightCanary != grading.Pass {
		problem("the reference, among the mutants, is taken for a mutant that fails: %s", s.RightCanary)
	}
	if s.WrongCanary != grading.Fail {
		problem("a mutant, among the variants, is taken for one that passes: %s", s.WrongCanary)
	}
	kills := map[string]int{}
	for _, m := range s.Mutants {
		if words := m.wrong(suite); words != "" {
			problem("mutant %s: %s", m.Name, words)
		}
		kills[m.KilledBy]++
	}
	for _, check := range suite.Checks {
		if kills[check.Name] == 0 && every == 1 {
			problem("no mutant is killed by %s, so nothing shows that it works", check.Name)
		}
	}
	for _, words := range s.Made.Wrong {
		problem("made mutant %s", words)
	}
	for _, v := range s.Variants {
		if v.Verdict != grading.Pass {
			problem("variant %s is rejected: %s", v.Name, v.Words)
		}
	}
	return problems
}

// wrong says what is wrong with a mutant's death, or nothing.
func (m Mutant) wrong(suite grading.Suite) string {
	known := slices.ContainsFunc(suite.Checks, func(c grading.Check) bool { return c.Name == m.Check })
	switch {
	case !known:
		return fmt.Sprintf("there is no check %s", m.Check)
	case m.Verdict != grading.Fail:
		return fmt.Sprintf("it survives, though %s: %s", m.Fault, m.Words)
	case m.KilledBy != m.Check:
		return fmt.Sprintf("it fails by %q, not by %s: %s", m.KilledBy, m.Check, m.Words)
	case m.Case != m.Recorded && m.Check != suite.Deterministic:
		return fmt.Sprintf("the smallest case that it fails by is %s, not %s", m.Case, m.Recorded)
	}
	return ""
}
