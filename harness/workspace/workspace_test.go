package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find(dir); !errors.Is(err, ErrNone) {
		t.Fatalf("before a start: %v", err)
	}
	start(t, dir, "01")
	for _, below := range []string{"", "01-first", "01-first/gone/deeper"} {
		if w := found(t, filepath.Join(dir, filepath.FromSlash(below))); w.Dir != dir {
			t.Errorf("from %q: %s", below, w.Dir)
		}
	}
}

func TestDamagedState(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"empty":      {"", "unexpected end"},
		"cut off":    {"{\n  \"version\": 1,\n  \"stages\": {", "line 3: unexpected end"},
		"no JSON":    {"\n<<<<<<< HEAD\n", "line 2: invalid character"},
		"wrong type": {`{"version": "one"}`, "cannot unmarshal string"},
		"no version": {"{}", "no version"},
		"too large":  {strings.Repeat(" ", maxState+1), "too large"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			start(t, dir, "01")
			write(t, dir, ".de/state.json", test.text, "01-first/solution.go", "package mine")
			var p *Problem
			if _, err := Find(dir); !errors.As(err, &p) || !strings.Contains(p.Message, test.want) || p.Next == "" {
				t.Fatalf("find: %v", err)
			}
			if read(t, dir, ".de/state.json") != test.text {
				t.Fatal("looking changed the file")
			}
			made := start(t, dir, "01")
			if read(t, dir, made.StateSaved) != test.text {
				t.Errorf("%s is not the damaged file", made.StateSaved)
			}
			if read(t, dir, "01-first/solution.go") != "package mine" {
				t.Error("the code was changed")
			}
			if s := found(t, dir).State; s.Current != "01" || s.Stages["01"].Started == nil {
				t.Errorf("state %+v", s)
			}
		})
	}
}

func TestRecordResult(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	w := found(t, dir)
	start(t, dir, "02") // by another de, meanwhile
	first := testCourse().Stages[0]
	r := Result{Verdict: "fail", At: noon, Case: "01/a/b=1", Sources: "abc"}
	if err := w.RecordResult(first, r); err != nil {
		t.Fatal(err)
	}
	s := found(t, dir).State
	if got := s.Stages["01"].Result; got == nil || *got != r {
		t.Errorf("result %+v, want %+v", got, r)
	}
	if s.Current != "02" || w.State.Current != "02" {
		t.Errorf("what the other de wrote is lost: %+v", s)
	}
}

// Hints are counted up only, also where another de counted meanwhile, and a reset
// forgets none. A state file from before there were hints has none.
func TestRecordHints(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	if old := read(t, dir, ".de/state.json"); strings.Contains(old, "hints") {
		t.Fatalf("hints, though none was shown: %s", old)
	}
	w, other, first := found(t, dir), found(t, dir), testCourse().Stages[0]
	if err := errors.Join(w.RecordHints(first, 2), other.RecordHints(first, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reset(testCourse(), first, noon); err != nil {
		t.Fatal(err)
	}
	if n := found(t, dir).State.Stages["01"].Hints; n != 2 {
		t.Errorf("%d hints, want 2", n)
	}
}

func TestReset(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "02")
	w, first := found(t, dir), testCourse().Stages[0]
	if err := w.RecordResult(first, Result{Verdict: "pass", At: noon}); err != nil {
		t.Fatal(err)
	}
	var backups []string
	for _, text := range []string{"one", "two", "three"} {
		write(t, dir, "01-first/solution.go", text, "01-first/deep/notes.txt", text)
		backup, err := w.Reset(testCourse(), first, noon)
		if err != nil {
			t.Fatal(err)
		}
		backups = append(backups, filepath.ToSlash(backup))
		if read(t, dir, backup, "solution.go") != text || read(t, dir, backup, "deep/notes.txt") != text {
			t.Errorf("%s does not hold %q", backup, text)
		}
		if !strings.Contains(read(t, dir, "01-first", "solution.go"), "return -1") {
			t.Error("no skeleton was laid")
		}
	}
	want := ".de/backup/01-first-20260301-120000 .de/backup/01-first-20260301-120000-2 .de/backup/01-first-20260301-120000-3"
	if got := strings.Join(backups, " "); got != want {
		t.Errorf("backups %s", got)
	}
	if s := found(t, dir).State.Stages["01"]; s.Provided || s.Result != nil || !s.Started.Equal(noon) {
		t.Errorf("state %+v", s)
	}
}

func TestResetWithoutAFolder(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	var p *Problem
	if _, err := found(t, dir).Reset(testCourse(), testCourse().Stages[1], noon); !errors.As(err, &p) || p.Next != "de start TEST/02" {
		t.Errorf("error %v", err)
	}
}

func TestResetMovesALinkNotItsTarget(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	write(t, elsewhere, "solution.go", "package mine")
	start(t, dir, "01")
	symlink(t, elsewhere, filepath.Join(dir, "02-second"))
	w := found(t, dir)
	backup, err := w.Reset(testCourse(), testCourse().Stages[1], noon)
	if err != nil {
		t.Fatal(err)
	}
	if read(t, elsewhere, "solution.go") != "package mine" || read(t, dir, backup, "solution.go") != "package mine" {
		t.Error("the linked folder was changed")
	}
}

// Where something can't be written the error is the system's, and what the
// learner had is as it was. A file in a folder's place stops even root.
func TestUnwritable(t *testing.T) {
	t.Run("reset, backup is a file", func(t *testing.T) {
		dir := t.TempDir()
		start(t, dir, "01")
		write(t, dir, "01-first/solution.go", "mine", ".de/backup", "")
		_, err := found(t, dir).Reset(testCourse(), testCourse().Stages[0], noon)
		wantSystemError(t, err)
		if read(t, dir, "01-first/solution.go") != "mine" {
			t.Error("the code was changed")
		}
		if exists(filepath.Join(dir, ".de", "01-first.new")) {
			t.Error("the new skeleton was left behind")
		}
	})
	t.Run("damaged state, backup is a file", func(t *testing.T) {
		dir := t.TempDir()
		start(t, dir, "01")
		write(t, dir, ".de/state.json", "{", ".de/backup", "")
		_, err := Start(testCourse(), options(dir, "01"))
		wantSystemError(t, err)
		if read(t, dir, ".de/state.json") != "{" {
			t.Error("the damaged state was lost")
		}
	})
	t.Run("state is not replaceable", func(t *testing.T) {
		dir := t.TempDir()
		start(t, dir, "01")
		before := read(t, dir, ".de/state.json")
		write(t, dir, ".de/state.json.new/x", "")
		wantSystemError(t, found(t, dir).RecordResult(testCourse().Stages[0], Result{Verdict: "pass", At: noon}))
		if read(t, dir, ".de/state.json") != before {
			t.Error("the state was changed")
		}
	})
}

func wantSystemError(t *testing.T, err error) {
	t.Helper()
	var path *fs.PathError
	var link *os.LinkError
	if !errors.As(err, &path) && !errors.As(err, &link) {
		t.Errorf("error %v, want one of the system", err)
	}
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	w, first := found(t, dir), testCourse().Stages[0]
	hash := func() string {
		h, err := w.Sources(first)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := hash()
	write(t, dir, "01-first/solution_test.go", "package other", "01-first/notes.txt", "x")
	if hash() != before {
		t.Error("the hash is of more than the code")
	}
	write(t, dir, "01-first/more.go", "package solution")
	if hash() == before {
		t.Error("a new file does not change the hash")
	}
	if h, err := w.Sources(testCourse().Stages[1]); h != "" || err != nil {
		t.Errorf("of no folder: %q, %v", h, err)
	}
}

// The state file is for people, too.
func TestStateFileText(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "02")
	w := found(t, dir)
	if err := w.RecordResult(testCourse().Stages[1], Result{Verdict: "fail", At: noon.Add(time.Minute), Case: "02/x", Sources: "abc"}); err != nil {
		t.Fatal(err)
	}
	const want = `{
  "version": 1,
  "course": "TEST",
  "current": "02",
  "stages": {
    "01": {
      "provided": true
    },
    "02": {
      "started": "2026-03-01T12:00:00Z",
      "result": {
        "verdict": "fail",
        "at": "2026-03-01T12:01:00Z",
        "case": "02/x",
        "sources": "abc"
      }
    }
  }
}
`
	if got := read(t, dir, ".de/state.json"); got != want {
		t.Errorf("state\n%s", got)
	}
}
