package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/confine"
	"github.com/flk-byo/de/harness/confine/wall"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) testCommand() *cli.Command {
	return &cli.Command{
		Name:      "test",
		Usage:     "run a solution against every crash schedule",
		ArgsUsage: "[STAGE]",
		Description: `Without STAGE, the one that you started last. Earlier stages are run again, to
see that they still pass. The shortest case that fails is shown.

examples:
  de test
  de test 08 --case 08/grid/n=2,every=1,crash=1,lag=0
  de test 08 --schedule my.yaml --stage-only
  de test --watch
  de test --impl reference FLK-BYO/08
  de test --format junit --out report.xml

exit code: 0 passes, 1 fails, 2 bad input, 3 a fault of de, 4 inconclusive`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "impl", Value: implLearner, Usage: "judge `WHAT`: learner, reference, skeleton, or a folder"},
			&cli.StringSliceFlag{Name: "schedule", Usage: "run the schedule `FILE` instead of the stage's own; can be repeated"},
			&cli.StringFlag{Name: "case", Usage: "run only the case with this `ID`"},
			&cli.IntFlag{Name: "thorough", Usage: "explore sequences of operations `N` longer than by default, at most 3; each takes some 7 times as long as the one before"},
			&cli.BoolFlag{Name: "stage-only", Usage: "leave out the earlier stages"},
			&cli.BoolFlag{Name: "fresh", Usage: "judge again what has not changed since its last result"},
			&cli.DurationFlag{Name: "budget", Value: defaultBudget, Usage: "the `TIME` for all of it; beyond it the verdict is inconclusive"},
			&cli.BoolFlag{Name: "watch", Usage: "run again after each save, first the stage that changed alone; q ends it, with the exit code of the newest result"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the first of the random seeds is `N`"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "report as `FORMAT`: text, json or junit"},
			&cli.StringFlag{Name: "out", Usage: "write the report to `FILE`; the text is printed as well"},
		},
		Action: e.test,
	}
}

// maxLonger is how much longer sequences can be asked for: no machine comes to
// the end of more.
const maxLonger = 3

// defaultBudget is for all of a test, building included.
const defaultBudget = 90 * time.Second

// seeds is under how many random seeds each case runs.
const seeds = 3

func (e *env) test(c *cli.Context) error {
	t, err := newTrial(c)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if c.Bool("watch") {
		return e.watch(ctx, t)
	}
	return e.try(ctx, t, func() {})
}

// A trial is what to run, how, and what to do with the report.
type trial struct {
	request
	seed   uint64
	budget time.Duration
	write  format
	fresh  bool   // judge what has not changed, too
	text   bool   // that is what write writes
	out    string // the file to write it to, or empty
}

func newTrial(c *cli.Context) (trial, error) {
	name := c.String("format")
	t := trial{request: requested(c), seed: c.Uint64("seed"), budget: c.Duration("budget"), fresh: c.Bool("fresh"), text: name == "text", out: c.String("out")}
	var err error
	if t.write, err = reportFormat(name); err != nil {
		return t, err
	}
	if t.budget <= 0 {
		return t, usage("--budget 90s", "--budget wants a time above zero, not %v", t.budget)
	}
	if t.longer < 0 || t.longer > maxLonger {
		return t, usage(fmt.Sprintf("--thorough 1, 2 or %d", maxLonger), "--thorough wants a number from 0 to %d, not %d", maxLonger, t.longer)
	}
	t.suite, err = stageIfNamed(c)
	return t, err
}

// try judges once, prints the report and remembers the results. It calls show
// before it prints, and ends with a failure that has the exit code, also for a
// pass.
func (e *env) try(ctx context.Context, t trial, show func()) error {
	selected, err := e.selects(t.request)
	if err != nil {
		return err
	}
	defer selected.close()
	if err := e.canWrite(t.out, tryOut(t.out)); err != nil {
		return err
	}
	r, err := e.judge(ctx, t, selected)
	if err != nil {
		return err
	}
	show()
	if err := e.printReport(r, t, selected); err != nil {
		return err
	}
	if err := e.record(selected, r); err != nil {
		return err
	}
	if err := e.offerExample(selected, r); err != nil {
		return err
	}
	return &failure{code: exitCode(r.Verdict)}
}

// judge runs what is selected, and shows how far it has come.
func (e *env) judge(ctx context.Context, t trial, s *selection) (grading.Report, error) {
	bar := e.newProgress()
	config, err := e.gradingConfig(bar.show)
	if err != nil {
		return grading.Report{}, err
	}
	config.Subject, config.Stages, config.Others = s.subject, s.stages, s.others
	config.Seed, config.Budget, config.Explain = t.seed, t.budget, s.explain
	if config.Preview = bar.to != nil && !s.partial; config.Preview {
		config.Stages[0].Suspects = e.suspects(s)
	}
	if !s.partial {
		config.Cases = sortedOwnCases
		if e.keptDir != "" {
			config.Keeper = keeper{e.keptDir, t.fresh}
		}
	}
	r, err := grading.Run(ctx, config)
	bar.clear()
	if ctx.Err() != nil {
		return r, interrupted()
	}
	if err != nil {
		return r, err
	}
	s.quote(&r)
	s.rename(&r)
	return r, e.sound(ctx, r)
}

// suspects is the case that the stage asked for failed by at last, if it did.
func (e *env) suspects(s *selection) []schedule.Case {
	suite := s.stages[0].Suite
	if s.workspace == nil || s.workspace.State.Stages[suite.ID].Result == nil {
		return nil
	}
	id := s.workspace.State.Stages[suite.ID].Result.Case
	if id == "" {
		return nil
	}
	cases, err := e.cases(request{caseID: id}, suite)
	if err != nil {
		return nil // it was of a schedule that is not there any more
	}
	return cases
}

// interruptible returns a context that ends when the user or the system wants
// de to end.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

func interrupted() error {
	return &failure{exitInconclusive, "interrupted, so there is no verdict", ""}
}

// A format writes a report.
type format func(io.Writer, grading.Report, report.Options) error

func jsonFormat(w io.Writer, r grading.Report, _ report.Options) error { return report.JSON(w, r) }

func reportFormat(name string) (format, error) {
	switch name {
	case "text":
		return report.Text, nil
	case "json":
		return jsonFormat, nil
	case "junit":
		return report.JUnit, nil
	}
	return nil, usage("--format text, json or junit", "there is no format %s%s", plain(name), didYouMean("", name, []string{"text", "json", "junit"}))
}

// canWrite returns an error if a report can't be written to file, before the
// time is spent on making one. What to try next is for a file that is a folder.
func (e *env) canWrite(file, next string) error {
	if file == "" {
		return nil
	}
	path := e.path(file)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return usage(next, "%s is not a file that a report can be written to", plain(file))
	}
	if err := probe(filepath.Dir(path)); err != nil {
		return usage("choose a folder that can be written to", "%s can't be written: %v", plain(file), withoutPath(err))
	}
	return nil
}

// tryOut is what to try where --out names a folder.
func tryOut(file string) string { return "--out " + filepath.Join(file, "report.xml") }

// probe returns an error if no file can be made in dir.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".de-probe-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// withoutPath is what the system said of a file, without the file's name.
func withoutPath(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// printReport prints the report, or writes it to --out and prints the text.
func (e *env) printReport(r grading.Report, t trial, s *selection) error {
	options := report.Options{Color: e.color, Width: min(e.width, 100), Flags: s.flags, Hints: s.hintsSeen()}
	if t.out == "" {
		return t.write(e.stdout, r, options)
	}
	plain := options
	plain.Color = false
	if err := replace(e.path(t.out), func(to io.Writer) error { return t.write(to, r, plain) }); err != nil {
		return err
	}
	if err := report.Text(e.stdout, r, options); err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "report written to %s\n", t.out)
	return nil
}

// replace writes a file whole or not at all.
func replace(path string, write func(io.Writer) error) error {
	out, err := os.CreateTemp(filepath.Dir(path), ".de-report-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // fails once it is renamed, as it should be
	if err := errors.Join(write(out), out.Chmod(0o644), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// record remembers the results of a whole test in the workspace.
func (e *env) record(s *selection, r grading.Report) error {
	if s.workspace == nil || s.partial {
		return nil
	}
	for i, stage := range r.Stages {
		if stage.Verdict == grading.Inconclusive || stage.Verdict == grading.HarnessFault {
			continue
		}
		in := inWorkspace(s.stages[i].Suite)
		result := workspace.Result{Verdict: string(stage.Verdict), At: e.now().UTC().Truncate(time.Second)}
		if stage.Failure != nil {
			result.Case = stage.Failure.Case
		}
		var err error
		if result.Sources, err = s.workspace.Sources(in); err != nil {
			return err
		}
		if err := s.workspace.RecordResult(in, result); err != nil {
			return err
		}
	}
	return nil
}

// offerExample gives a learner who has come to the end of the course a program
// that is built on all of it.
func (e *env) offerExample(s *selection, r grading.Report) error {
	all := stages.All()
	last := r.Stages[0].Stage == all[len(all)-1].ID
	if s.workspace == nil || s.partial || !last || r.Verdict != grading.Pass || len(r.Stages) < len(all) {
		return nil
	}
	laid, err := s.workspace.LayExample(course())
	if laid {
		fmt.Fprintf(e.stderr, "\nAll of it is yours now. See it at work, in %s: go run ./%s\n", s.workspace.Dir, workspace.Example)
	}
	return err
}

func exitCode(v grading.Verdict) int {
	switch v {
	case grading.Pass:
		return exitPass
	case grading.Fail, grading.Blocked:
		return exitFail
	case grading.Inconclusive:
		return exitInconclusive
	default:
		return exitHarness
	}
}

// notes are what the reader of a report should know of this system.
func notes() (lacking []string) {
	for _, protection := range protections {
		if whole, words := protection(); !whole {
			lacking = append(lacking, words)
		}
	}
	return lacking
}

// protections tell what this system can keep a solution from.
var protections = []func() (whole bool, words string){confine.Supported, wall.Judge, wall.Compiler}
