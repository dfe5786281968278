package class

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
)

const original = `// Package sum adds.
package sum

import "strings"

// Sum adds the lengths.
func Sum(words []string) int {
	total := 0
	for _, w := range words {
		total += len(strings.TrimSpace(w)) // trimmed
	}
	return add(total, 1)
}

func add(a, b int) int { return a + b }
`

func folder(files map[string]string) fs.FS {
	all := fstest.MapFS{}
	for name, src := range files {
		all[name] = &fstest.MapFile{Data: []byte(src)}
	}
	return all
}

func TestSourceHash(t *testing.T) {
	want := sourceHash(folder(map[string]string{"sum.go": original}))
	tests := map[string]struct {
		files map[string]string
		alike bool
	}{
		"names, comments and layout": {map[string]string{"other.go": `package mine
import (s "strings"; "fmt")
func Length(texts []string,
) int { n := 0
	for _, t := range texts { n += len(s.TrimSpace(t)); }
	/* done */ return plus(n, 1)
}
func plus(x, y int) int {
	return x + y
}`}, true},
		"tests":              {map[string]string{"sum.go": original, "sum_test.go": "package sum"}, true},
		"a constant":         {map[string]string{"sum.go": replaced("total, 1", "total, 2")}, false},
		"an operator":        {map[string]string{"sum.go": replaced("a + b", "a - b")}, false},
		"which name is used": {map[string]string{"sum.go": replaced("a + b", "a + a")}, false},
		"a type":             {map[string]string{"sum.go": replaced("(a, b int)", "(a, b uint)")}, false},
		"a library function": {map[string]string{"sum.go": replaced("TrimSpace", "ToLower")}, false},
		"a file more":        {map[string]string{"sum.go": original, "more.go": "package sum\nvar x = 1"}, false},
	}
	for name, test := range tests {
		if alike := sourceHash(folder(test.files)) == want; alike != test.alike {
			t.Errorf("another %s: alike is %v, want %v", name, alike, test.alike)
		}
	}
	if got := sourceHash(folder(map[string]string{"sum_test.go": original})); got != "" {
		t.Errorf("the hash of no source is %q", got)
	}
}

func replaced(old, new string) string {
	if !strings.Contains(original, old) {
		panic("the source has no " + old)
	}
	return strings.Replace(original, old, new, 1)
}

// What students are given is no sign of anything.
func TestLikenessLeavesOutWhatWasGiven(t *testing.T) {
	given := folder(map[string]string{"sum.go": original})
	stage := Stage{Suite: grading.Suite{ID: "01", Slug: "sum"}, Given: given}
	c := run{Config: Config{Stages: []Stage{stage, {Suite: grading.Suite{ID: "02", Slug: "max"}}}}}
	l := c.likeness(submission.Submission{Stages: map[string]fs.FS{"01-sum": given, "02-max": given}}, grading.Report{})
	if len(l.Sources) != 1 || l.Sources["02"] != sourceHash(given) {
		t.Errorf("the sources are %v, want only 02", l.Sources)
	}
}

// A workspace is filled with the reference of the stages before the last; of the
// last nobody was given it.
func TestLikenessLeavesOutTheReferenceThatWasGiven(t *testing.T) {
	files := fstest.MapFS{"sum.go": {Data: []byte(original)}}
	stage := func(id string) Stage {
		return Stage{Suite: grading.Suite{ID: id, Slug: "sum"}, Reference: build.Package{Files: files}}
	}
	c := &run{Config: Config{Stages: []Stage{stage("02"), stage("01")}}}
	handedIn := submission.Submission{Stages: map[string]fs.FS{"01-sum": files, "02-sum": files}}
	got := c.likeness(handedIn, grading.Report{}).Sources
	if got["01"] != "" || got["02"] == "" {
		t.Errorf("the sources are %v", got)
	}
}

func TestFailureHash(t *testing.T) {
	failing := func(change func(*grading.StageReport)) string {
		s := grading.StageReport{Verdict: grading.Fail, Failure: &grading.Failure{
			Case:    "01/a",
			Finding: []grading.Finding{{Check: "output", Problem: "It is wrong."}},
			Steps:   []grading.Step{{Object: "sink", Action: "write", Place: "sum.go:7"}},
		}}
		change(&s)
		return failureHash(grading.Report{Stages: []grading.StageReport{{Verdict: grading.Pass}, s}})
	}
	want := failing(func(*grading.StageReport) {})
	if got := failing(func(s *grading.StageReport) { s.Failure.Steps[0].Place = "add.go:9" }); got != want || want == "" {
		t.Errorf("on another line it is %q, want %q", got, want)
	}
	for name, change := range map[string]func(*grading.StageReport){
		"case":    func(s *grading.StageReport) { s.Failure.Case = "01/b" },
		"problem": func(s *grading.StageReport) { s.Failure.Finding[0].Problem = "It is short." },
		"step":    func(s *grading.StageReport) { s.Failure.Steps[0].Action = "read" },
	} {
		if failing(change) == want {
			t.Errorf("another %s, and the same hash", name)
		}
	}
	for name, change := range map[string]func(*grading.StageReport){
		"steps":   func(s *grading.StageReport) { s.Failure.Steps = nil },
		"method":  func(s *grading.StageReport) { s.Failure.Finding[0].Kind = fault.NotImplemented },
		"failure": func(s *grading.StageReport) { s.Failure = nil },
		"fail":    func(s *grading.StageReport) { s.Verdict = grading.Pass },
	} {
		if got := failing(change); got != "" {
			t.Errorf("without a %s the hash is %q", name, got)
		}
	}
}

func FuzzPlainSource(f *testing.F) {
	f.Add([]byte(original))
	f.Add([]byte("import (\"\x00 `"))
	f.Add([]byte("package p; import . \"a/b\"; var x = '"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if got := plainSource(src); len(got) > 16*len(src)+16 {
			t.Errorf("%d bytes of %d", len(got), len(src))
		}
	})
}
