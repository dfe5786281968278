package report

import (
	"html/template"
	"io"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
)

// StudentHTML writes the page that [HTML] does of a student's report, with the
// marks on top. An error is one of w.
func StudentHTML(w io.Writer, r class.Result, o Options) error {
	verdict, words := unjudged(r)
	s := sheet{Policy: policy(htmlStyle, htmlScript), Style: template.CSS(htmlStyle), Verdict: verdict, Word: strings.ToUpper(words)}
	if r.Report != nil {
		s = newSheet(*r.Report, o)
	}
	s.Course, s.Student = clean(r.Course), newStudentSheet(r)
	return s.write(w)
}

// A studentSheet is what a page tells of a student's marks. Its text is clean.
type studentSheet struct {
	Name, Mark string
	Problems   []string
	Rows       []markRow
}

type markRow struct {
	Stage, Check, Points string
	Verdict              grading.Verdict
	Words                string
}

func newStudentSheet(r class.Result) *studentSheet {
	s := studentSheet{Name: studentName(r.Student), Mark: markOf(r.Marks)}
	for _, p := range r.Problems {
		s.Problems = append(s.Problems, clean(p.Words))
	}
	for _, m := range r.Marks.Rows {
		s.Rows = append(s.Rows, markRow{
			clean(m.Stage), clean(oneOf(m.Check, "all checks")), m.Points.String() + " of " + m.Of.String(), m.Verdict, clean(m.Words),
		})
	}
	return &s
}
