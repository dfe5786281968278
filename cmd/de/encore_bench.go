package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/encore"
)

func (e *env) encoreBenchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure what exactly-once costs",
		Description: `Tells how many records a second the reference writes at barriers after every
1, 100 and 10,000 records, and how many plain inserts of as many records at once
write into the same store. The ratio is the price.

examples:
  de encore bench
  de encore bench --store file`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "store", Value: encore.Stores()[0], Usage: "write to `STORE`: " + storeList()},
			dsnFlag(),
		},
		Action: e.encoreBench,
	}
}

// benches are how many records are written at which barriers: enough to take a
// good part of a second.
var benches = []struct{ barrierEvery, records int }{{1, 200}, {100, 10_000}, {10_000, 100_000}}

func (e *env) encoreBench(c *cli.Context) error {
	if c.NArg() > 0 {
		return usage("de encore bench --help", "de encore bench takes no argument, and there is %s", plain(c.Args().First()))
	}
	q := encoreRun{Runner: encore.Runner{Limit: encoreLimit}, store: c.String("store")}
	if err := q.knownStore(c); err != nil {
		return err
	}
	job, _, err := e.job(implReference)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	dir, clean, err := e.prepareEncore(ctx, &q)
	if err != nil {
		return err
	}
	defer clean()
	bar := e.newProgress()
	defer bar.clear()
	if err := e.compileEncore(ctx, &q, job, dir, bar); err != nil {
		return err
	}
	stopBroker, err := q.startBroker()
	if err != nil {
		return err
	}
	return errors.Join(e.measureEncore(ctx, q, bar), stopBroker())
}

func (e *env) measureEncore(ctx context.Context, q encoreRun, bar *progress) error {
	r := q.Runner
	var rows []string
	for i, b := range benches {
		bar.show(grading.Progress{Doing: "measuring", Done: i, Total: len(benches)})
		r.BarrierEvery, r.Records = b.barrierEvery, encore.Records(b.records)
		plain, job, err := e.fastest(ctx, r)
		if ctx.Err() != nil {
			return interrupted()
		}
		if err != nil {
			return err
		}
		rate := func(took time.Duration) float64 { return float64(b.records) / took.Seconds() }
		rows = append(rows, fmt.Sprintf("  %7d  %12.0f  %12.0f  %5.1f\n", b.barrierEvery, rate(plain), rate(job), rate(plain)/rate(job)))
	}
	bar.clear()
	fmt.Fprintf(e.stdout, "Records a second, on %s\n\n  barrier  plain insert  exactly once  price\n", q.store)
	for _, row := range rows {
		fmt.Fprint(e.stdout, row)
	}
	return nil
}

// rounds is how often each is measured, by turns: the fastest was disturbed least.
const rounds = 3

func (e *env) fastest(ctx context.Context, r encore.Runner) (plain, job time.Duration, err error) {
	plain, job = encoreLimit, encoreLimit
	for range rounds {
		p, err := r.Bench(ctx, true, e.now)
		if err != nil {
			return 0, 0, err
		}
		j, err := r.Bench(ctx, false, e.now)
		if err != nil {
			return 0, 0, err
		}
		plain, job = min(plain, p), min(job, j)
	}
	return plain, job, nil
}
