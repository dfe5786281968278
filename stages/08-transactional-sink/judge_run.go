package transactionalsink

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/stream"
)

// judge returns the rules that a run broke, in the order of the checks. That the
// checks and the model of a right job disagree is a fault of ours, and a panic.
func (a *account) judge() []grading.Finding {
	found := a.broken()
	if right := a.right(); right != (len(found) == 0) {
		panic(fmt.Sprintf("of %s, barriers every %d, a crash after %d and lag %d: the model says that the run is right: %t; the checks found %+v",
			grading.Plural(len(a.records), "record"), a.every, a.crash, a.lag, right, found))
	}
	return found
}

// broken asks the checks alone.
func (a *account) broken() []grading.Finding {
	var found []grading.Finding
	for _, check := range []func(*account) *grading.Finding{
		checkOutput, checkVisibility, checkNotification, checkBarriers, checkRecovery, checkDangling,
	} {
		if f := check(a); f != nil {
			found = append(found, *f)
		}
	}
	return append(found, a.vacuous(found)...)
}

// vacuous are the checks on transactions of a job that writes to no sink: no rule
// on them is broken, and none kept.
func (a *account) vacuous(found []grading.Finding) []grading.Finding {
	if len(a.writes) > 0 || a.limit == 0 {
		return nil
	}
	var unkept []grading.Finding
	for _, check := range []string{notification, barriers, noDangling} {
		if slices.ContainsFunc(found, func(f grading.Finding) bool { return f.Check == check }) {
			continue
		}
		f := grading.Broken(check, -1, "Nothing was written to a sink, where %s should be, so there is nothing to see.", grading.Plural(a.limit, "record"))
		f.Unless = recovery
		unkept = append(unkept, *f)
	}
	return unkept
}

func checkOutput(a *account) *grading.Finding {
	if same(a.records, a.result) {
		return nil
	}
	want := oracle(a.records)
	return &grading.Finding{
		Check: eosOutput, Kind: fault.WrongOutput, Step: a.firstDuplicate(),
		Problem: "The output is not the batch answer: " + balance(want, a.result) + ".",
		Diff:    diff.Multiset(want, a.result),
	}
}

// balance says in words how got departs from want.
func balance(want, got []stream.Record) string {
	counts := map[stream.Record]int{}
	for _, r := range want {
		counts[r]++
	}
	known := map[stream.Record]bool{}
	for r := range counts {
		known[r] = true
	}
	for _, r := range got {
		counts[r]--
	}
	lost, doubled, foreign := 0, 0, 0
	for r, n := range counts {
		switch {
		case n > 0:
			lost += n
		case n < 0 && known[r]:
			doubled -= n
		default:
			foreign -= n
		}
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{lost, "lost"}, {doubled, "too many"}, {foreign, "never in the input"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", grading.Plural(part.n, "record"), part.what))
		}
	}
	return strings.Join(parts, ", ")
}

// firstDuplicate is the first commit after which a record is visible more often
// than it is in the source, or -1.
func (a *account) firstDuplicate() int {
	left := map[stream.Record]int{}
	for _, r := range a.records {
		left[r]++
	}
	sinks := make([]*model, len(a.sinks))
	for i := range sinks {
		sinks[i] = newModel()
	}
	for i, e := range a.events {
		m := sinks[e.sink-1]
		before := len(m.visible)
		m.do(e)
		for _, r := range m.visible[before:] {
			if left[r]--; left[r] < 0 {
				return i
			}
		}
	}
	return -1
}

func checkVisibility(a *account) *grading.Finding {
	if same(a.store, a.result) {
		return nil
	}
	f := grading.Broken(visibility, -1, "The result is not what the sinks made visible: against them it has %s.", balance(a.store, a.result))
	f.Diff = diff.Multiset(a.store, a.result)
	return f
}

// checkNotification looks at the commits before the crash or the end; what
// comes with the last flush or the replay is free.
func checkNotification(a *account) *grading.Finding {
	for _, p := range a.pieces {
		k := a.barrier(p.at)
		if k == 0 || p.size == 0 || p.event > a.replay {
			continue
		}
		due := k + a.lag // the barrier that brings the notification
		if p.committed >= 0 && p.committed < a.replay {
			at := a.position[p.committed]
			if at < due*a.every && at < a.limit {
				return grading.Broken(notification, p.committed,
					"Checkpoint %d was committed after %s, but with lag %d its notification arrives at barrier %d, after %s.",
					k, grading.Plural(at, "record"), a.lag, due, grading.Plural(due*a.every, "record"))
			}
		}
		next := (due + 1) * a.every
		if next <= min(a.limit, len(a.writes)) && (p.committed < 0 || a.position[p.committed] >= next) && !a.abortedBefore(p, next) {
			return grading.Broken(notification, a.eventAt(next),
				"Checkpoint %d was still not committed when barrier %d came; with lag %d its notification arrived at barrier %d.",
				k, due+1, a.lag, due)
		}
	}
	return nil
}

// abortedBefore tells whether p was aborted before the given position, which is
// another rule's business.
func (a *account) abortedBefore(p piece, position int) bool {
	for i, e := range a.events[p.event:] {
		if a.position[p.event+i] >= position {
			return false
		}
		if e.op == opAbort && e.sink == p.sink && e.id == p.id {
			return true
		}
	}
	return false
}

// eventAt is the write that reaches the position.
func (a *account) eventAt(position int) int { return a.writes[position-1].event }

func checkBarriers(a *account) *grading.Finding {
	for _, p := range a.pieces {
		if p.id < 1 {
			return grading.Broken(barriers, p.event, "Pre-commit of %d: IDs are positive numbers.", p.id)
		}
		if p.reused {
			return grading.Broken(barriers, p.event, "Pre-commit of %d uses an ID that this sink has had before; every checkpoint needs one of its own.", p.id)
		}
	}
	for _, p := range a.pieces {
		if p.event < a.replay && p.size > 0 && p.at < a.limit && a.barrier(p.at) == 0 {
			return grading.Broken(barriers, p.event, "A transaction was pre-committed after %s, where there is no barrier: they come every %s.",
				grading.Plural(p.at, "record"), grading.Plural(a.every, "record"))
		}
	}
	for position := a.every; position <= a.limit && position <= len(a.writes); position += a.every {
		if position == a.limit && a.crash >= 0 {
			break // a crash that falls on a barrier may come before it
		}
		if !a.preCommitted(position) {
			return grading.Broken(barriers, a.eventAt(position), "At barrier %d, after %s, the open transaction was not pre-committed.",
				position/a.every, grading.Plural(position, "record"))
		}
	}
	return nil
}

func (a *account) preCommitted(position int) bool {
	for _, p := range a.pieces {
		if p.at == position && p.size > 0 {
			return true
		}
	}
	return false
}
