package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/flk-byo/de/grading/class"
)

// ClassGradebook writes the marks in the columns of nbgrader's export of a
// gradebook, which other tools read, too: see CsvExportPlugin in
// https://github.com/jupyter/nbgrader/blob/main/nbgrader/plugins/export.py and
// https://nbgrader.readthedocs.io. There are no dates and no penalties here. A
// mark that is not final, or not there, is left empty, so that nobody takes it for
// one: nbgrader itself writes 0 for who handed nothing in, and it knows of all
// submissions; this knows only of those it was given. An error is one of w.
func ClassGradebook(w io.Writer, c class.Class) error {
	rows := [][]string{{
		"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
		"raw_score", "late_submission_penalty", "score", "max_score",
	}}
	for _, r := range c.Students {
		last, first := names(r.Student)
		score := ""
		if r.Marks.Final {
			score = r.Marks.Total.String()
		}
		rows = append(rows, []string{r.Course, "", "", r.Student.ID, last, first, r.Student.Email, score, "0", score, r.Marks.Of.String()})
	}
	for _, m := range unmarked(c) {
		last, first := names(m.student)
		rows = append(rows, []string{c.Course, "", "", m.student.ID, last, first, m.student.Email, "", "0", "", outOf(c).String()})
	}
	return writeCSV(w, rows)
}

// names parts a name in two: at its comma, as in "Mustermann, Max", else before
// its last word.
func names(s class.Student) (last, first string) {
	if last, first, ok := strings.Cut(s.Name, ","); ok {
		return strings.TrimSpace(last), strings.TrimSpace(first)
	}
	words := strings.Fields(s.Name)
	if len(words) == 0 {
		return "", ""
	}
	return words[len(words)-1], strings.Join(words[:len(words)-1], " ")
}

// writeCSV writes rows for a spreadsheet: what it would take for a formula is
// quoted.
func writeCSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		for i := range row {
			row[i] = inSheet(row[i])
		}
		if err := out.Write(row); err != nil {
			return fmt.Errorf("write marks: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write marks: %w", err)
	}
	return nil
}
