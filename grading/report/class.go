package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
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
	for _, m := range unmarked(c) {
		rows = append(rows, []string{m.student.ID, m.student.Name, m.student.Email, "", outOf(c).String(), "false", m.words, "", ""})
	}
	return writeCSV(w, rows)
}

// An unmarkedStudent has no mark, and the words say why.
type unmarkedStudent struct {
	student class.Student
	words   string
}

// unmarked are all without a mark: whose submission was not graded, and who
// handed nothing in.
func unmarked(c class.Class) []unmarkedStudent {
	var all []unmarkedStudent
	for _, name := range c.Missing {
		all = append(all, unmarkedStudent{class.Student{ID: name}, "not graded"})
	}
	for _, s := range c.Absent {
		all = append(all, unmarkedStudent{s, "no submission"})
	}
	return all
}

// outOf is what the marks of a class are out of.
func outOf(c class.Class) rubric.Points {
	of := rubric.Points(0)
	for _, r := range c.Students {
		of = max(of, r.Marks.Of)
	}
	return of
}

// perhaps says of an unlisted submission what is to be done.
func perhaps(u class.Unlisted) string {
	words := "in no line of the roster"
	if len(u.Perhaps) > 0 {
		words += "; is it of " + strings.Join(u.Perhaps, " or ") + "?"
	}
	return words
}

// formula is where a spreadsheet would begin one: where a cell begins, which is
// also behind a semicolon, since in many countries it stands between cells. The
// wide signs are those of Chinese and Japanese.
var formula = regexp.MustCompile(`(^|;)([\s"']*)([=+\-@＝＋－＠])`)

// inSheet is a text that a spreadsheet takes for no formula.
func inSheet(s string) string { return formula.ReplaceAllString(clean(s), "$1$2'$3") }

// cameTo is a student's verdict in a word or two, and the case that shows why.
func cameTo(r class.Result) (verdict, failure string) {
	if r.Report == nil {
		_, words := unjudged(r)
		return words, ""
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
	for _, m := range unmarked(c) {
		rows = append(rows, row{style: p.style.plain, cells: []string{clean(m.student.ID), "", "", m.words, ""}})
	}
	p.line(0, p.style.title, classTitle(c))
	p.blank()
	p.table(4, []string{"student", "points", "", "verdict", "first failure"}, rows)
	if open > 0 {
		p.blank()
		p.prose(fmt.Sprintf("? %s not final: class.html, and --explain STUDENT, say why.", isOrAre(open, "mark")))
	}
	if len(c.Missing) > 0 {
		p.blank()
		p.prose(fmt.Sprintf("%s not graded: --resume goes on.", isOrAre(len(c.Missing), "submission")))
	}
	p.strangers(c.Unlisted)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	return nil
}

func classTitle(c class.Class) string {
	all := count(len(c.Students)+len(c.Missing), "submission")
	if len(c.Missing) > 0 {
		return number(len(c.Students)) + " of " + all + " graded"
	}
	return all
}

// strangers names the submissions that are in no line of the roster.
func (p *page) strangers(all []class.Unlisted) {
	if len(all) == 0 {
		return
	}
	var rows []row
	for _, u := range all {
		rows = append(rows, row{style: p.style.plain, cells: []string{clean(u.Source), clean(perhaps(u))}})
	}
	p.section("Look at the roster")
	p.table(2, nil, rows)
	p.prose("A column submission in the roster can give the name of what a student handed in.")
}
