package exactlyoncestate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// An arbiter asks the checks and the model about runs, and complains where they
// disagree.
type arbiter struct {
	*testing.T
	generated, changed, rejected, allowed, disputed int
}

// rules takes a run that the model made: the checks must accept it.
func (a *arbiter) rules(r *run) {
	a.Helper()
	a.generated++
	if !a.ask(r, "as generated") {
		a.Fatalf("the model does not allow what it made: %s", wordsOf(r))
	}
}

// judges takes a run that was changed: the checks must accept it exactly if the
// model does.
func (a *arbiter) judges(r *run, how string) {
	a.Helper()
	a.changed++
	if a.ask(r, how) {
		a.allowed++
	} else {
		a.rejected++
	}
}

// maxDisputed is how many disagreements are shown.
const maxDisputed = 10

// ask returns what the model says.
func (a *arbiter) ask(r *run, how string) bool {
	a.Helper()
	right, found := r.right(), r.broken()
	if right == (len(found) == 0) {
		return right
	}
	if a.disputed++; a.disputed <= maxDisputed {
		why := "the checks find nothing, the model does not allow it"
		if right {
			why = "the model allows it, yet " + found[0].Check + ": " + found[0].Problem
		}
		a.Errorf("%s, %s: %s", wordsOf(r), how, why)
	}
	return right
}

func (a *arbiter) tells() {
	a.Helper()
	a.Logf("%d runs generated; of %d changed ones %d rejected and %d still allowed", a.generated, a.changed, a.rejected, a.allowed)
	if a.rejected < 1000 || a.allowed < 1000 {
		a.Error("too few to tell anything")
	}
}

// wordsOf writes a run down much as [written] reads it.
func wordsOf(r *run) string {
	words := []string{fmt.Sprintf("n=%d every=%d crash=%d from %d begun=%t:", len(r.records), r.every, r.crash, r.base.Offset, r.begun)}
	for _, e := range r.events {
		if e.op == opLatest {
			words = append(words, "L")
		} else {
			words = append(words, fmt.Sprintf("S%d#%d%v", e.checkpoint.Offset, e.checkpoint.ID, e.checkpoint.State))
		}
	}
	if r.died != nil {
		return strings.Join(append(words, "X"), " ")
	}
	return strings.Join(append(words, fmt.Sprint(r.result)), " ")
}

// with is the run r with other calls, and with the right result unless it is
// killed in the last call.
func with(r *run, calls []event, kill bool) *run {
	next := *r
	next.events, next.result, next.died = slices.Clone(calls), r.model().sums(len(r.records)), nil
	for i := range next.events {
		next.events[i].effect = next.events[i].op == opSave
	}
	if kill {
		last := &next.events[len(calls)-1]
		last.killed, last.effect = true, false
		next.died, next.result = newKill(), nil
	}
	return &next
}

// Every run of up to two records that makes up to four calls, and all edits of
// it.
func TestRightSmallScope(t *testing.T) {
	a := &arbiter{T: t}
	for _, r := range smallRuns(2) {
		everyRun(r, 4, func(calls []event) {
			a.rules(with(r, calls, false))
			for how, changed := range edits(r, calls) {
				a.judges(with(r, changed, false), how)
			}
			for n := range len(calls) {
				a.rules(with(r, calls[:n+1], true))
			}
			for how, result := range results(r) {
				wrong := with(r, calls, false)
				wrong.result = result
				a.judges(wrong, how)
			}
		})
	}
	a.tells()
}

// Longer runs by chance, with edits by chance; every other one is edited twice.
func TestRightByChance(t *testing.T) {
	a := &arbiter{T: t}
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		r := anyRun(rnd)
		calls := anyCalls(rnd, r)
		a.rules(with(r, calls, false))
		for k := range 10 {
			how, changed := editOf(rnd, r, calls)
			if k%2 == 1 {
				how, changed = editOf(rnd, r, changed)
			}
			if kill := k%3 == 0 && len(changed) > 0; kill {
				a.judges(with(r, changed[:1+rnd.IntN(len(changed))], true), how+", and killed")
			} else {
				a.judges(with(r, changed, false), how)
			}
		}
	}
	a.tells()
}

// calls are those that a right run may make next.
func (m *rightRun) calls() []event {
	next := []event{{op: opLatest}}
	for offset := m.latest.Offset; offset <= len(m.records); offset++ {
		c := contract.Checkpoint{ID: m.latest.ID + 1, Offset: offset, State: m.sums(offset)}
		if e := (event{op: opSave, checkpoint: c}); m.may(e) {
			next = append(next, e)
		}
	}
	return next
}

// everyRun yields the calls of each right run of up to so many.
func everyRun(r *run, most int, yield func(calls []event)) {
	var extend func(m rightRun, calls []event)
	extend = func(m rightRun, calls []event) {
		if m.over() {
			yield(calls)
		}
		if len(calls) == most {
			return
		}
		for _, e := range m.calls() {
			next := m
			next.do(e)
			extend(next, append(slices.Clip(calls), e))
		}
	}
	extend(*r.model(), nil)
}

// anyCalls are those of a right run by chance, with IDs that have gaps.
func anyCalls(rnd *rand.Rand, r *run) []event {
	m := r.model()
	var calls []event
	for len(calls) < 200 && (!m.over() || rnd.IntN(3) == 0) {
		next := m.calls()
		e := next[rnd.IntN(len(next))]
		if e.op == opSave {
			e.checkpoint.ID += stream.CheckpointID(rnd.IntN(2))
		}
		calls = append(calls, e)
		m.do(e)
	}
	return calls
}

// edits are the ways to leave out one call of a run, do it twice, do it
// elsewhere, swap it with another, or do something else in its place; each as it
// is, and with IDs that fit.
func edits(r *run, calls []event) func(yield func(how string, changed []event) bool) {
	return func(yield func(string, []event) bool) {
		both := func(how string, changed []event) bool {
			return yield(how, changed) && yield(how+", with IDs that fit", numbered(r, changed))
		}
		for i, e := range calls {
			without := slices.Delete(slices.Clone(calls), i, i+1)
			if !both("left out", without) {
				return
			}
			for k := range len(calls) {
				swapped := slices.Clone(calls)
				swapped[i], swapped[k] = calls[k], e
				if !both("moved", slices.Insert(slices.Clone(without), k, e)) || !both("swapped", swapped) ||
					!both("doubled", slices.Insert(slices.Clone(calls), k, e)) {
					return
				}
			}
			for _, other := range others(r, e) {
				if !both("changed", slices.Insert(slices.Clone(without), i, other)) {
					return
				}
			}
		}
	}
}

// numbered gives the checkpoints of a run IDs that grow by one.
func numbered(r *run, calls []event) []event {
	id, calls := r.base.ID, slices.Clone(calls)
	for i := range calls {
		if calls[i].op == opSave {
			id++
			calls[i].checkpoint.ID = id
		}
	}
	return calls
}

// others are calls that are like e, but for one thing.
func others(r *run, e event) []event {
	if e.op == opLatest {
		return []event{{op: opSave, checkpoint: r.base}}
	}
	all := []event{{op: opLatest}}
	other := func(change func(c *contract.Checkpoint)) {
		o := e
		o.checkpoint.State = maps.Clone(e.checkpoint.State)
		if o.checkpoint.State == nil {
			o.checkpoint.State = map[string]int64{}
		}
		change(&o.checkpoint)
		all = append(all, o)
	}
	for offset := -1; offset <= len(r.records)+1; offset++ {
		other(func(c *contract.Checkpoint) { c.Offset = offset })
		if offset >= r.base.Offset && offset <= len(r.records) {
			other(func(c *contract.Checkpoint) { c.Offset, c.State = offset, r.model().sums(offset) })
		}
	}
	for _, by := range []stream.CheckpointID{-1, 1, 5, -e.checkpoint.ID} {
		other(func(c *contract.Checkpoint) { c.ID += by })
	}
	other(func(c *contract.Checkpoint) { c.State["z"] = 0 })
	other(func(c *contract.Checkpoint) { c.State["a"]++ })
	other(func(c *contract.Checkpoint) { delete(c.State, "a") })
	return all
}

// results are what a run may return, rightly or wrongly.
func results(r *run) map[string]map[string]int64 {
	more, less := r.model().sums(len(r.records)), r.model().sums(len(r.records))
	more["z"] = 0
	delete(less, "a")
	return map[string]map[string]int64{
		"returning a key more": more, "returning a key less": less, "returning nothing": nil,
		"returning what it began with": r.base.State,
	}
}

func editOf(rnd *rand.Rand, r *run, calls []event) (how string, changed []event) {
	how, changed = "unchanged", calls
	n := 0
	for h, c := range edits(r, calls) {
		if n++; rnd.IntN(n) == 0 {
			how, changed = h, c
		}
	}
	return how, changed
}

// smallRuns are the beginnings of runs of up to n records: with every barrier
// distance, crash point and offset to begin from.
func smallRuns(n int) []*run {
	var all []*run
	smallScope(n, func(c schedule.Case) {
		r := newRun(c)
		all = append(all, r)
		if r.found && r.crash == contract.NoCrash {
			goesOn := *r
			goesOn.begun = true
			all = append(all, &goesOn)
		}
	})
	return all
}

func anyRun(rnd *rand.Rand) *run {
	n := rnd.IntN(9)
	return newRun(job(scriptRecords(n), 1+rnd.IntN(n+1), rnd.IntN(n+3)-1, rnd.IntN(n+2)-1))
}
