package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
)

// Classroom writes a student's result as GitHub Classroom's autograding takes it
// from a runner: a step of the workflow sets it as its output "result", in base64,
// and the reporter sums the scores. See
// https://github.com/classroom-resources/autograding-grading-reporter and, for
// the fields, https://github.com/classroom-resources/autograding-command-grader.
// An error is one of w.
func Classroom(w io.Writer, r class.Result) error {
	all := classroomResult{Version: 1, Status: classroomStatus(statusOf(r)), MaxScore: r.Marks.Of, Tests: []classroomTest{}}
	told := false // the whole report stands at the first test that tells of no pass
	for _, m := range r.Marks.Rows {
		t := classroomTest{Name: rowName(m), Status: classroomStatus(m.Verdict), Score: m.Points, Message: rowText(r, m)}
		if m.Verdict != grading.Pass {
			t.File, t.Line = placeOf(r, m)
			if !told {
				t.Message += "\n\n" + wholeText(r)
			}
			told = true
		}
		all.Tests = append(all.Tests, t)
	}
	return writeJSON(w, all)
}

type classroomResult struct {
	Version  int             `json:"version"`
	Status   string          `json:"status"`
	MaxScore rubric.Points   `json:"max_score"`
	Tests    []classroomTest `json:"tests"`
}

type classroomTest struct {
	Name     string        `json:"name"`
	Status   string        `json:"status"`
	Score    rubric.Points `json:"score"`
	Message  string        `json:"message"`
	TestCode string        `json:"test_code"` // none: a test is a rule
	File     string        `json:"filename"`
	Line     int           `json:"line_no"`
	Duration int           `json:"duration"` // none: a result has no times
}

// statusOf is the verdict of all that a student handed in.
func statusOf(r class.Result) grading.Verdict {
	switch {
	case !r.Marks.Final:
		return grading.Inconclusive
	case r.Report == nil || r.Marks.Total < r.Marks.Of:
		return grading.Fail
	}
	return r.Report.Verdict
}

func classroomStatus(v grading.Verdict) string {
	switch v {
	case grading.Pass:
		return "pass"
	case grading.Fail, grading.Blocked:
		return "fail"
	}
	return "error"
}

// placeOf is the line that the failure of a row's check is about, if that is
// known.
func placeOf(r class.Result, m rubric.Row) (file string, line int) {
	if r.Report == nil {
		return "", 0
	}
	for _, s := range r.Report.Stages {
		if s.Stage != m.Stage || s.Failure == nil || headFinding(s.Failure).Check != m.Check {
			continue
		}
		file, rest, _ := strings.Cut(atOf(headFinding(s.Failure)), ":")
		if line, err := strconv.Atoi(rest); err == nil {
			return clean(file), line
		}
	}
	return "", 0
}
