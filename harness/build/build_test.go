package build_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flk-byo/de/fixtures/hostile"
	"github.com/flk-byo/de/harness"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/confine"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

const folder = "08-transactional-sink"

// config builds in a folder of the test's own, with the compiled standard
// library that de itself keeps.
func config(t testing.TB) build.Config {
	t.Helper()
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	if user, err := os.UserCacheDir(); err == nil {
		compiled := filepath.Join(user, "flk-byo", "go-build")
		if err := errors.Join(os.MkdirAll(compiled, 0o777), os.Symlink(compiled, filepath.Join(cache, "go-build"))); err != nil {
			t.Log("this takes longer without a cache:", err)
		}
	}
	limits := confine.Limits{Memory: 3 << 30, CPU: 2 * time.Minute}
	return build.Config{
		Go: goCommand, Cache: cache, Path: os.Getenv("PATH"), Limits: limits,
		Stages: stages.Files, Harness: harness.GuestFiles,
	}
}

func reference(t testing.TB) string {
	t.Helper()
	text, err := fs.ReadFile(stages.Files, folder+"/reference/sink.go")
	if err == nil {
		text, err = workspace.RewriteImports("sink.go", text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// others are what the reference of stage 08 is built on.
func others(t testing.TB) []build.Package {
	t.Helper()
	const below = "06-checkpoint-barriers"
	files, err := fs.Sub(stages.Files, below+"/reference")
	if err != nil {
		t.Fatal(err)
	}
	return []build.Package{{Folder: below, Stage: below, Files: files, Rewrite: workspace.RewriteImports}}
}

// solution is the package of stage 08 with the given files, names and texts in turn.
func solution(files ...string) build.Package {
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return build.Package{Folder: folder, Stage: folder, Files: m}
}

func guest(t testing.TB, c build.Config, packages ...build.Package) build.Result {
	t.Helper()
	r, err := build.Guest(t.Context(), c, packages, others(t))
	t.Cleanup(func() {
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// said is all that a result says, one line for each complaint.
func said(r build.Result) string {
	var lines []string
	for _, d := range append(r.Refused, r.Compile...) {
		lines = append(lines, d.String())
	}
	if r.Incomplete != "" {
		lines = append(lines, "incomplete: "+r.Incomplete)
	}
	if r.Description != "" {
		lines = append(lines, "description: "+r.Description)
	}
	return strings.Join(lines, "\n")
}

func TestGuest(t *testing.T) {
	good := reference(t)
	other := "package other\n\nfunc F() int { return 1 }\n"
	tests := []struct {
		name     string
		packages []build.Package
		want     string // what it says; empty: there is a guest
	}{
		{"good", []build.Package{solution("sink.go", good)}, ""},
		{"two files", []build.Package{solution("sink.go", good, "more.go", "package sink\n\nconst x = 1\n")}, ""},
		{"a broken test", []build.Package{solution("sink.go", good, "sink_test.go", "package sink\n\nfunc {")}, ""},
		{"an earlier stage", []build.Package{
			{Folder: "01-other", Stage: folder, Files: solution("a.go", good).Files},
			solution("sink.go", strings.Replace(good, "\"slices\"\n", "\"slices\"\n\tearlier \"flkbyo/01-other\"\n", 1)+"\nvar _ = earlier.Solution{}\n"),
		}, ""},
		{"syntax error", []build.Package{solution("sink.go", "package sink\n\nfunc f( {\n}\n")}, "08-transactional-sink/sink.go:3:9: syntax error: unexpected {, expected )"},
		{"type error", []build.Package{solution("sink.go", good, "more.go", "package sink\n\nvar x int = \"out of memory\"\n")}, "08-transactional-sink/more.go:3:13: cannot use \"out of memory\" (untyped string constant) as int value in variable declaration"},
		{"two errors", []build.Package{solution("sink.go", good, "more.go", "package sink\n\nvar x int = true\nvar y = z\n")}, "08-transactional-sink/more.go:3:13: cannot use true (untyped bool constant) as int value in variable declaration\n08-transactional-sink/more.go:4:9: undefined: z"},
		{"unused import", []build.Package{solution("sink.go", good, "more.go", "package sink\n\nimport \"fmt\"\n")}, "08-transactional-sink/more.go:3:8: \"fmt\" imported and not used"},
		{"no Solution", []build.Package{solution("sink.go", "package sink\n")}, "08-transactional-sink: the package has no type Solution; begin with: type Solution struct{}"},
		{"Solution is a function", []build.Package{solution("sink.go", "package sink\n\nfunc Solution() {}\n")}, "08-transactional-sink: Solution does not implement the contract's Stage: missing method NewTransactionalSink"},
		{"Solution is an int", []build.Package{solution("sink.go", "package sink\n\ntype Solution int\n")}, "08-transactional-sink: Solution does not implement the contract's Stage: missing method NewTransactionalSink"},
		{"no methods", []build.Package{solution("sink.go", "package sink\n\ntype Solution struct{}\n")}, "08-transactional-sink: Solution does not implement the contract's Stage: missing method NewTransactionalSink"},
		{"methods of a pointer", []build.Package{solution("sink.go", strings.ReplaceAll(strings.Replace(good, "var _ contract.Stage = Solution{}\n", "", 1), "func (Solution)", "func (*Solution)"))}, ""},
		{"a method of another type", []build.Package{solution("sink.go", "package sink\n\ntype Solution struct{}\n\nfunc (Solution) NewTransactionalSink() int { return 1 }\n")}, "08-transactional-sink: Solution does not implement the contract's Stage: wrong type for method NewTransactionalSink; have NewTransactionalSink() int; want NewTransactionalSink() contract.TransactionalSink"},
		{"a sink without a method", []build.Package{solution("sink.go", strings.Replace(good, "func (s *transactionalSink) AbortOpen()", "func (s *transactionalSink) abortOpen()", 1))}, "08-transactional-sink/sink.go:19:9: *transactionalSink does not implement contract.TransactionalSink: missing method AbortOpen; have abortOpen(); want AbortOpen()"},
		{"import cycle", []build.Package{solution("sink.go", "package sink\n\nimport _ \"flkbyo/08-transactional-sink\"\n\ntype Solution struct{}\n")}, "08-transactional-sink: the imports go in a circle: 08-transactional-sink imports 08-transactional-sink"},
		{"import cycle of two", []build.Package{
			{Folder: "01-other", Stage: folder, Files: solution("a.go", "package other\n\nimport _ \"flkbyo/08-transactional-sink\"\n\ntype Solution struct{}\n").Files},
			solution("sink.go", "package sink\n\nimport _ \"flkbyo/01-other\"\n\ntype Solution struct{}\n"),
		}, "01-other: the imports go in a circle: 01-other imports 08-transactional-sink imports 01-other"},
		{"package main", []build.Package{solution("sink.go", strings.Replace(good, "package sink", "package main", 1))}, "08-transactional-sink: the package is called main, as only a program is; give it another name, as in: package solution"},
		{"two packages", []build.Package{solution("sink.go", good, "other.go", other)}, "08-transactional-sink: the files of a folder must all be of one package; these are of packages other (other.go) and sink (sink.go)"},
		{"no such standard package", []build.Package{solution("sink.go", "package sink\n\nimport _ \"container/bag\"\n\ntype Solution struct{}\n")}, "08-transactional-sink/sink.go:3:8: there is no standard package container/bag"},
		{"no such contract", []build.Package{solution("sink.go", "package sink\n\nimport _ \"github.com/flk-byo/de/stages/99-nothing/contract\"\n\ntype Solution struct{}\n")}, "08-transactional-sink/sink.go:3:8: there is no package github.com/flk-byo/de/stages/99-nothing/contract"},
		{"all excluded", []build.Package{solution("sink.go", "//go:build linux\n\n"+good)}, "08-transactional-sink: no Go file is left to compile: a //go:build line, or a name such as x_windows.go, excludes each (solutions are built for GOOS=wasip1, GOARCH=wasm)"},
		{"excluded by its name", []build.Package{solution("sink_windows.go", good)}, "08-transactional-sink: no Go file is left to compile: a //go:build line, or a name such as x_windows.go, excludes each (solutions are built for GOOS=wasip1, GOARCH=wasm)"},
		{"some excluded", []build.Package{solution("sink.go", good, "other.go", "//go:build ignore\n\n"+other)}, ""},
		{"no package clause", []build.Package{solution("sink.go", "func f() {}\n")}, "08-transactional-sink/sink.go:1:1: expected 'package', found 'func'"},
		{"empty file", []build.Package{solution("sink.go", "")}, "08-transactional-sink/sink.go:1:1: expected 'package', found 'EOF'"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := guest(t, config(t), test.packages...)
			if got := said(r); got != test.want {
				t.Errorf("says\n%s\nwant\n%s", got, test.want)
			}
			if (r.WASM != "") != (test.want == "") || r.TooCostly {
				t.Errorf("guest %q, too costly %v", r.WASM, r.TooCostly)
			}
		})
	}
}

// The guest is a function of its sources alone, not of where it is built.
func TestGuestIsTheSameAnywhere(t *testing.T) {
	var guests [2][]byte
	for i := range guests {
		r := guest(t, config(t), solution("sink.go", reference(t)))
		var err error
		if guests[i], err = os.ReadFile(r.WASM); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(guests[i], []byte(filepath.Dir(r.WASM))) {
			t.Error("the guest tells where it was built")
		}
	}
	if len(guests[0]) == 0 || !bytes.Equal(guests[0], guests[1]) {
		t.Errorf("two guests of the same sources, of %d and %d bytes, differ", len(guests[0]), len(guests[1]))
	}
}

func TestBombs(t *testing.T) {
	if enforced, words := confine.Supported(); !enforced {
		t.Skip(words + "; .ci/run runs this on Linux, in its step of go test ./...")
	}
	for _, bomb := range hostile.Bombs()[:3] { // all are judged in the class of 200
		t.Run(bomb.Name, func(t *testing.T) {
			c := config(t)
			c.Limits.Memory, c.Limits.CPU = 2<<30, 5*time.Second
			r, err := build.Guest(t.Context(), c, []build.Package{solution("sink.go", reference(t), "bomb.go", bomb.Source)}, others(t))
			if err != nil {
				t.Fatal(err)
			}
			if !r.TooCostly || r.Incomplete == "" || r.WASM != "" {
				t.Errorf("it was not too costly: %s", said(r))
			}
			t.Log(r.Incomplete)
			if err := r.Remove(); err != nil {
				t.Error(err)
			}
			leavesNothing(t, c)
		})
	}
}

func leavesNothing(t *testing.T, c build.Config) {
	t.Helper()
	left, err := os.ReadDir(filepath.Join(c.Cache, "work"))
	if err != nil || len(left) > 0 {
		t.Errorf("left in the folder for work: %v, %v", left, err)
	}
	patience := time.Now().Add(time.Minute) // what was killed may take a moment to die
	for len(running(t, c)) > 0 && time.Now().Before(patience) {
		runtime.Gosched()
	}
	if left := running(t, c); len(left) > 0 {
		t.Errorf("left running: %v", left)
	}
}

// running are the processes of builds.
func running(t *testing.T, c build.Config) (found []string) {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range processes {
		if environ, err := os.ReadFile(file); err == nil && bytes.Contains(environ, []byte("GOTMPDIR="+c.Cache)) {
			found = append(found, filepath.Dir(file))
		}
	}
	return found
}

// The end of the caller's context says nothing about the solution.
func TestCancel(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	c := config(t)
	r, err := build.Guest(ctx, c, []build.Package{solution("sink.go", reference(t))}, others(t))
	if !errors.Is(err, stop) || r.TooCostly {
		t.Errorf("%+v, %v; want the cause", r, err)
	}
	if err := r.Remove(); err != nil {
		t.Error(err)
	}
	leavesNothing(t, c)
}

func TestNoCompiler(t *testing.T) {
	c := config(t)
	c.Go, c.Limits = filepath.Join(t.TempDir(), "go"), confine.Limits{}
	r, err := build.Guest(t.Context(), c, []build.Package{solution("sink.go", reference(t))}, others(t))
	if err == nil || !strings.HasPrefix(err.Error(), "run the Go compiler: ") {
		t.Errorf("%+v, %v", r, err)
	}
	if err := r.Remove(); err != nil {
		t.Error(err)
	}
}

func TestRefusedIsNotCompiled(t *testing.T) {
	c := config(t)
	c.Go = "no-such-go"
	r := guest(t, c, solution("sink.go", reference(t), "more.go", "package sink\n\nimport \"unsafe\"\n"))
	want := `08-transactional-sink/more.go:3:8: import "unsafe" is not allowed here: it can reach memory that is not yours to see`
	if got := said(r); got != want || r.WASM != "" {
		t.Errorf("says\n%s\nwant\n%s", got, want)
	}
}
