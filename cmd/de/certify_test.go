package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/certify"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages"
)

// The course can be certified, each reference for fewer rounds than by the
// command. With -update, the smallest case that each mutant fails by is recorded.
func TestCertify(t *testing.T) {
	o := certify.Options{Config: testConfig(t), Rounds: 1, Seeds: seeds, Every: 40, Progress: func(string, string) {}}
	if slow {
		o.Every, o.Made = 1, 10 // de certify judges all that are made
	}
	result, err := certify.Run(t.Context(), certified(), o, flag.Args()...)
	if err != nil {
		t.Fatal(err)
	}
	suites := stages.All()
	for _, s := range result.Stages {
		suite := suites[slices.IndexFunc(suites, func(suite grading.Suite) bool { return suite.ID == s.Stage })]
		t.Logf("stage %s: %d mutants, %d variants, of %d made mutants killed %v, at a limit %d, equivalent %d; %d did not compile, %d were the same",
			s.Stage, len(s.Mutants), len(s.Variants), s.Made.Judged, s.Made.KilledBy, s.Made.TimedOut, s.Made.Equivalent, s.Made.NotCompiled, s.Made.Same)
		if *update {
			recordMutants(t, suite, s.Mutants)
			for i := range s.Mutants {
				s.Mutants[i].Recorded = s.Mutants[i].Case
			}
		}
		for _, problem := range s.Audit(suite, result.Every) {
			t.Errorf("stage %s: %s", s.Stage, problem)
		}
	}
}

// recordMutants writes down the smallest cases that mutants fail by.
func recordMutants(t *testing.T, suite grading.Suite, mutants []certify.Mutant) {
	t.Helper()
	name := filepath.Join("..", "..", "fixtures", "mutants", suite.ID+".yaml")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	for _, m := range mutants {
		at := regexp.MustCompile(`(?m)(- name: ` + regexp.QuoteMeta(m.Name) + `\n(?:.*\n){0,3}?    shortest: ).*$`)
		if n := len(at.FindAllString(text, -1)); n != 1 {
			t.Fatalf("%s: %d places in %s", m.Name, n, name)
		}
		text = at.ReplaceAllString(text, "${1}"+strings.ReplaceAll(m.Case, "$", "$$"))
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Evidence as good as is recorded shows no problem; without any single check it
// does, since a mutant is then not killed by what it is there for.
func TestEveryCheckIsNeeded(t *testing.T) {
	for _, suite := range stages.All() {
		s := perfect(t, suite)
		if problems := s.Audit(suite, 1); len(problems) > 0 {
			t.Errorf("stage %s: with all checks: %v", suite.ID, problems)
		}
		for i, check := range suite.Checks {
			less := suite
			less.Checks = append(append([]grading.Check{}, suite.Checks[:i]...), suite.Checks[i+1:]...)
			evidence := without(s, check.Name)
			if problems := evidence.Audit(less, 1); len(problems) == 0 {
				t.Errorf("stage %s is certified without the check %s", suite.ID, check.Name)
			}
		}
	}
}

// perfect is the evidence on a stage of which all is as recorded.
func perfect(t *testing.T, suite grading.Suite) certify.Stage {
	t.Helper()
	s := certify.Stage{Skeleton: certify.Skeleton{Kind: fault.NotImplemented}, RightCanary: grading.Pass, WrongCanary: grading.Fail}
	for _, m := range mutantsOf(t, suite) {
		s.Mutants = append(s.Mutants, certify.Mutant{
			Name: m.Name, Check: m.Check, Recorded: m.Shortest, Case: m.Shortest, Verdict: grading.Fail, KilledBy: m.Check,
		})
	}
	return s
}

// without is evidence found without a check: what it alone told passes.
func without(s certify.Stage, check string) certify.Stage {
	s.Mutants = append([]certify.Mutant{}, s.Mutants...)
	for i := range s.Mutants {
		if m := &s.Mutants[i]; m.KilledBy == check {
			m.KilledBy, m.Verdict = "", grading.Pass
		}
	}
	return s
}
