package exactlyoncestate

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

// checkRecovery looks for the question that a run puts to the store after the
// crash: between the last checkpoint before it and the first one after it.
func checkRecovery(r *run) *grading.Finding {
	w, crashes := r.crashWindow()
	if !crashes || r.died != nil && w.end == len(r.events) {
		return nil // it may not have come to it
	}
	wanted := 1
	if w.atStart && r.crash > 0 {
		wanted = 2 // the start has its own question
	}
	asked := len(r.asked(w))
	if asked >= wanted {
		return nil
	}
	if asked > 0 {
		return grading.Broken(recovery, -1,
			"The crash comes after %s, before any checkpoint of this run, and the store was asked only once for its latest one: at the start, or after the crash, but not at both.",
			grading.Plural(r.crash, "record"))
	}
	step := w.end
	if step == len(r.events) {
		step = -1
	}
	since := "the start"
	if !w.atStart {
		since = fmt.Sprintf("the checkpoint of offset %d", w.since)
	}
	return grading.Broken(recovery, step,
		"The crash comes after %s, but since %s the store was not asked for its latest checkpoint: the state can't have come from there.",
		grading.Plural(r.crash, "record"), since)
}

// checkStart looks for the question at the start. A run that does not put it
// can't know what is in the store.
func checkStart(r *run) *grading.Finding {
	switch {
	case !r.neverAsked():
		return nil
	case len(r.events) == 0:
		return grading.Broken(resume, -1, "The run never asked the store for its latest checkpoint: it can't know that there was none.")
	}
	return grading.Broken(resume, 0, "The run saved a checkpoint before it asked the store for its latest one: it can't know where to begin.")
}

// usedMark judges a run in which the checkpoint in the store was changed when
// the run asked for it after the crash. All that follows must go on from that.
func (r *run) usedMark() *grading.Finding {
	if r.died != nil {
		f := grading.Died(recovery, r.died, len(r.events)-1)
		return &f
	}
	at, ok := r.recovered()
	if !ok || !r.events[at].marked {
		return nil // it did not ask as often as before, so this tells nothing
	}
	found := r.from(at).judge()
	if len(found) == 0 {
		return nil
	}
	f := found[0]
	if f.Check != checkpointIDs { // they are a matter of their own
		f.Check, f.Kind = recovery, fault.RuleBroken
	}
	if f.Step >= 0 {
		f.Step += at + 1
	} else {
		f.Step = at
	}
	c := r.events[at].checkpoint
	f.Problem = fmt.Sprintf(heedless+"%d, of offset %d, with %s, which the judge had changed to see that your run goes on from it. It did not. %s",
		c.ID, c.Offset, list(c.State), f.Problem)
	return &f
}

// continued says of what a run broke that began with a checkpoint in the store:
// it did not go on from there. An ID alone, or a changed input, is a matter of
// its own, and a question left out is told as it is.
func (r *run) continued(found []grading.Finding, check, when string) []grading.Finding {
	if len(found) == 0 || slices.Contains([]string{checkpointIDs, isolation, resume}, found[0].Check) {
		return found
	}
	f := found[0]
	if f.Check == recovery {
		check = resume // it is the crash that was simulated
	}
	f.Check, f.Unless = check, f.Check
	if r.neverAsked() {
		f.Problem += " It had not asked the store for its latest checkpoint."
	}
	f.Problem = when + f.Problem
	return []grading.Finding{f}
}

// neverAsked tells whether a run saved a checkpoint, or came to its end, before
// it asked for one.
func (r *run) neverAsked() bool {
	return !r.begun && (len(r.events) == 0 || r.events[0].op != opLatest)
}
