package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/stages"
)

// What is left out of a guest changes no report: neither that of a solution that
// passes, nor that of one that dies.
func TestLeavingOutChangesNothing(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	config := testConfig(t)
	config.Others = references(t)
	dies := referenceFiles(t, suite)
	dies["more.go"] = "package sink\n\nfunc init() { println(\"here\") }\n"
	for name, text := range dies {
		dies[name] = strings.Replace(text, "j.sink.Write(e.Record)", "j.sink.Write(e.Record)\n\t\t_ = records[i+3]", 1)
	}
	solutions := []solution{{"right", mapFS(referenceFiles(t, suite))}, {"dies", mapFS(dies)}}
	for _, code := range []string{"1 << 30", "1<<30 + 100", "1<<30 + 1_000_000", "-1", "-268435457"} { // as stubs exit, or nearly
		exits := referenceFiles(t, suite)
		for name, text := range exits {
			text = strings.Replace(text, "\"slices\"\n", "\"os\"\n\t\"slices\"\n", 1)
			exits[name] = strings.Replace(text, "j.sink.Write(e.Record)", "os.Exit("+code+")", 1)
		}
		solutions = append(solutions, solution{fmt.Sprintf("exits-%d", len(solutions)), mapFS(exits)})
	}
	for _, s := range solutions {
		config.Stages = append(config.Stages, grading.Stage{Suite: suite, Package: packageOf(suite, s), Cases: sortedCases(t, suite, 3)})
	}
	var first string
	for _, test := range []struct {
		name string
		hot  []string
		most int // functions that may be missed: for each, a guest is compiled again
	}{{"nothing", nil, 0}, {"what is seldom called", sandbox.Hot(), 9}, {"everything", []string{}, 9}} {
		missed := 0
		config.Hot, config.Learned = test.hot, func(string) { missed++ }
		r, err := grading.Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		r.Elapsed = 0
		for i := range r.Stages {
			r.Stages[i].Elapsed = 0
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if string(text) != first {
			t.Errorf("with %s left out the report is\n%s\nwant\n%s", test.name, text, first)
		}
		if missed > test.most || len(test.hot) == 0 && (missed > 0) != (test.hot != nil) {
			t.Errorf("with %s left out, %d functions were missed", test.name, missed)
		}
	}
}

// The course's own solutions call nothing that is left out, so that most runs
// compile a guest but once.
func TestHotSuffices(t *testing.T) {
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("the list is that of go1.26, with which .ci/run runs this")
	}
	config := testConfig(t)
	for i, suite := range stages.All() {
		config.Stages = append(config.Stages, grading.Stage{Suite: suite, Package: references(t)[i], Cases: sortedCases(t, suite, 20)})
	}
	config.Hot, config.Learned = sandbox.Hot(), func(name string) { t.Errorf("%s is called; add it to hot.txt", name) }
	if r, err := grading.Run(t.Context(), config); err != nil || r.Verdict != grading.Pass {
		t.Errorf("%s %s, %v", r.Verdict, r.Problem, err)
	}
}
