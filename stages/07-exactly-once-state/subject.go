package exactlyoncestate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/07-exactly-once-state/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A solution is what cases are run against: a guest's, through [wire.Stage],
// or a native one.
type solution interface {
	Run(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) wire.Result
}

// A subject runs and judges cases against one solution.
type subject struct {
	solution solution
	restart  func() solution
	watched  func(function string) bool
	place    func() string // see [grading.Guest]; or nil
	turn     int           // see [grading.Guest]
}

func bind(g grading.Guest) grading.Subject {
	restart := func() solution { return wire.Stage{Object: g.Restart()} }
	return &subject{wire.Stage{Object: g.Solution}, restart, g.Watched, g.Place, g.Turn}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself. Restarted, it is only called again.
func Native(s contract.Stage) grading.Subject {
	restart := func() solution { return native{s, &wire.Kept{}} }
	return &subject{native{s, &wire.Kept{}}, restart, func(string) bool { return false }, nil, 0}
}

// Run is [grading.Subject]'s.
func (s *subject) Run(c schedule.Case) grading.Outcome {
	o := s.runs(c)
	if slept := grading.Slept(noSleep, s.watched); slept != nil && !died(o.Findings) {
		o.Findings = append(o.Findings, *slept)
	}
	return o
}

func (s *subject) runs(c schedule.Case) grading.Outcome {
	if c.Script != nil {
		return s.history(c)
	}
	return s.job(c)
}

// job runs the job once, and then, as long as nothing is broken, again: with a
// second store, with the store as the first run left it, and with one whose
// checkpoint is changed at the crash. Later turns leave it at the first.
func (s *subject) job(c schedule.Case) grading.Outcome {
	r := newRun(c)
	held := newStore(left(c))
	found := s.judged(held, r)
	switch {
	case len(found) > 0 && r.found && r.died == nil:
		found = r.continued(found, resume, atStart)
	case len(found) > 0 && r.found:
		found[0].Check = resume
	}
	if len(found) > 0 || s.turn > 0 {
		return outcome(found, r)
	}
	for _, more := range []func(schedule.Case, *run, *store) (*run, []grading.Finding){s.again, s.resumed, s.marked} {
		if next, found := more(c, r, held); len(found) > 0 {
			return outcome(found, next)
		}
	}
	return outcome(nil, r)
}

// How the problems begin of findings that a first run with an empty store does
// not show.
const (
	atStart = "With a checkpoint in the store at the start: "

	secondTime = "The first run was right, a second one in the same process, with a store of its own, was not: "
	begunAgain = "Begun a second time, with the store as the first run left it: "
	heedless   = "After the crash the latest checkpoint in the store was "

	writtenLater = "The map that an earlier run returned was written to by a later one"
)

// again runs the job a second time, with a store of its own.
func (s *subject) again(c schedule.Case, _ *run, _ *store) (*run, []grading.Finding) {
	r := newRun(c)
	found := s.judged(newStore(left(c)), r)
	if len(found) > 0 {
		f := found[0]
		f.Check = isolation
		f.Problem = secondTime + f.Problem
		found = []grading.Finding{f}
	}
	return r, found
}

// resumed runs the job with the store that the first run left.
func (s *subject) resumed(c schedule.Case, _ *run, held *store) (*run, []grading.Finding) {
	r := newRun(c)
	r.base, r.found = clone(held.latest), held.found
	found := s.judged(held, r)
	if len(found) > 0 && found[0].Fault != nil {
		found[0].Check = resume
		return r, found
	}
	return r, r.continued(found, resume, begunAgain)
}

// maxQuestions is how many calls are tried that may be the recovery's.
const maxQuestions = 10

// marked runs the job with a store that changes its checkpoint at the crash.
// Where the store was asked more often, a run for each of the questions tells
// whether any of them was the recovery's.
func (s *subject) marked(c schedule.Case, first *run, _ *store) (*run, []grading.Finding) {
	calls := first.restoring()
	if len(calls) > maxQuestions {
		return first, nil
	}
	last, found := first, []grading.Finding(nil)
	for _, i := range calls {
		if !first.events[i].found {
			return first, nil
		}
		r, held := newRun(c), newStore(left(c))
		s.run(held, r, killPoint{}, first.question(i))
		f := r.usedMark()
		if f == nil {
			return r, nil
		}
		if r.died != nil {
			s.solution = s.restart() // for the next, in which it may live
		}
		if r.died == nil || found == nil {
			last, found = r, []grading.Finding{*f}
		}
	}
	return last, found
}

// newRun returns the account of a case's run, before it.
func newRun(c schedule.Case) *run {
	r := &run{records: c.Records, every: c.Param(barrierEvery), crash: c.Param(crashAfter)}
	if l := left(c); l != nil {
		r.base, r.found = *l, true
	}
	return r
}

// leftID is that of the checkpoint which a case has in the store beforehand.
const leftID = 7

// left is the checkpoint which a case has in the store beforehand, or nil.
func left(c schedule.Case) *contract.Checkpoint {
	offset := c.Param(savedOffset)
	if offset == noneSaved {
		return nil
	}
	return earlier(leftID, c.Records[:min(offset, len(c.Records))])
}

// earlier is a checkpoint of an earlier job that counted more than the records
// before the offset: each key more often, and another key besides.
func earlier(id stream.CheckpointID, before []stream.Record) *contract.Checkpoint {
	state := sumsAfter(map[string]int64{"earlier": 5}, before)
	for _, key := range slices.Collect(maps.Keys(state)) {
		state[key] += 100
	}
	return &contract.Checkpoint{ID: id, Offset: len(before), State: state}
}

// judged carries out r with the store, and judges it.
func (s *subject) judged(held *store, r *run) []grading.Finding {
	s.run(held, r, killPoint{}, 0)
	if r.died != nil {
		return []grading.Finding{grading.Died(exactlyOnce, r.died, len(r.events)-1)}
	}
	found := r.judge()
	if !slices.Equal(r.input, r.records) {
		found = append(found, *grading.Broken(isolation, -1, "The slice of input records was changed; it is only lent."))
	}
	if !r.kept {
		found = append(found, *grading.Broken(isolation, -1, writtenLater+"; it is the caller's, so return one of its own each time."))
	}
	return found
}

// run carries out r with the store, and fills in its account.
func (s *subject) run(held *store, r *run, kill killPoint, mark int) {
	held.begin(len(r.records))
	held.kill, held.mark, held.every, held.place = kill, mark, r.every, s.place
	r.died = fault.Guard(func() {
		result := s.solution.Run(held, slices.Clone(r.records), r.every, r.crash)
		r.result, r.input, r.kept = result.Output, result.Input, result.KeptIntact
	})
	r.events = held.events
}

func outcome(found []grading.Finding, runs ...*run) grading.Outcome {
	return grading.Outcome{
		Findings:   found,
		Steps:      func() []grading.Step { return timeline(runs) },
		Unsafe:     func() int { return unsafe(runs) },
		Situations: func() []string { return seen(runs) },
	}
}

func died(found []grading.Finding) bool {
	return slices.ContainsFunc(found, func(f grading.Finding) bool { return f.Fault != nil })
}

// native adapts a solution of this process to what a guest's stub offers.
type native struct {
	contract.Stage
	last *wire.Kept // what the last run returned
}

func (n native) Run(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) wire.Result {
	output := n.RunExactlyOnceState(store, rs, barrierEvery, crashAfter)
	r := wire.Result{Output: maps.Clone(output), Input: rs}
	r.KeptIntact = n.last.Next(output)
	return r
}

// String says in words where a run was killed.
func (k killPoint) String() string {
	switch {
	case k.op == opLatest:
		return fmt.Sprintf("in its call %d of Latest", k.call)
	case k.after:
		return fmt.Sprintf("in its call %d of Save, after it took effect", k.call)
	default:
		return fmt.Sprintf("in its call %d of Save, before it took effect", k.call)
	}
}
