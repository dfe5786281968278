package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
)

func (e *env) explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "explain why a case fails, step by step",
		ArgsUsage: "[CASE]",
		Description: `Without CASE, the one that your current stage failed by in the last de test. The
case is run again, and all of its steps are shown: where it became unsafe, where
that was seen, which lines of yours did what, and which cases nearby pass.

examples:
  de explain
  de explain 08/distinct/n=2,every=1,crash=1,lag=1
  de explain --format json --out why.json
  de explain --html why.html

exit code: 0 passes, 1 fails, 2 bad input, 3 a fault of de, 4 inconclusive`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "impl", Value: implLearner, Usage: "explain `WHAT`: learner, reference, skeleton, or a folder"},
			&cli.StringSliceFlag{Name: "schedule", Usage: "the case is one of the schedule `FILE`; can be repeated"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the first of the random seeds is `N`"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "explain as `FORMAT`: text or json"},
			&cli.StringFlag{Name: "out", Usage: "write to `FILE`; the text is printed as well"},
			&cli.StringFlag{Name: "html", Usage: "write a page for a browser to `FILE`, in which to step through the case"},
		},
		Action: e.explain,
	}
}

func (e *env) explain(c *cli.Context) error {
	t, err := e.caseTrial(c)
	if err != nil {
		return err
	}
	if t.write, err = explainFormat(c.String("format")); err != nil {
		return err
	}
	html := c.String("html")
	if err := e.canWrite(t.out, tryOut(t.out)); err != nil {
		return err
	}
	if err := e.canWrite(html, "--html "+filepath.Join(html, "why.html")); err != nil {
		return err
	}
	selected, err := e.selects(t.request)
	if err != nil {
		return err
	}
	defer selected.close()
	if err := e.addNearby(&selected.stages[0], t.request); err != nil {
		return err
	}
	selected.explain = true
	ctx, stop := interruptible()
	defer stop()
	r, err := e.judge(ctx, t, selected)
	if err != nil {
		return err
	}
	if err := e.printReport(r, t, selected); err != nil {
		return err
	}
	if err := e.writePage(r, html, selected); err != nil {
		return err
	}
	return &failure{code: exitCode(r.Verdict)}
}

// writePage writes the explanation as a page to a file, if one is named.
func (e *env) writePage(r grading.Report, file string, s *selection) error {
	if file == "" {
		return nil
	}
	write := func(to io.Writer) error { return report.HTML(to, r, report.Options{Flags: s.flags}) }
	if err := replace(e.path(file), write); err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "page written to %s\n", file)
	return nil
}

// addNearby adds the cases near the one of a stage, and those that are run before
// it when it is tested.
func (e *env) addNearby(stage *grading.Stage, q request) error {
	pool, err := e.scheduled(q.schedules, stage.Suite)
	if err != nil {
		return err
	}
	stage.Before = slices.SortedStableFunc(slices.Values(pool), stage.Suite.Compare)
	one := stage.Cases[0]
	if one.Script == nil {
		pool = slices.AppendSeq(pool, stage.Suite.ExploredCases())
	}
	stage.Nearby = stage.Suite.Nearby(one, pool)
	return nil
}

func explainFormat(name string) (format, error) {
	switch name {
	case "text":
		return report.Explain, nil
	case "json":
		return jsonFormat, nil
	}
	return nil, usage("--format text or json", "there is no format %s%s", plain(name), didYouMean("", name, []string{"text", "json"}))
}

// caseTrial asks for the case that is the argument or, without one, that the
// learner's current stage failed by.
func (e *env) caseTrial(c *cli.Context) (trial, error) {
	t := trial{request: requested(c), seed: c.Uint64("seed"), budget: defaultBudget, out: c.String("out")}
	name := c.Command.Name
	switch {
	case c.NArg() == 1:
		t.caseID = c.Args().First()
		return t, nil
	case c.NArg() > 1:
		return t, usage("put the ID in quotes: de "+name+" 'CASE'", "de %s wants one case, not %d arguments", name, c.NArg())
	case t.impl != implLearner:
		return t, usage("de "+name+" --impl "+t.impl+" CASE, with an ID from a report", "de %s wants the case of another solution named", name)
	}
	var err error
	t.caseID, err = e.lastFailure(name)
	return t, err
}

// lastFailure is the case that the learner's current stage failed by, for a
// command that wants one.
func (e *env) lastFailure(command string) (string, error) {
	w, err := e.workspace()
	if err != nil {
		return "", err
	}
	id := w.State.Current
	result := w.State.Stages[id].Result
	switch {
	case result == nil:
		return "", usage("de test "+id+", and de "+command+" if it fails", "stage %s was not tested yet", id)
	case result.Verdict == string(grading.Pass):
		return "", usage("de "+command+" CASE, with an ID from de schedule show "+id+" --cases", "stage %s passed the last de test, so it has no failing case", id)
	case result.Case == "":
		return "", usage("de test "+id, "the last de test of stage %s came to no case, so de %s has none to go by", id, command)
	}
	return result.Case, nil
}
