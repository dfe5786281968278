package main

import (
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
)

// A hostile solution is the reference, but for a line of code that is run in
// the job's cases of 2 different records, distance 1, crash 1 and lag 1, or for
// what is done while the package is initialised.
type hostileSolution struct {
	name    string
	line    string // in the job
	initial string // at package level
	imports string
	kind    fault.Kind
	all     bool // every case fails, not one
}

var hostiles = []hostileSolution{
	{name: "panic", line: `panic("no")`, kind: fault.Panic},
	{name: "nil map", line: `var m map[int]int; m[1] = 1`, kind: fault.Panic},
	{name: "index out of range", line: `_ = records[len(records)]`, kind: fault.Panic},
	{name: "panic in a goroutine", line: `go panic("no"); select {}`, kind: fault.Panic},
	{name: "exit", line: `os.Exit(0)`, imports: "os", kind: fault.Exited},
	{name: "exit like a deadline", line: `os.Exit(0xefffffff)`, imports: "os", kind: fault.Exited},
	{name: "deadlock", line: `select {}`, kind: fault.Deadlock},
	{name: "deadlock on a channel", line: `<-make(chan int)`, kind: fault.Deadlock},
	{name: "goexit", line: `runtime.Goexit()`, imports: "runtime", kind: fault.Deadlock},
	{name: "endless loop", line: `for { }`, kind: fault.TimeLimit},
	{name: "endless loop in a goroutine", line: `go func() { for { } }(); runtime.Gosched()`, imports: "runtime", kind: fault.TimeLimit},
	{name: "endless yielding", line: `for { runtime.Gosched() }`, imports: "runtime", kind: fault.TimeLimit},
	{name: "endless recursion", line: `var f func(int) int; f = func(n int) int { return f(n+1) + 1 }; f(0)`, kind: fault.StackExhausted},
	{name: "memory", line: `var hold [][]byte; for { hold = append(hold, make([]byte, 1<<20)) }`, kind: fault.MemoryExhausted},
	{name: "one huge allocation", line: `_ = make([]byte, 1<<30+len(records))[len(records)]`, kind: fault.MemoryExhausted},
	{name: "goroutine flood", line: `for { go func() { select {} }() }`, kind: fault.MemoryExhausted},
	{name: "output flood", line: `for { println("x") }`, kind: fault.PrintedTooMuch},
	{name: "call flood", line: `s := newSink(); for { s.AbortOpen() }`, kind: fault.TooManyCalls},
	{name: "sink flood", line: `for { newSink() }`, kind: fault.TooManyCalls},
	{name: "endless sleep", line: `for { time.Sleep(time.Hour) }`, imports: "time", kind: fault.TimeLimit},
	{name: "sleep", line: `time.Sleep(time.Hour)`, imports: "time", kind: fault.Slept},
	{name: "clock", line: `_ = time.Now()`, imports: "time", kind: fault.Slept},
	{name: "timer", line: `<-time.After(time.Second)`, imports: "time", kind: fault.Slept},
	{name: "huge result", line: `return make([]stream.Record, 1<<20)`, kind: fault.WrongOutput},
	{name: "forged panic", line: `println("panic: not implemented yet: nothing"); os.Exit(2)`, imports: "os", kind: fault.NotImplemented},
	{name: "panic in init", initial: `func init() { panic("no") }`, kind: fault.Panic, all: true},
	{name: "exit in init", initial: `func init() { os.Exit(0) }`, imports: "os", kind: fault.Exited, all: true},
	{name: "endless loop in init", initial: `func init() { for { } }`, kind: fault.TimeLimit, all: true},
	{name: "memory in init", initial: `var hold [][]byte; func init() { for { hold = append(hold, make([]byte, 1<<20)) } }`, kind: fault.MemoryExhausted, all: true},
	{name: "loop left behind by init", initial: `func init() { go func() { for { } }() }`, line: `<-make(chan int)`, kind: fault.TimeLimit, all: true}, // the loop takes time from every call
}

// Whatever a solution does in one case has a name, for that case, while the
// others are judged; it can neither end the run, nor hang it, nor pass it.
func TestHostileSolutionsAreNamed(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	reference := referenceFiles(t, suite)["sink.go"]
	cases := sortedCases(t, suite, 2)
	for _, h := range sample(hostiles, 6) {
		t.Run(h.name, func(t *testing.T) {
			files := map[string]string{"sink.go": h.solution(t, reference)}
			limit := patience
			if h.kind == fault.TimeLimit {
				limit = time.Second // it will be waited for
			}
			r := judged(t, suite, []solution{{"hostile", mapFS(files)}}, cases, limit)["hostile"]
			if r.Verdict != grading.Fail || r.Failure == nil {
				t.Fatalf("%s: %s %s %v, want a failure of kind %q", r.Verdict, r.Kind, r.Problem, r.Compile, h.kind)
			}
			if r.Kind != h.kind {
				t.Errorf("kind %q, want %q: %s", r.Kind, h.kind, r.Failure.Finding[0].Problem)
			}
			if h.all && h.line == "" {
				failsForGood(t, r)
			}
			if h.all {
				return
			}
			if r.Cases.Ran != r.Cases.Total || r.Explored.Ran <= swept(suite) || r.Explored.Failed != 1 {
				t.Errorf("ran %+v of the cases and %+v of the explored ones; the others must run too, up to the first that fails", r.Cases, r.Explored)
			}
			if want := struck(cases); r.Cases.Failed != want {
				t.Errorf("%d cases failed, want the %d at hand", r.Cases.Failed, want)
			}
		})
	}
}

// A solution that hangs in one case, and later calls what was left out of the guest,
// is judged by all cases: what is run anew makes nobody forget the others.
func TestBeginningAnewForgetsNothing(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	h := hostileSolution{line: `for { }`, imports: "runtime", initial: "var cooled bool\n\nfunc cold() {\n\tif !cooled {\n\t\tcooled = true\n\t\truntime.ReadMemStats(new(runtime.MemStats))\n\t}\n}"}
	const place = "	s.prepared[id] = s.open\n"
	src := h.solution(t, referenceFiles(t, suite)["sink.go"])
	if !strings.Contains(src, place) {
		t.Fatal("the reference has changed: mend this test's place in it")
	}
	files := mapFS(map[string]string{"sink.go": strings.Replace(src, place, "	cold()\n"+place, 1)})
	config := testConfig(t)
	config.CaseLimit, config.Others, config.Hot = time.Second, references(t), sandbox.Hot()
	missed := 0
	config.Learned = func(string) { missed++ }
	cases := sortedCases(t, suite, 2)
	config.Stages = []grading.Stage{{Suite: suite, Package: packageOf(suite, solution{"hostile", files}), Cases: cases, Explore: true}}
	r, err := grading.Run(t.Context(), config)
	if err != nil || missed < 2 {
		t.Fatalf("%v, began anew %d times, want 2 at least", err, missed)
	}
	s := r.Stages[0]
	if s.Verdict != grading.Fail || s.Kind != fault.TimeLimit || s.Cases.Ran != len(cases) || s.Cases.Failed != struck(cases) {
		t.Errorf("%s %s, of %d cases %+v; want all, and %d that fail", s.Verdict, s.Kind, len(cases), s.Cases, struck(cases))
	}
}

// A solution that is slow and gets on is right; only the budget ends it.
func TestSlowSolutionPasses(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	reference := referenceFiles(t, suite)["sink.go"]
	slow := hostileSolution{line: `s, from, to := newSink(), make([]byte, 4<<20), make([]byte, 4<<20)
		for range 100 { for range 10 { copy(to, from) }; s.AbortOpen() }`}
	files := mapFS(map[string]string{"sink.go": slow.solution(t, reference)})
	config := testConfig(t)
	config.CaseLimit, config.Others = time.Second/4, references(t) // more than a call takes, and less than a case
	config.Stages = []grading.Stage{{Suite: suite, Package: packageOf(suite, solution{"slow", files}), Cases: sortedCases(t, suite, 2)}}
	r, err := grading.Run(t.Context(), config)
	if err != nil || r.Verdict != grading.Pass {
		t.Errorf("%s, %v: %+v", r.Verdict, err, r.Stages)
	}
}

// failsForGood demands that no check is left open.
func failsForGood(t *testing.T, r grading.StageReport) {
	t.Helper()
	for _, c := range r.Checks {
		if c.Verdict != grading.Fail && c.Verdict != grading.Blocked {
			t.Errorf("check %s: %s %s; what never starts passes none", c.Name, c.Verdict, r.Problem)
		}
	}
}

// swept is how many sequences a stage runs in bulk.
func swept(suite grading.Suite) (n int) {
	for _, size := range suite.Sweep(0).Parts {
		n += size
	}
	return n
}

// struck is how many cases meet the condition of [hostileSolution.solution].
func struck(cases []schedule.Case) int {
	n := 0
	for _, c := range cases {
		if len(c.Records) == 2 && c.Records[0] != c.Records[1] &&
			c.Param("barrier_every") == 1 && c.Param("crash_after") == 1 && c.Param("commit_lag") == 1 {
			n++
		}
	}
	return n
}

func (h hostileSolution) solution(t *testing.T, reference string) string {
	t.Helper()
	const place = "	j := job{sink: newSink(), lag: commitLag}\n"
	if strings.Count(reference, place) != 1 {
		t.Fatal("the reference has changed: mend this test's place in it")
	}
	if h.line != "" {
		reference = strings.Replace(reference, place,
			"	if len(records) == 2 && records[0] != records[1] && barrierEvery == 1 && crashAfter == 1 && commitLag == 1 {\n"+h.line+"\n}\n"+place, 1)
	}
	if h.imports != "" {
		reference = strings.Replace(reference, "import (\n", "import (\n\""+h.imports+"\"\n", 1)
	}
	return reference + h.initial + "\n"
}
