package exactlyoncestate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// judge returns the rules that a run broke, in the order of the checks. That the
// checks and the model of a right run disagree is a fault of ours, and a panic.
func (r *run) judge() []grading.Finding {
	found := r.broken()
	if right := r.right(); right != (len(found) == 0) {
		panic(fmt.Sprintf("of %s, barriers every %d, a crash after %d and a checkpoint of offset %d to begin with (%t): the model says that the run is right: %t; the checks found %+v",
			grading.Plural(len(r.records), "record"), r.every, r.crash, r.base.Offset, r.found, right, found))
	}
	return found
}

// broken asks the checks alone.
func (r *run) broken() []grading.Finding {
	var found []grading.Finding
	for _, check := range []func(*run) *grading.Finding{
		checkCut, checkBarriers, checkResult, checkRecovery, checkStart, checkIDs,
	} {
		if f := check(r); f != nil {
			if f.Check != checkpointIDs && r.killed() && f.Step >= 0 && r.afterCrash(f.Step) {
				f.Unless = exactlyOnce // without a result, whether it comes of the recovery is for other cases to tell
			}
			found = append(found, *f)
		}
	}
	return found
}

// checkCut looks at the state of each checkpoint. What is wrong with one after
// the crash comes of the recovery where the result is wrong too.
func checkCut(r *run) *grading.Finding {
	for i, e := range r.events {
		offset := e.checkpoint.Offset
		if e.op != opSave || offset < r.base.Offset || offset > len(r.records) {
			continue // checkBarriers sees to those
		}
		want := r.sums(offset)
		if same(want, e.checkpoint.State) {
			continue
		}
		if r.afterCrash(i) && r.wrong() {
			return nil
		}
		return &grading.Finding{
			Check: consistentCut, Kind: fault.WrongOutput, Step: i,
			Problem: fmt.Sprintf("The checkpoint of offset %d holds %s, but after %s the state is %s.",
				offset, list(e.checkpoint.State), grading.Plural(offset, "record"), list(want)),
			Diff: differences(want, e.checkpoint.State),
		}
	}
	return nil
}

// wrong tells whether there is a result, and it is wrong.
func (r *run) wrong() bool {
	return r.died == nil && !same(r.result, r.sums(len(r.records)))
}

// checkBarriers walks along the checkpoints: each barrier has one, in order, and
// there are no others but those that repeat the latest, or save the end. What
// goes astray after the crash comes of the recovery where the result is wrong too.
func checkBarriers(r *run) *grading.Finding {
	latest, next := r.base.Offset, r.next(r.base.Offset)
	for i, e := range r.events {
		if e.op != opSave {
			continue
		}
		offset := e.checkpoint.Offset
		if r.afterCrash(i) && r.wrong() {
			return nil
		}
		switch {
		case offset < 0 || offset > len(r.records):
			return grading.Broken(barriers, i, "A checkpoint of offset %d was saved, but the source has %s.", offset, grading.Plural(len(r.records), "record"))
		case offset < latest:
			return grading.Broken(barriers, i, "A checkpoint of offset %d was saved, though the latest in the store was of offset %d: checkpoints don't go back.", offset, latest)
		case offset > next:
			return r.missing(next, i)
		case offset != latest && offset != len(r.records) && r.barrier(offset) == 0:
			return grading.Broken(barriers, i, "A checkpoint of offset %d was saved, but barriers come every %s.", offset, grading.Plural(r.every, "record"))
		}
		if latest = offset; offset == next {
			next += r.every
		}
	}
	if r.died == nil && next <= len(r.records) && (r.crash == contract.NoCrash || !r.wrong()) {
		return r.missing(next, -1)
	}
	return nil
}

func (r *run) missing(position, step int) *grading.Finding {
	return grading.Broken(barriers, step, "At barrier %d, after %s, no checkpoint was saved.", r.barrier(position), grading.Plural(position, "record"))
}

func checkResult(r *run) *grading.Finding {
	if r.died != nil {
		return nil
	}
	want := r.sums(len(r.records))
	if same(want, r.result) {
		return nil
	}
	after := ""
	if position, ok := r.crashes(); ok {
		after = fmt.Sprintf(", with a crash at offset %d", position)
	}
	return &grading.Finding{
		Check: exactlyOnce, Kind: fault.WrongOutput, Step: -1,
		Problem: fmt.Sprintf("The result is %s instead of %s%s.", list(r.result), list(want), after),
		Diff:    differences(want, r.result),
	}
}

func checkIDs(r *run) *grading.Finding {
	latest, found := r.base.ID, r.found
	for i, e := range r.events {
		if e.op != opSave {
			continue
		}
		id := e.checkpoint.ID
		switch {
		case id < 1:
			return grading.Broken(checkpointIDs, i, "A checkpoint was saved with ID %d, but IDs are positive.", id)
		case found && id <= latest:
			return grading.Broken(checkpointIDs, i, "A checkpoint was saved with ID %d, though the latest in the store had ID %d: the next must be larger.", id, latest)
		}
		if e.effect {
			latest, found = id, true
		}
	}
	return nil
}

// maxListed is how many keys a list shows.
const maxListed = 8

// list returns sums as people read them: "{a: 1, b: 2}".
func list(sums map[string]int64) string {
	words := make([]string, 0, maxListed+1)
	for i, key := range slices.Sorted(maps.Keys(sums)) {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(sums)-i))
			break
		}
		words = append(words, fmt.Sprintf("%s: %d", diff.Key(key), sums[key]))
	}
	return "{" + strings.Join(words, ", ") + "}"
}

// differences has a line for each key whose sum is not as expected.
func differences(want, got map[string]int64) []string {
	keys := map[string]bool{}
	for key := range want {
		keys[key] = true
	}
	for key := range got {
		keys[key] = true
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		w, wanted := want[key]
		g, seen := got[key]
		switch name := diff.Key(key); {
		case w == g && wanted == seen:
			continue
		case len(lines) == diff.MaxLines:
			return append(lines, "... and more")
		case !seen:
			lines = append(lines, fmt.Sprintf("- %s: expected %d, not there", name, w))
		case !wanted:
			lines = append(lines, fmt.Sprintf("+ %s: expected not at all, seen %d", name, g))
		default:
			lines = append(lines, fmt.Sprintf("! %s: expected %d, seen %d", name, w, g))
		}
	}
	return lines
}
