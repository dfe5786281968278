package exactlyoncestate

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// timeline tells runs in rows that people can read: every call on the store,
// what the store held then, and how each run ended.
func timeline(runs []*run) []grading.Step {
	var steps []grading.Step
	for i, r := range runs {
		name := ""
		if len(runs) > 1 {
			name = fmt.Sprintf("run %d", i+1)
		}
		steps = append(steps, r.timeline(name)...)
	}
	return steps
}

// rows is how many rows of the timeline a run has.
func rows(r *run) int { return len(r.events) + 1 }

func (r *run) timeline(name string) []grading.Step {
	steps := make([]grading.Step, 0, rows(r))
	held, found := r.base, r.found
	since := r // what must be right at an offset is reckoned from its base
	for i, e := range r.events {
		if e.effect || e.op == opLatest && !e.killed {
			held, found = e.checkpoint, e.effect || e.found
		}
		if e.marked {
			since = r.from(i)
		}
		step := grading.Step{Phase: r.phase(name, i), Object: "store", Action: e.op, State: state(held, found), Note: since.note(e), Place: e.place}
		if e.op == opSave {
			step.At = fmt.Sprintf("%d of %d", e.checkpoint.Offset, len(r.records))
			step.Action = fmt.Sprintf("save %d", e.checkpoint.ID)
		}
		steps = append(steps, step)
	}
	return append(steps, r.end(name))
}

// phase of event i: that of the run, by name, or, of a run alone, what follows
// the question that it put to the store after the crash.
func (r *run) phase(name string, i int) string {
	restored, ok := r.recovered()
	switch {
	case name != "" || !ok || i < restored:
		return name
	case i == restored:
		return "crash"
	}
	return "replay"
}

// state is what the store holds.
func state(held contract.Checkpoint, found bool) string {
	if !found {
		return "empty"
	}
	return fmt.Sprintf("%d: offset %d, %s", held.ID, held.Offset, list(held.State))
}

// note says what is to be known of a call.
func (r *run) note(e event) string {
	switch c := e.checkpoint; {
	case e.killed && e.op == opSave && !e.effect:
		return "killed before it took effect"
	case e.killed && e.op == opSave:
		return "killed after it took effect"
	case e.killed:
		return "killed here"
	case e.marked:
		return "changed by the judge just before"
	case e.op == opLatest || c.Offset < r.base.Offset || c.Offset > len(r.records):
		return ""
	case !same(c.State, r.sums(c.Offset)):
		return "should be " + list(r.sums(c.Offset))
	}
	return ""
}

// end is the row for how a run ended.
func (r *run) end(name string) grading.Step {
	step := grading.Step{Phase: r.phase(name, len(r.events)), Object: "run", Action: "returns", State: list(r.result)}
	switch {
	case r.killed():
		step.Action, step.State = "is killed", ""
	case r.died != nil:
		step.Action, step.State = "ends in "+string(r.died.Kind), ""
	}
	return step
}
