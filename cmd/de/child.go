package main

import (
	"context"
	"fmt"
	goversion "go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/confine"
	"github.com/flk-byo/de/harness/confine/wall"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/worker"
	"github.com/flk-byo/de/stages"
)

// wordJudge is the word by which de calls itself to run cases on a guest. It is
// not for users: main looks for it before anything else.
const wordJudge = "__judge"

// judgeGC is how much garbage a judging process may gather, in percent of what
// lives: it lives for seconds, and with Go's 100 spent a tenth of them collecting.
const judgeGC = 400

// child does what a process of our own is started for, if args ask for it.
func child(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int, ok bool) {
	if len(args) == 0 || args[0] != wordJudge {
		return 0, false
	}
	debug.SetGCPercent(judgeGC)
	if err := serve(stdin, stdout); err != nil {
		fmt.Fprintln(stderr, "de:", err)
		return exitHarness, true
	}
	return exitPass, true
}

func serve(stdin io.Reader, stdout io.Writer) error {
	var cases grading.Cases
	var job grading.Job
	if err := worker.Job(stdin, &cases, &job); err != nil {
		return err
	}
	guest, err := os.ReadFile(job.WASM)
	if err != nil {
		return fmt.Errorf("read the guest: %w", err)
	}
	job.Guest = guest
	wall.Close() // what is in the guest is the first that is not ours
	lines := worker.NewLines(stdout)
	return grading.Serve(context.Background(), cases, job, stages.All(), func(m grading.Message) error { return lines.Write(m) })
}

// Limits of the processes that touch a solution.
const (
	buildMemory = 3 << 30
	buildCPU    = 30 * time.Second // of each compiler process
	judgeMemory = 8 << 30
	caseLimit   = 2 * time.Second
)

var errNoCache = usage("set HOME, or "+cacheVariable(), "this system names no folder for caches")

// gradingConfig is what is the same for every run.
func (e *env) gradingConfig(progress func(grading.Progress)) (grading.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return grading.Config{}, fmt.Errorf("find this program: %w", err)
	}
	goCommand, err := e.goCommand()
	if err != nil {
		return grading.Config{}, err
	}
	if e.cacheDir == "" {
		return grading.Config{}, errNoCache
	}
	e.sweep()
	identity, err := program(self, goCommand)
	if err != nil {
		return grading.Config{}, err
	}
	judgeLimits := confine.Limits{Memory: judgeMemory}
	if raceEnabled {
		judgeLimits = confine.Limits{} // the race detector reserves more address space than that
	}
	return grading.Config{
		Course: stages.Course, Seeds: seeds, Now: e.now, Notes: notes(),
		Hot: e.hot(), Learned: e.learnHot, Fingerprint: identity,
		CaseLimit: caseLimit, Progress: progress, Workers: runtime.NumCPU(),
		Build: build.Config{
			Go: goCommand, Cache: e.cacheDir, Path: e.getenv("PATH"), System: e.systemEnvironment(),
			Limits: confine.Limits{Memory: buildMemory, CPU: buildCPU}, Stages: stages.Files, Harness: harness.GuestFiles,
		},
		Worker: worker.Config{Command: []string{self, wordJudge}, Limits: judgeLimits},
	}, nil
}

const oldestGo = "go1.26"

// goNext is what to do about a Go that isn't there or is no good.
const goNext = "install Go 1.26 or newer from https://go.dev/dl and see that it comes first in your PATH"

// goCommand finds the Go toolchain.
func (e *env) goCommand() (string, error) {
	name := "go"
	if runtime.GOOS == "windows" {
		name = "go.exe"
	}
	for _, dir := range filepath.SplitList(e.getenv("PATH")) {
		file := filepath.Join(dir, name)
		if path, err := exec.LookPath(file); err == nil && filepath.IsAbs(path) {
			return path, nil
		}
	}
	return "", usage(goNext, "there is no Go toolchain: no go command in PATH")
}

// goVersionLimit is for how long a go command may take to tell its version.
const goVersionLimit = time.Minute

// goVersion returns the version of a go command, as in "go1.26.1", and an error
// if it is none that can build a guest.
func (e *env) goVersion(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, goVersionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "env", "GOVERSION")
	cmd.Dir = filepath.Dir(path) // no go.mod there has a say
	cmd.Env = append(e.systemEnvironment(), "PATH="+e.getenv("PATH"), "GOENV=off", "GOWORK=off", "GOFLAGS=", "GOTOOLCHAIN=local")
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	found := string(out)
	for _, word := range strings.Fields(found) { // "go1.26.1", or "devel go1.27-1a2b3c Mon ..."
		if !goversion.IsValid(word) {
			continue
		}
		if goversion.Compare(word, oldestGo) < 0 {
			return "", usage(goNext, "%s is %s, which is too old", path, word)
		}
		return word, nil
	}
	if err != nil {
		found = err.Error() + " " + words.String()
	}
	return "", usage(goNext, "%s does not tell its version: %.200s", path, strings.Join(strings.Fields(found), " "))
}

// sound returns an error if the Go toolchain, not the solution, is the reason
// why a solution does not compile.
func (e *env) sound(ctx context.Context, r grading.Report) error {
	if !slices.ContainsFunc(r.Stages, func(s grading.StageReport) bool { return s.Kind == fault.DoesNotCompile }) {
		return nil
	}
	path, err := e.goCommand()
	if err == nil {
		_, err = e.goVersion(ctx, path)
	}
	return err
}

// systemEnvironment is what a process needs to start at all on Windows.
func (e *env) systemEnvironment() []string {
	var kept []string
	for _, name := range []string{"SYSTEMROOT", "GOROOT"} {
		if value := e.getenv(name); value != "" {
			kept = append(kept, strings.Join([]string{name, value}, "="))
		}
	}
	return kept
}

// sweep removes what nobody has used for a day from the cache: folders of builds
// that were killed, and compiled solutions.
func (e *env) sweep() {
	const old = 24 * time.Hour
	for _, pattern := range []string{"work/guest-*", "compiled/*", keptFolder + "/*"} {
		paths, err := filepath.Glob(filepath.Join(e.cacheDir, filepath.FromSlash(pattern)))
		if err != nil {
			return
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && e.now().Sub(info.ModTime()) > old {
				_ = os.RemoveAll(path) // the next run tries again
			}
		}
	}
}
