package build_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/confine/wall"
)

// needWall skips a test that shows what the wall does.
func needWall(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the false tools are scripts for sh; .ci/run runs this on Linux")
	}
	if whole, words := wall.Compiler(); !whole && strings.Contains(words, "files") {
		t.Skip(words)
	}
}

// script writes a program in place of one of Go's: it does lines first.
func script(t *testing.T, path, lines, program string) {
	t.Helper()
	text := fmt.Sprintf("#!/bin/sh\n%s\nexec %q \"$@\"\n", lines, program)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o777)); err != nil {
		t.Fatal(err)
	}
}

// hostileWords are what a compiler may do that a solution has taken over. What it
// could do is told in a file beside the guest.
func hostileWords(t *testing.T, c build.Config) string {
	t.Helper()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`
{ cat '%[1]s' && echo read >>"$GOTMPDIR/did"
echo x >'%[1]s' && echo written >>"$GOTMPDIR/did"
echo x >'%[2]s/new' && echo made >>"$GOTMPDIR/did"
echo x >'%[3]s/known-new.json' && echo made in the cache >>"$GOTMPDIR/did"
rm '%[1]s' && echo removed >>"$GOTMPDIR/did"
} >/dev/null 2>&1
echo ran >>"$GOTMPDIR/did"`, secret, outside, c.Cache)
}

func did(t *testing.T, r build.Result) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(r.WASM), "did"))
	if err != nil {
		t.Fatal(err, said(r))
	}
	return string(text)
}

func TestGoCommandRunsBehindAWall(t *testing.T) {
	needWall(t)
	c := config(t)
	real := c.Go
	c.Go = filepath.Join(t.TempDir(), "go")
	script(t, c.Go, `if [ "$1" = build ]; then `+hostileWords(t, c)+"\nfi", real)
	r := guest(t, c, solution("sink.go", reference(t)))
	if got := did(t, r); got != "ran\n" || r.Bare {
		t.Errorf("in place of the go command one could do\n%swithout a wall: %v", got, r.Bare)
	}
}

func TestToolsRunBehindAWall(t *testing.T) {
	needWall(t)
	c := config(t)
	guest(t, c, solution("sink.go", reference(t))) // from which it is known what there is
	paths, err := filepath.Glob(filepath.Join(c.Cache, "known-*.json"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]any{}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	tools := filepath.Join(t.TempDir(), "pkg", "tool", "here")
	for _, tool := range []string{"compile", "link"} {
		program, err := os.ReadFile(filepath.Join(known["Tools"].(string), tool))
		if err != nil {
			t.Fatal(err)
		}
		moved := filepath.Join(tools, "real-"+tool)
		script(t, filepath.Join(tools, tool), hostileWords(t, c), moved)
		if err := os.WriteFile(moved, program, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	known["Tools"] = tools
	if text, err = json.Marshal(known); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], text, 0o666); err != nil {
		t.Fatal(err)
	}
	r := guest(t, c, solution("sink.go", reference(t), "more.go", "package sink\n\nvar More int\n"))
	if got := did(t, r); strings.ReplaceAll(got, "ran\n", "") != "" || byGo(r) {
		t.Errorf("in place of the tools one could do\n%sby the go command: %v", got, byGo(r))
	}
}

// A Go that needs files that we don't know of is run without the wall, and said
// to be. What a solution may bring about is no reason.
func TestBare(t *testing.T) {
	needWall(t)
	real := config(t).Go
	needs := filepath.Join(t.TempDir(), "settings")
	if err := os.WriteFile(needs, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, lines string
		built, bare bool
	}{
		{"it needs more", `. '` + needs + `'`, true, true},
		{"it dies over a solution", `if [ "$1" = build ]; then exit 9; fi`, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := config(t)
			c.Go = filepath.Join(t.TempDir(), "go")
			script(t, c.Go, test.lines, real)
			r := guest(t, c, solution("sink.go", reference(t)))
			if (r.WASM != "") != test.built || r.Bare != test.bare {
				t.Errorf("built %v, want %v; without a wall %v, want %v; %s", r.WASM != "", test.built, r.Bare, test.bare, said(r))
			}
		})
	}
}

// What a tool starts ends with it, whether it ends well or is killed.
func TestToolsLeaveNothingRunning(t *testing.T) {
	needWall(t)
	real := config(t).Go
	const left = `sleep 1000 >/dev/null 2>&1 & `
	for name, lines := range map[string]string{
		"it ends well": left,
		"it is killed": left + `if [ "$1" = build ]; then ulimit -t 1; while :; do :; done; fi`,
	} {
		t.Run(name, func(t *testing.T) {
			c := config(t)
			c.Go = filepath.Join(t.TempDir(), "go")
			script(t, c.Go, lines, real)
			r, err := build.Guest(t.Context(), c, []build.Package{solution("sink.go", reference(t))}, others(t))
			if err != nil {
				t.Fatal(err)
			}
			if built := name == "it ends well"; (r.WASM != "") != built {
				t.Errorf("built %v, want %v; %s", !built, built, said(r))
			}
			if err := r.Remove(); err != nil {
				t.Error(err)
			}
			leavesNothing(t, c)
		})
	}
}
