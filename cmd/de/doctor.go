package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "check that this machine has what de needs",
		Description: `Looks for Go and a place for caches, and judges a solution that must pass and
one that must fail. The first build on a machine compiles Go's standard library
for the sandbox, which takes a while; --warm gets that done for every stage.

examples:
  de doctor
  de doctor --warm

exit code: 0 all is well, 2 there is something to mend, 3 de itself is broken`,
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "warm", Usage: "prepare the caches for every stage, so that no later build is slow"}},
		Action: e.doctor,
	}
}

// A doctor is one run of de doctor.
type doctor struct {
	*env
	code int // that of the first problem
}

func (e *env) doctor(c *cli.Context) error {
	if c.Args().Present() {
		return usage("de doctor", "doctor wants no arguments")
	}
	ctx, stop := interruptible()
	defer stop()
	d := &doctor{env: e}
	d.say(e.findGo(ctx))
	d.say(e.checkCache())
	d.protections()
	if d.code == exitPass {
		d.selfCheck(ctx, c.Bool("warm"))
	} else {
		d.line("skipped", "judging a solution: it needs what is a problem above")
	}
	if ctx.Err() != nil {
		return interrupted()
	}
	d.cache()
	if d.code == exitPass {
		fmt.Fprint(e.stdout, "\nAll is well.\n")
	}
	return &failure{code: d.code}
}

// say prints one line on what was found, or two on a problem and what to do
// about it.
func (d *doctor) say(found string, err error) {
	if err == nil {
		d.line("ok", found)
		return
	}
	f := asFailure(err)
	d.line("problem", f.message)
	d.line("", "try: "+f.next)
	if d.code == exitPass {
		d.code = f.code
	}
}

// line prints a text beside a word that tells its kind.
func (d *doctor) line(word, text string) {
	const column = 9
	lines := wrap(text, min(d.width, defaultWidth)-column, 0)
	for i, line := range strings.Split(strings.TrimSuffix(lines, "\n"), "\n") {
		if i > 0 {
			word = ""
		}
		fmt.Fprintf(d.stdout, "%-*s%s\n", column, word, line)
	}
}

// protections says what this system can keep a solution from.
func (d *doctor) protections() {
	lacking := false
	for _, protection := range protections {
		whole, words := protection()
		word := "ok"
		if !whole {
			word, lacking = "note", true
		}
		d.line(word, words)
	}
	if lacking {
		d.line("", "try: grade the solutions of strangers on Linux, on a kernel of 6.12 or newer")
	}
}

// findGo returns the Go toolchain in words.
func (e *env) findGo(ctx context.Context) (string, error) {
	path, err := e.goCommand()
	if err != nil {
		return "", err
	}
	version, err := e.goVersion(ctx, path)
	return fmt.Sprintf("Go %s is %s", strings.TrimPrefix(version, "go"), path), err
}

// checkCache tells that there is a folder for caches.
func (e *env) checkCache() (string, error) {
	if e.cacheDir == "" {
		return "", errNoCache
	}
	err := os.MkdirAll(e.cacheDir, 0o777)
	if err == nil {
		err = probe(e.cacheDir)
	}
	if err != nil {
		return "", usage(fmt.Sprintf("make it writable, or name another place with %s", cacheVariable()),
			"the folder for caches, %s, can't be written to: %v", e.cacheDir, withoutPath(err))
	}
	return "caches can be kept in " + e.cacheDir, nil
}

// cacheVariable is the environment variable that says where caches are.
func cacheVariable() string {
	switch runtime.GOOS {
	case "windows":
		return "LocalAppData"
	case "darwin", "ios":
		return "HOME"
	default:
		return "XDG_CACHE_HOME"
	}
}

// selfCheck judges the reference and the skeleton of the first stage, or of
// all: the one must pass, and the other, as a canary, must not.
func (d *doctor) selfCheck(ctx context.Context, all bool) {
	suites := stages.All()
	if !all {
		suites = suites[:1]
	}
	was := "cold"
	if d.warm() {
		was = "warm"
	}
	bar := d.newProgress()
	start := d.now()
	cases, err := d.judgeOwn(ctx, suites, bar.show)
	took := d.now().Sub(start).Round(10 * time.Millisecond)
	bar.clear()
	if ctx.Err() != nil {
		return
	}
	d.say(fmt.Sprintf("the reference passes %d cases, the skeleton does not; %v with %s caches", cases, took, was), err)
	if err == nil && all {
		d.line("ok", "the caches are ready for every stage; the next build is a quick one")
	}
}

// warm tells whether the compiler's cache holds anything.
func (e *env) warm() bool {
	entries, err := os.ReadDir(filepath.Join(e.cacheDir, "go-build"))
	return err == nil && len(entries) > 0
}

const (
	doctorCases  = 20               // of each stage, the smallest
	doctorBudget = 15 * time.Minute // a slow machine compiles the standard library
)

// judgeOwn returns how many cases each reference passed, all together.
func (e *env) judgeOwn(ctx context.Context, suites []grading.Suite, progress func(grading.Progress)) (int, error) {
	config, err := e.gradingConfig(progress)
	if err != nil {
		return 0, err
	}
	config.Seed, config.Budget = 1, doctorBudget
	if err := e.addOwn(&config, suites); err != nil {
		return 0, err
	}
	report, err := grading.Run(ctx, config)
	if err != nil {
		return 0, err
	}
	return passed(report)
}

// addOwn adds the reference and the skeleton of each stage, in turn.
func (e *env) addOwn(config *grading.Config, suites []grading.Suite) error {
	for _, suite := range suites {
		cases, err := ownCases(suite)
		if err != nil {
			return err
		}
		slices.SortStableFunc(cases, suite.Compare)
		cases = cases[:min(len(cases), doctorCases)]
		for _, impl := range []string{implReference, implSkeleton} {
			files, err := fs.Sub(stages.Files, path.Join(suite.Folder(), impl))
			if err != nil {
				return err
			}
			p := build.Package{Folder: suite.Folder(), Stage: suite.Folder(), Files: files, Rewrite: workspace.RewriteImports}
			if impl == implSkeleton {
				p.Folder += "-" + implSkeleton // a stage's own folder is where later references look for it
			}
			config.Stages = append(config.Stages, grading.Stage{Suite: suite, Package: p, Cases: cases})
		}
	}
	return nil
}

// passed returns how many cases passed, or what is wrong with the verdicts on
// references, which stand first, and skeletons, in turn.
func passed(r grading.Report) (int, error) {
	if r.Verdict == grading.HarnessFault {
		return 0, broken("judging", r.Problem)
	}
	cases := 0
	for i, s := range r.Stages {
		switch reference := i%2 == 0; {
		case reference && s.Verdict != grading.Pass:
			why := s.Problem
			if s.Failure != nil {
				why = s.Failure.Case
			}
			return 0, broken(fmt.Sprintf("the reference of stage %s does not pass", s.Stage), fmt.Sprintf("%s %s %s", s.Verdict, s.Kind, why))
		case reference:
			cases += s.Cases.Ran
		case s.Failure == nil:
			return 0, broken(fmt.Sprintf("the skeleton of stage %s is not found wanting", s.Stage), string(s.Verdict))
		}
	}
	return cases, nil
}

func broken(what, why string) error {
	return &failure{exitHarness, what + ": " + strings.Join(strings.Fields(why), " "), "install de again; if that does not help, report it at " + issuesURL}
}

// cache prints how large the caches are, and how to be rid of them.
func (d *doctor) cache() {
	if d.cacheDir == "" {
		return
	}
	d.line("cache", fmt.Sprintf("%d MB in %s, which can be deleted at any time", folderSize(d.cacheDir)/1e6, d.cacheDir))
}

// folderSize is how many bytes the files below dir hold. Files that come and go
// meanwhile don't matter.
func folderSize(dir string) int64 {
	var size int64
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
