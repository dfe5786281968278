package transactionalsink

import (
	"cmp"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A solution is what cases are run against: a guest's, through [wire.Stage],
// or a native one.
type solution interface {
	NewTransactionalSink() contract.TransactionalSink
	Run(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) wire.Result
	RunOwn(records []stream.Record, barrierEvery, crashAfter, commitLag int) (output, shown []stream.Record)
}

// A subject runs and judges cases against one solution.
type subject struct {
	solution solution
	watched  func(function string) bool
	restart  func() solution // ends the solution's process; nil for a native one
	place    func() string   // see [grading.Guest]; or nil
	turn     int             // see [grading.Guest], as for explored
	explored bool
}

func bind(g grading.Guest) grading.Subject {
	restart := func() solution { return wire.Stage{Object: g.Restart()} }
	return subject{wire.Stage{Object: g.Solution}, g.Watched, restart, g.Place, g.Turn, g.Explored}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself.
func Native(s contract.Stage) grading.Subject {
	return subject{solution: native{s, &wire.Kept{}}, watched: func(string) bool { return false }}
}

// Run is [grading.Subject]'s.
func (s subject) Run(c schedule.Case) grading.Outcome {
	if c.Script != nil {
		return s.runScript(c)
	}
	return s.runJob(c)
}

// runJob runs the job with sinks of ours, then a second time, then with the
// solution's own sinks behind ours, then with these as they are, as long as
// nothing is broken. Of the later turns, one has only the first of these runs and
// the next only the third.
func (s subject) runJob(c schedule.Case) grading.Outcome {
	var a *account
	var found []grading.Finding
	var slept *grading.Finding
	for _, kind := range s.runs(len(c.Records)) {
		var traced *account
		if traced, found = s.run(c, kind); traced != nil {
			a = traced
		}
		slept = cmp.Or(slept, grading.Slept(noSleep, s.watched))
		if len(found) == 0 {
			continue
		}
		if kind == again || kind > again && s.onlyAfterwards(c, kind, found[0]) {
			found = []grading.Finding{secondRun(found[0])}
		}
		break
	}
	if slept != nil && !died(found) {
		found = append(found, *slept)
	}
	return grading.Outcome{Findings: found, Steps: a.timeline, Unsafe: a.unsafe, Situations: func() []string { return jobSigns.In(a) }}
}

// run runs the job once, and returns what there was to see of it, and the rules
// that it broke.
func (s subject) run(c schedule.Case, kind int) (*account, []grading.Finding) {
	if kind == bareSinks {
		return nil, s.alone(c)
	}
	a, found := s.traced(c, kind == ownSinks)
	if kind == ownSinks && len(found) > 0 {
		found = []grading.Finding{withOwnSinks(found[0])}
	}
	return a, found
}

// onlyAfterwards tells whether a run that went wrong after others goes right as
// the first of a process. Where the case's time is over, there is none left to try.
func (s subject) onlyAfterwards(c schedule.Case, kind int, wrong grading.Finding) bool {
	if s.restart == nil || s.turn > 0 || wrong.Kind == fault.TimeLimit {
		return false
	}
	s.solution = s.restart()
	_, found := s.run(c, kind)
	return len(found) == 0
}

// Kinds of runs.
const (
	ourSinks = iota
	again    // with our sinks
	ownSinks
	bareSinks // own ones, with nothing between them and the job
)

// repeated is the largest source with which a job is run a second time: what is
// wrong with a second run shows by a short one.
const repeated = 4

// bare is the largest source with which a job is run on its own sinks alone. In
// such a run it makes no call by which one could see that it goes on, and what
// goes on is not to be taken for a loop, however slow it is.
const bare = 20

func (s subject) runs(records int) []int {
	switch {
	case s.turn == 0 && s.explored:
		return []int{ourSinks}
	case s.turn == 0 && records <= repeated:
		return []int{ourSinks, again, ownSinks, bareSinks}
	case s.turn == 0 && records <= bare:
		return []int{ourSinks, ownSinks, bareSinks}
	case s.turn == 0:
		return []int{ourSinks, ownSinks}
	case s.turn%2 == 1:
		return []int{ourSinks}
	default:
		return []int{ownSinks}
	}
}

// traced runs the job and judges the trace; own puts the solution's own sinks
// behind ours.
func (s subject) traced(c schedule.Case, own bool) (*account, []grading.Finding) {
	t := newTrace(len(c.Records))
	t.place = s.place
	if own {
		t.inner, t.label = s.solution.NewTransactionalSink, labels(c.Records)
	}
	var result wire.Result
	death := fault.Guard(func() {
		result = s.solution.Run(t.newSink, slices.Clone(c.Records), c.Param(barrierEvery), c.Param(crashAfter), c.Param(commitLag))
		t.result = result.Output
	})
	a := read(c, t)
	switch {
	case t.astray != nil:
		return a, []grading.Finding{*t.astray}
	case death != nil:
		return a, []grading.Finding{grading.Died(eosOutput, death, len(t.events)-1)}
	}
	found := a.judge()
	if !slices.Equal(result.Input, c.Records) {
		found = append(found, *grading.Broken(isolation, -1, "The slice of input records was changed, by the job or through the slice that it returned; it is only lent."))
	}
	if !result.KeptIntact {
		found = append(found, *grading.Broken(isolation, -1, writtenLater+"; it is the caller's, so return one of its own each time."))
	}
	return a, found
}

// alone runs the job with the solution's own sinks, which it might know when it
// sees them, and judges the outcome alone.
func (s subject) alone(c schedule.Case) []grading.Finding {
	var output, shown []stream.Record
	death := fault.Guard(func() {
		output, shown = s.solution.RunOwn(slices.Clone(c.Records), c.Param(barrierEvery), c.Param(crashAfter), c.Param(commitLag))
	})
	a := parameters(c)
	a.result, a.store = output, shown
	f := checkOutput(a)
	if f == nil {
		f = checkVisibility(a)
	}
	if death != nil {
		died := grading.Died(eosOutput, death, -1)
		f = &died
	}
	if f == nil {
		return nil
	}
	f.Unless = sinkModel
	f.Problem = asTheyAre + f.Problem
	return []grading.Finding{*f}
}

// How the problems begin of findings that do not show in a first run with sinks
// of ours.
const (
	secondTime = "The first run was right, a second one in the same process was not: "
	withOwn    = "With your own sinks: "
	asTheyAre  = "With your own sinks alone, and none of ours in between as in the steps below: "
	inRun      = "In a run of your job, "

	writtenLater = "The slice that an earlier run returned was written to by a later one"
)

// secondRun turns what broke only in a second run into a leak.
func secondRun(f grading.Finding) grading.Finding {
	f.Check = isolation
	f.Problem = secondTime + f.Problem
	return f
}

// withOwnSinks says of a finding that it needs the solution's own sinks to show.
func withOwnSinks(f grading.Finding) grading.Finding {
	if f.Check != sinkModel && f.Unless == "" {
		f.Unless = sinkModel
		f.Problem = withOwn + f.Problem
	}
	return f
}

func died(found []grading.Finding) bool {
	return slices.ContainsFunc(found, func(f grading.Finding) bool { return f.Fault != nil })
}

// native adapts a solution of this process to what a guest's stub offers.
type native struct {
	contract.Stage
	last *wire.Kept // what the last run returned
}

func (n native) Run(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) wire.Result {
	output := n.RunExactlyOnceSink(newSink, records, barrierEvery, crashAfter, commitLag)
	r := wire.Result{Output: slices.Clone(output), Input: records}
	r.KeptIntact = n.last.Next(output)
	return r
}

func (n native) RunOwn(records []stream.Record, barrierEvery, crashAfter, commitLag int) (output, shown []stream.Record) {
	return wire.RunOwn(n.Stage, records, barrierEvery, crashAfter, commitLag)
}
