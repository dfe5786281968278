package report_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
)

// What a system could not enforce stands in each format, whatever the verdict.
func TestNotesStandEverywhere(t *testing.T) {
	const note = "No second wall was there."
	reports := map[string]grading.Report{
		"pass": reportOf(stage08()), "fail": reportOf(wrongOutput()), "fault": {
			Version: grading.ReportVersion, Verdict: grading.HarnessFault, Problem: "no pipe", Stages: []grading.StageReport{stage08()},
		},
	}
	formats := map[string]func(io.Writer, grading.Report) error{
		"text":    func(w io.Writer, r grading.Report) error { return report.Text(w, r, report.Options{}) },
		"explain": func(w io.Writer, r grading.Report) error { return report.Explain(w, r, report.Options{}) },
		"HTML":    func(w io.Writer, r grading.Report) error { return report.HTML(w, r, report.Options{}) },
		"JUnit":   func(w io.Writer, r grading.Report) error { return report.JUnit(w, r, report.Options{}) },
		"JSON":    report.JSON,
		"student's text": func(w io.Writer, r grading.Report) error {
			return report.StudentText(w, class.Result{Report: &r}, report.Options{})
		},
		"student's Markdown": func(w io.Writer, r grading.Report) error {
			return report.StudentMarkdown(w, class.Result{Report: &r}, report.Options{})
		},
		"student's page": func(w io.Writer, r grading.Report) error {
			return report.StudentHTML(w, class.Result{Report: &r}, report.Options{})
		},
		"student's JSON":  func(w io.Writer, r grading.Report) error { return report.ResultJSON(w, class.Result{Report: &r}) },
		"student's JUnit": func(w io.Writer, r grading.Report) error { return report.StudentJUnit(w, class.Result{Report: &r}) },
		"Gradescope":      func(w io.Writer, r grading.Report) error { return report.Gradescope(w, class.Result{Report: &r}) },
	}
	for verdict, r := range reports {
		for format, write := range formats {
			t.Run(format+", "+verdict, func(t *testing.T) {
				r.NoteList = []string{note}
				var b bytes.Buffer
				if err := write(&b, r); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(b.String(), note) {
					t.Errorf("it lacks the note:\n%.600s", b.String())
				}
			})
		}
	}
}
