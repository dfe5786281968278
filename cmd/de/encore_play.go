package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages"
	"github.com/flk-byo/de/stages/encore"
)

// playEncore compiles a job and runs it, in an empty folder.
func (e *env) playEncore(ctx context.Context, q encoreRun, job fs.FS, dir string) (encore.Story, error) {
	bar := e.newProgress()
	defer bar.clear()
	if err := e.compileEncore(ctx, &q, job, dir, bar); err != nil {
		return encore.Story{}, err
	}
	stopBroker, err := q.startBroker()
	if err != nil {
		return encore.Story{}, err
	}
	p := player{encoreRun: q, bar: bar, parallel: runtime.NumCPU(), now: e.now}
	err = p.play(ctx)
	return p.story, errors.Join(err, stopBroker())
}

// compileEncore gives q its program, and a folder for stores.
func (e *env) compileEncore(ctx context.Context, q *encoreRun, job fs.FS, dir string, bar *progress) error {
	goCommand, err := e.goCommand()
	if err != nil {
		return err
	}
	if bar.to == nil {
		fmt.Fprintln(e.stderr, compiling+" ...")
	}
	bar.show(grading.Progress{Doing: compiling})
	b := encore.Builder{Go: goCommand, Store: q.store, Dir: filepath.Join(dir, "build"), Files: stages.Files}
	if q.Program, err = b.Build(ctx, job); err != nil {
		return err
	}
	q.Dir = filepath.Join(dir, "stores")
	if err := os.Mkdir(q.Dir, 0o777); err != nil || q.Server == "" {
		return err
	}
	return q.serverReady(ctx)
}

const compiling = "compiling the job and its stores; the first time takes minutes"

// A player runs what a command line asks for, and gathers the story.
type player struct {
	encoreRun
	bar      *progress
	parallel int
	now      func() time.Time
	story    encore.Story
}

func (p *player) play(ctx context.Context) error {
	if p.scenario != "" {
		s, err := encore.Parse(p.scenario)
		if err != nil {
			return err
		}
		_, err = p.run(ctx, []encore.Scenario{s})
		return err
	}
	began := p.now()
	clean, err := p.run(ctx, []encore.Scenario{{}})
	if err != nil || p.story.First != nil {
		return err
	}
	switch p.kill {
	case killNone:
		return nil
	case killRandom:
		return p.playRandom(ctx, p.now().Sub(began))
	case killPower:
		_, err = p.run(ctx, encore.Power(clean[0].Moments))
		return err
	case killZombies:
		_, err = p.run(ctx, encore.Zombies(clean[0].Moments))
		return err
	}
	once, err := p.run(ctx, encore.Once(clean[0].Moments))
	if err == nil && p.kill == killTwice {
		_, err = p.run(ctx, encore.Twice(once))
	}
	return err
}

// run runs scenarios at once, and tells of them in their order.
func (p *player) run(ctx context.Context, scenarios []encore.Scenario) ([]encore.Outcome, error) {
	done := 0
	outcomes, err := p.RunAll(ctx, scenarios, p.parallel, func(encore.Outcome) {
		done++
		p.bar.show(grading.Progress{Doing: killing, Done: done, Total: len(scenarios)})
	})
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		p.story.Tell(o, len(p.Records))
	}
	return outcomes, nil
}

const killing = "killing the job and starting it again"

// playRandom kills until there were enough kills. A run that nothing happens to
// takes so long; after a delay in that, something has been done most times.
func (p *player) playRandom(ctx context.Context, clean time.Duration) error {
	random := rand.New(rand.NewPCG(p.seed, 0))
	delay := func() time.Duration { return time.Duration(random.Float64() * float64(clean)) }
	for p.story.Kills < randomKills {
		o, err := p.Random(ctx, randomKills-p.story.Kills, delay)
		if err != nil {
			return err
		}
		p.story.Tell(o, len(p.Records))
		p.bar.show(grading.Progress{Doing: killing, Done: p.story.Kills, Total: randomKills})
	}
	return nil
}
