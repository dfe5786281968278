package certify

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/schedule"
)

var suite = grading.Suite{
	ID: "01", Slug: "first", Title: "First", Deterministic: "chance",
	Checks: []grading.Check{
		{Name: "output", Rule: "r", Why: "w", Section: "The output"},
		{Name: "chance", Rule: "r", Why: "w", Section: "The output", Hint: 3},
	},
	Spec:    schedule.Spec{Stage: "01", Ops: []schedule.OpSpec{{Name: "do"}}, Params: []schedule.Param{{Name: "size"}}},
	CheckOf: func(schedule.Case) string { return "output" },
}

// good is evidence on a stage of which all is as it should be.
func good() Stage {
	return Stage{
		Reference:  Reference{Rounds: 2},
		Skeleton:   Skeleton{grading.Fail, fault.NotImplemented, "fail"},
		Situations: []Situation{{"early", true}},
		Mutants: []Mutant{
			{Name: "loses", Check: "output", Recorded: "01/a", Case: "01/a", Verdict: grading.Fail, KilledBy: "output"},
			{Name: "gambles", Check: "chance", Recorded: "01/a", Case: "01/b", Verdict: grading.Fail, KilledBy: "chance"},
		},
		Variants:    []Variant{{Name: "odd", Verdict: grading.Pass}},
		RightCanary: grading.Pass, WrongCanary: grading.Fail,
	}
}

// Whatever is not as it should be is a problem, and nothing else is.
func TestAudit(t *testing.T) {
	tests := map[string]struct {
		change func(*Stage)
		want   string // in the one problem; empty: none
	}{
		"all is well":           {func(*Stage) {}, ""},
		"a flake":               {func(s *Stage) { s.Reference.Failed = []string{"fail: once"} }, "the reference does not pass: fail: once"},
		"the skeleton passes":   {func(s *Stage) { s.Skeleton = Skeleton{Verdict: grading.Pass, Words: "pass"} }, "the skeleton does not fail as not implemented"},
		"the skeleton panics":   {func(s *Stage) { s.Skeleton.Kind = fault.Panic }, "the skeleton does not fail"},
		"a situation is missed": {func(s *Stage) { s.Situations[0].CameUp = false }, "early never comes up"},
		"the brief is wrong":    {func(s *Stage) { s.Content = []string{"no brief"} }, "no brief"},
		"a mutant survives": {func(s *Stage) {
			s.Mutants = append(s.Mutants, Mutant{Name: "m", Check: "output", Verdict: grading.Pass})
		}, "mutant m: it survives"},
		"a mutant has no verdict": {func(s *Stage) {
			s.Mutants = append(s.Mutants, Mutant{Name: "m", Check: "output", Verdict: grading.Inconclusive})
		}, "mutant m: it survives"},
		"another check": {func(s *Stage) { s.Mutants[0].KilledBy = "chance"; s.Mutants = append(s.Mutants, good().Mutants[0]) }, `it fails by "chance", not by output`},
		"no such check": {func(s *Stage) {
			s.Mutants = append(s.Mutants, Mutant{Name: "m", Check: "order", Verdict: grading.Fail, KilledBy: "order"})
		}, "there is no check order"},
		"another case":            {func(s *Stage) { s.Mutants[0].Case = "01/c" }, "is 01/c, not 01/a"},
		"a check is never needed": {func(s *Stage) { s.Mutants = s.Mutants[:1] }, "no mutant is killed by chance"},
		"a made one survives":     {func(s *Stage) { s.Made.Wrong = []string{"x survives"} }, "made mutant x survives"},
		"a variant is rejected":   {func(s *Stage) { s.Variants[0].Verdict = grading.Fail }, "variant odd is rejected"},
		"a variant takes forever": {func(s *Stage) { s.Variants[0].Verdict = grading.Inconclusive }, "variant odd is rejected"},
		"all mutants die":         {func(s *Stage) { s.RightCanary = grading.Fail }, "the reference, among the mutants"},
		"all variants pass":       {func(s *Stage) { s.WrongCanary = grading.Pass }, "a mutant, among the variants"},
	}
	for name, test := range tests {
		s := good()
		test.change(&s)
		problems := s.Audit(suite, 1)
		switch {
		case test.want == "" && len(problems) > 0:
			t.Errorf("%s: %q", name, problems)
		case test.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], test.want)):
			t.Errorf("%s: %q, want one that says %q", name, problems, test.want)
		}
	}
	s := good()
	s.Mutants = s.Mutants[:1]
	if problems := s.Audit(suite, 10); len(problems) > 0 {
		t.Errorf("of a sample: %q", problems)
	}
}

func TestSum(t *testing.T) {
	s := good()
	s.Mutants[0].KilledBy = ""
	s.Variants[0].Verdict = grading.Fail
	s.Made = Made{Judged: 9, KilledBy: map[string]int{"output": 4, "chance": 1}, TimedOut: 2, Equivalent: 1, Wrong: []string{"x"}}
	s.Problems = []string{"one", "two"}
	r := Result{Stages: []Stage{s, good()}}
	r.sum()
	want := Summary{Mutants: 4, Killed: 3, Made: 9, MadeKilled: 5, TimedOut: 2, Equivalent: 1, Variants: 2, Rejected: 1, Problems: 2}
	if r.Summary != want {
		t.Errorf("%+v, want %+v", r.Summary, want)
	}
}

// Each made mutant counts once, by what became of it.
func TestMade(t *testing.T) {
	killed := func(kind fault.Kind, problem string) grading.StageReport {
		return grading.StageReport{Verdict: grading.Fail, Failure: &grading.Failure{Finding: []grading.Finding{{Check: "output", Kind: kind, Problem: problem}}}}
	}
	passes := grading.StageReport{Verdict: grading.Pass}
	m := Made{KilledBy: map[string]int{}}
	for _, one := range []struct {
		r      grading.StageReport
		listed bool
	}{
		{killed(fault.WrongOutput, "it is wrong"), false},
		{killed(fault.Panic, "index out of range"), false},
		{killed(fault.Panic, mutant.Endless), false},
		{killed(fault.TimeLimit, "it takes long"), false},
		{passes, true},
		{passes, false},
		{killed(fault.WrongOutput, "it is wrong"), true},
		{grading.StageReport{Verdict: grading.Fail, Kind: fault.DoesNotCompile}, false},
	} {
		m.add(mutant.MadeMutant{Name: "m"}, one.r, one.listed)
	}
	if m.Judged != 8 || m.KilledBy["output"] != 2 || m.TimedOut != 2 || m.Equivalent != 1 || len(m.Wrong) != 3 {
		t.Errorf("%+v", m)
	}
}

func TestSample(t *testing.T) {
	of := []int{0, 1, 2, 3, 4, 5, 6}
	for every, want := range map[int][]int{0: of, 1: of, 3: {0, 3, 6}, 10: {0}} {
		if got := sample(of, every); !slices.Equal(got, want) {
			t.Errorf("one in %d: %v, want %v", every, got, want)
		}
	}
}

func TestContent(t *testing.T) {
	hint := strings.Repeat("Think of the output. ", 10)
	files := func(change map[string]string) fstest.MapFS {
		m := fstest.MapFS{}
		texts := map[string]string{
			"STAGE.md":             "# Stage 01: First\n\n## The output\n\nRun and Stop.\n",
			"hints/1.md":           hint,
			"hints/2.md":           hint,
			"hints/3.md":           hint,
			"contract/contract.go": "package contract\n\ntype Stage interface {\n\tRun()\n\tStop() error\n}\n",
		}
		for name, text := range change {
			texts[name] = text
		}
		for name, text := range texts {
			m["01-first/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		return m
	}
	cases := []schedule.Case{
		{Script: []schedule.Op{{Name: "do"}}},
		{Params: []schedule.Setting{{Name: "size", Value: 1}}},
		{Params: []schedule.Setting{{Name: "size", Value: 2}}},
	}
	for name, test := range map[string]struct {
		files map[string]string
		cases []schedule.Case
		want  string
	}{
		"all is there":    {nil, cases, ""},
		"no brief":        {map[string]string{"STAGE.md": "# Stage 01: First\n\nRun, Stop.\n"}, cases, `section "The output"`},
		"another title":   {map[string]string{"STAGE.md": "# Stage 01: Second\n\n## The output\n\nRun, Stop.\n"}, cases, `begin with "# Stage 01: First"`},
		"an empty hint":   {map[string]string{"hints/2.md": "\n"}, cases, "hints/2.md"},
		"no such hint":    {map[string]string{"hints/3.md": ""}, cases, "check chance points to hint 3"},
		"a forgotten one": {map[string]string{"STAGE.md": "# Stage 01: First\n\n## The output\n\nRun. Stopping is all.\n"}, cases, "never mentions Stop"},
		"an idle op":      {nil, cases[1:], "no schedule has the operation do"},
		"no variation":    {nil, cases[:2], "do not vary size"},
	} {
		c := &certifier{Course: Course{Files: files(test.files), Cases: func(grading.Suite) ([]schedule.Case, error) { return test.cases, nil }}}
		var s Stage
		if err := c.readContent(t.Context(), suite, &s); err != nil {
			t.Fatal(err)
		}
		switch {
		case test.want == "":
			if len(s.Content) > 0 {
				t.Errorf("%s: %q", name, s.Content)
			}
		case !slices.ContainsFunc(s.Content, func(p string) bool { return strings.Contains(p, test.want) }):
			t.Errorf("%s: %q, want %q", name, s.Content, test.want)
		}
	}
}
