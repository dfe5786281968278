package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/submission"
)

// ClassCSV writes a row for each student, for a spreadsheet: what would be
// taken for a formula there is quoted. An error is one of w.
func ClassCSV(w io.Writer, c class.Class) error {
	rows := [][]string{{"id", "name", "email", "points", "of", "final", "verdict", "first_failure", "problems"}}
	for _, r := range c.Students {
		var problems []string
		for _, p := range r.Problems {
			problems = append(problems, p.Words)
		}
		verdict, failure := cameTo(r)
		rows = append(rows, []string{
			r.Student.ID, r.Student.Name, r.Student.Email, r.Marks.Total.String(), r.Marks.Of.String(),
			fmt.Sprint(r.Marks.Final), verdict, failure, strings.Join(problems, "; "),
		})
	}
	return writeCSV(w, rows)
}

// inSheet is a text that a spreadsheet takes for no formula.
func inSheet(s string) string {
	s = clean(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

// cameTo is a student's verdict in a word or two, and the case that shows why.
func cameTo(r class.Result) (verdict, failure string) {
	if r.Report == nil {
		return "nothing to judge", ""
	}
	verdict = string(r.Report.Verdict)
	if s := detailed(*r.Report); s != nil && r.Report.Verdict == grading.Fail {
		failure = s.Stage + " " + string(s.Kind)
		if c := unseenCheck(*s); isUnseen(*s) {
			failure = c.Name + ": " + oneOf(c.Shortest, "not shown")
		}
		if s.Failure != nil {
			failure = headFinding(s.Failure).Check + ": " + s.Failure.Case
		}
	}
	return verdict, failure
}

// worst is the first problem that leaves nothing to judge, else the first.
func worst(problems []submission.Problem) submission.Problem {
	for _, p := range problems {
		if p.Fatal {
			return p
		}
	}
	return problems[0]
}

// ClassText writes a table of the students. An error is one of w.
func ClassText(w io.Writer, c class.Class, o Options) error {
	p := newPage(o)
	var rows []row
	open := 0
	for _, r := range c.Students {
		verdict, failure := cameTo(r)
		mark := ""
		if !r.Marks.Final {
			mark = "?"
			open++
		}
		one := row{mark: mark, style: p.style.plain, cells: []string{clean(r.Student.ID), r.Marks.Total.String(), "of " + r.Marks.Of.String(), verdict, clean(failure)}}
		if len(r.Problems) > 0 {
			one.note = clean(worst(r.Problems).Words)
		}
		rows = append(rows, one)
	}
	p.line(0, p.style.title, count(len(c.Students), "submission"))
	p.blank()
	p.table(4, []string{"student", "points", "", "verdict", "first failure"}, rows)
	if open > 0 {
		p.blank()
		p.prose(fmt.Sprintf("? %s not final: see the flags in its results.json.", count(open, "mark")))
	}
	if len(c.Missing) > 0 {
		p.blank()
		p.prose(fmt.Sprintf("%s not graded: --resume goes on.", count(len(c.Missing), "submission")))
	}
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	return nil
}
