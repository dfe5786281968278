package grading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/worker"
)

// A Config is one run of a solution through some stages.
type Config struct {
	Course  string
	Subject string // what is judged, in words
	Stages  []Stage
	Build   build.Config
	Worker  worker.Config // starts a process that calls Serve with the same suites
	Workers int           // of the guest's compiler
	Seed    uint64        // the first
	Seeds   int           // how many; at least 1
	Budget  time.Duration // for all of it, building included
	Now     func() time.Time
	Notes   []string // for the report, e.g. limits that this platform can't enforce

	// CaseLimit is for how long a case may run. One that takes longer is run
	// again alone, for twice as long, before it is said to have no end.
	CaseLimit time.Duration

	Progress func(Progress) // called often; nil for none
}

// A Stage is one stage to run, and the solution of it.
type Stage struct {
	Suite   Suite
	Package build.Package
	Cases   []schedule.Case // in the order of Suite.Compare
	Explore bool
}

// Progress is how far a run has come.
type Progress struct {
	Doing       string // "building", "compiling", "running"
	Stage       string // ID
	Done, Total int    // cases of the stage
}

// Limits of a run that are not for the user to set.
const (
	compileLimit = 60 * time.Second // of a guest to machine code
	maxLimits    = 5                // cases at their time limit before a stage ends
)

// Run builds the solutions, runs the cases and reports. It returns an error
// only where it could not do its work at all; whatever a solution does is in
// the report.
func Run(ctx context.Context, config Config) (Report, error) {
	start := config.Now()
	errBudget := fmt.Errorf("the budget of %v was used up", config.Budget)
	ctx, cancel := context.WithTimeoutCause(ctx, config.Budget, errBudget)
	defer cancel()
	r := &run{Config: config}
	for i := range config.Seeds {
		r.seeds = append(r.seeds, config.Seed+uint64(i))
	}
	for _, s := range config.Stages {
		r.records = append(r.records, &record{stage: s})
	}
	err := r.all(ctx)
	if err != nil && ctx.Err() != nil {
		r.problem, err = errBudget.Error(), nil
		if cause := context.Cause(ctx); !errors.Is(cause, errBudget) {
			return Report{}, cause
		}
	}
	if err != nil {
		return Report{}, err
	}
	report := r.report()
	report.Elapsed = Millis(config.Now().Sub(start))
	return report, nil
}

// A run is a Run under way.
type run struct {
	Config
	seeds   []uint64
	records []*record // by stage
	problem string    // why the run as a whole is inconclusive
	fault   string    // of ours
}

func (r *run) all(ctx context.Context) error {
	r.progress(Progress{Doing: "building"})
	packages := make([]build.Package, len(r.Stages))
	for i, s := range r.Stages {
		packages[i] = s.Package
	}
	built, err := build.Guest(ctx, r.Build, packages)
	defer built.Remove() // leaves at worst a file in our cache
	if err != nil {
		return err
	}
	if built.WASM == "" {
		for _, record := range r.records {
			record.unbuilt(built)
		}
		return nil
	}
	for i, record := range r.records {
		began := r.Now()
		if err := r.stage(ctx, built.WASM, i, record); err != nil {
			return err
		}
		record.elapsed = r.Now().Sub(began)
		if r.fault != "" {
			return nil
		}
	}
	return nil
}

// stage runs the cases of one stage, in as many children as it takes.
func (r *run) stage(ctx context.Context, wasm string, index int, rec *record) error {
	guarded := false
	for from := 0; !rec.ended; {
		err := r.child(ctx, r.job(wasm, index, from, 0, guarded), rec)
		var death *worker.Death
		switch {
		case err == nil && rec.ended, r.fault != "":
			return nil
		case ctx.Err() != nil, err != nil && !errors.Is(err, worker.ErrSilent) && !errors.As(err, &death):
			return err
		case rec.phase == PhaseCompile:
			rec.tooCostly(err)
			return nil
		}
		culprit := rec.current
		if err := r.again(ctx, wasm, index, rec, culprit); err != nil {
			return err
		}
		from, guarded = culprit+1, true
	}
	return nil
}

// again runs the case alone during which a child ended, so that it, and no
// other, answers for it.
func (r *run) again(ctx context.Context, wasm string, index int, rec *record, culprit int) error {
	err := r.child(ctx, r.job(wasm, index, culprit, culprit+1, true), rec)
	rec.ended = false
	var death *worker.Death
	switch {
	case err == nil || r.fault != "":
		return nil
	case ctx.Err() != nil:
		return err
	case errors.Is(err, worker.ErrSilent):
		rec.died(culprit, &fault.Fault{Kind: fault.TimeLimit, Message: "it was still running at the end of its time"})
		return nil
	case errors.As(err, &death):
		rec.died(culprit, &fault.Fault{Kind: fault.MemoryExhausted, Message: "it used up the memory or processor time of its process"})
		return nil
	default:
		return err
	}
}

func (r *run) job(wasm string, index, from, to int, guarded bool) Job {
	s := r.Stages[index]
	return Job{
		WASM: wasm, Seeds: r.seeds, Guarded: guarded, Workers: r.Workers,
		CaseMillis: int((2 * r.CaseLimit).Milliseconds()), MaxLimits: maxLimits,
		Stages: []StageJob{{
			Suite: s.Suite.ID, Root: int32(index + 1), Cases: s.Cases, Explore: s.Explore, From: from, To: to,
		}},
	}
}

// child runs one job in a child process, and takes down what it reports.
func (r *run) child(ctx context.Context, job Job, rec *record) error {
	config := r.Worker
	config.Silence = compileLimit
	return worker.Run(ctx, config, job, func(line []byte) (time.Duration, error) {
		var m Message
		if err := json.Unmarshal(line, &m); err != nil {
			return 0, fmt.Errorf("read the child's report: %w", err)
		}
		if m.Fault != "" {
			r.fault = m.Fault
		}
		rec.note(m)
		r.progress(rec.progress())
		switch {
		case m.Phase != PhaseCase:
			return compileLimit, nil
		case job.Guarded: // the child itself ends each of the case's runs under each seed
			return time.Duration(len(job.Seeds)+1) * 3 * r.CaseLimit, nil
		default:
			return r.CaseLimit, nil
		}
	})
}

func (r *run) progress(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}
