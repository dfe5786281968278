package main

import (
	"context"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/certify"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/stages"
)

func (e *env) certifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "certify",
		Usage:     "prove the course itself: references, mutants, variants",
		ArgsUsage: "[STAGE…]",
		Description: `For those who change the course. Every reference must pass 100 times, every
skeleton fail as not implemented, every known-wrong solution fail by the check
and the case that are recorded for it, every known-right one pass. It takes
half an hour on two cores; --quick judges a tenth, and takes some minutes.

examples:
  de certify --quick
  de certify 08
  de certify --format json --out certificate.json

exit code: 0 certified, 1 there are problems, 2 bad input, 3 a fault of de`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "quick", Usage: "judge each reference three times, and a tenth of the others"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "report as `FORMAT`: text or json"},
			&cli.StringFlag{Name: "out", Usage: "write the report to `FILE`; the text is printed as well"},
		},
		Action: e.certify,
	}
}

// How thoroughly a course is certified.
const (
	certifyRounds   = 10 // of each reference
	certifySeeds    = 10 // of each round, so each case is run 100 times
	quickly         = 10 // one in so many, with --quick
	certifyBudget   = 2 * time.Hour
	certifyPatience = 10 * time.Second // with a case, on machines that do other things too
)

func (e *env) certify(c *cli.Context) error {
	write := report.Certificate
	switch format := c.String("format"); format {
	case "text":
	case "json":
		write = func(w io.Writer, r certify.Result, _ report.Options) error { return report.CertificateJSON(w, r) }
	default:
		return usage("--format text or json", "there is no format %s%s", plain(format), didYouMean("", format, []string{"text", "json"}))
	}
	var ids []string
	for _, name := range c.Args().Slice() {
		suite, err := findStage(name)
		if err != nil {
			return err
		}
		ids = append(ids, suite.ID)
	}
	if err := e.canWrite(c.String("out"), tryOut(c.String("out"))); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	bar := e.newProgress()
	result, err := e.certifyCourse(ctx, bar, c.Bool("quick"), ids)
	bar.clear()
	if ctx.Err() != nil {
		return interrupted()
	}
	if err != nil {
		return &failure{exitHarness, err.Error(), "mend the course, or report it at " + issuesURL}
	}
	if err := e.printCertificate(c.String("out"), result, write); err != nil {
		return err
	}
	if result.Summary.Problems > 0 {
		return &failure{code: exitFail}
	}
	return nil
}

// certifyCourse certifies the course that is built in.
func (e *env) certifyCourse(ctx context.Context, bar *progress, quick bool, ids []string) (certify.Result, error) {
	config, err := e.gradingConfig(nil)
	if err != nil {
		return certify.Result{}, err
	}
	config.Seed, config.Budget, config.CaseLimit = 1, certifyBudget, certifyPatience
	o := certify.Options{Config: config, Rounds: certifyRounds, Seeds: certifySeeds, Every: 1}
	if quick {
		o.Rounds, o.Seeds, o.Every = 1, seeds, quickly
	}
	o.Progress = func(stage, doing string) { bar.show(grading.Progress{Doing: doing, Stage: stage}) }
	return certify.Run(ctx, certified(), o, ids...)
}

// certified is the course as it is certified.
func certified() certify.Course {
	return certify.Course{
		Name: stages.Course, Packages: "github.com/flk-byo/de/stages/", Suites: stages.All(),
		Files: stages.Files, Fixtures: fixtures.Files, Cases: ownCases,
	}
}

// printCertificate prints the result, or writes it to a file and prints the text.
func (e *env) printCertificate(file string, r certify.Result, write func(io.Writer, certify.Result, report.Options) error) error {
	options := report.Options{Color: e.color, Width: min(e.width, 100)}
	if file == "" {
		return write(e.stdout, r, options)
	}
	plain := options
	plain.Color = false
	if err := replace(e.path(file), func(out io.Writer) error { return write(out, r, plain) }); err != nil {
		return err
	}
	return report.Certificate(e.stdout, r, options)
}
