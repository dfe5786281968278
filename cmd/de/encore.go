package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/stages"
	"github.com/flk-byo/de/stages/encore"
)

func (e *env) encoreCommand() *cli.Command {
	return &cli.Command{
		Name:  "encore",
		Usage: "run a job on a real store, and really kill it",
		Description: `The job runs in a process of its own, on a store that outlives it. It is killed,
started again until it ends, and what a reader of the store finds then must be
each record once. Yours is run where de start FLK-BYO/encore has laid one,
else the reference. It is compiled for this machine, and not confined.

  --kill every     at each moment: before and after each of its calls
  --kill twice     the same, and again at each moment of the recovery
  --kill zombies   stopped at each moment; goes on after its successor
  --kill random    a hundred times, from outside, at any time
  --kill power     at each moment, by a power cut: the disk loses what was not
                   synced; needs root, on Linux
  --kill none      one run, and nothing happens

examples:
  de encore
  de encore --store file --kill twice
  de encore --store postgres --kill zombies
  de encore --store kafka --dsn localhost:9092
  de encore --impl reference --records 1000 --kill random
  de encore --scenario kill=12

exit code: 0 exactly once, 1 not, 2 bad input, 3 a fault of de, 4 interrupted`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "impl", Usage: "run `WHAT`: learner, reference, or a folder"},
			&cli.StringFlag{Name: "store", Value: encore.Stores()[0], Usage: "write to `STORE`: " + storeList()},
			dsnFlag(),
			&cli.IntFlag{Name: "records", Value: defaultRecords, Usage: "the source has `N` records"},
			&cli.IntFlag{Name: "barrier-every", Value: defaultBarrierEvery, Usage: "a barrier follows every `N` records"},
			&cli.StringFlag{Name: "kill", Value: killEvery, Usage: "kill the job as `HOW` says, see above"},
			&cli.StringFlag{Name: "scenario", Usage: "run only the scenario with this `ID`"},
			&cli.StringFlag{Name: "hint", Usage: "print hint `N`, from 1 to 3, and do nothing else"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "draw the delays of --kill random by the random seed `N`"},
		},
		Subcommands: []*cli.Command{e.encoreBenchCommand()},
		Action:      e.encore,
	}
}

// Ways to kill a job.
const (
	killEvery   = "every"
	killTwice   = "twice"
	killZombies = "zombies"
	killRandom  = "random"
	killPower   = "power"
	killNone    = "none"
)

var killWays = []string{killEvery, killTwice, killZombies, killRandom, killPower, killNone}

const (
	defaultRecords      = 20
	defaultBarrierEvery = 5

	encoreLimit   = time.Minute // of one process
	encoreRecords = 1_000_000   // at most: they are in memory
	randomKills   = 100
)

// An encoreRun is what a command line asks for.
type encoreRun struct {
	encore.Runner
	store    string
	named    bool // its server, by --dsn
	subject  string
	kill     string
	scenario string
	seed     uint64
}

func (e *env) encore(c *cli.Context) error {
	if c.IsSet("hint") {
		return e.encoreHint(c.String("hint"))
	}
	q, err := newEncoreRun(c)
	if err != nil {
		return err
	}
	job, subject, err := e.job(c.String("impl"))
	if err != nil {
		return err
	}
	q.subject = subject
	ctx, stop := interruptible()
	defer stop()
	dir, clean, err := e.prepareEncore(ctx, &q)
	if err != nil {
		return err
	}
	defer clean()
	if err := q.mustCutPower(ctx, dir); err != nil {
		return err
	}
	story, err := e.playEncore(ctx, q, job, dir)
	if ctx.Err() != nil {
		return interrupted()
	}
	if compile := (*encore.CompileError)(nil); errors.As(err, &compile) {
		return &failure{exitFail, compile.Error(), ""}
	}
	if err != nil {
		return err
	}
	return e.tellEncore(q, story)
}

// prepareEncore makes the folder of a run, and starts the server it needs, if any.
// To clean is to be rid of both.
func (e *env) prepareEncore(ctx context.Context, q *encoreRun) (dir string, clean func(), err error) {
	dir, err = e.encoreDir()
	if err != nil {
		return "", nil, err
	}
	stopServer, err := q.startServer(ctx)
	if err != nil {
		os.RemoveAll(dir) // of this run alone
		return "", nil, err
	}
	return dir, func() {
		stopServer()
		os.RemoveAll(dir)
	}, nil
}

// mustCutPower is an error where the power is to be cut, and can't be.
func (q encoreRun) mustCutPower(ctx context.Context, dir string) error {
	s, _ := encore.Parse(q.scenario) // has been parsed before, or is empty
	if q.kill != killPower && !s.Power {
		return nil
	}
	if q.onServer() {
		return usage("--kill every; or --store sqlite", "the power of a server can't be cut, and the store is %s", q.store)
	}
	err := encore.CanCutPower(ctx, dir)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return usage("as root, with e2fsprogs installed; or --kill every", "no power can be cut here: %v", err)
}

func newEncoreRun(c *cli.Context) (encoreRun, error) {
	q := encoreRun{
		Runner: encore.Runner{BarrierEvery: c.Int("barrier-every"), Limit: encoreLimit}, store: c.String("store"),
		kill: c.String("kill"), scenario: c.String("scenario"), seed: c.Uint64("seed"),
	}
	if err := q.knownStore(c); err != nil {
		return q, err
	}
	n := c.Int("records")
	switch {
	case c.NArg() > 0:
		return q, usage("de encore --help", "de encore takes no argument, and there is %s", plain(c.Args().First()))
	case !slices.Contains(killWays, q.kill):
		return q, usage("--kill "+strings.Join(killWays, ", "), "there is no --kill %s%s", plain(q.kill), didYouMean("", q.kill, killWays))
	case n < 0 || n > encoreRecords:
		return q, usage("--records 20", "--records wants a number from 0 to %d, not %d", encoreRecords, n)
	case q.BarrierEvery < 1:
		return q, usage("--barrier-every 5", "--barrier-every wants a number above zero, not %d", q.BarrierEvery)
	}
	q.Records = encore.Records(n)
	if _, err := encore.Parse(q.scenario); q.scenario != "" && err != nil {
		return q, usage("copy the ID from what de encore printed", "%v", err)
	}
	return q, nil
}

// job finds the Go files of the job to run, and says what it is in words.
func (e *env) job(impl string) (fs.FS, string, error) {
	switch impl {
	case "":
		if dir, err := e.learnersJob(); err == nil {
			return os.DirFS(dir), "your job", nil
		}
		fallthrough
	case implReference:
		files, err := fs.Sub(stages.Files, encoreFolder+"/reference")
		return files, "the reference", err
	case implLearner:
		dir, err := e.learnersJob()
		return os.DirFS(dir), "your job", err
	}
	if info, err := os.Stat(e.path(impl)); err != nil || !info.IsDir() {
		return nil, "", usage("--impl learner, reference, or the folder of a job", "--impl %s: there is no such folder", plain(impl))
	}
	return os.DirFS(e.path(impl)), impl, nil
}

// learnersJob is the folder of the job in the workspace.
func (e *env) learnersJob() (string, error) {
	w, err := e.workspace()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(w.Dir, encoreFolder)
	if _, err := os.Stat(dir); err != nil {
		return "", usage("de start FLK-BYO/encore", "this workspace has no %s", encoreFolder)
	}
	return dir, nil
}

// encoreDir makes a folder for a program and its stores. It is where caches are,
// since the system's folder for temporary files may be in memory, where an fsync
// does nothing.
func (e *env) encoreDir() (string, error) {
	if e.cacheDir == "" {
		return "", errNoCache
	}
	work := filepath.Join(e.cacheDir, "work")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return "", err
	}
	return os.MkdirTemp(work, "guest-encore-") // swept as guests are, if we are killed
}

// encoreHint prints one of the hints.
func (e *env) encoreHint(n string) error {
	text, err := fs.ReadFile(stages.Files, path.Join(encoreFolder, "hints", n+".md"))
	if errors.Is(err, fs.ErrNotExist) {
		return usage("de encore --hint 1", "there is no hint %s; there are 1 to 3", plain(n))
	}
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(text)
	return err
}
