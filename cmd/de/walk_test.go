package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages"
)

// The course from its first stage to its last, as one who pastes every solution
// goes through it; then the program that is built on all of it, and a break in
// an early stage, which is told as that stage's.
func TestWalkThrough(t *testing.T) {
	dir := t.TempDir()
	de := func(want int, args ...string) string {
		t.Helper()
		code, out, stderr := in(dir, args...)
		if code != want {
			t.Fatalf("de %s: exit %d, want %d:\n%s%s", strings.Join(args, " "), code, want, out, stderr)
		}
		return out + stderr
	}
	all := stages.All()
	for i, stage := range all {
		de(exitPass, "start", stages.Course+"/"+stage.ID)
		if out := de(exitFail, "test"); !strings.Contains(out, "not implemented yet") || !strings.Contains(out, stage.Folder()) {
			t.Errorf("the skeleton of %s:\n%s", stage.ID, out)
		}
		layReference(t, dir, stage.ID, stage.Folder())
		out := de(exitPass, "test")
		if !strings.HasPrefix(out, "PASS") {
			t.Errorf("the reference of %s:\n%s", stage.ID, out)
		}
		if last := i == len(all)-1; strings.Contains(out, "go run ./example") != last {
			t.Errorf("after stage %s it says\n%s", stage.ID, out)
		}
		if next := de(exitPass, "status"); i < len(all)-1 && !strings.Contains(next, "de start "+stages.Course+"/"+all[i+1].ID) {
			t.Errorf("after stage %s the next step is\n%s", stage.ID, next)
		}
	}
	if out, err := goIn(t, dir, "run", "./example"); err != nil || strings.Contains(after(out, "Exactly once"), "again") || !strings.Contains(out, "again") {
		t.Errorf("the example: %v\n%s", err, out)
	}
	early := all[2]
	paths, err := filepath.Glob(filepath.Join(dir, early.Folder(), "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		broken := strings.Replace(string(text), "- g.maxDelay - 1", "- g.maxDelay", 1)
		if err := os.WriteFile(path, []byte(broken), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := de(exitFail, "test")
	if !strings.HasPrefix(out, "FAIL  "+early.ID+" "+early.Title+" (regression)") || strings.Count(out, "\n  fail  0") != 1 {
		t.Errorf("a break in stage %s is told as\n%s", early.ID, out)
	}
	if out := de(exitPass, "status"); !strings.Contains(out, "failing") {
		t.Errorf("the status is\n%s", out)
	}
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}
