package report_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/stream"
)

func ms(n int) grading.Millis { return grading.Millis(time.Duration(n) * time.Millisecond) }

var rules = []grading.CheckReport{
	{Name: "sink-model", Rule: "After every operation your sink shows what the contract says: all that was committed, once, in the order of the commits, and nothing else."},
	{Name: "eos-output", Rule: "The sorted committed output equals the batch answer: every record exactly once, for every crash point and every lag."},
	{Name: "visibility", Rule: "The result is exactly what the sinks made visible, and what was once visible stays so."},
	{Name: "notification", Rule: "Checkpoint k is committed when its notification arrives: at barrier k+lag, neither earlier nor after the next barrier."},
	{Name: "barriers", Rule: "At every barrier the open transaction is pre-committed, under an ID of its own, and between barriers nothing is."},
	{Name: "recovery", Rule: "Exactly the records before the crash are written before it; afterwards what is not committed is aborted and exactly the rest of the source, from the last committed offset, is replayed."},
	{Name: "no-dangling", Rule: "At return no sink, not even the crashed one, holds an open or a prepared transaction."},
	{Name: "isolation", Rule: "Sinks share nothing, a returned slice is the caller's, the input stays as it was, and a second run is as right as the first."},
	{Name: "no-sleep", Rule: "The code neither sleeps nor reads the clock."},
	{Name: "deterministic", Rule: "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling."},
}

// checks are those of stage 08, all with one verdict.
func checks(v grading.Verdict) []grading.CheckReport {
	all := append([]grading.CheckReport(nil), rules...)
	for i := range all {
		all[i].Verdict = v
	}
	return all
}

func stage08() grading.StageReport {
	return grading.StageReport{
		Stage: "08", Slug: "transactional-sink", Title: "Transactional sink",
		Verdict: grading.Pass, Checks: checks(grading.Pass),
		Cases: grading.Count{Total: 1248, Ran: 1248}, Explored: grading.Count{Total: 3905, Ran: 3905},
		Bound: "every sequence of up to 4 operations on a sink", Elapsed: ms(812),
	}
}

func reportOf(stages ...grading.StageReport) grading.Report {
	r := grading.Report{
		Version: grading.ReportVersion, Course: "FLK-BYO", Subject: "your solution", Seed: 1, Seeds: 3,
		Verdict: grading.Pass, Stages: stages, Budget: ms(90000),
	}
	for _, s := range stages {
		r.Elapsed += s.Elapsed
		if r.Verdict == grading.Pass {
			r.Verdict = s.Verdict
		}
	}
	return r
}

var earlier = []struct{ slug, title, check string }{
	{"operators", "Operators", "batch-output"},
	{"keyed-state", "Keyed state", "deep-copy"},
	{"watermarks", "Watermarks", "monotone"},
	{"windows", "Windows", "results"},
	{"partitioned-exchange", "Partitioned exchange", "one-owner"},
	{"checkpoint-barriers", "Checkpoint barriers", "alignment"},
	{"exactly-once-state", "Exactly-once state", "eos-state"},
}

func course() []grading.StageReport {
	all := []grading.StageReport{stage08()}
	for i, e := range earlier {
		s := grading.StageReport{
			Stage: fmt.Sprintf("%02d", i+1), Slug: e.slug, Title: e.title, Regression: true,
			Verdict: grading.Pass, Cases: grading.Count{Total: 96 + 40*i, Ran: 96 + 40*i}, Elapsed: ms(41 + 90*i),
			Checks: []grading.CheckReport{
				{Name: e.check, Rule: "The output equals the batch answer.", Verdict: grading.Pass},
				{Name: "isolation", Rule: "Nothing is shared.", Verdict: grading.Pass},
			},
		}
		if e.slug == "checkpoint-barriers" {
			s.Explored, s.Bound = grading.Count{Total: 2186, Ran: 2186}, "every arrival order of up to 7 elements on 3 channels"
		}
		all = append(all, s)
	}
	return all
}

func rec(key string, n int64) stream.Record { return stream.Record{Key: key, Value: n, Time: n} }

// failing is stage 08 with the given check broken by one case.
func failing(id string, f grading.Finding, cases int) grading.StageReport {
	s := stage08()
	s.Verdict, s.Kind, s.Cases.Failed = grading.Fail, f.Kind, cases
	for i := range s.Checks {
		if c := &s.Checks[i]; c.Name == f.Check {
			c.Verdict, c.Kind, c.Failed, c.Shortest, c.Problem = grading.Fail, f.Kind, cases, id, f.Problem
		}
	}
	s.Failure = &grading.Failure{
		Case: id, Finding: []grading.Finding{f}, Section: "The invariant",
		Why: "A lost record is a payment never made, a duplicate is one made twice.",
		Input: []grading.Fact{
			{Name: "records", Value: "a=1 @1, b=2 @2"}, {Name: "barrier_every", Value: "1"},
			{Name: "crash_after", Value: "1"}, {Name: "commit_lag", Value: "1"},
		},
	}
	return s
}

const crashCase = "08/distinct/n=2,every=1,crash=1,lag=1"

var crashSteps = []grading.Step{
	{At: "0 of 2", Object: "sink 1", Action: "new sink", State: "open []  prepared {}  visible []"},
	{At: "1 of 2", Object: "sink 1", Action: "write a", State: "open [a]  prepared {}  visible []"},
	{At: "1 of 2", Object: "sink 1", Action: "pre-commit 1", State: "open []  prepared {1: [a]}  visible []"},
	{Phase: "crash", At: "1 of 2", Object: "sink 1", Action: "abort open", State: "open []  prepared {1: [a]}  visible []"},
	{Phase: "crash", At: "1 of 2", Object: "sink 1", Action: "commit 1", State: "open []  prepared {}  visible [a]"},
	{Phase: "crash", At: "1 of 2", Object: "sink 1", Action: "abort 1", State: "open []  prepared {}  visible [a]", Note: "no effect: 1 is over"},
	{Phase: "replay", At: "1 of 2", Object: "sink 2", Action: "new sink", State: "open []  prepared {}  visible []"},
	{Phase: "replay", At: "1 of 2", Object: "sink 2", Action: "write a", State: "open [a]  prepared {}  visible []"},
	{Phase: "replay", At: "2 of 2", Object: "sink 2", Action: "write b", State: "open [a b]  prepared {}  visible []"},
	{Phase: "replay", At: "2 of 2", Object: "sink 2", Action: "pre-commit 1", State: "open []  prepared {1: [a b]}  visible []"},
	{Phase: "replay", At: "2 of 2", Object: "sink 2", Action: "commit 1", State: "open []  prepared {}  visible [a b]"},
}

func wrongOutput() grading.StageReport {
	want := []stream.Record{rec("a", 1), rec("b", 2)}
	got := []stream.Record{rec("a", 1), rec("a", 1), rec("b", 2)}
	s := failing(crashCase, grading.Finding{
		Check: "eos-output", Kind: fault.WrongOutput, Step: 10, Diff: diff.Multiset(want, got),
		Problem: "The output is not the batch answer: 1 record too many.",
	}, 312)
	s.Failure.Steps = crashSteps
	s.Failure.Otherwise = "with random seed 3 it breaks eos-output. The output is not the batch answer: 1 record lost."
	s.Failure.Finding = append(s.Failure.Finding, grading.Finding{
		Check: "recovery", Kind: fault.RuleBroken, Step: 4,
		Problem: "Checkpoint 1 was committed after the crash, though its notification never arrived; it was to be aborted and replayed.",
	})
	broken(&s, "recovery", fault.RuleBroken, 312, crashCase)
	broken(&s, "notification", fault.RuleBroken, 4, "08/distinct/n=7,every=2,crash=none,lag=3")
	block(&s, "eos-output", "visibility", "deterministic")
	return s
}

func broken(s *grading.StageReport, check string, kind fault.Kind, cases int, shortest string) {
	for i := range s.Checks {
		if c := &s.Checks[i]; c.Name == check {
			c.Verdict, c.Kind, c.Failed, c.Shortest = grading.Fail, kind, cases, shortest
		}
	}
}

func block(s *grading.StageReport, by string, names ...string) {
	for i := range s.Checks {
		for _, name := range names {
			if s.Checks[i].Name == name {
				s.Checks[i].Verdict, s.Checks[i].BlockedBy = grading.Blocked, by
			}
		}
	}
}

func ruleBroken() grading.StageReport {
	s := failing("08/distinct/n=1,every=1,crash=0,lag=0", grading.Finding{
		Check: "no-dangling", Kind: fault.RuleBroken, Step: 1,
		Problem: "The output is right, but the crashed sink 1 was left with an open transaction, [a]. A fresh sink for the replay does not make it go away: abort it.",
	}, 88)
	s.Failure.Section = "The job"
	s.Failure.Why = "In a real store they would linger: they hold locks, block readers, and may be committed by mistake much later."
	s.Failure.Input = []grading.Fact{{Name: "records", Value: "a=1 @1"}, {Name: "barrier_every", Value: "2"}, {Name: "crash_after", Value: "1"}, {Name: "commit_lag", Value: "0"}}
	s.Failure.Steps = []grading.Step{
		{At: "0 of 1", Object: "sink 1", Action: "new sink", State: "open []  prepared {}  visible []"},
		{At: "1 of 1", Object: "sink 1", Action: "write a", State: "open [a]  prepared {}  visible []"},
		{Phase: "replay", At: "1 of 1", Object: "sink 2", Action: "new sink", State: "open []  prepared {}  visible []"},
		{Phase: "replay", At: "1 of 1", Object: "sink 2", Action: "write a", State: "open [a]  prepared {}  visible []"},
		{Phase: "replay", At: "1 of 1", Object: "sink 2", Action: "pre-commit 1", State: "open []  prepared {1: [a]}  visible []"},
		{Phase: "replay", At: "1 of 1", Object: "sink 2", Action: "commit 1", State: "open []  prepared {}  visible [a]"},
	}
	return s
}

// script is a failing sequence of operations, judged by the model.
func script() grading.StageReport {
	s := failing("08/sequence/write-1,pre_commit-1,commit-1,commit-1", grading.Finding{
		Check: "sink-model", Kind: fault.WrongOutput, Step: 3,
		Problem: "After commit 1 came a second time, the sink shows [a a], but the model shows [a].",
		Diff:    diff.List([]stream.Record{rec("a", 1)}, []stream.Record{rec("a", 1), rec("a", 1)}),
	}, 17)
	s.Cases.Failed, s.Explored.Failed = 0, 17
	s.Failure.Section = "The API"
	s.Failure.Why = "A job can only be as exact as its sink: what a commit loses or repeats, no recovery can mend."
	s.Failure.Input = []grading.Fact{{Name: "script", Value: "write 1, pre_commit 1, commit 1, commit 1"}}
	s.Failure.Steps = []grading.Step{
		{Object: "sink", Action: "write a", State: "[]"},
		{Object: "sink", Action: "pre-commit 1", State: "[]"},
		{Object: "sink", Action: "commit 1", State: "[a]"},
		{Object: "sink", Action: "commit 1", State: "[a a]"},
	}
	return s
}

func notImplemented() grading.StageReport {
	s := failing("08/distinct/n=0,every=1,crash=none,lag=0", grading.Finding{
		Check: "eos-output", Kind: fault.NotImplemented, Step: -1, Problem: "Solution.RunExactlyOnceSink is not implemented yet.",
		Fault: &fault.Fault{
			Kind: fault.NotImplemented, Message: "not implemented yet: Solution.RunExactlyOnceSink", Where: "08-transactional-sink/sink.go:81",
			Frames: []string{"08-transactional-sink.Solution.RunExactlyOnceSink 08-transactional-sink/sink.go:81"},
		},
	}, 1248)
	s.Failure.Section = "The job"
	block(&s, "eos-output", "visibility", "notification", "barriers", "recovery", "no-dangling", "isolation", "deterministic")
	return s
}

func notBuilt(kind fault.Kind, problem string, found ...grading.Diagnostic) grading.StageReport {
	s := stage08()
	s.Verdict, s.Kind, s.Problem, s.Compile = grading.Fail, kind, problem, found
	s.Checks = checks(grading.Inconclusive)
	s.Cases.Ran, s.Explored.Ran, s.Elapsed = 0, 0, ms(105)
	return s
}

func compileError() grading.StageReport {
	var found []grading.Diagnostic
	for i := range 13 {
		found = append(found, grading.Diagnostic{
			File: "08-transactional-sink/sink.go", Line: 14 + 3*i, Column: 2,
			Message: fmt.Sprintf("undefined: pending%d", i),
		})
	}
	found[1].Message = "cannot use Solution{} (value of struct type Solution) as contract.Stage value in variable declaration: Solution does not implement contract.Stage (wrong type for method NewTransactionalSink)\n\t\thave NewTransactionalSink() *sink\n\t\twant NewTransactionalSink() contract.TransactionalSink"
	return notBuilt(fault.DoesNotCompile, "", found...)
}

// death is a case that the solution did not survive.
func death(kind fault.Kind, problem string, f *fault.Fault) grading.StageReport {
	s := failing(crashCase, grading.Finding{Check: "eos-output", Kind: kind, Step: 4, Problem: problem, Fault: f}, 96)
	s.Failure.Steps = crashSteps[:5]
	block(&s, "eos-output", "visibility", "recovery", "no-dangling", "deterministic")
	return s
}

func died(kind fault.Kind, problem, message, where string) grading.StageReport {
	f := &fault.Fault{Kind: kind, Message: message, Where: where}
	if where != "" {
		f.Frames = []string{"(*job).recover " + where, "Solution.RunExactlyOnceSink 08-transactional-sink/sink.go:31"}
	}
	return death(kind, problem, f)
}

func long() grading.StageReport {
	s := wrongOutput()
	s.Failure.Case = "08/long/n=100,every=3,crash=97,lag=2"
	var steps []grading.Step
	for i := range 150 {
		step := grading.Step{At: fmt.Sprintf("%d of 100", min(i, 97)), Object: "sink 1", Action: fmt.Sprintf("write k%d", i),
			State: fmt.Sprintf("open [k%d]  prepared {%d: [k1 k2 k3], %d: [k4 k5 k6]}  visible [a b c d e f]", i, i/3, i/3+1)}
		if i > 120 {
			step.Phase, step.Object = "replay", "sink 2"
		}
		steps = append(steps, step)
	}
	s.Failure.Steps, s.Failure.Finding[0].Step = steps, 77
	var want []stream.Record
	for i := range 60 {
		want = append(want, rec(fmt.Sprintf("k%d", i), int64(i)))
	}
	s.Failure.Finding[0].Diff = diff.Multiset(want, nil)
	s.Failure.Input[0].Value = strings.TrimSuffix(strings.Repeat("k=1 @1, ", 100), ", ")
	s.Failure.Printed = strings.Repeat("debug: pending is now [1 2 3]\n", 40)
	return s
}

const evil = "\x1b[2J\x1b[1;32mPASS\r\n\u202egnp\u202c \x00\x9b31m \xff e\u0301\u0301\u0301\u0301\u0301 \u200b世界世界 '\"`$(rm)`<&]]>"

func hostile() grading.StageReport {
	s := death(fault.Panic, "The solution panicked: "+evil, &fault.Fault{
		Kind: fault.Panic, Message: evil, Where: evil, Frames: []string{evil + " " + evil, strings.Repeat("世", 200)},
	})
	s.Failure.Printed = evil + "\nPASS  08 Transactional sink\n\n\tindented\n" + strings.Repeat("x", 5000) + "\n" + strings.Repeat("a\u0300\u0301\u0302\u0303", 60)
	s.Failure.Steps = []grading.Step{{Phase: evil, At: evil, Object: evil, Action: evil, State: evil, Note: evil}, {Object: strings.Repeat("世界", 40), Action: strings.Repeat("y", 90)}}
	s.Failure.Input = []grading.Fact{{Name: evil, Value: strings.Repeat(evil, 300)}}
	s.Failure.Finding[0].Diff = diff.Multiset(nil, []stream.Record{{Key: evil}, {Key: strings.Repeat("k", 90)}})
	s.Failure.Case = "08/it's/" + strings.Repeat("write-1,", 30) + "commit-1"
	s.Failure.Finding = append(s.Failure.Finding, grading.Finding{Check: "no-dangling", Kind: fault.RuleBroken, Problem: evil})
	return s
}

// unseen fails only in cases that are not shown.
func unseen(kind fault.Kind, w grading.Withheld) grading.StageReport {
	s := stage08()
	s.Verdict, s.Kind, s.Withheld = grading.Fail, kind, &w
	shortest := ""
	if len(w.Results) > 0 {
		shortest = w.Results[0].Case
	}
	broken(&s, "eos-output", kind, w.Hidden.Failed+w.ResultOnly.Failed, shortest)
	s.Checks[slices.IndexFunc(s.Checks, func(c grading.CheckReport) bool { return c.Name == "eos-output" })].Problem = "It is broken in 2 of 14 hidden cases."
	return s
}

func hiddenCases() grading.Withheld {
	return grading.Withheld{
		Hidden: grading.Count{Total: 14, Ran: 12, Failed: 2}, Checks: []grading.WithheldCheck{{Check: "eos-output", Failed: 2}},
	}
}

func resultCases() grading.Withheld {
	w := hiddenCases()
	w.ResultOnly = grading.Count{Total: 30, Ran: 30, Failed: 12}
	for i := range 12 {
		w.Results = append(w.Results, grading.WithheldResult{Case: fmt.Sprintf("08/exam/n=%d,every=2,crash=3,lag=1", i+4), Check: "eos-output", Kind: fault.WrongOutput})
	}
	return w
}

type sample struct {
	name   string
	report grading.Report
}

func samples() []sample {
	regression := course()
	late := failing("04/negative/size=5,offset=2", grading.Finding{
		Check: "results", Kind: fault.WrongOutput, Step: 0, Diff: []string{"- [-8, -3) a sum=1   expected 1, seen 0: lost"},
		Problem: "The record at time -7 is in window [-3, 2), but it belongs to [-8, -3).",
	}, 4)
	late.Stage, late.Slug, late.Title, late.Regression = "04", "windows", "Windows", true
	late.Checks = []grading.CheckReport{
		{Name: "results", Rule: "The results equal the batch answer.", Verdict: grading.Fail, Kind: fault.WrongOutput, Failed: 4, Shortest: "04/negative/size=5,offset=2"},
		{Name: "isolation", Rule: "Nothing is shared.", Verdict: grading.Pass},
	}
	late.Explored, late.Bound = grading.Count{}, ""
	late.Failure.Input = []grading.Fact{{Name: "records", Value: "a=1 @-7"}, {Name: "size", Value: "5"}, {Name: "offset", Value: "2"}}
	late.Failure.Steps = []grading.Step{{At: "1 of 1", Object: "operator", Action: "process a=1 @-7", State: "no result"}}
	late.Failure.Section, late.Failure.Why = "Where a window begins", "Records from before 1970 are rare, and lost by everyone who rounds towards zero."
	regression[4] = late
	regression[7].Verdict, regression[7].Kind = grading.Fail, fault.DoesNotCompile

	cause := course()
	cause[0] = wrongOutput()
	cause[0].BuiltOn = []string{"04"}
	cause[4] = late
	cause[7].Verdict, cause[7].Kind, cause[7].BlockedBy = grading.Blocked, fault.DoesNotCompile, "06"
	cause[7].Problem, cause[7].Cases.Ran = "The solution is built on that of stage 06, which can't be compiled.", 0
	cause[7].Checks = cause[7].Checks[:0]
	cause[6].Verdict, cause[6].Kind = grading.Fail, fault.DoesNotCompile

	outOfBudget := course()
	outOfBudget[5].Verdict, outOfBudget[5].Cases.Ran = grading.Inconclusive, 40
	for i := range outOfBudget[5].Checks {
		outOfBudget[5].Checks[i].Verdict = grading.Inconclusive
	}
	for i := range outOfBudget[6:] {
		s := &outOfBudget[6+i]
		s.Verdict, s.Cases.Ran, s.Explored.Ran, s.Elapsed = grading.Inconclusive, 0, 0, 0
		for k := range s.Checks {
			s.Checks[k].Verdict = grading.Inconclusive
		}
	}
	budget := reportOf(outOfBudget...)
	budget.Problem, budget.Elapsed = "The budget of 90 s was spent when stage 05 had run 40 of its 256 cases.", ms(90000)

	ours := stage08()
	ours.Verdict, ours.Problem, ours.Checks = grading.HarnessFault, "judge of stage 08: index out of range [3] with length 3, in case "+crashCase, checks(grading.Inconclusive)
	ours.Cases.Ran, ours.Explored.Ran = 17, 0
	ours.Failure = &grading.Failure{Case: crashCase}
	worker := reportOf(course()[:2]...)
	worker.Verdict, worker.Problem = grading.HarnessFault, "the worker ended without a word: exit status 2"
	early := grading.Report{
		Version: grading.ReportVersion, Course: "FLK-BYO", Subject: "your solution", Verdict: grading.HarnessFault,
		Problem: "start the worker: fork/exec: resource temporarily unavailable", Budget: ms(90000),
	}

	refused := notBuilt(fault.Refused, "", grading.Diagnostic{File: "08-transactional-sink/sink.go", Line: 6, Column: 2, Message: `import "os/exec" is not allowed: a solution may use the ordinary standard packages, but not what reaches the system`},
		grading.Diagnostic{File: "08-transactional-sink/fast.s", Message: "only .go files are allowed"})
	blocked := wrongOutput()
	blocked.Failure.Finding, blocked.Failure.Steps = blocked.Failure.Finding[:1], nil
	block(&blocked, "eos-output", "visibility", "notification", "barriers", "recovery", "no-dangling", "isolation", "deterministic")

	panicked := died(fault.Panic, "It panicked: runtime error: index out of range [3] with length 3.", "runtime error: index out of range [3] with length 3", "08-transactional-sink/sink.go:57")
	panicked.Failure.Finding[0].Where, panicked.Failure.Finding[0].Source = "08-transactional-sink/sink.go:57", "oldest := s.pending[len(s.pending)]"
	panicked.Failure.Printed = "recovering from offset 1\npending: []\n"
	pass := reportOf(stage08())
	pass.NoteList = []string{"This platform can't limit a process's memory, so only the time limits are enforced here."}
	reference := reportOf(script())
	reference.Subject, reference.Seeds = "the reference", 1

	shownToo := wrongOutput()
	withheld := resultCases()
	shownToo.Withheld = &withheld
	kept := stage08()
	kept.Each = []grading.CaseReport{
		{Case: crashCase, Verdict: grading.Fail, Broken: []grading.BrokenCheck{{Check: "eos-output", Kind: fault.WrongOutput}, {Check: "visibility", Kind: fault.RuleBroken, Unless: "eos-output"}}},
		{Case: "08/exam/n=0", Verdict: grading.Pass},
	}
	kept.Withheld = &grading.Withheld{Hidden: grading.Count{Total: 1400, Ran: 1400}}

	return []sample{
		{"pass-one", pass},
		{"pass-not-shown", reportOf(kept)},
		{"hidden", reportOf(unseen(fault.NotShown, hiddenCases()))},
		{"result-only", reportOf(unseen(fault.WrongOutput, resultCases()))},
		{"shown-and-hidden", reportOf(shownToo)},
		{"pass-eight", reportOf(course()...)},
		{"wrong-output", reportOf(wrongOutput())},
		{"rule-broken", reportOf(ruleBroken())},
		{"script", reference},
		{"regression", reportOf(regression...)},
		{"built-on-a-failure", reportOf(cause...)},
		{"not-implemented", reportOf(notImplemented())},
		{"compile-error", reportOf(compileError())},
		{"refused", reportOf(refused)},
		{"compile-costly", reportOf(notBuilt(fault.CompileTooCostly, "The compiler was stopped after 10 s of processor time; a right solution takes less than 1 s."))},
		{"panic", reportOf(panicked)},
		{"deadlock", reportOf(died(fault.Deadlock, "It is stuck for ever: all goroutines are asleep - deadlock.", "all goroutines are asleep - deadlock", "08-transactional-sink/sink.go:44"))},
		{"time-limit", reportOf(died(fault.TimeLimit, "The case was stopped after 2 s; the reference takes less than 1 ms.", "the case's limit of 2 s was reached", ""))},
		{"memory", reportOf(died(fault.MemoryExhausted, "The solution used up its 256 MiB of memory.", "out of memory", "08-transactional-sink/sink.go:44"))},
		{"exited", reportOf(died(fault.Exited, "The solution ended the program with exit code 0.", "exit code 0", ""))},
		{"printed-too-much", reportOf(died(fault.PrintedTooMuch, "The solution printed more than 64 KiB.", "more than 64 KiB of output", ""))},
		{"nondeterministic", reportOf(failing("08/equal/n=3,every=1,crash=2,lag=1", grading.Finding{
			Check: "deterministic", Kind: fault.Nondeterministic, Step: -1,
			Problem: "Under seed 1 the case passes, under seed 2 it does not: the pending commits came in the order 2, 1.",
			Apart:   []string{"  step 7, both: sink 1, pre-commit 2", "- step 8, seed 1: sink 1, commit 1", "+ step 8, seed 2: sink 1, commit 2"},
		}, 9))},
		{"blocked", reportOf(blocked)},
		{"long", reportOf(long())},
		{"inconclusive", budget},
		{"harness-fault", reportOf(ours)},
		{"harness-fault-early", early},
		{"harness-fault-worker", worker},
		{"hostile", reportOf(hostile())},
	}
}
