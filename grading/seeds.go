package grading

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// run runs the cases of the places from one to before another under every seed,
// and returns the results by case, then by bench. The result of one that passed
// is nil. The cases after one that ended at a limit may be left out: then there
// are fewer results.
//
// The first seed's guest starts afresh for each case of a schedule, unless nothing
// of one can be left to the next; the others go on, and start afresh only to
// confirm an outcome that the first did not have.
func (j *judge) run(a agenda, from, to int) [][]*CaseResult {
	all := make([][]*CaseResult, to-from)
	for i := range all {
		all[i] = make([]*CaseResult, len(j.benches))
	}
	explored := !a.isScheduled(from)
	first := func(i int) *CaseResult {
		all[i][0] = j.benches[0].thoroughly(a.at(from+i), explored)
		return all[i][0]
	}
	others := func(i int) (worst *CaseResult) {
		for k, b := range j.benches {
			if k == 0 || !j.takes(k, from+i, explored) {
				continue
			}
			if all[i][k] = b.once(a.at(from+i), explored, false); all[i][k].costly() {
				worst = all[i][k]
			}
		}
		return worst
	}
	done := len(all)
	if j.job.Guarded { // one after the other: the first may have reached its limit
		if !first(0).timedOut() {
			others(0)
		}
	} else {
		done = sideBySide(len(all), first, others)
	}
	return all[:done]
}

// settle makes one result of those of a place by bench.
func (j *judge) settle(by []*CaseResult, a agenda, place int) *CaseResult {
	var r *CaseResult
	if a.isScheduled(place) {
		confirm(by, j.benches, a.at(place))
		r = combine(by, j.benches)
	} else {
		r = j.firstExplored(by)
	}
	if r != nil {
		r.Index = place
	}
	return r
}

// firstExplored returns the first result of an explored case, on a fresh guest,
// as that of the first bench is already. No bench ran the case as thoroughly as
// it will be run before anybody is accused.
func (j *judge) firstExplored(by []*CaseResult) *CaseResult {
	k := slices.IndexFunc(by, func(r *CaseResult) bool { return r != nil })
	if k <= 0 {
		return by[max(k, 0)]
	}
	return j.benches[k].confirmed(by[k])
}

// everywhere runs a case that failed alone again, on a fresh guest under every
// seed, before anybody is accused of it, and makes one result.
func (j *judge) everywhere(r *CaseResult) *CaseResult {
	if r.Leaks || r.costly() || r.Findings[0].Kind == fault.Nondeterministic {
		return r
	}
	results := make([]*CaseResult, len(j.benches))
	for k, b := range j.benches {
		if results[k] = b.once(r.Case, r.Explored, true); results[k] != nil {
			results[k].Index = r.Index
		}
	}
	if all := combine(results, j.benches); all != nil {
		all.Otherwise = all.otherwise(results, j.benches)
		return all
	}
	return chance(r, j.benches[0].suite, "It failed once, and not when it was run again: "+r.Findings[0].Problem)
}

// otherwise tells what the first of the results under other seeds has that breaks
// another check than r first, or has another problem. All are those of fresh
// guests. What was done is not compared: much may be done in any order.
func (r *CaseResult) otherwise(results []*CaseResult, benches []*bench) string {
	f := r.Findings[0]
	if r.Leaks || f.Kind == fault.Nondeterministic {
		return "" // the problem tells it
	}
	for k, other := range results {
		if other == nil {
			continue
		}
		if o := other.Findings[0]; o.Check != f.Check || o.Problem != f.Problem {
			return fmt.Sprintf("with random seed %d it breaks %s. %s", benches[k].seed, o.Check, o.Problem)
		}
	}
	return ""
}

// chance makes a result one of a case whose outcome depends on chance.
func chance(r *CaseResult, suite Suite, problem string) *CaseResult {
	f := r.Findings[0]
	f.Check, f.Kind, f.Problem = suite.Deterministic, fault.Nondeterministic, problem
	r.Findings = []Finding{f}
	return r
}

// maxShrinking is how often a long script that fails is run to make it shorter.
const maxShrinking = 400

// shrunk returns the result of a script that is as that of r without operations
// that are not needed for it to break the same check.
func (j *judge) shrunk(r *CaseResult, alive func() error) *CaseResult {
	check := r.Findings[0].Check
	if r.Leaks || r.costly() || check == j.benches[0].suite.Deterministic {
		return r
	}
	b, tries := j.benches[0], 0
	again := func(script []schedule.Op) *CaseResult {
		if len(script) == 0 || !b.suite.Spec.Allows(script) {
			return nil
		}
		if tries++; tries%batchSize == 0 {
			if err := alive(); err != nil {
				panic(err)
			}
		}
		small := b.once(sequence(b.suite, script), true, true)
		if small == nil || small.Findings[0].Check != check || small.costly() {
			return nil
		}
		return small
	}
	script := explore.Shrink(r.Case.Script, maxShrinking, func(s []schedule.Op) bool { return again(s) != nil })
	small := again(script)
	if small == nil { // it is as long as it was, or fails by chance
		return r
	}
	small.Index = r.Index
	return small
}

// sideBySide calls both functions with 0 to n-1, each in a goroutine of its own,
// and returns how far both came: one ends the other soon if too many of its
// results were costly.
func sideBySide(n int, first, others func(i int) *CaseResult) (done int) {
	var limit atomic.Int64
	limit.Store(int64(n))
	lane := func(run func(i int) *CaseResult) {
		costly := 0
		for i := 0; i < int(limit.Load()); i++ {
			if !run(i).costly() {
				continue
			}
			if costly++; costly < maxCostly {
				continue
			}
			for now := limit.Load(); int64(i+1) < now && !limit.CompareAndSwap(now, int64(i+1)); now = limit.Load() {
			}
		}
	}
	var wait sync.WaitGroup
	var ours any // a panic is a fault of ours: it must reach Serve
	wait.Go(func() {
		defer func() { ours = recover() }()
		lane(others)
	})
	lane(first)
	wait.Wait()
	if ours != nil {
		panic(ours)
	}
	return int(limit.Load())
}

// confirm runs a case again where the later seeds' guests, which were not fresh,
// had another outcome than the first.
func confirm(results []*CaseResult, benches []*bench, c schedule.Case) {
	for i, b := range benches[1:] {
		switch r := results[i+1]; {
		case agree(results[0], r), results[0].timedOut():
		case r == nil:
			results[i+1] = b.once(c, false, true)
		default:
			results[i+1] = b.confirmed(r)
		}
	}
}

// maxCostly is how many cases may end at a limit, other than that of time, that
// takes long to reach.
const maxCostly = 20

func (r *CaseResult) costly() bool {
	switch r.diedOf() {
	case fault.TimeLimit, fault.MemoryExhausted, fault.StackExhausted, fault.PrintedTooMuch, fault.TooManyCalls:
		return true
	}
	return false
}

func (r *CaseResult) timedOut() bool {
	return r.diedOf() == fault.TimeLimit
}

// diedOf is the kind of the fault that ended the case, also where that is not
// what it is blamed for; "" for none.
func (r *CaseResult) diedOf() fault.Kind {
	if r == nil || r.Findings[0].Fault == nil {
		return ""
	}
	return r.Findings[0].Fault.Kind
}

// agree tells whether two results are of one kind, of which the first is
// confirmed on a fresh guest, so that the other need not be.
func agree(a, b *CaseResult) bool {
	if a == nil || b == nil {
		return a == b
	}
	return !a.Leaks && a.Findings[0].Check == b.Findings[0].Check
}

// combine makes one result of those under each seed.
func combine(results []*CaseResult, benches []*bench) *CaseResult {
	failed := slices.IndexFunc(results, func(r *CaseResult) bool { return r != nil })
	if failed < 0 {
		return nil
	}
	r := results[failed]
	alone := slices.IndexFunc(results, func(r *CaseResult) bool { return r != nil && !r.Leaks })
	if alone < 0 || r.timedOut() {
		return r
	}
	r = results[alone]
	if passed := slices.Index(results, nil); passed >= 0 {
		return chance(r, benches[0].suite, fmt.Sprintf("Under random seed %d the case passes; under seed %d: %s", benches[passed].seed, benches[alone].seed, r.Findings[0].Problem))
	}
	return r
}
