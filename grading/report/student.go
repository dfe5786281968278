package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
)

// StudentText writes a student's marks and report for people. An error is one
// of w.
func StudentText(w io.Writer, r class.Result, o Options) error {
	p := newPage(o)
	p.entry("", r.Course+": "+studentName(r.Student))
	p.entry("", markOf(r.Marks))
	p.handedIn(r)
	p.marks(r)
	p.blank()
	if r.Report == nil {
		p.prose(unjudgedProse(r))
	} else {
		p.all(*r.Report)
	}
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// unjudged says that nothing of a submission was judged: of one whose mark is not
// final, something is to be.
func unjudged(r class.Result) (grading.Verdict, string) {
	if !r.Marks.Final {
		return grading.Inconclusive, "not judged"
	}
	return grading.Fail, "nothing to judge"
}

// unjudgedProse is the same as a sentence.
func unjudgedProse(r class.Result) string {
	if !r.Marks.Final {
		return "It was not judged."
	}
	return "There was nothing to judge."
}

// studentName is a student as others know them, and as the roster does.
func studentName(s class.Student) string {
	if s.Name == "" || s.Name == s.ID {
		return clean(s.ID)
	}
	return clean(s.Name) + " (" + clean(s.ID) + ")"
}

// markOf is the mark in words.
func markOf(m rubric.Marks) string {
	text := m.Total.String() + " of " + m.Of.String() + " points"
	if !m.Final {
		text += "; not final: something has no verdict yet, and may still give points"
	}
	return text
}

// handedIn tells what was wrong with what was handed in.
func (p *page) handedIn(r class.Result) {
	if len(r.Problems) == 0 {
		return
	}
	p.section("What was handed in")
	for _, problem := range r.Problems {
		p.prose(problem.Words)
	}
}

// marks are the rows of the mark; on a whole page each says why.
func (p *page) marks(r class.Result) {
	if len(r.Marks.Rows) == 0 {
		return
	}
	p.section("Marks")
	var rows []row
	for _, m := range r.Marks.Rows {
		one := row{style: p.of(m.Verdict), cells: []string{
			string(m.Verdict), m.Stage, clean(oneOf(m.Check, "all checks")), m.Points.String() + " of " + m.Of.String(), clean(m.Words),
		}}
		if c := checkOf(r, m); p.whole && c.Verdict == grading.Fail {
			one.note = clean(c.Problem)
		}
		rows = append(rows, one)
	}
	p.table(2, []string{"", "stage", "check", "points", ""}, rows)
}

// rowName names a row of the marks for another program.
func rowName(r rubric.Row) string {
	if r.Check == "" {
		return "stage " + clean(r.Stage)
	}
	return clean(r.Stage + " " + r.Check)
}

// rowText says what became of a row of the marks, in lines.
func rowText(r class.Result, m rubric.Row) string {
	var lines []string
	if m.Words != "" {
		lines = append(lines, clean(m.Words))
	}
	c := checkOf(r, m)
	if c.Verdict == grading.Fail && c.Problem != "" {
		lines = append(lines, clean(c.Problem))
	}
	if c.Verdict == grading.Fail && c.Failed > 0 {
		lines = append(lines, clean(brokenIn(c)))
	}
	return strings.Join(lines, "\n")
}

// checkOf is what the report says of a row's check; nothing of a whole stage.
func checkOf(r class.Result, m rubric.Row) grading.CheckReport {
	if r.Report == nil {
		return grading.CheckReport{}
	}
	for _, s := range r.Report.Stages {
		for _, c := range s.Checks {
			if s.Stage == m.Stage && c.Name == m.Check {
				return c
			}
		}
	}
	return grading.CheckReport{}
}

// wholeText is what is to be said of all that a student handed in, without marks.
func wholeText(r class.Result) string {
	var b strings.Builder
	for _, problem := range r.Problems {
		b.WriteString(clean(problem.Words) + "\n")
	}
	if len(r.Problems) > 0 {
		b.WriteByte('\n')
	}
	if r.Report == nil {
		b.WriteString(unjudgedProse(r) + "\n")
	} else {
		b.WriteString(text(*r.Report, Options{}))
	}
	return b.String()
}

// StudentJUnit writes a student's report as [JUnit] does. Where nothing could be
// judged, that is its only case, and it does not pass. An error is one of w.
func StudentJUnit(w io.Writer, r class.Result) error {
	if r.Report != nil {
		return JUnit(w, *r.Report, Options{})
	}
	verdict, words := unjudged(r)
	suite := tally(testSuite{Name: "submission", Time: xmlSeconds(0), Cases: []testCase{
		whole("submission", verdict, words, "", wholeText(r)),
	}})
	return writeXML(w, sum(testSuites{Name: clean(r.Course), Time: xmlSeconds(0), Suites: []testSuite{suite}}))
}
