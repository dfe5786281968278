package main

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// TestMain makes the test binary do what de does for itself: run as a child.
func TestMain(m *testing.M) {
	if code, ok := child(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); ok {
		os.Exit(code)
	}
	if code, ok := buggyChild(os.Args[1:], os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	if len(os.Args) > 1 && os.Args[1] == wordCommand {
		os.Exit(run(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// wordCommand makes the test binary do what de does for its users, in a process
// of its own.
const wordCommand = "__command"

// patience is the time limit of a case in tests, for slow machines.
const patience = 10 * time.Second

// testConfig is that of de test, with a budget that no slow machine reaches.
func testConfig(t testing.TB) grading.Config {
	t.Helper()
	e := newEnv(strings.NewReader(""), os.Stdout, os.Stderr)
	config, err := e.gradingConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Seed, config.Budget, config.CaseLimit = 1, time.Hour, patience
	return config
}

// A solution is one of several that are judged together.
type solution struct {
	name  string
	files fs.FS
}

// judged builds the solutions into one guest and judges each on the cases and
// on what its stage explores, each case within the limit.
func judged(t *testing.T, suite grading.Suite, solutions []solution, cases []schedule.Case, limit time.Duration) map[string]grading.StageReport {
	t.Helper()
	config := testConfig(t)
	config.CaseLimit = limit
	for _, s := range solutions {
		config.Stages = append(config.Stages, grading.Stage{
			Suite:   suite,
			Package: packageOf(suite, s),
			Cases:   cases, Explore: true,
		})
	}
	config.Others = references(t)
	r, err := grading.Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == grading.HarnessFault {
		t.Fatalf("harness fault: %s", r.Problem)
	}
	reports := map[string]grading.StageReport{}
	for i, s := range solutions {
		reports[s.name] = r.Stages[i]
	}
	return reports
}

func packageOf(suite grading.Suite, s solution) build.Package {
	return build.Package{Folder: "solution-" + s.name, Stage: suite.Folder(), Files: s.files, Rewrite: workspace.RewriteImports}
}

// references are the course's own solutions of all stages.
func references(t testing.TB) []build.Package {
	t.Helper()
	var all []build.Package
	for _, suite := range stages.All() {
		files, err := fs.Sub(stages.Files, path.Join(suite.Folder(), implReference))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, build.Package{Folder: suite.Folder(), Stage: suite.Folder(), Files: files, Rewrite: workspace.RewriteImports})
	}
	return all
}

// sortedCases returns a stage's own cases in the order in which de test runs
// them, up to a size in records.
func sortedCases(t *testing.T, suite grading.Suite, records int) []schedule.Case {
	t.Helper()
	cases, err := ownCases(suite)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(cases, suite.Compare)
	return slices.DeleteFunc(cases, func(c schedule.Case) bool { return len(c.Records) > records })
}

// referenceFiles returns the Go files of a stage's reference, tests aside.
func referenceFiles(t *testing.T, suite grading.Suite) map[string]string {
	t.Helper()
	return sourcesIn(t, stages.Files, suite.Folder()+"/reference")
}

// mapFS returns files as a file system.
func mapFS(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func mutantsOf(t *testing.T, suite grading.Suite) []mutant.Mutant {
	t.Helper()
	name := "mutants/" + suite.ID + ".yaml"
	src, err := fixtures.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file string
	for name := range referenceFiles(t, suite) {
		file = name // of several, each edit must name its own
	}
	mutants, err := mutant.Load(name, src, stages.Course+"/"+suite.ID, file)
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

// all tells that every hostile solution is to be judged, as .ci/run does with
// DE_TEST_ALL=1; without, some are. With DE_TEST_ALL=slow every mutant and variant
// is, and explained and made a plain test, too. That takes an hour.
var all, slow = os.Getenv("DE_TEST_ALL") != "", os.Getenv("DE_TEST_ALL") == "slow"

// sample is all of them, or one in every.
func sample[T any](of []T, every int) []T {
	if all {
		return of
	}
	return oneIn(of, every)
}

// slowSample is as sample, but one in six rather than all, unless all are wanted
// though it be slow.
func slowSample[T any](of []T, every int) []T {
	switch {
	case slow:
		return of
	case all:
		return oneIn(of, 6)
	default:
		return oneIn(of, every)
	}
}

func oneIn[T any](of []T, every int) []T {
	var some []T
	for i := 0; i < len(of); i += every {
		some = append(some, of[i])
	}
	return some
}
