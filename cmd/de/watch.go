package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/watch"
)

const (
	// quiet is for how long nothing must change before a run begins, since an
	// editor saves in several steps. It is to begin within 50 ms of the last.
	quiet = 40 * time.Millisecond

	// lookEvery is how often files are looked at where the system does not tell.
	lookEvery = 300 * time.Millisecond
)

// watch tries again whenever what is judged changes, until the user ends it. It
// ends as the newest try did.
func (e *env) watch(ctx context.Context, t trial) error {
	w, err := e.newWatching(t)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	restore, err := w.takeKeys(end)
	if err != nil {
		return err
	}
	defer restore()
	watcher := watch.Start(ctx, w.files())
	w.polling = watcher.Polling
	var changed []string
	for {
		run, cancel := context.WithCancel(ctx)
		due := make(chan []string, 1)
		go func() {
			defer cancel()
			due <- <-watcher.Changes // nil at the end
		}()
		if whole := w.run(run, changed); whole {
			changed = nil
		}
		more := <-due
		if more == nil {
			w.eraseLine()
			return w.newest
		}
		changed = append(changed, more...)
	}
}

// A watching is a watch under way.
type watching struct {
	*env    // whose output a terminal shows as it is meant, though it hands over keys
	base    *env
	trial   trial
	stages  []grading.Suite   // that are judged, the one asked for first
	folders map[string]string // by stage's folder: where it is; those that are only built on too
	polling string            // why files are looked at, or empty
	newest  *failure          // how the newest try ended
}

func (e *env) newWatching(t trial) (*watching, error) {
	if !t.text && t.out == "" {
		return nil, usage("--out FILE, to write it anew each time", "--watch shows text, and no other format")
	}
	s, err := e.selects(t.request)
	if err != nil {
		return nil, err
	}
	defer s.close()
	own := *e
	w := &watching{env: &own, base: e, trial: t, folders: map[string]string{}, newest: asFailure(interrupted())}
	for folder, place := range s.places {
		w.folders[folder] = e.path(place)
	}
	for _, stage := range s.stages {
		w.stages = append(w.stages, stage.Suite)
	}
	w.trial.suite = &w.stages[0] // whatever is started meanwhile
	if len(w.folders)+len(t.schedules) == 0 {
		return nil, usage("--impl learner, or the folder of a solution", "--watch: %s never changes", s.subject)
	}
	return w, nil
}

// files are those by which a verdict may change.
func (w *watching) files() watch.Config {
	config := watch.Config{Counts: isSolution, Quiet: quiet, Every: lookEvery}
	config.Folders = slices.Sorted(maps.Values(w.folders))
	for _, name := range w.trial.schedules {
		config.Files = append(config.Files, w.path(name))
	}
	return config
}

// isSolution tells by its name whether a file belongs to a solution, as the build
// takes it.
func isSolution(name string) bool {
	return filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

// run tries all, what can have changed first, and shows the newest result. It
// returns whether it came to the end.
func (w *watching) run(ctx context.Context, changed []string) bool {
	w.eraseLine()
	w.width = w.base.widthNow()
	for i, t := range w.steps(changed) {
		if i > 0 {
			fmt.Fprint(w.statusTo(), "\nAll stages are next.\n")
		}
		shown := false
		show := func() {
			if !shown {
				w.clear()
				shown = true
			}
		}
		err := w.try(ctx, t, show)
		if ctx.Err() != nil && !shown {
			return false
		}
		show()
		w.newest = &failure{code: w.report(err)}
	}
	w.status()
	return true
}

// steps are what to try: the stage that changed alone, for that is soon known,
// and then all. Of several that changed it is the one asked for, or the earliest.
func (w *watching) steps(changed []string) []trial {
	if len(w.stages) == 1 {
		return []trial{w.trial}
	}
	first := w.stages[0]
	for _, s := range w.stages {
		if slices.Contains(changed, w.folders[s.Folder()]) {
			first = s
			break
		}
	}
	alone := w.trial
	alone.suite, alone.stageOnly = &first, true
	alone.write, alone.out = report.Text, "" // a file is to hold all
	return []trial{alone, w.trial}
}

// verdicts are how a try ended, by exit code.
var verdicts = map[int]string{
	exitPass: "PASS", exitFail: "FAIL", exitUsage: "ERROR", exitHarness: "HARNESS FAULT", exitInconclusive: "INCONCLUSIVE",
}

// status is the last line until the next change. It repeats the verdict: of a
// long report the headline is above what the terminal shows.
func (w *watching) status() {
	if w.polling != "" {
		note := fmt.Sprintf("note: %s, so the files are looked at every %d ms", w.polling, lookEvery.Milliseconds())
		fmt.Fprint(w.statusTo(), "\n", wrap(note, w.width, 6))
	}
	key, end := "Ctrl-C", "\n"
	if w.stdinIsTerminal {
		key = "q"
	}
	if w.canErase() {
		end = ""
	}
	fmt.Fprintf(w.statusTo(), "\n%s  watching %s, %s, %s ends%s", verdicts[w.newest.code], w.stages[0].Folder(), w.now().Format("15:04:05"), key, end)
}

// statusTo is the terminal, if there is one.
func (w *watching) statusTo() io.Writer {
	if w.stdoutIsTerminal {
		return w.stdout
	}
	return w.stderr
}
