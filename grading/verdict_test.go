package grading

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/worker"
	"github.com/flk-byo/de/stages/stream"
)

// testSuite has the checks output, effects (judged in output's cases), order
// and chance; its cases are named by one letter, and the smaller is the simpler.
var testSuite = Suite{
	ID: "01", Slug: "operators", Title: "Operators", Bound: "all of them", Deterministic: "chance", Isolation: "order",
	Checks:  []Check{{Name: "output", Why: "w", Section: "s", Hint: 2}, {Name: "effects", After: "output"}, {Name: "order"}, {Name: "chance", After: "output"}},
	Compare: func(a, b schedule.Case) int { return cmp.Compare(a.ID, b.ID) },
	CheckOf: func(schedule.Case) string { return "output" },
	Explore: func() iter.Seq[schedule.Case] { return slices.Values(testCases("x", "y", "z")) },
}

func testCases(ids ...string) []schedule.Case {
	var cases []schedule.Case
	for _, id := range ids {
		cases = append(cases, schedule.Case{ID: id})
	}
	return cases
}

// ended is the record of a stage whose cases a, b and c ran to the end.
func ended(failed ...CaseResult) *record {
	return &record{
		stage: Stage{Suite: testSuite, Cases: testCases("a", "b", "c")},
		total: 3, began: map[int]bool{0: true, 1: true, 2: true}, ended: true, failed: failed,
	}
}

func failing(id string, findings ...Finding) CaseResult {
	return CaseResult{Index: int(id[0] - 'a'), Case: schedule.Case{ID: id}, Findings: findings}
}

func broke(check string) Finding {
	return Finding{Check: check, Kind: fault.RuleBroken, Problem: check + " is broken"}
}

func unless(check, other string) Finding {
	f := broke(check)
	f.Unless = other
	return f
}

func died(check string) Finding {
	return Died(check, &fault.Fault{Kind: fault.Panic, Message: "no"}, -1)
}

func TestStageVerdicts(t *testing.T) {
	tests := []struct {
		name    string
		record  *record
		verdict Verdict
		checks  string // verdict of each, and of a failed one cases and shortest, of a blocked one by what
		head    string // case and check of the failure
	}{
		{"pass", ended(), Pass, "pass, pass, pass, pass", ""},
		{"one failure", ended(failing("b", broke("output"))), Fail, "fail 1 b, pass, pass, pass", "b output"},
		{"the smallest case", ended(failing("c", broke("output")), failing("b", broke("output"))), Fail, "fail 2 b, pass, pass, pass", "b output"},
		{"the first check, though another's case is smaller", ended(failing("a", broke("order")), failing("c", broke("output"))), Fail, "fail 1 c, pass, fail 1 a, pass", "c output"},
		{"chance before all", ended(failing("a", broke("output")), failing("c", broke("chance"))), Fail, "fail 1 a, pass, pass, fail 1 c", "c chance"},
		{"several findings of a case", ended(failing("a", broke("order"), broke("output"))), Fail, "fail 1 a, pass, fail 1 a, pass", "a output"},
		{"blocked by another", ended(failing("a", unless("effects", "output")), failing("b", broke("output"))), Fail, "fail 1 b, blocked output, pass, pass", "b output"},
		{"not blocked, as the other holds", ended(failing("a", unless("effects", "output"))), Fail, "pass, fail 1 a, pass, pass", "a effects"},
		{"also broken where nothing blocks", ended(failing("a", unless("effects", "output")), failing("b", broke("output")), failing("c", broke("effects"))), Fail, "fail 1 b, fail 2 c, pass, pass", "b output"},
		{"blocked by a death", ended(failing("a", died("output"))), Fail, "fail 1 a, blocked output, pass, blocked output", "a output"},
		{"broken, though the other died", ended(failing("a", died("output")), failing("b", broke("effects"))), Fail, "fail 1 a, fail 1 b, pass, blocked output", "a output"},
		{"not ended", notEnded(ended()), Inconclusive, "inconclusive, inconclusive, inconclusive, inconclusive", ""},
		{"stopped", stopped(ended()), Inconclusive, "inconclusive, inconclusive, inconclusive, inconclusive", ""},
		{"not ended, yet failed", notEnded(ended(failing("a", broke("output")))), Fail, "fail 1 a, inconclusive, inconclusive, inconclusive", "a output"},
		{"stopped, yet failed", stopped(ended(failing("a", broke("order")))), Fail, "inconclusive, inconclusive, fail 1 a, inconclusive", "a order"},
		{"never begun", &record{stage: Stage{Suite: testSuite, Cases: testCases("a")}}, Inconclusive, "inconclusive, inconclusive, inconclusive, inconclusive", ""},
		{"no guest", &record{stage: Stage{Suite: testSuite}, kind: fault.DoesNotCompile}, Fail, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := test.record.report()
			if r.Verdict != test.verdict {
				t.Errorf("verdict %s, want %s", r.Verdict, test.verdict)
			}
			if got := checkWords(r); got != test.checks {
				t.Errorf("checks: %s; want %s", got, test.checks)
			}
			head := ""
			if r.Failure != nil {
				head = r.Failure.Case + " " + r.Failure.Finding[0].Check
			}
			if head != test.head {
				t.Errorf("the failure is %q, want %q", head, test.head)
			}
			if (r.Kind != "") != (test.verdict == Fail) {
				t.Errorf("kind %q of a %s", r.Kind, r.Verdict)
			}
		})
	}
}

// What counts only without a check that the same case breaks is not told of it.
func TestAlsoBroken(t *testing.T) {
	for other, want := range map[string][]string{"order": {"order"}, "chance": {"order", "effects"}} {
		var also []string
		r := ended(failing("a", broke("output"), broke("order"), unless("effects", other))).report()
		for _, f := range r.Failure.Finding[1:] {
			also = append(also, f.Check)
		}
		if !slices.Equal(also, want) {
			t.Errorf("with effects unless %s also broken are %v, want %v", other, also, want)
		}
	}
}

func notEnded(r *record) *record { r.ended = false; return r }

func stopped(r *record) *record { r.stop = "enough"; return r }

func checkWords(r StageReport) string {
	var words []string
	for _, c := range r.Checks {
		w := string(c.Verdict)
		if c.Verdict == Fail {
			w += " " + string('0'+rune(c.Failed)) + " " + c.Shortest
		}
		if c.BlockedBy != "" {
			w += " " + c.BlockedBy
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}

func TestFailureInFull(t *testing.T) {
	c := failing("a", broke("order"), broke("output"))
	c.Case.Records = []stream.Record{{Key: "a", Value: 1}}
	c.Case.Params = []schedule.Setting{{Name: "every", Value: -1, Text: "none"}}
	c.Steps, c.Printed, c.Otherwise = []Step{{Object: "o"}}, "hello", "with another it is another"
	f := ended(c).report().Failure
	if f == nil || len(f.Finding) != 2 || f.Finding[0].Check != "output" || f.Finding[1].Check != "order" {
		t.Fatalf("%+v, want output's finding and then order's", f)
	}
	if f.Why != "w" || f.Section != "s" || f.Hint != 2 || f.Printed != "hello" || f.Otherwise != c.Otherwise || len(f.Steps) != 1 {
		t.Errorf("%+v", f)
	}
	if len(f.Input) != 2 || f.Input[0].Name != "records" || f.Input[1] != (Fact{"every", "none"}) {
		t.Errorf("input %+v", f.Input)
	}
	script := schedule.Case{Script: []schedule.Op{{Name: "write", Args: []int64{1}}, {Name: "abort_open"}}}
	if got := facts(script); !reflect.DeepEqual(got, []Fact{{"operations", "write 1, abort_open"}}) {
		t.Errorf("a script's input is %v", got)
	}
	if got := recordList(nil); got != "none" {
		t.Errorf("no records are %q", got)
	}
	if got := recordList(make([]stream.Record, 53)); !strings.HasSuffix(got, ", and 3 more") {
		t.Errorf("53 records are %q", got)
	}
}

func TestCounts(t *testing.T) {
	r := ended(failing("a", broke("output")), CaseResult{Index: 4, Case: schedule.Case{ID: "y"}, Explored: true, Findings: []Finding{broke("output")}})
	r.stage.Explore, r.total, r.began[3], r.began[4] = true, 6, true, true
	report := r.report()
	if report.Cases != (Count{3, 3, 1}) || report.Explored != (Count{3, 2, 1}) || report.Bound != "all of them" {
		t.Errorf("cases %+v, explored %+v, bound %q", report.Cases, report.Explored, report.Bound)
	}
	if r := notEnded(&record{stage: r.stage}).report(); r.Cases != (Count{Total: 3}) || r.Explored != (Count{}) {
		t.Errorf("before the start: cases %+v, explored %+v", r.Cases, r.Explored)
	}
}

func TestWorse(t *testing.T) {
	order := []Verdict{Pass, Blocked, Inconclusive, Fail, HarnessFault}
	for i, a := range order {
		for j, b := range order {
			if got := worse(a, b); got != order[max(i, j)] {
				t.Errorf("of %s and %s the worse is %s", a, b, got)
			}
		}
	}
}

func TestRunVerdict(t *testing.T) {
	tests := []struct {
		name    string
		run     run
		verdict Verdict
		problem string
	}{
		{"all pass", run{records: []*record{ended(), ended()}}, Pass, ""},
		{"an earlier stage fails", run{records: []*record{ended(), ended(failing("a", broke("output")))}}, Fail, ""},
		{"failed before the budget ended", run{records: []*record{ended(failing("a", broke("output"))), notEnded(ended())}, problem: "budget"}, Fail, "budget"},
		{"the budget ended", run{records: []*record{ended(), notEnded(ended())}, problem: "budget"}, Inconclusive, "budget"},
		{"a fault of ours", run{records: []*record{ended(failing("a", broke("output")))}, fault: "bug"}, HarnessFault, "bug"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := test.run.report()
			if r.Verdict != test.verdict || r.Problem != test.problem {
				t.Errorf("%s %q, want %s %q", r.Verdict, r.Problem, test.verdict, test.problem)
			}
			for i, s := range r.Stages {
				if s.Regression != (i > 0) {
					t.Errorf("stage %d: regression %v", i, s.Regression)
				}
			}
		})
	}
}

func TestNote(t *testing.T) {
	r := &record{stage: Stage{Suite: testSuite, Cases: testCases("a", "b"), Explore: true}}
	at := time.Unix(100, 0)
	for i, m := range []Message{
		{Phase: PhaseCompile}, {Phase: PhaseStage, Total: 5}, {Phase: PhaseCase, Case: 0}, {Phase: PhaseCase, Case: 0},
		{Failed: &CaseResult{Index: 0}}, {Phase: PhaseCase, Case: 4}, {Phase: PhaseEnd, Stop: "enough"},
	} {
		r.note(m, at.Add(time.Duration(i)*time.Second))
	}
	if r.total != 5 || len(r.began) != 2 || !r.ended || r.stop != "enough" || len(r.failed) != 1 || r.elapsed != 5*time.Second {
		t.Errorf("%+v", r)
	}
	r.died(4, &fault.Fault{Kind: fault.TimeLimit, Message: "too long"})
	if f := r.failed[1]; f.Case.ID != "z" || !f.Explored || f.Findings[0].Kind != fault.TimeLimit || f.Findings[0].Check != "output" {
		t.Errorf("died in %+v, want the explored case z", f)
	}
	r.died(1, &fault.Fault{Kind: fault.TimeLimit})
	if f := r.failed[2]; f.Case.ID != "b" || f.Explored {
		t.Errorf("died in %+v, want the case b", f)
	}
}

func TestUnbuilt(t *testing.T) {
	d := build.Diagnostic{File: "a.go", Line: 3, Column: 9, Message: "bad"}
	tests := []struct {
		name   string
		result build.Result
		kind   fault.Kind
		want   int // diagnostics
		says   string
	}{
		{"refused", build.Result{Refused: []build.Diagnostic{d}}, fault.Refused, 1, "The solution holds what may not be compiled here."},
		{"does not compile", build.Result{Compile: []build.Diagnostic{d, d}}, fault.DoesNotCompile, 2, ""},
		{"without a place", build.Result{Description: "odd"}, fault.DoesNotCompile, 0, "odd"},
		{"too costly", build.Result{TooCostly: true, Incomplete: "no memory"}, fault.CompileTooCostly, 0, "The compiler gave up: no memory."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &record{stage: Stage{Suite: testSuite}}
			r.unbuilt(test.result)
			report := r.report()
			if report.Kind != test.kind || len(report.Compile) != test.want || report.Problem != test.says || report.Verdict != Fail {
				t.Errorf("%+v", report)
			}
			if test.want > 0 && report.Compile[0] != (Diagnostic{"a.go", 3, 9, "bad"}) {
				t.Errorf("says %+v", report.Compile[0])
			}
		})
	}
	r := &record{}
	if r.tooCostly(&worker.Silence{Used: compileLimit / 3}); r.kind != "" || r.report().Verdict != Inconclusive || !strings.Contains(r.report().Problem, "20s were spent on it") {
		t.Errorf("for want of a processor: %+v", r.report())
	}
	if r.tooCostly(&worker.Silence{Used: compileLimit}); r.kind != fault.CompileTooCostly || !strings.Contains(r.problem, "after 1m0s") {
		t.Errorf("not loaded in time: %s %s", r.kind, r.problem)
	}
	if r.tooCostly(errors.New("died")); r.problem != "The compiled solution is too large to be loaded." {
		t.Errorf("died while loaded: %s", r.problem)
	}
}

// A case that did not end is the solution's doing only if it had a processor.
func TestSilent(t *testing.T) {
	const given = 24 * time.Second
	r := notEnded(ended())
	r.silent(0, given, &worker.Silence{Used: given / 3})
	if got := r.report(); got.Verdict != Inconclusive || !strings.Contains(got.Problem, "8s were spent on it") {
		t.Errorf("for want of a processor: %s, %s", got.Verdict, got.Problem)
	}
	r = notEnded(ended())
	r.silent(0, given, &worker.Silence{Used: given})
	if got := r.report(); got.Verdict != Fail || got.Kind != fault.TimeLimit {
		t.Errorf("with a processor: %s, %s", got.Verdict, got.Kind)
	}
}

func TestShorten(t *testing.T) {
	steps := func(n int) []Step {
		all := make([]Step, n)
		for i := range all {
			all[i].State = string(rune(i))
		}
		return all
	}
	r := CaseResult{Steps: steps(maxSteps), Findings: []Finding{{Step: 999}}}
	if r.shorten(); len(r.Steps) != maxSteps || r.Findings[0].Step != 999 {
		t.Errorf("%d steps became %d", maxSteps, len(r.Steps))
	}
	const n, half = 1500, maxSteps / 2
	all := steps(n)
	for _, at := range []int{-1, 0, half - 1, half, 700, n - half - 1, n - half, n - 1} {
		r := CaseResult{Steps: all, Findings: []Finding{{Step: at}}}
		r.shorten()
		if len(r.Steps) != maxSteps+1 || r.Steps[half].Action != "500 steps left out" {
			t.Fatalf("%d steps, in the middle %+v", len(r.Steps), r.Steps[half])
		}
		got := r.Findings[0].Step
		switch {
		case at < 0:
			if got != at {
				t.Errorf("no step became step %d", got)
			}
		case at >= half && at < n-half:
			if got != half {
				t.Errorf("step %d, which is left out, became %d, want the gap at %d", at, got, half)
			}
		case r.Steps[got] != all[at]:
			t.Errorf("step %d became %d, which is another", at, got)
		}
	}
}

func TestTrim(t *testing.T) {
	shown := map[string]bool{}
	result := func(checks ...string) *CaseResult {
		r := &CaseResult{Printed: "p", steps: func() []Step { return make([]Step, 2) }}
		for _, c := range checks {
			r.Findings = append(r.Findings, Finding{Check: c, Diff: []string{"d"}})
		}
		r.trim(shown)
		return r
	}
	if r := result("output"); len(r.Steps) != 2 || r.Printed == "" || r.Findings[0].Diff == nil {
		t.Errorf("the first is told in short: %+v", r)
	}
	if r := result("output"); len(r.Steps) != 0 || r.Printed != "" || r.Findings[0].Diff != nil {
		t.Errorf("the second is told in full: %+v", r)
	}
	if r := result("output", "order"); len(r.Steps) != 2 || r.Findings[0].Diff == nil {
		t.Errorf("one that breaks another check too is told in short: %+v", r)
	}
}

func TestCombine(t *testing.T) {
	fails := func(kind fault.Kind, leaks bool) *CaseResult {
		return &CaseResult{Leaks: leaks, Findings: []Finding{{Check: "output", Kind: kind, Problem: "it is wrong"}, {Check: "order"}}}
	}
	wrong, leak := fault.WrongOutput, fault.RuleBroken
	timeout := &CaseResult{Findings: []Finding{Died("output", &fault.Fault{Kind: fault.TimeLimit, Message: "it kept running"}, 0), {Check: "order"}}}
	tests := []struct {
		name    string
		results []*CaseResult
		want    string // check of the first finding; empty: pass
		problem string
	}{
		{"all pass", []*CaseResult{nil, nil, nil}, "", ""},
		{"all fail", []*CaseResult{fails(wrong, false), fails(wrong, false), fails(wrong, false)}, "output", "it is wrong"},
		{"one fails", []*CaseResult{nil, nil, fails(wrong, false)}, "chance", "Under random seed 7 the case passes; under seed 9: it is wrong"},
		{"one passes", []*CaseResult{fails(wrong, false), nil, fails(wrong, false)}, "chance", "Under random seed 8 the case passes; under seed 7: it is wrong"},
		{"one leaks", []*CaseResult{nil, fails(leak, true), nil}, "output", "it is wrong"},
		{"one leaks and one fails", []*CaseResult{nil, fails(leak, true), fails(wrong, false)}, "chance", "Under random seed 7 the case passes; under seed 9: it is wrong"},
		{"a limit is not chance", []*CaseResult{timeout, nil, nil}, "output", "It kept running."},
	}
	benches := []*bench{{seed: 7, suite: testSuite}, {seed: 8, suite: testSuite}, {seed: 9, suite: testSuite}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := combine(test.results, benches)
			if (got == nil) != (test.want == "") {
				t.Fatalf("%+v, want %q", got, test.want)
			}
			if got == nil {
				return
			}
			if f := got.Findings[0]; f.Check != test.want || f.Problem != test.problem {
				t.Errorf("%s: %s; want %s: %s", f.Check, f.Problem, test.want, test.problem)
			}
			if nondeterministic := test.want == "chance"; nondeterministic != (got.Findings[0].Kind == fault.Nondeterministic) || nondeterministic != (len(got.Findings) == 1) {
				t.Errorf("findings %+v", got.Findings)
			}
		})
	}
}

// What another seed came to is told if it is another check or another problem.
func TestOtherwise(t *testing.T) {
	fails := func(check, problem string) *CaseResult {
		return &CaseResult{Findings: []Finding{{Check: check, Problem: problem}}}
	}
	leaks, chance := fails("output", "it is wrong"), fails("output", "it is wrong")
	leaks.Leaks, chance.Findings[0].Kind = true, fault.Nondeterministic
	first, other := fails("output", "it is wrong"), fails("order", "it is late")
	for name, test := range map[string]struct {
		r       *CaseResult
		results []*CaseResult
		want    string
	}{
		"alike":                  {first, []*CaseResult{first, first, first}, ""},
		"another check":          {first, []*CaseResult{first, first, other}, "with random seed 9 it breaks order. it is late"},
		"another problem":        {first, []*CaseResult{first, fails("output", "it is lost"), other}, "with random seed 8 it breaks output. it is lost"},
		"chance tells by itself": {chance, []*CaseResult{first, nil, other}, ""},
		"a leak is no chance":    {leaks, []*CaseResult{leaks, other, nil}, ""},
	} {
		if got := test.r.otherwise(test.results, []*bench{{seed: 7}, {seed: 8}, {seed: 9}}); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestExcused(t *testing.T) {
	for name, test := range map[string]struct {
		finding Finding
		want    bool
	}{
		"a wrong output": {broke("output"), false},
		"a panic":        {died("output"), false},
		"no memory left": {Finding{Kind: fault.MemoryExhausted, Fault: &fault.Fault{}}, true},
		"a trap":         {Finding{Kind: fault.Panic, Fault: &fault.Fault{Trap: true}}, true},
	} {
		if r := (&CaseResult{Findings: []Finding{test.finding}}); r.excused() != test.want {
			t.Errorf("%s: excused %v", name, r.excused())
		}
	}
}

func TestDied(t *testing.T) {
	for _, test := range []struct {
		fault fault.Fault
		want  string
	}{
		{fault.Fault{Kind: fault.Panic, Message: "index out of range"}, "It panicked: index out of range."},
		{fault.Fault{Kind: fault.Deadlock, Message: "all are asleep!"}, "It is stuck for ever: all are asleep."},
		{fault.Fault{Kind: fault.NotImplemented, Message: "not implemented yet: F"}, "not implemented yet: F."},
	} {
		f := Died("output", &test.fault, 3)
		if f.Problem != test.want || f.Check != "output" || f.Kind != test.fault.Kind || f.Step != 3 || f.Fault != &test.fault {
			t.Errorf("%+v, want %s", f, test.want)
		}
	}
}

func TestMillis(t *testing.T) {
	for _, test := range []struct {
		millis Millis
		text   string
	}{{0, "0"}, {Millis(1500 * time.Millisecond), "1500"}, {Millis(time.Hour), "3600000"}, {Millis(-time.Second), "-1000"}} {
		text, err := json.Marshal(test.millis)
		if err != nil || string(text) != test.text {
			t.Errorf("%v is written %s, %v", time.Duration(test.millis), text, err)
		}
		var again Millis
		if err := json.Unmarshal(text, &again); err != nil || again != test.millis {
			t.Errorf("%s is read as %v, %v", text, time.Duration(again), err)
		}
	}
	if text, _ := json.Marshal(Millis(1999 * time.Microsecond)); string(text) != "1" {
		t.Errorf("less than two milliseconds are %s", text)
	}
	if err := json.Unmarshal([]byte(`"1s"`), new(Millis)); err == nil {
		t.Error("a text is read as a number")
	}
}

// What passes has run as a whole.
func TestNothingLeftOut(t *testing.T) {
	r := ended()
	delete(r.began, 1)
	if got := r.report(); got.Verdict != Inconclusive {
		t.Errorf("with a case left out: %s", got.Verdict)
	}
	r = ended(failing("a", broke("order"))) // nor has a check its points then
	delete(r.began, 1)
	if got, want := checkWords(r.report()), "inconclusive, inconclusive, fail 1 a, inconclusive"; got != want {
		t.Errorf("with a case left out and one that fails: %s, want %s", got, want)
	}
}

// A child that begins anew takes back what it reported itself, and nothing of what
// those before it did.
func TestBack(t *testing.T) {
	r := notEnded(ended(failing("a", broke("output"))))
	r.began = map[int]bool{0: true}
	before := r.sofar()
	for range 2 {
		r.note(Message{Phase: PhaseCase, Case: 1, Next: 3, News: "b fails"}, time.Time{})
		failed := failing("b", broke("order"))
		r.note(Message{Failed: &failed}, time.Time{})
		r.note(Message{Phase: PhaseEnd}, time.Time{})
		r.back(before)
	}
	if len(r.failed) != 1 || r.failed[0].Case.ID != "a" || len(r.began) != 1 || r.ended || r.news != "b fails" {
		t.Errorf("failed %v, began %v, ended %t, news %q", r.failed, r.began, r.ended, r.news)
	}
}
