package rubric_test

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/rubric"
)

// suites are a course of two stages.
var suites = []grading.Suite{
	{ID: "01", Checks: []grading.Check{{Name: "order"}, {Name: "chance"}, {Name: "reading"}}},
	{ID: "02", Gate: "output", Checks: []grading.Check{{Name: "output"}, {Name: "sums"}, {Name: "leaks"}}},
}

func ExampleLoad() {
	src := `course: FLK-BYO
total: 60
stages:
  "01": {points: 10.125, regression: weigh}
  "02": {points: 50, gate: ouput}
`
	_, err := rubric.Load("mine.yaml", []byte(src), suites)
	fmt.Println(err)
	// Output:
	// mine.yaml:4:18: points must be 0 to 10000, with at most two decimals; found
	//     10.125
	//     4 |   "01": {points: 10.125, regression: weigh}
	//       |                  ^
	// mine.yaml:5:28: gate must be "output", "sums" or "leaks"; found "ouput"; did you
	//     mean "output"?
	//     5 |   "02": {points: 50, gate: ouput}
	//       |                            ^
}

func ExampleRubric_Mark() {
	src := `course: FLK-BYO
stages:
  "01": {points: 10, regression: weigh}
  "02": {points: 50, checks: {output: 30}}
`
	r, err := rubric.Load("mine.yaml", []byte(src), suites)
	if err != nil {
		fmt.Println(err)
		return
	}
	marks := r.Mark(grading.Report{Stages: []grading.StageReport{
		{Stage: "02", Verdict: grading.Fail, Checks: []grading.CheckReport{
			{Name: "output", Verdict: grading.Pass},
			{Name: "sums", Verdict: grading.Fail, Kind: "wrong output"},
			{Name: "leaks", Verdict: grading.Blocked, BlockedBy: "sums"},
		}},
		{Stage: "01", Verdict: grading.Fail, Checks: []grading.CheckReport{
			{Name: "order", Verdict: grading.Pass},
			{Name: "chance", Verdict: grading.Pass},
			{Name: "reading", Verdict: grading.Fail, Kind: "panic"},
		}},
	}})
	for _, row := range marks.Rows {
		fmt.Printf("%s %s: %v of %v, %s %q\n", row.Stage, row.Check, row.Points, row.Of, row.Verdict, row.Words)
	}
	fmt.Println(marks.Total, "of", marks.Of)
	// Output:
	// 01 : 6.67 of 10, fail "2 of 3 checks"
	// 02 output: 30 of 30, pass ""
	// 02 sums: 0 of 10, fail "wrong output"
	// 02 leaks: 0 of 10, blocked "blocked by sums"
	// 36.67 of 60
}
