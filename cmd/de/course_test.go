package main

import (
	"context"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/stages"
)

// TestMain makes the test binary do what de does for itself: run as a child.
func TestMain(m *testing.M) {
	if code, ok := child(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// testConfig is that of de test, with a budget that no slow machine reaches.
func testConfig(t *testing.T) grading.Config {
	t.Helper()
	e := newEnv(strings.NewReader(""), os.Stdout, os.Stderr)
	config, err := e.gradingConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Seed, config.Budget = 1, time.Hour
	config.CaseLimit *= 2
	config.Build.Wall = 30 * time.Minute
	return config
}

// judged builds the solutions, by name, into one guest, and judges each by all
// that its stage is judged by.
func judged(t *testing.T, suite grading.Suite, solutions map[string]fs.FS, names []string) map[string]grading.StageReport {
	t.Helper()
	cases, err := ownCases(suite)
	if err != nil {
		t.Fatal(err)
	}
	config := testConfig(t)
	for _, name := range names {
		config.Stages = append(config.Stages, grading.Stage{
			Suite:   suite,
			Package: build.Package{Folder: "solution-" + name, Stage: suite.Folder(), Files: solutions[name]},
			Cases:   cases, Explore: true,
		})
	}
	r, err := grading.Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == grading.HarnessFault {
		t.Fatalf("harness fault: %s", r.Problem)
	}
	reports := map[string]grading.StageReport{}
	for i, name := range names {
		reports[name] = r.Stages[i]
	}
	return reports
}

// referenceFiles returns the Go files of a stage's reference, tests aside.
func referenceFiles(t *testing.T, suite grading.Suite) map[string]string {
	t.Helper()
	dir := path.Join(suite.Folder(), "reference")
	names, err := fs.Glob(stages.Files, dir+"/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		src, err := fs.ReadFile(stages.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			files[path.Base(name)] = string(src)
		}
	}
	return files
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

// Every mutant fails, and the check that it is there for is the headline.
func TestMutantsFailByTheirCheck(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			solutions := map[string]fs.FS{}
			var names []string
			mutants := mutantsOf(t, suite)
			for _, m := range mutants {
				files, err := m.Apply(referenceFiles(t, suite))
				if err != nil {
					t.Fatal(err)
				}
				solutions[m.Name] = mapFS(files)
				names = append(names, m.Name)
			}
			reports := judged(t, suite, solutions, names)
			tripped := map[string]int{}
			for _, m := range mutants {
				r := reports[m.Name]
				switch {
				case r.Verdict != grading.Fail:
					t.Errorf("%s: %s %s, though %s", m.Name, r.Verdict, r.Problem, m.Fault)
				case r.Failure == nil:
					t.Errorf("%s: %s without a failing case: %s %v", m.Name, r.Kind, r.Problem, r.Compile)
				case r.Failure.Finding[0].Check != m.Check:
					t.Errorf("%s: fails by %s, not %s: %s: %s", m.Name, r.Failure.Finding[0].Check, m.Check, r.Failure.Case, r.Failure.Finding[0].Problem)
				default:
					tripped[m.Check]++
					t.Logf("%-40s %-14s %s %v", m.Name, m.Check, r.Failure.Case, time.Duration(r.Elapsed))
				}
			}
			for _, check := range suite.Checks {
				if tripped[check.Name] == 0 {
					t.Errorf("no mutant trips %s", check.Name)
				}
			}
		})
	}
}

// Every variant, right if unusual, passes.
func TestVariantsPass(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			dir := "../../fixtures/variants/" + suite.ID
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			solutions := map[string]fs.FS{}
			var names []string
			for _, entry := range entries {
				solutions[entry.Name()] = os.DirFS(path.Join(dir, entry.Name()))
				names = append(names, entry.Name())
			}
			for name, r := range judged(t, suite, solutions, names) {
				if r.Verdict == grading.Pass {
					continue
				}
				t.Errorf("%s: %s %s %v", name, r.Verdict, r.Problem, r.Compile)
				if r.Failure != nil {
					t.Errorf("%s: %s: %s", name, r.Failure.Case, r.Failure.Finding[0].Problem)
				}
			}
		})
	}
}
