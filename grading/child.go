package grading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/worker"
)

// again runs the case alone during which a child ended, so that it, and no
// other, answers for it.
func (r *run) again(ctx context.Context, wasm string, g group, at place) error {
	rec := r.records[g[at.stage]]
	job := r.job(wasm, g, place{at.stage, at.index, true})
	job.Stages[0].To = at.index + 1
	err := r.child(ctx, g, job, &place{})
	var death *worker.Death
	switch {
	case err == nil || r.fault != "":
		return nil
	case ctx.Err() != nil:
		return err
	case errors.Is(err, worker.ErrSilent):
		rec.silent(at.index, job.silence(r.CaseLimit), err)
		return nil
	case errors.As(err, &death) && death.OutOfMemory():
		rec.died(at.index, &fault.Fault{Kind: fault.MemoryExhausted, Message: "it used up the memory of its process"})
		return nil
	case errors.As(err, &death):
		r.fault = unexplained(death)
		return nil
	default:
		return err
	}
}

// unexplained says that a child died in a way that is not the solution's doing,
// as far as we know.
func unexplained(death *worker.Death) string {
	return fmt.Sprintf("the process that runs solutions died: %v\n%s", death.Err, death.Words)
}

// job is what remains from a place on: all of it, or where guarded, which is
// slow, only the rest of the stage.
func (r *run) job(wasm string, g group, at place) Job {
	job := Job{
		WASM: wasm, Seeds: r.seeds, Guarded: at.guarded, Workers: r.Workers, Hot: r.Hot, Observe: r.Observe, Explain: r.Explain, Preview: r.Preview && !at.guarded,
		CaseMillis: int((2 * r.CaseLimit).Milliseconds()), MaxLimits: maxLimits,
	}
	for i, index := range g[at.stage:] {
		if i > 0 && at.guarded {
			break
		}
		s := r.Stages[index]
		job.Stages = append(job.Stages, StageJob{
			Index: index, Place: at.stage + i, Folder: r.folder(index), Rewind: r.survey.Rewindable[r.folder(index)],
			Suite: s.Suite.ID, Explore: s.Explore, Longer: s.Longer, Suspects: s.Suspects, Before: s.Before,
		})
	}
	job.Stages[0].From = at.index
	if at.guarded {
		job.Stages[0].To = r.records[g[at.stage]].guardedTo(at.index)
	}
	return job
}

// silence is for how long a child may say nothing of a guarded case: it itself
// ends each of the case's runs under each seed.
func (job Job) silence(caseLimit time.Duration) time.Duration {
	return time.Duration(len(job.Seeds)+1) * 3 * caseLimit
}

// child runs one job in a child process, takes down what it reports, and keeps
// at where it is.
func (r *run) child(ctx context.Context, g group, job Job, at *place) error {
	child := r.waiting
	if r.waiting = nil; child == nil {
		var err error
		if child, err = r.startChild(ctx); err != nil {
			return err
		}
	}
	last := job.Stages[len(job.Stages)-1].Index
	begun := *at
	before := make([]record, len(job.Stages)) // with what earlier children reported
	for i, s := range job.Stages {
		before[i] = r.records[s.Index].sofar()
	}
	err := child.Run(job, func(line []byte) (time.Duration, error) {
		var m Message
		if err := json.Unmarshal(line, &m); err != nil {
			return 0, fmt.Errorf("read the child's report: %w", err)
		}
		stage := slices.Index(g, m.Stage)
		if stage < 0 {
			return 0, fmt.Errorf("read the child's report: no stage %d", m.Stage)
		}
		if m.Fault != "" {
			r.fault = m.Fault
		}
		if m.Refused != "" {
			r.refused = m.Refused
		}
		if m.Broken != nil {
			r.broken = m.Broken
		}
		if m.Again {
			for i, s := range job.Stages {
				r.records[s.Index].back(before[i])
			}
			*at = begun
		}
		if m.Hot != "" && r.Learned != nil {
			r.Learned(m.Hot)
		}
		rec := r.records[m.Stage]
		rec.note(m, r.Now())
		if stage != at.stage {
			at.stage, at.index = stage, 0
		}
		if m.Phase == PhaseCase {
			at.index = m.Case
		}
		r.progress(rec.progress())
		if m.Phase == PhaseEnd && m.Stage == last {
			return 0, errDone // it need not tidy up
		}
		switch {
		case m.Phase == PhaseStart && !job.Guarded: // if it does not come back, it is run again like a case
			return 3 * r.CaseLimit, nil
		case m.Phase != PhaseCase:
			return compileLimit, nil
		case job.Guarded:
			return job.silence(r.CaseLimit), nil
		default: // a batch takes a small part of that; if not, its cases run one by one
			return r.CaseLimit, nil
		}
	})
	if errors.Is(err, errDone) {
		return nil
	}
	return err
}

// errDone ends a child that has done its job.
var errDone = errors.New("the job is done")

// startChild starts a process for the next job.
func (r *run) startChild(ctx context.Context) (*worker.Child, error) {
	config := r.Worker
	config.Silence = compileLimit
	child, err := worker.Start(ctx, config)
	if err != nil {
		return nil, err
	}
	cases := make(Cases, len(r.Stages))
	for i, s := range r.Stages {
		cases[i] = s.Cases
	}
	child.Prepare(cases)
	return child, nil
}
