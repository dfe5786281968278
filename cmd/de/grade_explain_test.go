package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/stages"
)

// keep writes the result of a student as de grade does.
func (s *session) keep(out string, r class.Result) {
	s.t.Helper()
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer root.Close()
	var b strings.Builder
	if err := report.ResultJSON(&b, r); err != nil {
		s.t.Fatal(err)
	}
	if err := root.MkdirAll(out+"/"+filepath.Dir(studentFile(r.Source, "x")), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := root.WriteFile(out+"/"+studentFile(r.Source, class.ResultFile), []byte(b.String()), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// A mark is explained out of the results that are there, and what is not as it
// was then is named.
func TestExplainMark(t *testing.T) {
	s := newSession(t)
	e := s.env()
	of := func(source, id, name string, change func(*class.Result)) {
		r := class.Result{
			Version: class.Version, Course: stages.Course, Fingerprint: e.fingerprint(1), Source: source,
			Rubric: rubric.Default(stages.All()).Hash(), Student: class.Student{ID: id, Name: name}, Marks: rubric.Marks{Final: true},
		}
		change(&r)
		s.keep("out", r)
	}
	of("anna", "anna", "Anna", func(*class.Result) {})
	of("max", "4711", "Max", func(r *class.Result) { r.Rubric, r.Fingerprint = "other", "other" })
	of("other", "4712", "Max", func(r *class.Result) { r.Course = "OTHER" })
	of("torn", "torn", "", func(*class.Result) {})
	if err := os.WriteFile(s.resultFile("out", "torn"), []byte(`{"version": 1, "points": 100}`), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		args    []string
		code    int
		has, no []string
	}{
		{"as it was", []string{"anna"}, exitPass, []string{"Anna (anna)", "de grade SUBMISSIONS --out again --only anna"}, []string{"note:"}},
		{"by ID, with another rubric", []string{"4711"}, exitPass, []string{"Max (4711)", "another rubric", "another version of de"}, nil},
		{"two of a name", []string{"Max"}, exitUsage, []string{"2 students are called Max"}, nil},
		{"of another course", []string{"other"}, exitUsage, []string{"of the course OTHER"}, nil},
		{"not as it was written", []string{"torn"}, exitUsage, []string{"the result of torn can't be used", `unknown field "points"`}, nil},
		{"nobody", []string{"ana"}, exitUsage, []string{"there is no result of ana; did you mean anna?"}, nil},
		{"with what it has no use for", []string{"anna", "--resume"}, exitUsage, []string{"leave out --resume"}, nil},
	}
	for _, test := range tests {
		s.output.Reset()
		code := s.env().run(append([]string{"grade", "--out", "out", "--explain"}, test.args...))
		got := s.output.String()
		if code != test.code {
			t.Errorf("%s: exit code %d, want %d\n%s", test.name, code, test.code, got)
		}
		for _, want := range test.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", test.name, want, got)
			}
		}
		for _, none := range test.no {
			if strings.Contains(got, none) {
				t.Errorf("%s: %q in\n%s", test.name, none, got)
			}
		}
	}
}
