package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
)

// examine runs de doctor with a PATH and, unless it is "", a folder for caches.
func examine(t *testing.T, path, cache string, args ...string) (int, string) {
	t.Helper()
	s := newSession(t)
	s.variables["PATH"] = path
	e := s.env()
	var stdout, stderr bytes.Buffer
	e.stdout, e.stderr, e.width = &stdout, &stderr, 80
	if cache != "" {
		e.cacheDir = cache
	}
	code := e.run(append([]string{"doctor"}, args...))
	if stderr.Len() > 0 {
		t.Errorf("on standard error: %s", &stderr)
	}
	for line := range strings.Lines(stdout.String()) {
		if len(line) > 81 && !strings.Contains(line, "/") { // a path stays whole
			t.Errorf("wider than 80: %s", line)
		}
	}
	return code, stdout.String()
}

func TestDoctorFindsProblems(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the false Gos are scripts for sh; .ci/run runs this on Linux")
	}
	dir := t.TempDir()
	fakeGo(t, filepath.Join(dir, "old"), "go1.21.0")
	fakeGo(t, filepath.Join(dir, "odd"), "gnu go 3.8")
	fakeGo(t, filepath.Join(dir, "next"), "devel go1.27-1a2b3c4d Mon Mar 2 12:00:00 2026")
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	good := os.Getenv("PATH")
	tests := []struct {
		name, path, cache string
		want              []string
	}{
		{"no Go", "", "", []string{"problem  there is no Go toolchain", "try: install Go 1.26 or newer", "skipped "}},
		{"old Go", filepath.Join(dir, "old"), "", []string{"old/go is go1.21.0, which is too\n", "try: install Go 1.26 or newer", "skipped "}},
		{"another go", filepath.Join(dir, "odd"), "", []string{"does not tell its version: gnu go\n", "try: install Go 1.26 or newer", "skipped "}},
		{"unwritable cache", good, filepath.Join(file, "cache"), []string{"problem  the folder for caches, ", "not a directory", "or name another place with ", "skipped "}},
		{"both", "", filepath.Join(file, "cache"), []string{"problem  there is no Go", "problem  the folder for caches"}},
		{"development Go", filepath.Join(dir, "next"), filepath.Join(file, "cache"), []string{"ok       Go 1.27-1a2b3c4d is "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, out := examine(t, test.path, test.cache)
			if code != exitUsage || strings.Contains(out, "All is well") {
				t.Errorf("exit %d, want %d", code, exitUsage)
			}
			for _, want := range test.want {
				if !strings.Contains(strings.ReplaceAll(out, "\n         ", " "), strings.TrimSuffix(want, "\n")) &&
					!strings.Contains(out, want) {
					t.Errorf("lacks %q:\n%s", want, out)
				}
			}
		})
	}
}

// Here, all is well; the caches are warm the second time.
func TestDoctorFindsAllWell(t *testing.T) {
	for _, args := range [][]string{{}, {"--warm"}} {
		code, out := examine(t, os.Getenv("PATH"), "", args...)
		out = strings.ReplaceAll(out, "\n         ", " ")
		if code != exitPass {
			t.Errorf("exit %d", code)
		}
		for _, want := range []string{"ok       Go 1.", "ok       caches can be kept in ", "the reference passes ", "the skeleton does not; 0s with ", "can be deleted at any time", "All is well.\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("lacks %q:\n%s", want, out)
			}
		}
		if ready := strings.Contains(out, "the caches are ready for every stage"); ready != (len(args) > 0) {
			t.Errorf("%q: it says that the caches are ready: %v", args, ready)
		}
	}
}

func TestWarm(t *testing.T) {
	e := &env{cacheDir: t.TempDir()}
	if e.warm() {
		t.Error("warm with nothing there")
	}
	if err := os.MkdirAll(filepath.Join(e.cacheDir, "go-build", "00"), 0o777); err != nil {
		t.Fatal(err)
	}
	if !e.warm() {
		t.Error("not warm with a cache there")
	}
}

// The self-check fails if either verdict is not as it must be.
func TestSelfCheckVerdict(t *testing.T) {
	pass := grading.StageReport{Stage: "08", Verdict: grading.Pass, Cases: grading.Count{Ran: 20}}
	fail := grading.StageReport{Stage: "08", Verdict: grading.Fail, Failure: &grading.Failure{Case: "08/a"}}
	unsure := grading.StageReport{Stage: "08", Verdict: grading.Inconclusive}
	tests := []struct {
		name                string
		reference, skeleton grading.StageReport
		fault               string
		want                string
	}{
		{"as it must be", pass, fail, "", ""},
		{"the reference fails", fail, fail, "", "the reference of stage 08 does not pass: fail 08/a"},
		{"the reference is not done", unsure, fail, "", "the reference of stage 08 does not pass: inconclusive"},
		{"the skeleton passes", pass, pass, "", "the skeleton of stage 08 is not found wanting: pass"},
		{"the skeleton is not done", pass, unsure, "", "the skeleton of stage 08 is not found wanting: inconclusive"},
		{"the skeleton can't be built", pass, grading.StageReport{Stage: "08", Verdict: grading.Fail}, "", "the skeleton of stage 08 is not found wanting: fail"},
		{"a fault of ours", pass, fail, "no pipe", "judging: no pipe"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := grading.Report{Stages: []grading.StageReport{test.reference, test.skeleton}}
			if test.fault != "" {
				r.Verdict, r.Problem = grading.HarnessFault, test.fault
			}
			cases, err := passed(r)
			if test.want == "" {
				if err != nil || cases != 20 {
					t.Errorf("%d cases, %v", cases, err)
				}
				return
			}
			if f := asFailure(err); f.code != exitHarness || f.message != test.want {
				t.Errorf("%+v, want %q", f, test.want)
			}
		})
	}
}
