package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/confine"
	"github.com/flk-byo/de/stages"
)

// After solutions that are killed, that die and that don't compile, no process is
// there that was not before, and no file but what the caches are to keep.
func TestHostileSolutionsLeaveNothing(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	reference := referenceFiles(t, suite)["sink.go"]
	root := t.TempDir() // home, the folder for temporary files and the caches
	cache := filepath.Join(root, "cache", "flk-byo")
	config := testConfig(t)
	usual := filepath.Join(config.Build.Cache, "go-build") // compiled long ago
	if err := errors.Join(os.MkdirAll(cache, 0o777), os.MkdirAll(usual, 0o777), os.Symlink(usual, filepath.Join(cache, "go-build"))); err != nil {
		t.Skip("there are no links here: ", err)
	}
	t.Setenv("HOME", root)
	t.Setenv("TMPDIR", root)
	config.Build.Cache, config.CaseLimit, config.Learned = cache, time.Second, nil
	config.Others = references(t)
	for _, h := range []hostileSolution{
		{name: "loops", line: `for { }`},
		{name: "dies", initial: `func init() { panic("no") }`},
		{name: "does not compile", line: `var n int = "no"`},
	} {
		files := mapFS(map[string]string{"sink.go": h.solution(t, reference)})
		config.Stages = append(config.Stages, grading.Stage{
			Suite: suite, Package: packageOf(suite, solution{strings.ReplaceAll(h.name, " ", "-"), files}), Cases: sortedCases(t, suite, 1),
		})
	}
	before := append(treeOf(t, root), treeOf(t, ".")...)
	r, err := grading.Run(t.Context(), config)
	if err != nil || r.Verdict != grading.Fail {
		t.Fatalf("%s %s, %v", r.Verdict, r.Problem, err)
	}
	for _, path := range append(treeOf(t, root), treeOf(t, ".")...) {
		in, err := filepath.Rel(cache, path)
		kept := err == nil && (in == "work" || in == "compiled" || strings.HasPrefix(in, "compiled"+string(filepath.Separator)) || strings.HasPrefix(in, "known-"))
		if !kept && !slices.Contains(before, path) {
			t.Errorf("left behind: %s", path)
		}
	}
	if enforced, _ := confine.Supported(); enforced {
		for patience := time.Now().Add(time.Minute); len(judges(t)) > 0 && time.Now().Before(patience); {
			runtime.Gosched() // what was killed may take a moment to die
		}
		if left := judges(t); len(left) > 0 {
			t.Errorf("left running: %v", left)
		}
	}
}

// treeOf lists all below a folder; links are not followed.
func treeOf(t *testing.T, root string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// judges are the processes that this test binary has judge solutions.
func judges(t *testing.T) (found []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range lines {
		if line, err := os.ReadFile(file); err == nil && bytes.Contains(line, []byte(self+"\x00"+wordJudge)) {
			found = append(found, filepath.Dir(file))
		}
	}
	return found
}
