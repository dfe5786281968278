package grading

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	total   int   // places on the agenda; 0 until known
	sweep   []int // by part of the sweep, how many sequences it has
	began   map[int]bool
	ended   bool
	more    bool   // the job ended, and the stage did not
	stop    string // why it ended early
	failed  []CaseResult
	cameUp  []string // situations
	start   time.Time
	elapsed time.Duration
	news    string
	shared  bool  // other stages were judged in the same guest: by what it leaves behind, one could break another
	own     bool  // the cases are the course's own
	kept    *kept // the result, where it is known from before

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
		r.total, r.sweep = m.Total, m.Sweep
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
		r.ended, r.more, r.stop = !m.More, m.More, m.Stop
		r.cameUp = append(r.cameUp, m.CameUp...)
		if m.Next > 0 {
			maps.DeleteFunc(r.began, func(i int, _ bool) bool { return i >= m.Next })
		}
	}
	if !r.start.IsZero() {
		r.elapsed = now.Sub(r.start)
	}
	r.news = cmp.Or(r.news, m.News)
	if m.Failed != nil {
		r.failed = append(r.failed, *m.Failed)
	}
}

// sofar is the record as it is now, whatever is noted in r later.
func (r *record) sofar() record {
	c := *r
	c.began = maps.Clone(r.began)
	c.failed, c.cameUp = slices.Clip(r.failed), slices.Clip(r.cameUp)
	return c
}

// back goes back to what was known at some time; only news stay.
func (r *record) back(to record) {
	news := r.news
	*r = to.sofar()
	r.news = news
}

// complete tells whether the stage came to its end, and each case of the schedules
// began: only then a check passes that nothing broke.
func (r *record) complete() bool {
	for place := range r.stage.Cases {
		if !r.began[place] {
			return false
		}
	}
	return r.ended && r.stop == ""
}

// forget goes back to where nothing is known of the stage.
func (r *record) forget() { *r = record{stage: r.stage, own: r.own, news: r.news, shared: r.shared} }

func (r *record) progress() Progress {
	doing := "running"
	if r.phase == PhaseCompile {
		doing = "compiling"
	}
	return Progress{Doing: doing, Stage: r.stage.Suite.ID, Done: len(r.began), Total: r.total, News: r.news}
}

// died takes down that the solution did not come back from a case, or from a
// part of the sweep.
func (r *record) died(place int, f *fault.Fault) {
	c, explored := r.caseAt(place), place >= len(r.stage.Cases)
	r.ended = r.ended || explored // they come by size: a longer one would say no more
	r.failed = append(r.failed, CaseResult{
		Index: place, Case: c, Explored: explored,
		Findings: []Finding{Died(r.stage.Suite.CheckOf(c), f, -1)},
	})
}

// caseAt returns the case of a place, or the first of a part of the sweep.
func (r *record) caseAt(place int) schedule.Case {
	a := newAgenda(r.stage.Suite, r.stage.Cases, StageJob{Explore: r.stage.Explore, Longer: r.stage.Longer})
	if part := place - len(a.scheduled); part >= 0 && place < a.sweepEnd() {
		for c := range a.sweep.Cases(part, a.sweep.Length) {
			return c
		}
	}
	return a.at(place)
}

// weight is how many cases a place stands for.
func (r *record) weight(place int) int {
	if part := place - len(r.stage.Cases); part >= 0 && part < len(r.sweep) {
		return r.sweep[part]
	}
	return 1
}

// guardedTo is where guarded running from a place on ends: with the cases, or
// with the part of the sweep. 0 means at the end.
func (r *record) guardedTo(place int) int {
	switch {
	case len(r.sweep) == 0 || place >= len(r.stage.Cases)+len(r.sweep):
		return 0
	case place < len(r.stage.Cases):
		return len(r.stage.Cases)
	default:
		return place + 1
	}
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

// silent takes down that a case, alone in its child, did not come to an end in
// the time given. If that is for want of a processor, it says nothing of the
// solution.
func (r *record) silent(place int, given time.Duration, err error) {
	if silence := (*worker.Silence)(nil); errors.As(err, &silence) && silence.Used < given/2 {
		r.stop = fmt.Sprintf("A case did not come to its end in %v, of which %v were spent on it: the machine is too busy", given, silence.Used.Round(time.Second))
		return
	}
	r.died(place, &fault.Fault{Kind: fault.TimeLimit, Message: "it was still running at the end of its time"})
}

// tooCostly takes down that the guest could not be made machine code. If that is
// for want of a processor, it says nothing of the solution.
func (r *record) tooCostly(err error) {
	if silence := (*worker.Silence)(nil); errors.As(err, &silence) && silence.Used < compileLimit/2 {
		r.stop = fmt.Sprintf("The compiled solution was still not loaded after %v, of which %v were spent on it: the machine is too busy", compileLimit, silence.Used.Round(time.Second))
		return
	}
	r.kind = fault.CompileTooCostly
	r.problem = "The compiled solution is too large to be loaded."
	if errors.Is(err, worker.ErrSilent) {
		r.problem = fmt.Sprintf("The compiled solution was still not loaded after %v.", compileLimit)
	}
}
