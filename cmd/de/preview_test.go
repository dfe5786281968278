package main

import (
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
)

// What is said to fail while the guest is being compiled does fail, by a check
// that the report has too. Of a right solution nothing is said.
func TestPreview(t *testing.T) {
	suite := lastSuite()
	wrong := strings.Replace(lastReference(t), "	delete(s.prepared, id)\n", "", 1)
	if wrong == lastReference(t) {
		t.Fatal("the reference has changed: mend this test's place in it")
	}
	config := testConfig(t)
	config.Preview, config.Others = true, references(t)
	news := func(source string) (string, grading.Report) {
		files := mapFS(map[string]string{"sink.go": source})
		told := ""
		config.Stages = []grading.Stage{{Suite: suite, Package: packageOf(suite, solution{"one", files}), Cases: sortedCases(t, suite, 2)}}
		config.Progress = func(p grading.Progress) { told = p.News }
		r, err := grading.Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		return told, r
	}
	if told, r := news(lastReference(t)); told != "" || r.Verdict != grading.Pass {
		t.Errorf("the reference: %s, told %q", r.Verdict, told)
	}
	for range 10 { // it may come too late
		told, r := news(wrong)
		if told == "" {
			continue
		}
		check, _, _ := strings.Cut(told, ", ")
		for _, c := range r.Stages[0].Checks {
			if c.Name == check && c.Verdict == grading.Fail {
				return
			}
		}
		t.Fatalf("told %q, and the report has %+v", told, r.Stages[0].Checks)
	}
	t.Error("never told of a failure")
}
