package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages"
)

// in runs de in a folder.
func in(dir string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	e := newEnv(strings.NewReader(""), &out, &errs)
	e.dir, e.width = dir, 80
	code = e.run(args)
	return code, out.String(), errs.String()
}

func goIn(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// What a learner gets vets and builds without a network, its tests fail for
// want of code, and with the reference in the skeleton's place they pass.
func TestEveryStageStartsReady(t *testing.T) {
	for _, stage := range stages.All() {
		t.Run(stage.ID, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "my course")
			if code, _, stderr := in(t.TempDir(), "start", stage.ID, "--dir", dir); code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			for _, args := range [][]string{{"vet", "./..."}, {"build", "./..."}} {
				if out, err := goIn(t, dir, args...); err != nil {
					t.Fatalf("go %v: %v\n%s", args, err, out)
				}
			}
			test := []string{"test", "./" + stage.Folder()}
			if out, err := goIn(t, dir, test...); err == nil || !strings.Contains(out, "not implemented yet") {
				t.Errorf("the skeleton: %v\n%s", err, out)
			}
			layReference(t, dir, stage.ID, stage.Folder())
			if out, err := goIn(t, dir, test...); err != nil {
				t.Errorf("the reference: %v\n%s", err, out)
			}
		})
	}
}

func layReference(t *testing.T, dir, id, folder string) {
	t.Helper()
	code, src, stderr := in(dir, "solution", id, "--yes")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	sources, err := filepath.Glob(filepath.Join(dir, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		if !strings.HasSuffix(name, "_test.go") {
			if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Where the system refuses, the exit code is 2, there is a next step, and what
// was there is as it was. A file in a folder's place stops even root.
func TestRefusedBySystem(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := in(dir, "start", "08"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	mine := filepath.Join(dir, "08-transactional-sink", "sink.go")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".de", "backup"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := map[string][]string{
		"folder below a file": {"start", "08", "--dir", filepath.Join("go.mod", "ws")},
		"backup is a file":    {"reset", "08", "--yes"},
	}
	for name, args := range tests {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := in(dir, args...)
			if code != exitUsage || !strings.Contains(stderr, "try: ") {
				t.Errorf("exit %d: %s", code, stderr)
			}
			if src, err := os.ReadFile(mine); string(src) != "mine" {
				t.Errorf("the learner's file: %q, %v", src, err)
			}
		})
	}
}

func TestWorkingDirectoryGone(t *testing.T) {
	for _, args := range [][]string{{"start", "08"}, {"status"}, {"reset", "08", "--yes"}, {"start", "08", "--dir", "x"}} {
		code, _, stderr := in("", args...)
		if code != exitUsage || !strings.Contains(stderr, "the working directory is gone") {
			t.Errorf("de %q: exit %d: %s", args, code, stderr)
		}
	}
}

// No line of help is wider than a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	e := newEnv(strings.NewReader(""), nil, nil)
	commands := []string{""}
	for _, c := range e.commands() {
		if c.Hidden {
			continue
		}
		commands = append(commands, c.Name)
		for _, sub := range c.Subcommands {
			commands = append(commands, c.Name+" "+sub.Name)
		}
	}
	for _, c := range commands {
		code, stdout, stderr := in(t.TempDir(), append(strings.Fields(c), "--help")...)
		if code != 0 || stderr != "" || !strings.Contains(stdout, "usage: de") {
			t.Errorf("de %s --help: exit %d, %q", c, code, stderr)
		}
		for line := range strings.Lines(stdout) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("de %s --help has a line of %d characters:\n%s", c, n, line)
			}
		}
	}
}
