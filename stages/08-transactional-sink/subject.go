package transactionalsink

import (
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
}

// A subject runs and judges cases against one solution.
type subject struct {
	solution solution
	watched  func(function string) bool
}

func bind(g grading.Guest) grading.Subject {
	return subject{wire.Stage{Object: g.Solution}, g.Watched}
}

// Native returns the subject of a solution that runs in this process, for
// tests of the harness itself.
func Native(s contract.Stage) grading.Subject {
	return subject{native{s}, func(string) bool { return false }}
}

// Run is [grading.Subject]'s.
func (s subject) Run(c schedule.Case) grading.Outcome {
	if c.Script != nil {
		return s.runScript(c)
	}
	return s.runJob(c)
}

// runJob runs the job with sinks of ours, then again, then with the solution's
// own sinks, then again, as long as nothing is broken.
func (s subject) runJob(c schedule.Case) grading.Outcome {
	a, found := s.traced(c)
	steps := a.timeline
	if len(found) == 0 {
		if _, again := s.traced(c); len(again) > 0 {
			found = append(found, secondRun(again[0]))
		}
	}
	if len(found) == 0 {
		steps = nil // of what the solution does to sinks of its own we see nothing
		found = s.ownSinks(c)
	}
	if slept := s.slept(); slept != nil && !died(found) {
		found = append(found, *slept)
	}
	return grading.Outcome{Findings: found, Steps: steps}
}

// traced runs the job with sinks of ours and judges the trace.
func (s subject) traced(c schedule.Case) (*account, []grading.Finding) {
	t := newTrace(len(c.Records))
	var input []stream.Record
	death := fault.Guard(func() {
		r := s.run(t.newSink, c)
		t.result, input = r.Output, r.Input
	})
	a := read(c, t)
	if death != nil {
		return a, []grading.Finding{grading.Died(eosOutput, death, len(t.events)-1)}
	}
	found := a.judge()
	if !slices.Equal(input, c.Records) {
		found = append(found, *broken(isolation, -1, "The slice of input records was changed, by the job or through the slice that it returned; it is only lent."))
	}
	return a, found
}

func (s subject) run(newSink func() contract.TransactionalSink, c schedule.Case) wire.Result {
	return s.solution.Run(newSink, slices.Clone(c.Records), c.Param(barrierEvery), c.Param(crashAfter), c.Param(commitLag))
}

// secondRun turns what broke only in a second run into a leak.
func secondRun(f grading.Finding) grading.Finding {
	f.Check, f.Step = isolation, -1
	f.Problem = "The first run was right, a second one in the same process was not: " + f.Problem
	return f
}

// ownSinks runs the two halves of the solution together.
func (s subject) ownSinks(c schedule.Case) []grading.Finding {
	for run := range 2 {
		var result []stream.Record
		death := fault.Guard(func() { result = s.run(nil, c).Output })
		var f *grading.Finding
		if death != nil {
			d := grading.Died(eosOutput, death, -1)
			f = &d
		} else if f = wrongOutput(c.Records, result, -1); f != nil {
			f.Problem = "With your own sinks: " + f.Problem
		}
		if f != nil {
			if run > 0 {
				*f = secondRun(*f)
			}
			f.Unless = sinkModel
			return []grading.Finding{*f}
		}
	}
	return nil
}

// clockFunctions are what a solution that sleeps or reads the clock must call.
var clockFunctions = []string{"time.Now", "time.Since", "time.Until", "time.Sleep", "time.newTimer", "time.(*Timer).Reset", "time.(*Ticker).Reset"}

func (s subject) slept() *grading.Finding {
	for _, function := range clockFunctions {
		if s.watched(function) {
			f := broken(noSleep, -1, "It called %s.", callName(function))
			f.Kind = fault.Slept
			return f
		}
	}
	return nil
}

func callName(function string) string {
	if function == "time.newTimer" {
		return "time.NewTimer, After, AfterFunc or Tick"
	}
	return function
}

func died(found []grading.Finding) bool {
	return slices.ContainsFunc(found, func(f grading.Finding) bool { return f.Fault != nil })
}

// native adapts a solution of this process to what a guest's stub offers.
type native struct{ contract.Stage }

func (n native) Run(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) wire.Result {
	if newSink == nil {
		newSink = n.NewTransactionalSink
	}
	output := n.RunExactlyOnceSink(newSink, records, barrierEvery, crashAfter, commitLag)
	r := wire.Result{Output: slices.Clone(output), Input: records}
	wire.Change(output)
	return r
}
