package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
)

// The plain test of the case that a mutant is told by fails on the mutant, by
// itself and not for want of compiling, and passes on the reference and on a
// variant.
func TestReproRoundTrip(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			if suite.Repro == nil {
				t.Fatal("the stage writes no plain tests")
			}
			plain, variants := plainTests(t, suite), variantsOf(t, suite)
			t.Logf("%d plain tests", len(plain))
			dir := t.TempDir()
			if code, _, stderr := in(t.TempDir(), "start", lastSuite().ID, "--dir", dir); code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			names := slices.Sorted(maps.Keys(plain))
			for i, name := range names {
				layPlain(t, filepath.Join(dir, "wrong", name), plain[name].solution, plain[name].test)
				layPlain(t, filepath.Join(dir, "right", name), referenceFiles(t, suite), plain[name].test)
				layPlain(t, filepath.Join(dir, "unusual", name), variants[i%len(variants)], plain[name].test)
			}
			out, _ := goIn(t, dir, "test", "-vet=off", "-timeout", "10s", "./wrong/...", "./right/...", "./unusual/...")
			outcome := outcomes(out)
			for _, name := range names {
				if outcome["wrong/"+name] == "ok" { // what fails by the order of a map may pass once
					again, _ := goIn(t, dir, "test", "-vet=off", "-timeout", "10s", "-count=100", "./wrong/"+name)
					outcome["wrong/"+name] = outcomes(again)["wrong/"+name]
				}
				for kind, want := range map[string]string{"wrong": "FAIL", "right": "ok", "unusual": "ok"} {
					if got := outcome[kind+"/"+name]; got != want {
						t.Errorf("%s/%s, %s: %s instead of %s\n%s", kind, name, plain[name].problem, got, want, plain[name].test)
					}
				}
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// A plainTest is the plain test of a mutant.
type plainTest struct {
	solution map[string]string
	problem  string
	test     string
}

// plainTests returns those of a sample of a stage's mutants, by name.
func plainTests(t *testing.T, suite grading.Suite) map[string]plainTest {
	t.Helper()
	plain := map[string]plainTest{}
	files := referenceFiles(t, suite)
	for some := range slices.Chunk(slowSample(mutantsOf(t, suite), 30), 40) {
		config := testConfig(t)
		config.Explain, config.Others = true, references(t)
		var mutants []plainTest
		for _, m := range some {
			mutated, err := m.Apply(files)
			if err != nil {
				t.Fatal(err)
			}
			mutants = append(mutants, plainTest{solution: mutated})
			config.Stages = append(config.Stages, grading.Stage{
				Suite: suite, Package: packageOf(suite, solution{m.Name, mapFS(mutated)}), Cases: []schedule.Case{findCase(t, suite, m.Shortest)},
			})
		}
		r, err := grading.Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range some {
			if r.Stages[i].Failure == nil {
				t.Logf("%s passes its case alone: %s", m.Name, m.Shortest)
				continue
			}
			f := r.Stages[i].Failure.Finding[0]
			src, err := reproSource(config.Stages[i], config.Stages[i].Cases[0], grading.AboutRepro{Case: m.Shortest, Finding: f})
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			if src == nil && f.ShowsInPlainGo() {
				t.Errorf("%s has no plain test: %s", m.Name, f.Problem)
			}
			if src != nil {
				mutants[i].problem, mutants[i].test = f.Problem, string(src)
				plain[m.Name] = mutants[i]
			}
		}
	}
	return plain
}

func findCase(t *testing.T, suite grading.Suite, id string) schedule.Case {
	t.Helper()
	e := newEnv(strings.NewReader(""), os.Stdout, os.Stderr)
	cases, err := e.cases(request{caseID: id}, suite)
	if err != nil {
		t.Fatal(err)
	}
	return cases[0]
}

// variantsOf returns the files of a stage's variants.
func variantsOf(t *testing.T, suite grading.Suite) []map[string]string {
	t.Helper()
	dirs, err := fs.Glob(fixtures.Files, "variants/"+suite.ID+"/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	var all []map[string]string
	for _, dir := range dirs {
		all = append(all, sourcesIn(t, fixtures.Files, dir))
	}
	return all
}

// layPlain lays a package: a solution and a plain test, of whatever package that
// was before.
func layPlain(t *testing.T, dir string, solution map[string]string, test string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	name, err := packageName(mapFS(solution))
	if err != nil {
		t.Fatal(err)
	}
	files := maps.Clone(solution)
	files[reproFile] = packageClause.ReplaceAllString(test, "package "+name)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

var outcomeLine = regexp.MustCompile(`(?m)^(ok|FAIL)\s+flkbyo/(\S+)(.*)$`)

// outcomes reads what go test says of each package: "ok", "FAIL", or "FAIL
// [build failed]" and the like.
func outcomes(out string) map[string]string {
	all := map[string]string{}
	for _, m := range outcomeLine.FindAllStringSubmatch(out, -1) {
		all[m[2]] = m[1]
		if strings.Contains(m[3], "[") {
			all[m[2]] += m[3]
		}
	}
	return all
}
