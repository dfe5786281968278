package grading

import (
	"reflect"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

func TestNearbyRuns(t *testing.T) {
	records := []stream.Record{{Key: "a"}, {Key: "b"}}
	run := func(id string, n, every, lag int) schedule.Case {
		text := func(v int) string { return string(rune('0' + v)) }
		return schedule.Case{ID: id, Records: records[:n], Params: []schedule.Setting{
			{Name: "every", Value: every, Text: text(every)}, {Name: "lag", Value: lag, Text: text(lag)},
		}}
	}
	pool := []schedule.Case{
		run("lag 0", 2, 1, 0), run("lag 3", 2, 1, 3), run("lag 4", 2, 1, 4), run("itself", 2, 1, 2),
		run("both", 2, 2, 3), run("every 2", 2, 2, 2), run("fewer", 1, 1, 2), run("fewer, and lag 1", 1, 1, 1),
		{ID: "script", Script: []schedule.Op{{Name: "op"}}},
	}
	var got [][2]string
	for _, near := range (Suite{}).Nearby(run("itself", 2, 1, 2), pool) {
		got = append(got, [2]string{near.Words, near.Case.ID})
	}
	want := [][2]string{
		{"1 record instead of 2", "fewer"}, {"every 2 instead of 1", "every 2"},
		{"lag 0 instead of 2", "lag 0"}, {"lag 3 instead of 2", "lag 3"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNearbyScripts(t *testing.T) {
	op := func(name string) schedule.Op { return schedule.Op{Name: name} }
	suite := Suite{ID: "99", Spec: schedule.Spec{CheckScript: func(script []schedule.Op) (int, string) {
		if script[0].Name != "begin" {
			return 0, "it must begin"
		}
		return 0, ""
	}}}
	var got []string
	for _, near := range suite.Nearby(schedule.Case{Script: []schedule.Op{op("begin"), op("a"), op("b")}}, nil) {
		got = append(got, near.Words+": "+near.Case.ID)
	}
	want := []string{"without operation 2, a: 99/sequence/begin,b", "without operation 3, b: 99/sequence/begin,a"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The report of an explained case shows it alone, though a smaller one nearby
// fails too, and tells what became of those.
func TestExplainedAlone(t *testing.T) {
	suite := Suite{Checks: []Check{{Name: "first"}, {Name: "second"}}, Compare: func(a, b schedule.Case) int { return len(a.ID) - len(b.ID) }}
	r := record{
		stage: Stage{
			Suite:  suite,
			Cases:  []schedule.Case{{ID: "explained"}, {ID: "fails"}, {ID: "passes"}, {ID: "late"}},
			Nearby: []Near{{"one less", schedule.Case{ID: "fails"}}, {"one more", schedule.Case{ID: "passes"}}, {"two more", schedule.Case{ID: "late"}}},
		},
		began: map[int]bool{0: true, 1: true, 2: true}, ended: true,
		failed: []CaseResult{
			{Index: 0, Case: schedule.Case{ID: "explained"}, Findings: []Finding{{Check: "second", Step: -1}}, Unsafe: -1},
			{Index: 1, Case: schedule.Case{ID: "fails"}, Findings: []Finding{{Check: "first"}}},
		},
	}
	report := r.report()
	f := report.Failure
	if f == nil || f.Case != "explained" || f.Unsafe != -1 {
		t.Fatalf("the failure is %+v", f)
	}
	want := []NearReport{
		{Words: "one less", Case: "fails", Verdict: Fail, Check: "first"},
		{Words: "one more", Case: "passes", Verdict: Pass},
		{Words: "two more", Case: "late", Verdict: Inconclusive},
	}
	if !reflect.DeepEqual(report.Nearby, want) {
		t.Errorf("nearby: %+v", report.Nearby)
	}
}

func TestPointOfNoReturn(t *testing.T) {
	at := func(n int) func() int { return func() int { return n } }
	for _, test := range []struct {
		name   string
		seen   int
		unsafe func() int
		want   int
	}{
		{"not told", 3, nil, 3},
		{"before it is seen", 3, at(1), 1},
		{"never after it is seen", 3, at(5), 3},
		{"nowhere", 3, at(-1), 3},
		{"nowhere, and nothing seen", -1, at(-1), -1},
		{"nothing seen", -1, at(2), 2},
	} {
		r := CaseResult{Findings: []Finding{{Step: test.seen}}, unsafe: test.unsafe}
		if got := r.pointOfNoReturn(); got != test.want {
			t.Errorf("%s: %d instead of %d", test.name, got, test.want)
		}
	}
}
