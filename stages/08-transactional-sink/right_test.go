package transactionalsink

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// An arbiter asks the checks and the model about runs, and complains where they
// disagree.
type arbiter struct {
	*testing.T
	generated, changed, rejected, allowed, disputed int
}

// rules takes a run that the model made: the checks must accept it.
func (a *arbiter) rules(c schedule.Case, run []event) {
	a.Helper()
	a.generated++
	if !a.ask(c, "", traceOf(run)) {
		a.Fatalf("%s: the model does not allow what it made:\n%s", c.ID, wordsOf(run))
	}
}

// judges takes a run that was changed: the checks must accept it exactly if the
// model does.
func (a *arbiter) judges(c schedule.Case, how string, t *trace) {
	a.Helper()
	a.changed++
	if a.ask(c, how, t) {
		a.allowed++
	} else {
		a.rejected++
	}
}

// maxDisputed is how many disagreements are shown.
const maxDisputed = 10

// ask returns what the model says.
func (a *arbiter) ask(c schedule.Case, how string, t *trace) bool {
	a.Helper()
	account := read(c, t)
	right, found := account.right(), account.broken()
	if right == (len(found) == 0) {
		return right
	}
	if a.disputed++; a.disputed <= maxDisputed {
		why := "the checks find nothing, the model does not allow it"
		if right {
			why = "the model allows it, yet " + found[0].Check + ": " + found[0].Problem
		}
		a.Errorf("%s %s\n%s\nresult %v\n%s", c.ID, how, wordsOf(t.events), t.result, why)
	}
	return right
}

func (a *arbiter) tells() {
	a.Helper()
	a.Logf("%d runs generated; of %d changed ones %d rejected and %d still allowed", a.generated, a.changed, a.rejected, a.allowed)
	if a.rejected < 1000 || a.allowed < 100 {
		a.Error("too few to tell anything")
	}
}

// traceOf is the trace of a run that returns what its sinks show. It does not
// go by the model of sinks that the checks use.
func traceOf(run []event) *trace {
	type prepared struct {
		sink int
		id   stream.CheckpointID
	}
	open := map[int][]stream.Record{}
	held := map[prepared][]stream.Record{}
	t := &trace{events: run, result: []stream.Record{}}
	for _, e := range run {
		switch p := (prepared{e.sink, e.id}); e.op {
		case opWrite:
			open[e.sink] = append(open[e.sink], e.record)
		case opPreCommit:
			held[p], open[e.sink] = open[e.sink], nil
		case opCommit:
			t.result = append(t.result, held[p]...)
			delete(held, p)
		case opAbort:
			delete(held, p)
		case opAbortOpen:
			open[e.sink] = nil
		}
	}
	return t
}

// wordsOf writes a run down much as [written] reads it.
func wordsOf(run []event) string {
	var words []string
	for _, e := range run {
		word := strings.ToUpper(e.op[:1])
		switch e.op {
		case opWrite:
			word += e.record.Key
		case opPreCommit, opCommit, opAbort:
			word += fmt.Sprint(e.id)
		case opAbortOpen:
			word = "O"
		case opCommitted:
			word = "R"
		}
		words = append(words, fmt.Sprintf("%d:%s", e.sink, word))
	}
	return strings.Join(words, " ")
}

// Every run of up to one record, without idle calls, and all edits of it.
func TestRightSmallScope(t *testing.T) {
	a := &arbiter{T: t}
	for c := range smallJobs(1) {
		everyRun(c, func(run []event) {
			a.rules(c, run)
			for _, d := range edits(c, run) {
				if changed, ok := d.apply(run); ok {
					a.judges(c, d.how, traceOf(changed))
				}
			}
		})
	}
	a.tells()
}

// Runs of two records and more by chance, and edits of them by chance; every
// other one is edited twice.
func TestRightByChance(t *testing.T) {
	a := &arbiter{T: t}
	rnd := rand.New(rand.NewPCG(8, 8))
	for range 500 {
		c := anyJob(rnd)
		run := anyRun(rnd, c, 0)
		a.rules(c, run)
		for k := range 10 {
			changed, ok := editOf(rnd, c, run).apply(run)
			if ok && k%2 == 1 {
				changed, ok = editOf(rnd, c, changed).apply(changed)
			}
			if ok {
				a.judges(c, "edited", traceOf(changed))
			}
		}
		for _, result := range [][]stream.Record{nil, c.Records[1:], append(slices.Clone(c.Records), c.Records[0]), c.Records} {
			a.judges(c, "with another result", &trace{events: run, result: result})
		}
	}
	a.tells()
}

// Runs of a job that makes a mistake and lives with it: what it does afterwards
// fits, so that its output is often right.
func TestRightWithSlips(t *testing.T) {
	a := &arbiter{T: t}
	rnd := rand.New(rand.NewPCG(8, 9))
	for range 4000 {
		c := anyJob(rnd)
		a.generated++
		a.judges(c, "with a slip", traceOf(anyRun(rnd, c, 1+rnd.IntN(2))))
	}
	a.tells()
}
