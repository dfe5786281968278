package report

import (
	"io"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
)

// Gradescope writes a student's result as the results.json of an autograder of
// Gradescope, as https://gradescope-autograders.readthedocs.io/en/latest/specs/
// describes it. A mark that is not final shows only once the instructor publishes
// the grades, and what the instructor should know is in a test that students
// never see. An error is one of w.
func Gradescope(w io.Writer, r class.Result) error {
	all := gradescopeResult{
		Score: r.Marks.Total, Output: wholeText(r),
		Visibility: "visible", StdoutVisibility: "hidden", Tests: []gradescopeTest{},
	}
	if !r.Marks.Final {
		all.Visibility = "after_published"
	}
	for _, m := range r.Marks.Rows {
		all.Tests = append(all.Tests, gradescopeTest{
			Name: rowName(m), Score: m.Points, MaxScore: m.Of, Status: passedOrFailed(m.Verdict),
			Output: rowText(r, m), Visibility: all.Visibility,
		})
	}
	for _, flag := range r.Marks.Flags {
		all.Tests = append(all.Tests, gradescopeTest{Name: "for the instructor", Status: "failed", Output: clean(flag), Visibility: "hidden"})
	}
	return writeJSON(w, all)
}

type gradescopeResult struct {
	Score            rubric.Points    `json:"score"` // overrides the sum of the tests, and equals it
	Output           string           `json:"output"`
	Visibility       string           `json:"visibility"`
	StdoutVisibility string           `json:"stdout_visibility"`
	Tests            []gradescopeTest `json:"tests"`
}

type gradescopeTest struct {
	Name       string        `json:"name"`
	Score      rubric.Points `json:"score"`
	MaxScore   rubric.Points `json:"max_score"`
	Status     string        `json:"status"`
	Output     string        `json:"output"`
	Visibility string        `json:"visibility"`
}

// passedOrFailed is a verdict in the words of Gradescope, which has no others.
func passedOrFailed(v grading.Verdict) string {
	if v == grading.Pass {
		return "passed"
	}
	return "failed"
}
