package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/harness/workspace"
)

var update = flag.Bool("update", false, "rewrite the outputs in testdata")

// Each file in testdata is a session: lines "$ command" and what they print,
// "! " before each line of standard error, and the exit code if it isn't 0. Other
// lines that begin with "// " are comments. Each session has a folder of its own.
// Commands are de and the few of [session.do].
func TestSessions(t *testing.T) { replayAll(t, "testdata/*.txt", func(*session) {}) }

// replayAll replays the files of a pattern, each in a session that prepare has
// had its way with.
func replayAll(t *testing.T, pattern string, prepare func(*session)) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(t)
			prepare(s)
			got := s.replay(string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
				t.Errorf("%s differs; -update rewrites it. Now it is:\n%s", file, got)
			}
		})
	}
}

type session struct {
	t        *testing.T
	root     string // shown as DIR
	dir      string
	now      time.Time
	stdin    string
	terminal bool
	output   bytes.Buffer

	variables map[string]string // of the environment
	kept      string            // where results of stages are kept
}

func newSession(t *testing.T) *session {
	root := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	return &session{t: t, root: root, dir: root, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), variables: map[string]string{}, kept: t.TempDir()}
}

func (s *session) replay(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "// ") {
			out.WriteString(line + "\n")
		}
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		s.output.Reset()
		s.do(words(command))
		printed := strings.ReplaceAll(s.output.String(), s.root, "DIR")
		fmt.Fprintf(&out, "%s\n%s\n", line, filepath.ToSlash(printed))
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func (s *session) do(command []string) {
	args := command[1:]
	path := func(i int) string { return filepath.Join(s.dir, filepath.FromSlash(args[i])) }
	var err error
	switch command[0] {
	case "de":
		s.de(args)
	case "head": // N COMMAND, whose first lines alone are wanted
		s.do(args[1:])
		s.head(args[0])
	case "has": // TEXT COMMAND, whose output is wanted only if TEXT is not in it
		s.do(args[1:])
		if strings.Contains(s.output.String(), args[0]) {
			s.output.Reset()
			s.output.WriteString("yes\n")
		}
	case "set": // NAME VALUE
		s.variables[args[0]] = strings.ReplaceAll(args[1], "DIR", s.root)
	case "cd":
		s.dir = path(0)
	case "write": // FILE TEXT
		if err = os.MkdirAll(filepath.Dir(path(0)), 0o777); err == nil {
			err = os.WriteFile(path(0), []byte(strings.ReplaceAll(args[1], `\n`, "\n")), 0o666)
		}
	case "reference": // FILE, of the last stage
		err = os.WriteFile(path(0), []byte(lastReference(s.t)), 0o666)
	case "change": // FILE OLD NEW
		var text []byte
		if text, err = os.ReadFile(path(0)); err == nil {
			if !strings.Contains(string(text), args[1]) {
				s.t.Fatalf("%s has no %q", args[0], args[1])
			}
			err = os.WriteFile(path(0), []byte(strings.Replace(string(text), args[1], args[2], 1)), 0o666)
		}
	case "old-go": // FOLDER
		fakeGo(s.t, path(0), "go1.21.0")
	case "remove":
		err = os.RemoveAll(path(0))
	case "cat":
		var text []byte
		text, err = os.ReadFile(path(0))
		s.output.Write(text)
	case "find": // all files below the working directory
		s.find()
	case "later": // DURATION
		var d time.Duration
		d, err = time.ParseDuration(args[0])
		s.now = s.now.Add(d)
	case "answer": // TEXT, at a terminal
		s.stdin, s.terminal = args[0]+"\n", true
	case "record": // STAGE VERDICT [CASE]
		s.record(args)
	default:
		s.t.Fatalf("unknown command %q", command)
	}
	if err != nil {
		s.t.Fatalf("%q: %v", command, err)
	}
}

func (s *session) de(args []string) {
	e := s.env()
	s.stdin, s.terminal = "", false
	if code := e.run(args); code != 0 {
		fmt.Fprintf(&s.output, "(exit %d)\n", code)
	}
}

func (s *session) env() *env {
	e := newEnv(strings.NewReader(s.stdin), &s.output, &marked{to: &s.output})
	e.dir, e.stdinIsTerminal = s.dir, s.terminal
	e.keptDir = s.kept
	e.now = func() time.Time { return s.now }
	e.getenv = func(name string) string { return s.variables[name] }
	e.width, e.version = 200, "v0.0.0" // wide, for the length of the test's folder differs
	return e
}

func (s *session) record(args []string) {
	w, err := workspace.Find(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	suite, err := findStage(args[0])
	if err != nil {
		s.t.Fatal(err)
	}
	r := workspace.Result{Verdict: args[1], At: s.now}
	if len(args) > 2 {
		r.Case = args[2]
	}
	if r.Sources, err = w.Sources(inWorkspace(suite)); err != nil {
		s.t.Fatal(err)
	}
	if err := w.RecordResult(inWorkspace(suite), r); err != nil {
		s.t.Fatal(err)
	}
}

// head cuts the output after n lines.
func (s *session) head(n string) {
	limit, err := strconv.Atoi(n)
	if err != nil {
		s.t.Fatal(err)
	}
	lines := strings.SplitAfterN(s.output.String(), "\n", limit+1)
	s.output.Reset()
	s.output.WriteString(strings.Join(lines[:min(limit, len(lines))], ""))
}

func (s *session) find() {
	var all []string
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(s.dir, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(all)
	fmt.Fprintln(&s.output, strings.Join(all, "\n"))
}

// marked puts "! " before each line.
type marked struct {
	to     *bytes.Buffer
	inLine bool
}

func (m *marked) Write(p []byte) (int, error) {
	for _, b := range p {
		if !m.inLine {
			m.to.WriteString("! ")
		}
		m.to.WriteByte(b)
		m.inLine = b != '\n'
	}
	return len(p), nil
}

// words splits a command at spaces, those in double quotes aside.
func words(command string) []string {
	var all []string
	for i, part := range strings.Split(command, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}
