package main

import (
	"fmt"
	"go/types"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
)

// The judge tells every mutant that a machine makes of a reference, but those
// that are listed as equivalent, each with the reason why.
func TestMadeMutants(t *testing.T) {
	imports := mutant.NewImporter(moduleStages, stages.Files)
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			equivalent := equivalents(t, suite)
			made := madeMutants(t, suite, imports)
			for name := range equivalent {
				if !slices.ContainsFunc(made.Mutants, func(m mutant.MadeMutant) bool { return m.Name == name }) {
					t.Errorf("%s: is listed as equivalent, but not made any more; remove it", name)
				}
			}
			t.Parallel() // one stage is built while another is judged
			some := sample(made.Mutants, 40)
			reports := judgedMade(t, suite, some, equivalent)
			fates := map[string]int{}
			for _, m := range some {
				fate := fateOf(reports[m.Name])
				fates[fate]++
				switch _, listed := equivalent[m.Name]; {
				case fate == unclear:
					t.Errorf("%s: %s %s", m.Name, fate, headlineInWords(reports[m.Name]))
				case fate == survived && !listed:
					t.Errorf("%s: passes, though %s", m.Name, m.Fault)
				case fate != survived && listed:
					t.Errorf("%s: is listed as equivalent, but fails: %s", m.Name, headlineInWords(reports[m.Name]))
				}
			}
			t.Logf("of %d mutants %s; beside them %d do not compile, and %d are the same as others",
				len(some), fatesInWords(fates), len(made.Rejected), len(made.Same))
		})
	}
}

// moduleStages is how the paths of the course's packages begin.
const moduleStages = "github.com/flk-byo/de/stages/"

func madeMutants(t *testing.T, suite grading.Suite, imports types.Importer) mutant.Made {
	t.Helper()
	names, err := fs.Glob(stages.Files, path.Join(suite.Folder(), implReference, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if len(names) != 1 {
		t.Fatalf("the reference is %v; mutants are made of one file", names)
	}
	src, err := fs.ReadFile(stages.Files, names[0])
	if err != nil {
		t.Fatal(err)
	}
	made, err := mutant.Make(path.Base(names[0]), src, imports)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// equivalents returns why made mutants of a stage are no faults, by name.
func equivalents(t *testing.T, suite grading.Suite) map[string]string {
	t.Helper()
	name := "mutants/made/" + suite.ID + ".yaml"
	src, err := fixtures.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := mutant.LoadEquivalents(name, src, stages.Course+"/"+suite.ID)
	if err != nil {
		t.Fatal(err)
	}
	return reasons
}

// A round is some cases that mutants are judged on.
type round struct {
	cases   []schedule.Case
	explore bool
	seeds   int
}

// judgedMade judges mutants in rounds, each with more cases than the one before
// and the mutants that passed it. Those that should pass all come at once to all
// cases of the schedules; de certify has them explored, too.
func judgedMade(t *testing.T, suite grading.Suite, mutants []mutant.MadeMutant, equivalent map[string]string) map[string]grading.StageReport {
	t.Helper()
	small, large := sortedCases(t, suite, smallRecords), sortedCases(t, suite, math.MaxInt)
	var left, listed []solution
	for i, m := range mutants {
		s := solution{fmt.Sprint(i), mapFS(map[string]string{"solution.go": string(m.Src)})}
		if _, ok := equivalent[m.Name]; ok {
			listed = append(listed, s)
		} else {
			left = append(left, s)
		}
	}
	all := judgedInRound(t, suite, listed, round{large, false, 3}) // by solution
	for _, round := range []round{{spread(small, 60), false, 1}, {small, true, 3}, {large, true, 3}} {
		maps.Copy(all, judgedInRound(t, suite, left, round))
		left = slices.DeleteFunc(left, func(s solution) bool { return all[s.name].Verdict != grading.Pass })
	}
	reports := map[string]grading.StageReport{}
	for i, m := range mutants {
		reports[m.Name] = all[fmt.Sprint(i)]
	}
	return reports
}

// judgedInRound judges solutions on the cases of a round, so many in a guest.
func judgedInRound(t *testing.T, suite grading.Suite, solutions []solution, r round) map[string]grading.StageReport {
	t.Helper()
	const most = 100
	config := testConfig(t)
	config.Seeds = r.seeds
	reports := map[string]grading.StageReport{}
	for together := range slices.Chunk(solutions, most) {
		maps.Copy(reports, judgedOn(t, config, suite, together, r.cases, r.explore))
	}
	return reports
}

// spread returns n cases at even distances.
func spread(cases []schedule.Case, n int) []schedule.Case {
	n = min(n, len(cases))
	some := make([]schedule.Case, n)
	for i := range some {
		some[i] = cases[i*len(cases)/n]
	}
	return some
}

// Fates of a mutant, beside the check that it fails by.
const (
	survived = "passed"
	timedOut = "timed out"
	unclear  = "no verdict"
)

// fateOf is how a mutant ended. One that reached a limit, as one does whose loop
// has no end, timed out.
func fateOf(r grading.StageReport) string {
	switch {
	case r.Verdict == grading.Pass:
		return survived
	case r.Failure == nil:
		return unclear
	}
	switch first := r.Failure.Finding[0]; first.Kind {
	case fault.TimeLimit, fault.MemoryExhausted, fault.StackExhausted, fault.TooManyCalls, fault.PrintedTooMuch:
		return timedOut
	case fault.Panic:
		if strings.Contains(first.Problem, mutant.Endless) {
			return timedOut
		}
	}
	return headline(r)
}

func headlineInWords(r grading.StageReport) string {
	if r.Failure == nil {
		return fmt.Sprintf("%s: %s %s %v", r.Verdict, r.Kind, r.Problem, r.Compile)
	}
	return fmt.Sprintf("%s: %s: %s", headline(r), r.Failure.Case, r.Failure.Finding[0].Problem)
}

func fatesInWords(fates map[string]int) string {
	var words []string
	for _, fate := range slices.Sorted(maps.Keys(fates)) {
		words = append(words, fmt.Sprintf("%s: %d", fate, fates[fate]))
	}
	return strings.Join(words, ", ")
}
