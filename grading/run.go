package grading

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	Others  []build.Package // solutions that are not judged, but that those judged may import
	Build   build.Config
	Worker  worker.Config // starts a process that calls Serve with the same suites
	Workers int           // of the guest's compiler
	Seed    uint64        // the first
	Seeds   int           // how many; at least 1
	Budget  time.Duration // for all of it, building included
	Now     func() time.Time
	Notes   []string // for the report, e.g. limits that this platform can't enforce

	// CaseLimit is for how long a case may run. One that takes longer is run
	// again alone, and is said to have no end if for twice as long the solution
	// neither returns nor calls what it was handed. One that is only slow runs for
	// as long as Budget lasts.
	CaseLimit time.Duration

	// Cases returns the cases of a stage, and is called for those that have none
	// and are judged, for several at once; nil where all have theirs. Results may
	// be kept where they are the course's own, see Keeper.
	Cases func(Suite) ([]schedule.Case, error)

	Observe bool // tell in the report which Situations came up
	Each    bool // tell in the report what became of each case of the schedules

	// Explain tells with each step which line of the solution's did it, and tries
	// the first case of each stage again and again if it passes.
	Explain bool

	// Hot are functions of Go's runtime that guests have called before, sorted;
	// the others need not be compiled. Nil if nothing is known. Learned is called
	// with another that a guest called, and for which it had to be compiled
	// again; nil for nobody. What is in Hot changes how long a run takes, and
	// nothing else.
	Hot     []string
	Learned func(function string)

	// Preview asks for news, as progress, of what fails in the first stage, while
	// the guest is still being compiled.
	Preview bool

	// Keeper keeps the results of stages, which are taken from it where nothing
	// has changed; nil for none. Fingerprint stands for all that they depend on
	// beside this configuration: this program, the course and its cases, the Go
	// toolchain.
	Keeper      Keeper
	Fingerprint string

	Progress func(Progress) // called often; nil for none
}

// A Stage is one stage to run, and the solution of it.
type Stage struct {
	Suite   Suite
	Package build.Package
	Cases   []schedule.Case // in the order of Suite.Compare
	Explore bool
	Longer  int // by how many operations the sweep goes beyond its default bound

	// Nearby are run behind Cases, and the report tells only which of them pass.
	Nearby []Near

	// Before are cases after which the first of Cases is tried on one guest, if it
	// passes alone; see Config.Explain.
	Before []schedule.Case

	// Suspects are cases that failed before, to be looked at first; see Config.Preview.
	Suspects []schedule.Case
}

// Progress is how far a run has come.
type Progress struct {
	Doing       string // "building", "preparing Go for the sandbox, once", "compiling", "running"
	Stage       string // ID
	Done, Total int    // cases of the stage
	News        string // what fails already, in words: the verdict is not out yet
}

// Limits of a run that are not for the user to set.
const (
	compileLimit = 60 * time.Second // of a guest to machine code
	maxLimits    = 3                // cases at their time limit before a stage ends
)

// Run builds the solutions, runs the cases and reports. It returns an error
// only where it could not do its work at all; whatever a solution does is in
// the report.
func Run(ctx context.Context, config Config) (Report, error) {
	start := config.Now()
	errBudget := fmt.Errorf("the budget of %v was used up", config.Budget)
	ctx, cancel := context.WithTimeoutCause(ctx, config.Budget, errBudget)
	defer cancel()
	config.Stages = slices.Clone(config.Stages)
	r := &run{Config: config}
	for i := range config.Seeds {
		r.seeds = append(r.seeds, config.Seed+uint64(i))
	}
	for i, s := range config.Stages {
		for _, near := range s.Nearby {
			s.Cases = append(slices.Clip(s.Cases), near.Case)
		}
		r.Stages[i] = s
		r.records = append(r.records, &record{stage: s})
	}
	err := r.all(ctx)
	if err != nil && ctx.Err() != nil {
		r.problem, err = fmt.Sprintf("The budget of %v was used up", config.Budget), nil
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
	records []*record     // by stage
	problem string        // why the run as a whole is inconclusive
	fault   string        // of ours
	refused string        // why the guest can't be loaded
	broken  *fault.Fault  // how the guest's initialisation dies
	survey  build.Survey  // of what was built last
	waiting *worker.Child // a process that was started beforehand, or nil
}

// all judges all stages, in one guest if that can be.
func (r *run) all(ctx context.Context) error {
	rest, err := r.recall()
	if err != nil || len(rest) == 0 {
		return err
	}
	for todo := []group{rest}; len(todo) > 0 && r.fault == ""; {
		more, err := r.together(ctx, todo[0])
		if err != nil {
			return err
		}
		todo = append(todo[1:], more...)
	}
	if r.fault != "" {
		return nil
	}
	return r.confirm(ctx)
}

// together judges a group of stages in one guest. Where what is wrong concerns
// them all, it returns smaller groups to judge instead.
func (r *run) together(ctx context.Context, g group) ([]group, error) {
	r.progress(Progress{Doing: "building"})
	var err error
	if r.waiting, err = r.startChild(ctx); err != nil { // it gets ready while the compiler works
		return nil, err
	}
	defer func() {
		if r.waiting != nil {
			r.waiting.Stop()
			r.waiting = nil
		}
	}()
	config := r.Build
	config.First = func() { r.progress(Progress{Doing: "preparing Go for the sandbox, once"}) }
	built, err := build.Guest(ctx, config, r.packages(g), r.others(g))
	defer built.Remove() // leaves at worst a file in our cache
	if err != nil {
		return nil, err
	}
	r.survey.Add(built.Survey)
	if built.Bare && !slices.Contains(r.Notes, noteBare) {
		r.Notes = append(slices.Clip(r.Notes), noteBare)
	}
	if built.WASM == "" {
		return r.unbuilt(g, built), nil
	}
	return r.cases(ctx, built.WASM, g)
}

// noteBare is for the report of a build without its wall.
const noteBare = "no second wall was around the compiler: this Go does not work behind it"

// A place is where a run has come to: one on the agenda of a stage of a group.
type place struct {
	stage, index int
	guarded      bool // from there on case by case, each ended from inside
}

// cases runs all cases of a group, in as many children as it takes. What it
// returns is as of together.
func (r *run) cases(ctx context.Context, wasm string, g group) ([]group, error) {
	for _, i := range g {
		r.records[i].shared = len(g) > 1
	}
	for at := (place{}); at.stage < len(g); {
		job := r.job(wasm, g, at)
		err := r.child(ctx, g, job, &at)
		rec := r.records[g[at.stage]]
		var death *worker.Death
		switch {
		case r.fault != "":
			return nil, nil
		case err == nil && r.broken != nil:
			died := r.broken
			r.broken = nil
			return r.brokenBy(g, died), nil
		case err == nil && rec.ended:
			at = place{stage: at.stage + 1}
			continue
		case err == nil && rec.more:
			at = place{stage: at.stage, index: job.Stages[0].To}
			continue
		case err == nil && r.refused == "":
			r.fault = "the process that runs solutions ended before its work was done"
			return nil, nil
		case ctx.Err() != nil, err != nil && !errors.Is(err, worker.ErrSilent) && !errors.As(err, &death):
			return nil, err
		case rec.phase == PhaseCompile && death != nil && !death.OutOfMemory():
			r.fault = unexplained(death)
			return nil, nil
		case len(g) > 1 && (rec.phase == PhaseCompile || rec.phase == PhaseStart):
			r.refused = ""
			return g.split(g), nil
		case r.refused != "":
			rec.refused(r.refused)
			r.refused = ""
			return nil, nil
		case rec.phase == PhaseCompile:
			rec.tooCostly(err)
			return nil, nil
		}
		if at.guarded {
			if err := r.again(ctx, wasm, g, at); err != nil {
				return nil, err
			}
			if rec.ended || rec.stop != "" {
				at = place{stage: at.stage + 1}
				continue
			}
			at.index++
		}
		at.guarded = true // from the first case of the batch on, one by one
	}
	return nil, nil
}

func (r *run) progress(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}
