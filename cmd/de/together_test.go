package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages"
)

// Solutions that are judged in one guest hide nothing of each other: what does
// not compile, or dies before it is asked anything, is told of itself and of
// what is built on it, and the others are judged as if it were not there.
func TestSolutionsJudgedTogether(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	reference := referenceFiles(t, suite)
	with := func(more string) map[string]string {
		files := map[string]string{"more.go": "package sink\n\n" + more}
		for name, text := range reference {
			files[name] = text
		}
		return files
	}
	on := func(other string) map[string]string {
		return with(fmt.Sprintf("import below %q\n\nvar _ = below.Solution{}\n", "flkbyo/solution-"+other))
	}
	want := []struct {
		name    string
		files   map[string]string
		verdict grading.Verdict
		kind    fault.Kind
		builtOn string
	}{
		{"good", with(""), grading.Pass, "", ""},
		{"broken", with("var x int = true\n"), grading.Fail, fault.DoesNotCompile, ""},
		{"on-broken", on("broken"), grading.Blocked, fault.DoesNotCompile, ""},
		{"on-on-broken", on("on-broken"), grading.Blocked, fault.DoesNotCompile, ""},
		{"refused", with("import \"unsafe\"\n\nvar _ unsafe.Pointer\n"), grading.Fail, fault.Refused, ""},
		{"on-good", on("good"), grading.Pass, "", ""},
		{"panics", with("func init() { panic(\"at once\") }\n"), grading.Fail, fault.Panic, ""},
		{"on-panics", on("panics"), grading.Fail, fault.Panic, "08"},
		{"loops", with("func init() {\n\tfor n := 0; ; n++ {\n\t\t_ = n\n\t}\n}\n"), grading.Fail, fault.TimeLimit, ""},
		{"exits", with("import \"os\"\n\nfunc init() { os.Exit(0) }\n"), grading.Fail, fault.Exited, ""},
		{"reads-the-clock", with("import \"time\"\n\nvar _ = time.Now()\n"), grading.Fail, fault.Slept, ""},
		{"on-reads-the-clock", on("reads-the-clock"), grading.Pass, "", ""},
		{"too-large", with("var x [1 << 30]byte\n\nfunc init() { x[len(reach)] = 1 }\n\nvar reach = make([]int, 1)\n"), grading.Fail, fault.MemoryExhausted, ""},
	}
	var solutions []solution
	for _, w := range want {
		solutions = append(solutions, solution{w.name, mapFS(w.files)})
	}
	reports := judged(t, suite, solutions, sortedCases(t, suite, 0), 2*time.Second)
	for _, w := range want {
		r := reports[w.name]
		if r.Verdict != w.verdict || r.Kind != w.kind {
			t.Errorf("%s: %s, %s: %s %v; want %s, %s", w.name, r.Verdict, r.Kind, r.Problem, r.Compile, w.verdict, w.kind)
		}
		if w.verdict == grading.Blocked && r.BlockedBy != suite.ID {
			t.Errorf("%s is blocked by %q", w.name, r.BlockedBy)
		}
		if w.builtOn != "" && (len(r.BuiltOn) != 1 || r.BuiltOn[0] != w.builtOn) {
			t.Errorf("%s: built on failing %v, want %s", w.name, r.BuiltOn, w.builtOn)
		}
	}
}
