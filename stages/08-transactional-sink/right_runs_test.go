package transactionalsink

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// calls are those that a right job may do next, or those that it may not. Without
// idle, only what has an effect.
func (j *rightJob) calls(may, idle bool) []event {
	var next []event
	if len(j.sinks) == 0 || len(j.sinks) < 2 && j.position == j.end && j.crash || idle && len(j.sinks) < 3 {
		next = append(next, event{sink: len(j.sinks) + 1, op: opNewSink})
	}
	for i, s := range j.sinks {
		n := i + 1
		if s.open.records > 0 || idle {
			next = append(next, event{sink: n, op: opPreCommit, id: s.newest() + 1}, event{sink: n, op: opAbortOpen})
		}
		for id := range s.newest() + 2 {
			if _, holds := s.prepared[id]; holds || idle {
				next = append(next, event{sink: n, op: opCommit, id: id}, event{sink: n, op: opAbort, id: id})
			}
		}
		if idle {
			next = append(next, event{sink: n, op: opCommitted})
		}
		for k, r := range j.records {
			if !slices.Contains(j.records[:k], r) {
				next = append(next, event{sink: n, op: opWrite, record: r})
			}
		}
	}
	return slices.DeleteFunc(next, func(e event) bool { return j.may(e) != may })
}

// newest is the highest ID that was pre-committed.
func (s *rightSink) newest() stream.CheckpointID {
	newest := stream.CheckpointID(0)
	for id := range s.used {
		newest = max(newest, id)
	}
	return newest
}

// after returns a reading of c that has gone through run.
func after(c schedule.Case, reading int, run []event) *rightJob {
	j := parameters(c).readings()[reading]
	for _, e := range run {
		j.do(e)
	}
	return j
}

// everyRun yields each run of c without idle calls that the model allows.
func everyRun(c schedule.Case, yield func(run []event)) {
	for reading := range parameters(c).readings() {
		var extend func(run []event)
		extend = func(run []event) {
			j := after(c, reading, run)
			if j.over() {
				yield(run)
			}
			for _, e := range j.calls(true, false) {
				extend(append(slices.Clip(run), e))
			}
		}
		extend(nil)
	}
}

// anyRun makes a run by chance: of the calls that the model allows it takes one
// that goes on or, at times, one that is idle. It slips up to a number of times:
// then it does what it may not, and goes on as if it might.
func anyRun(rnd *rand.Rand, c schedule.Case, slips int) []event {
	readings := parameters(c).readings()
	j := readings[rnd.IntN(len(readings))]
	idle := rnd.IntN(4) // of twelve calls
	var run []event
	for len(run) < 200 && (!j.over() || rnd.IntN(12) < idle) {
		slip := slips > 0 && rnd.IntN(len(c.Records)+2) == 0
		next := j.calls(!slip, rnd.IntN(12) < idle)
		if len(next) == 0 {
			break // where it did not slip, it is over
		}
		e := next[rnd.IntN(len(next))]
		if later := e; !slip && e.op == opPreCommit {
			if later.id += stream.CheckpointID(rnd.IntN(3)); j.may(later) {
				e = later
			}
		}
		if slip {
			slips--
		}
		run = append(run, e)
		j.do(e)
	}
	return run
}

// An edit puts the call at one place of a run to another, or changes it.
type edit struct {
	how      string
	from, to int // to is -1 for nowhere
	call     event
}

// edits are the ways to leave out one call of a run, do it twice, do it
// elsewhere, or do something else in its place.
func edits(c schedule.Case, run []event) []edit {
	var all []edit
	for i, e := range run {
		all = append(all, edit{"left out", i, -1, e})
		for k := range run {
			if k != i {
				all = append(all, edit{"moved", i, k, e})
			}
		}
		if e.op == opNewSink {
			continue
		}
		all = append(all, edit{"doubled", i, len(run), e})
		for _, other := range others(c, e) {
			all = append(all, edit{"changed", i, i, other})
		}
	}
	return all
}

// others are calls that are like e, but for one thing.
func others(c schedule.Case, e event) []event {
	var all []event
	other := func(change func(e *event)) {
		o := e
		if change(&o); o != e {
			all = append(all, o)
		}
	}
	if e.op == opWrite {
		for _, r := range c.Records {
			other(func(e *event) { e.record = r })
		}
	} else {
		other(func(e *event) { e.id++ })
		other(func(e *event) { e.id-- })
		for _, op := range []string{opPreCommit, opCommit, opAbort, opAbortOpen} {
			other(func(e *event) { e.op = op })
		}
	}
	for sink := range 3 {
		other(func(e *event) { e.sink = sink + 1 })
	}
	return all
}

// apply returns the run that it makes of another, unless that is none: sinks are
// numbered as they are made.
func (d edit) apply(run []event) (changed []event, ok bool) {
	changed = slices.Clone(run)
	if d.to < len(run) {
		changed = slices.Delete(changed, d.from, d.from+1)
	} else {
		d.to = d.from
	}
	if d.to >= 0 {
		changed = slices.Insert(changed, d.to, d.call)
	}
	sinks := 0
	for _, e := range changed {
		if e.op == opNewSink {
			if sinks++; e.sink != sinks {
				return nil, false
			}
		}
		if e.sink > sinks {
			return nil, false
		}
	}
	return changed, true
}

func anyJob(rnd *rand.Rand) schedule.Case {
	n := 2 + rnd.IntN(7)
	return job(letters(n, 1+rnd.IntN(n)), 1+rnd.IntN(n+1), rnd.IntN(n+3)-1, rnd.IntN(n+2))
}

func editOf(rnd *rand.Rand, c schedule.Case, run []event) edit {
	all := edits(c, run)
	return all[rnd.IntN(len(all))]
}

// smallJobs are the jobs of up to n records, which are distinct.
func smallJobs(n int) iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		seen := map[string]bool{}
		smallScope(n, func(c schedule.Case) {
			if !seen[c.ID] {
				seen[c.ID] = true
				yield(c)
			}
		})
	}
}
