package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages"
)

// A watcher is a de test --watch under way, with keys to type and no terminal to
// print on.
type watcher struct {
	t          *testing.T
	file       string // of the solution
	keys       io.Writer
	out, errs  *screen
	code       chan int
	from, seen int // what was looked at of out and of errs
}

// startWatching starts de test --watch in a workspace of stage 01.
func startWatching(t *testing.T, args ...string) *watcher {
	t.Helper()
	dir := t.TempDir()
	if code, _, stderr := in(dir, "start", "01"); code != 0 {
		t.Fatal(stderr)
	}
	stdin, keys := io.Pipe()
	w := &watcher{
		t: t, file: filepath.Join(dir, "01-operators", "operators.go"), keys: keys,
		out: &screen{}, errs: &screen{}, code: make(chan int, 1),
	}
	e := newEnv(stdin, w.out, w.errs)
	e.dir, e.width = dir, 80
	e.stdinIsTerminal, e.stderrIsTerminal = true, true
	e.getenv = func(name string) string {
		if name == "TERM" {
			return "xterm"
		}
		return os.Getenv(name)
	}
	go func() { w.code <- e.run(append([]string{"test", "--watch"}, args...)) }()
	return w
}

// save puts text in the place of the solution, as editors do.
func (w *watcher) save(text string) {
	w.t.Helper()
	next := w.file + ".new"
	if err := errors.Join(os.WriteFile(next, []byte(text), 0o666), os.Rename(next, w.file)); err != nil {
		w.t.Fatal(err)
	}
}

// result waits for the next result and the line after it, and returns it.
func (w *watcher) result() string {
	w.t.Helper()
	w.await(w.errs, &w.seen, "  watching 01-operators, ")
	w.await(w.errs, &w.seen, ", q ends\n")
	text := w.out.all()[w.from:]
	w.from += len(text)
	return text
}

// await waits until text is printed after what was looked at, and looks at it.
func (w *watcher) await(s *screen, from *int, text string) {
	w.t.Helper()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if at := strings.Index(s.all()[*from:], text); at >= 0 {
			*from += at + len(text)
			return
		}
	}
	w.t.Fatalf("no %q; printed:\n%s\n%s", text, w.out.all(), w.errs.all())
}

// end types a key and returns the exit code.
func (w *watcher) end(key string) int {
	w.t.Helper()
	if _, err := io.WriteString(w.keys, key); err != nil {
		w.t.Fatal(err)
	}
	return <-w.code
}

// Each save is judged, the newest result is the exit code, and what is typed
// besides q does nothing.
func TestJudgingWatch(t *testing.T) {
	w := startWatching(t)
	if got := w.result(); strings.Count(got, "\n---- ") != 1 || !strings.Contains(got, "FAIL  01 Operators: not implemented yet") {
		t.Errorf("the skeleton:\n%s", got)
	}
	reference := referenceFiles(t, stages.All()[0])["operators.go"]
	w.save(reference)
	if got := w.result(); strings.Count(got, "\n---- ") != 1 || !strings.Contains(got, "\nPASS  01 Operators: ") {
		t.Errorf("the reference:\n%s", got)
	}
	w.save(strings.Replace(reference, "if keep(r)", "if !keep(r)", 1))
	if got := w.result(); !strings.Contains(got, "FAIL  01 Operators: check operators, ") || !strings.Contains(got, "hint  de hint 01") {
		t.Errorf("a mistake:\n%s", got)
	}
	w.save(reference)
	if got := w.result(); !strings.Contains(got, "\nPASS  01 Operators: ") {
		t.Errorf("mended:\n%s", got)
	}
	if code := w.end("?q"); code != exitPass {
		t.Errorf("exit %d: %s", code, w.errs.all())
	}
}

// A save ends a run under way, of which nothing is shown. This one would take a
// minute to fail.
func TestJudgingWatchIsOvertaken(t *testing.T) {
	w := startWatching(t)
	w.result()
	reference := referenceFiles(t, stages.All()[0])["operators.go"]
	w.save(reference + "\nvar endless = func() int { for { } }()\n")
	w.await(w.errs, &w.seen, "running stage 01")
	w.save(reference)
	if got := w.result(); strings.Count(got, "\n---- ") != 1 || !strings.Contains(got, "\nPASS  01 Operators: ") {
		t.Errorf("the newest:\n%s", got)
	}
	if code := w.end("\x03"); code != exitPass {
		t.Errorf("exit %d: %s", code, w.errs.all())
	}
}

// Ended before there is a verdict, there is none.
func TestJudgingWatchEndsEarly(t *testing.T) {
	w := startWatching(t)
	if code := w.end("q"); code != exitInconclusive || !strings.Contains(w.errs.all(), "error: interrupted, so there is no verdict") {
		t.Errorf("exit %d: %s", code, w.errs.all())
	}
}

// First comes the stage that changed, alone; of several the one that was asked
// for, or the earliest; and then all.
func TestWatchSteps(t *testing.T) {
	all := stages.All()
	folders := map[string]string{}
	for _, s := range all {
		folders[s.Folder()] = "/ws/" + s.Folder()
	}
	asked := []grading.Suite{all[7], all[0], all[1], all[2]}
	tests := map[string]struct {
		stages  []grading.Suite
		changed []int // places in all
		want    string
	}{
		"at the start":     {asked, nil, "08 alone, all"},
		"the one":          {asked, []int{7}, "08 alone, all"},
		"an earlier one":   {asked, []int{1}, "02 alone, all"},
		"several":          {asked, []int{2, 0}, "01 alone, all"},
		"with the one":     {asked, []int{0, 7}, "08 alone, all"},
		"only built on":    {asked, []int{6}, "08 alone, all"},
		"nothing is added": {asked[:1], []int{0}, "all"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := &watching{stages: test.stages, folders: folders}
			var changed []string
			for _, i := range test.changed {
				changed = append(changed, folders[all[i].Folder()])
			}
			var got []string
			for _, step := range w.steps(changed) {
				if step.stageOnly {
					got = append(got, step.suite.ID+" alone")
				} else {
					got = append(got, "all")
				}
			}
			if words := strings.Join(got, ", "); words != test.want {
				t.Errorf("%s, want %s", words, test.want)
			}
		})
	}
}

func TestWhatCountsAsSolution(t *testing.T) {
	for name, want := range map[string]bool{
		"sink.go": true, "sink_test.go": false, "sink.go~": false, ".#sink.go": false, "_sink.go": false,
		".sink.go.swp": false, "4913": false, "STAGE.md": false, "go": false,
	} {
		if isSolution(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestWaitForEnd(t *testing.T) {
	for typed, rest := range map[string]string{"q-": "-", "\x03-": "-", "\x04-": "-", "Q\r\x1b[A-q": "", "": ""} {
		from := strings.NewReader(typed)
		waitForEnd(from)
		if left, _ := io.ReadAll(from); string(left) != rest {
			t.Errorf("%q: %q is left, want %q", typed, left, rest)
		}
	}
}

func TestRawLines(t *testing.T) {
	s := &screen{}
	if n, err := io.WriteString(rawLines{s}, "a\n\nb"); n != 4 || err != nil || s.all() != "a\r\n\r\nb" {
		t.Errorf("%d, %v: %q", n, err, s.all())
	}
}

// What is watched are the folders of all solutions that a verdict depends on, and
// the schedules.
func TestWatchedFiles(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := in(dir, "start", "03"); code != 0 {
		t.Fatal(stderr)
	}
	e := newEnv(strings.NewReader(""), io.Discard, io.Discard)
	e.dir = filepath.Join(dir, "02-keyed-state")
	w, err := e.newWatching(trial{request: request{impl: implLearner, stageOnly: true}, text: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range w.files().Folders {
		name, _ := filepath.Rel(dir, path)
		got = append(got, name)
	}
	if !slices.Equal(got, []string{"01-operators", "02-keyed-state", "03-watermarks"}) {
		t.Errorf("%q", got)
	}
}
