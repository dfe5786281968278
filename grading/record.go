package grading

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"time"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/worker"
)

// A record is what became known of one stage while it ran.
type record struct {
	stage   Stage
	phase   string
	total   int // cases, explored ones too; 0 until known
	began   map[int]bool
	ended   bool
	stop    string // why it ended early
	failed  []CaseResult
	start   time.Time
	elapsed time.Duration

	// Where there is no guest:
	kind       fault.Kind
	problem    string
	diagnostic []Diagnostic
	blockedBy  string // the stage whose solution is in the way
}

// note takes down one message of a child.
func (r *record) note(m Message, now time.Time) {
	if m.Phase != "" {
		r.phase = m.Phase
	}
	switch m.Phase {
	case PhaseStage:
		r.total = m.Total
		if r.start.IsZero() {
			r.start = now
		}
	case PhaseCase:
		if r.began == nil {
			r.began = map[int]bool{}
		}
		for i := m.Case; i < max(m.Next, m.Case+1); i++ {
			r.began[i] = true
		}
	case PhaseEnd:
		r.ended, r.stop = true, m.Stop
		if m.Next > 0 {
			maps.DeleteFunc(r.began, func(i int, _ bool) bool { return i >= m.Next })
		}
	}
	if !r.start.IsZero() {
		r.elapsed = now.Sub(r.start)
	}
	if m.Failed != nil {
		r.failed = append(r.failed, *m.Failed)
	}
}

// forget goes back to where nothing is known of the stage.
func (r *record) forget() { *r = record{stage: r.stage} }

func (r *record) progress() Progress {
	doing := "running"
	if r.phase == PhaseCompile {
		doing = "compiling"
	}
	return Progress{Doing: doing, Stage: r.stage.Suite.ID, Done: len(r.began), Total: r.total}
}

// died takes down that the solution did not come back from a case.
func (r *record) died(index int, f *fault.Fault) {
	c := r.caseAt(index)
	r.failed = append(r.failed, CaseResult{
		Index: index, Case: c, Explored: index >= len(r.stage.Cases),
		Findings: []Finding{Died(r.stage.Suite.CheckOf(c), f, -1)},
	})
}

func (r *record) caseAt(index int) schedule.Case {
	if index < len(r.stage.Cases) {
		return r.stage.Cases[index]
	}
	next, stop := iter.Pull(r.stage.Suite.Explore())
	defer stop()
	c, _ := next()
	for range index - len(r.stage.Cases) {
		c, _ = next()
	}
	return c
}

// unbuilt takes down why there is no guest.
func (r *record) unbuilt(b build.Result) {
	found := b.Compile
	switch {
	case len(b.Refused) > 0:
		r.kind, r.problem, found = fault.Refused, "The solution holds what may not be compiled here.", b.Refused
	case b.TooCostly:
		r.kind, r.problem = fault.CompileTooCostly, "The compiler gave up: "+b.Incomplete+"."
	default:
		r.kind, r.problem = fault.DoesNotCompile, b.Description
	}
	for _, d := range found {
		r.diagnostic = append(r.diagnostic, Diagnostic{File: d.File, Line: d.Line, Column: d.Column, Message: d.Message})
	}
}

// blocked takes down that the solution is built on another that can't be
// built, that of a stage which is judged too or, with none, of another.
func (r *record) blocked(b build.Result, stage string) {
	r.unbuilt(b)
	if stage != "" {
		r.blockedBy, r.diagnostic = stage, nil
		r.problem = "The solution is built on that of stage " + stage + ", which can't be compiled."
	}
}

// refused takes down that the guest can't be loaded.
func (r *record) refused(why string) {
	r.kind = fault.MemoryExhausted
	r.problem = "The compiled solution can't be loaded, most likely because its variables take more memory than there is: " + why
}

// tooCostly takes down that the guest could not be made machine code.
func (r *record) tooCostly(err error) {
	r.kind = fault.CompileTooCostly
	r.problem = "The compiled solution is too large to be loaded."
	if errors.Is(err, worker.ErrSilent) {
		r.problem = fmt.Sprintf("The compiled solution was still not loaded after %v.", compileLimit)
	}
}
