package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/harness/workspace"
)

func TestReport(t *testing.T) {
	_, unreadable := os.ReadFile(filepath.Join(t.TempDir(), "gone"))
	tests := []struct {
		name string
		err  error
		code int
		want string // on standard error
	}{
		{"none", nil, 0, ""},
		{"said already", &failure{code: exitFail}, 1, ""},
		{"usage", usage("this", "%s is wrong", "that"), 2, "error: that is wrong\ntry: this\n"},
		{"wrapped", fmt.Errorf("more: %w", usage("this", "wrong")), 2, "error: wrong\ntry: this\n"},
		{"workspace", fmt.Errorf("more: %w", &workspace.Problem{Message: "wrong", Next: "this"}), 2, "error: wrong\ntry: this\n"},
		{"system", fmt.Errorf("start: %w", unreadable), 2, "try: look at the folder's permissions"},
		{"any other", errors.New("odd"), 3, "error: odd\ntry: this is a fault of de, not of your code"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			e := &env{stderr: &stderr, width: 200}
			if code := e.report(test.err); code != test.code {
				t.Errorf("exit %d, want %d", code, test.code)
			}
			if got := stderr.String(); !strings.Contains(got, test.want) || test.want == "" && got != "" {
				t.Errorf("printed %q, want %q", got, test.want)
			}
		})
	}
}

func TestPanicIsAHarnessFault(t *testing.T) {
	var stdout, stderr bytes.Buffer
	e := newEnv(strings.NewReader(""), &stdout, &stderr)
	e.dir, e.width = t.TempDir(), 80
	e.now = func() time.Time { panic("no clock") }
	if code := e.run([]string{"start", "08"}); code != exitHarness {
		t.Errorf("exit %d, want %d", code, exitHarness)
	}
	for _, want := range []string{"this is a bug in de, not in your code: no clock", issuesURL, `arguments: ["start" "08"]`, "goroutine "} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, &stderr)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"short", "one two", "one two\n"},
		{"exact", "one two 45", "one two 45\n"},
		{"long", "one two 456 x", "one two\n  456 x\n"},
		{"long word", "a 0123456789abc b", "a\n  0123456789abc\n  b\n"},
		{"characters, not bytes", "äöü äöü äö", "äöü äöü äö\n"},
		{"has lines", "a  b\nlong enough to be wrapped", "a  b\nlong enough to be wrapped\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := wrap(test.text, 10, 2); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestUseColor(t *testing.T) {
	tests := []struct {
		name, mode, variable string
		terminal, want       bool
	}{
		{"terminal", "auto", "", true, true},
		{"no terminal", "auto", "", false, false},
		{"NO_COLOR", "auto", "NO_COLOR=1", true, false},
		{"dumb", "auto", "TERM=dumb", true, false},
		{"always", "always", "NO_COLOR=1", false, true},
		{"never", "never", "", true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name, value, _ := strings.Cut(test.variable, "=")
			e := &env{stdoutIsTerminal: test.terminal, getenv: func(n string) string {
				if n == name {
					return value
				}
				return ""
			}}
			if got, err := e.useColor(test.mode); got != test.want || err != nil {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	for word, want := range map[string]string{
		"08": "08", "": `""`, "a b": `"a b"`, "\x1b[2J": `"\x1b[2J"`, "日本": "日本",
	} {
		if got := plain(word); got != want {
			t.Errorf("plain(%q) = %s, want %s", word, got, want)
		}
	}
}
