package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/fault"
)

// resultOf is what a student handed in, with 6.5 points for each check.
func resultOf(id, name string, r grading.Report) class.Result {
	result := class.Result{
		Version: class.Version, Course: "FLK-BYO", Fingerprint: "f1", Rubric: "b1", Source: id,
		Student: class.Student{ID: id, Name: name, Email: id + "@uni.example"},
		Hash:    "c1", Report: &r, Marks: rubric.Marks{Final: true},
		Files: []submission.File{{Path: "08-transactional-sink/sink.go", Size: 1200, SHA256: strings.Repeat("ab", 32)}},
	}
	result.Report.Elapsed = 0
	for _, s := range r.Stages {
		for _, c := range s.Checks {
			row := rubric.Row{Stage: s.Stage, Check: c.Name, Of: 650, Verdict: c.Verdict}
			switch c.Verdict {
			case grading.Pass:
				row.Points = row.Of
			case grading.Fail:
				row.Words = string(c.Kind)
			case grading.Blocked:
				row.Words = "blocked by " + c.BlockedBy
			default:
				row.Words, result.Marks.Final = "inconclusive", false
			}
			result.Marks.Total += row.Points
			result.Marks.Of += row.Of
			result.Marks.Rows = append(result.Marks.Rows, row)
		}
	}
	return result
}

// nothing is a submission that could not be read.
func nothing(id string) class.Result {
	r := resultOf(id, "", grading.Report{})
	r.Report, r.Files, r.Hash = nil, nil, ""
	r.Problems = []submission.Problem{{Words: "The archive is broken: it ends too early.", Fatal: true}}
	for _, c := range rules {
		r.Marks.Rows = append(r.Marks.Rows, rubric.Row{Stage: "08", Check: c.Name, Of: 650, Verdict: grading.Fail, Words: "nothing to judge"})
		r.Marks.Of += 650
	}
	return r
}

// unsettled is a submission of which it is not known what is to be judged.
func unsettled(id string) class.Result {
	r := nothing(id)
	r.Problems = []submission.Problem{{Words: "it could not be read: permission denied", Fatal: true}}
	r.Marks.Final, r.Marks.Flags = false, []string{"inconclusive, nothing is scored: it could not be read: permission denied; the mark is not final"}
	for i := range r.Marks.Rows {
		r.Marks.Rows[i].Verdict, r.Marks.Rows[i].Words = grading.Inconclusive, "not judged"
	}
	return r
}

// unsure is a submission whose mark is not final.
func unsure(id string) class.Result {
	s := stage08()
	s.Verdict, s.Checks = grading.Inconclusive, checks(grading.Inconclusive)
	s.Checks[0].Verdict = grading.Pass
	s.Cases.Ran, s.Explored.Ran = 400, 0
	r := resultOf(id, "Öz, Ünal", reportOf(s))
	r.Report.Problem = "The budget of 90 s was used up."
	r.Marks.Flags = []string{"stage 08: inconclusive: 9 checks: the budget was used up; the mark is not final"}
	return r
}

// nastyResult is one in which a student chose all that they can.
func nastyResult(text string) class.Result {
	r := resultOf("n", "", chosen(text))
	r.Student = class.Student{ID: text, Name: text + text, Email: text}
	r.Source, r.Problems, r.Marks.Flags = text, []submission.Problem{{Words: text}}, []string{text}
	r.Files[0].Path = text
	for i := range r.Marks.Rows {
		r.Marks.Rows[i].Words = text
	}
	for i := range r.Report.Stages[0].Failure.Finding {
		r.Report.Stages[0].Failure.Finding[i].Kind = fault.Panic
	}
	r.Report.Stages[0].Checks[1].Shortest, r.Report.Stages[0].Checks[1].Problem = text, text
	return r
}

func results() map[string]class.Result {
	return map[string]class.Result{
		"pass":      resultOf("anna", "Anna Ahrens", reportOf(stage08())),
		"fail":      resultOf("max", "Max Mustermann", reportOf(wrongOutput())),
		"unsure":    unsure("oez"),
		"nothing":   nothing("zoe"),
		"unsettled": unsettled("eve"),
		"nasty":     nastyResult(strings.Join(nasty, " ") + " ```\n~~~ | `a` =HYPERLINK(\"x\") @all [a](b)"),
	}
}

// aClass is of all results, and of two more that are alike.
func aClass() class.Class {
	c := class.Class{Version: class.Version, Course: "FLK-BYO", Rubric: "b1", Missing: []string{"late"}}
	all := results()
	for _, name := range []string{"pass", "fail", "unsure", "nothing", "unsettled", "nasty"} {
		c.Students = append(c.Students, all[name])
	}
	for _, id := range []string{"ben", "kim"} {
		r := resultOf(id, strings.ToUpper(id), reportOf(wrongOutput()))
		r.Likeness = class.Likeness{Sources: map[string]string{"08": strings.Repeat("0", 64), "01": fmt.Sprintf("%064x", id)}, Failure: strings.Repeat("1", 64)}
		c.Students = append(c.Students, r)
	}
	c.Absent = []class.Student{{ID: "0815", Name: "Ada Lovelace", Email: "ada@uni.example"}, {ID: "=4711", Name: "<b>"}}
	c.Unlisted = []class.Unlisted{{Source: "<i>zoe"}, {Source: "Ada Lovelace_99_assignsubmission_file_", Perhaps: []string{"0815"}}}
	return c
}

// formats are the files of one student.
var formats = map[string]func(io.Writer, class.Result) error{
	"txt":             func(w io.Writer, r class.Result) error { return report.StudentText(w, r, report.Options{}) },
	"md":              func(w io.Writer, r class.Result) error { return report.StudentMarkdown(w, r, report.Options{}) },
	"html":            func(w io.Writer, r class.Result) error { return report.StudentHTML(w, r, report.Options{}) },
	"xml":             report.StudentJUnit,
	"gradescope.json": report.Gradescope,
	"classroom.json":  report.Classroom,
	"json":            report.ResultJSON,
}

var embedded = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`)

func withoutEmbedded(page string) string {
	page = embedded.ReplaceAllString(page, "<$1>...</$1>")
	return regexp.MustCompile(`sha256-[^']*`).ReplaceAllString(page, "sha256-...")
}

func TestStudentFormats(t *testing.T) {
	for name, r := range results() {
		for format, write := range formats {
			got := written(t, func(w io.Writer) error { return write(w, r) })
			if again := written(t, func(w io.Writer) error { return write(w, r) }); again != got {
				t.Errorf("%s of %s is another the second time", format, name)
			}
			if format == "html" {
				got = withoutEmbedded(got)
			}
			golden(t, "student-"+name+"."+format, got)
		}
	}
}

// An appeal tells all, and what it rests on.
func TestAppeal(t *testing.T) {
	for _, name := range []string{"pass", "fail", "unsure", "nothing", "unsettled"} {
		r := results()[name]
		a := report.Appeal{
			Result: r, Notes: []string{"The marks are by another rubric."},
			Again: [][]string{{"de", "grade", "SUBMISSIONS", "--out", "again", "--only", r.Source}},
		}
		got := written(t, func(w io.Writer) error {
			return a.Explain(w, report.Options{Flags: []string{"--impl", "SUBMISSIONS/" + name}})
		})
		golden(t, "appeal-"+name+".txt", got)
		for line := range strings.SplitSeq(got, "\n") {
			if w := lipgloss.Width(line); w > 80 {
				t.Errorf("%s: %d columns: %s", name, w, line)
			}
		}
	}
}

func TestStudentTextFits(t *testing.T) {
	for name, r := range results() {
		got := written(t, func(w io.Writer) error { return report.StudentText(w, r, report.Options{}) })
		for line := range strings.SplitSeq(got, "\n") {
			if w := lipgloss.Width(line); w > 80 {
				t.Errorf("%s: %d columns: %s", name, w, line)
			}
		}
	}
}

// link stands for where a store has a student's page.
func link(source string) string { return fmt.Sprintf("students/%x/report.html", source) }

func TestClassFormats(t *testing.T) {
	c := aClass()
	golden(t, "class.txt", written(t, func(w io.Writer) error { return report.ClassText(w, c, report.Options{}) }))
	golden(t, "class.csv", written(t, func(w io.Writer) error { return report.ClassCSV(w, c) }))
	golden(t, "gradebook.csv", written(t, func(w io.Writer) error { return report.ClassGradebook(w, c) }))
	golden(t, "class.html", withoutEmbedded(written(t, func(w io.Writer) error { return report.ClassHTML(w, c, link) })))
}

// A page of a large class stays small, whatever students choose.
func TestClassHTMLIsSmall(t *testing.T) {
	c := aClass()
	for i := range 200 - len(c.Students) {
		r := resultOf(fmt.Sprintf("student-%03d", i), fmt.Sprintf("Student Number %d", i), reportOf(wrongOutput()))
		r.Likeness.Sources = map[string]string{"08": fmt.Sprintf("%064d", i/2)}
		r.Problems = slices.Repeat([]submission.Problem{{Words: strings.Repeat("p", 3000)}}, i%2*50)
		c.Students = append(c.Students, r)
	}
	got := written(t, func(w io.Writer) error { return report.ClassHTML(w, c, link) })
	if len(got) > 200_000 {
		t.Errorf("the page of %d students has %d bytes", len(c.Students), len(got))
	}
}

// Nothing that a student chose adds a kind of tag to a page.
func TestClassPagesAreInert(t *testing.T) {
	for _, text := range nasty {
		for name, write := range map[string]func(io.Writer, class.Result) error{
			"student": formats["html"],
			"class": func(w io.Writer, r class.Result) error {
				return report.ClassHTML(w, class.Class{
					Students: []class.Result{r, r}, Missing: []string{text}, Absent: []class.Student{r.Student},
					Unlisted: []class.Unlisted{{Source: text, Perhaps: []string{text}}},
				}, func(string) string { return "page.html" })
			},
		} {
			page := func(text string) map[string]bool {
				return shape(written(t, func(w io.Writer) error { return write(w, nastyResult(text)) }))
			}
			harmless := page("harmless")
			for tag := range page(text) {
				if !harmless[tag] {
					t.Errorf("%s page: %q makes %q", name, text, tag)
				}
			}
		}
	}
}

// Whatever is said of a class as a whole is the same where only gists are held, and
// the results come one by one.
func TestGistsSuffice(t *testing.T) {
	whole := aClass()
	for _, s := range samples() {
		whole.Students = append(whole.Students, resultOf(s.name, "", s.report))
	}
	gists := whole
	gists.Students = nil
	for _, r := range whole.Students {
		gists.Students = append(gists.Students, r.Gist())
	}
	for name, write := range map[string]func(io.Writer, class.Class) error{
		"CSV": report.ClassCSV, "gradebook": report.ClassGradebook,
		"text": func(w io.Writer, c class.Class) error { return report.ClassText(w, c, report.Options{}) },
		"page": func(w io.Writer, c class.Class) error {
			return report.ClassHTML(w, c, func(s string) string { return s })
		},
	} {
		got := written(t, func(w io.Writer) error { return write(w, gists) })
		if want := written(t, func(w io.Writer) error { return write(w, whole) }); got != want {
			t.Errorf("%s of gists is\n%s\nand of results\n%s", name, got, want)
		}
	}
	got := written(t, func(w io.Writer) error {
		return report.JoinedJSON(w, gists, func(yield func(class.Result, error) bool) {
			for _, r := range whole.Students {
				if !yield(r, nil) {
					return
				}
			}
		})
	})
	if want := written(t, func(w io.Writer) error { return report.ClassJSON(w, whole) }); got != want {
		t.Errorf("joined it is\n%s\nand not\n%s", got, want)
	}
}

// A class is written as encoding/json would write it in one go.
func TestClassJSONIsIndented(t *testing.T) {
	for name, c := range map[string]class.Class{"students": aClass(), "none": {Version: class.Version, Shard: &class.Shard{Index: 1, Of: 2}}} {
		text := written(t, func(w io.Writer) error { return report.ClassJSON(w, c) })
		var again bytes.Buffer
		if err := json.Indent(&again, []byte(text), "", "  "); err != nil {
			t.Fatal(err)
		}
		if again.String() != text {
			t.Errorf("%s: it is\n%s\nand not\n%s", name, text, &again)
		}
	}
}

func TestResultSchemas(t *testing.T) {
	loose, strict := schemas(t, func(s string) string { return s }), schemas(t, func(s string) string { return closed(t, s) })
	check := func(name, schema, doc string) {
		for which, s := range map[string]map[string]*jsonschema.Schema{"loose": loose, "strict": strict} {
			if err := s[schema].Validate(parsed(t, doc)); err != nil {
				t.Errorf("%s, %s: %v", name, which, err)
			}
		}
		if loose[schema].Validate(parsed(t, strings.Replace(doc, `"version": 1`, `"version": 2`, 1))) == nil {
			t.Errorf("%s: another version is accepted", name)
		}
	}
	for name, r := range results() {
		doc := written(t, func(w io.Writer) error { return report.ResultJSON(w, r) })
		check(name, "result", doc)
		back, err := class.Decode([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if again := written(t, func(w io.Writer) error { return report.ResultJSON(w, back) }); again != doc {
			t.Errorf("%s: read back, it is another", name)
		}
	}
	check("class", "class", written(t, func(w io.Writer) error { return report.ClassJSON(w, aClass()) }))
	shard := aClass()
	shard.Shard = &class.Shard{Index: 1, Of: 4, Sources: strings.Repeat("ab", 32)}
	check("shard", "class", written(t, func(w io.Writer) error { return report.ClassJSON(w, shard) }))
	check("empty class", "class", written(t, func(w io.Writer) error { return report.ClassJSON(w, class.Class{Version: 1}) }))
}

// schemas are those of a result and of a class, as change makes them.
func schemas(t *testing.T, change func(string) string) map[string]*jsonschema.Schema {
	t.Helper()
	const base = "https://github.com/flk-byo/de/grading/report/schema/"
	c, all := jsonschema.NewCompiler(), map[string]*jsonschema.Schema{}
	for name, text := range map[string]string{"report": report.Schema, "result": report.ResultSchema, "class": report.ClassSchema} {
		if err := c.AddResource(base+name+".v1.schema.json", parsed(t, change(text))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"result", "class"} {
		s, err := c.Compile(base + name + ".v1.schema.json")
		if err != nil {
			t.Fatal(err)
		}
		all[name] = s
	}
	return all
}

func parsed(t *testing.T, doc string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What the documentation of Gradescope and the code of GitHub Classroom's
// reporter and graders say of their formats; see the sources at
// [report.Gradescope] and [report.Classroom].
const (
	gradescopeSchema = `{
  "type": "object", "required": ["tests"],
  "properties": {
    "score": {"type": "number"}, "execution_time": {"type": "number"}, "output": {"type": "string"},
    "visibility": {"$ref": "#/$defs/visibility"}, "stdout_visibility": {"$ref": "#/$defs/visibility"},
    "extra_data": {}, "leaderboard": {"type": "array"},
    "tests": {"type": "array", "items": {
      "type": "object", "required": ["score"],
      "properties": {
        "score": {"type": "number"}, "max_score": {"type": "number"}, "status": {"enum": ["passed", "failed"]},
        "name": {"type": "string"}, "number": {"type": "string"}, "output": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}}, "visibility": {"$ref": "#/$defs/visibility"}, "extra_data": {}
      }
    }}
  },
  "$defs": {"visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]}}
}`
	classroomSchema = `{
  "type": "object", "required": ["version", "status", "max_score", "tests"],
  "properties": {
    "version": {"const": 1}, "status": {"enum": ["pass", "fail", "error"]}, "max_score": {"type": "number"},
    "tests": {"type": "array", "items": {
      "type": "object", "required": ["name", "status", "score", "message", "test_code", "filename", "line_no", "duration"],
      "properties": {
        "name": {"type": "string"}, "status": {"enum": ["pass", "fail", "error"]}, "score": {"type": "number"},
        "message": {"type": "string"}, "test_code": {"type": "string"}, "filename": {"type": "string"},
        "line_no": {"type": "integer"}, "duration": {"type": "number"}
      }
    }}
  }
}`
)

func TestConsumersSchemas(t *testing.T) {
	gradescope, classroom := compile(t, closed(t, gradescopeSchema)), compile(t, closed(t, classroomSchema))
	for name, r := range results() {
		got := written(t, func(w io.Writer) error { return report.Gradescope(w, r) })
		if err := gradescope.Validate(parsed(t, got)); err != nil {
			t.Errorf("Gradescope, %s: %v", name, err)
		}
		addsUp(t, name, got, r)
		got = written(t, func(w io.Writer) error { return report.Classroom(w, r) })
		if err := classroom.Validate(parsed(t, got)); err != nil {
			t.Errorf("Classroom, %s: %v", name, err)
		}
		addsUp(t, name, got, r)
	}
}

// addsUp demands that the tests of a document have the points of the result.
func addsUp(t *testing.T, name, doc string, r class.Result) {
	t.Helper()
	var all struct {
		Tests []struct{ Score rubric.Points }
	}
	if err := json.Unmarshal([]byte(doc), &all); err != nil {
		t.Fatal(err)
	}
	total := rubric.Points(0)
	for _, test := range all.Tests {
		total += test.Score
	}
	if total != r.Marks.Total {
		t.Errorf("%s: the tests have %s points together, want %s", name, total, r.Marks.Total)
	}
}

// What a mark lacks a verdict for shows to students once the instructor says so,
// and what is for the instructor never.
func TestGradescopeVisibility(t *testing.T) {
	for name, want := range map[string]string{"pass": "visible", "fail": "visible", "unsure": "after_published"} {
		got := written(t, func(w io.Writer) error { return report.Gradescope(w, results()[name]) })
		var all struct {
			Visibility string
			Tests      []struct{ Name, Visibility string }
		}
		if err := json.Unmarshal([]byte(got), &all); err != nil {
			t.Fatal(err)
		}
		if all.Visibility != want {
			t.Errorf("%s is %s, want %s", name, all.Visibility, want)
		}
		for _, test := range all.Tests {
			if (test.Name == "for the instructor") != (test.Visibility == "hidden") {
				t.Errorf("%s: %s is %s", name, test.Name, test.Visibility)
			}
		}
	}
}

func TestClassroomNamesTheLine(t *testing.T) {
	r := results()["fail"]
	r.Report.Stages[0].Failure.Finding[0].Where = "08-transactional-sink/sink.go:64"
	got := written(t, func(w io.Writer) error { return report.Classroom(w, r) })
	if !strings.Contains(got, `"filename": "08-transactional-sink/sink.go",`+"\n      "+`"line_no": 64`) {
		t.Errorf("no place in\n%s", got)
	}
}

// Whatever a student chose is no formula to a spreadsheet, which may part cells by
// semicolons, too.
func TestNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "＝1": "'＝1", " =1": " '=1", "\"=1": "\"'=1", "'=1": "''=1",
		"a;=1;": "a;'=1;", "a; \"-1": "a; \"'-1", ";;=1": ";;'=1", "\t=1": "\\t=1", "\n=1": "\\n=1",
		"": "", "a=1": "a=1", "a-b; c": "a-b; c", "6.5": "6.5", "Öz, Ünal": "Öz, Ünal",
	} {
		c := class.Class{Students: []class.Result{nothing("x")}}
		c.Students[0].Student.ID, c.Students[0].Problems[0].Words = text, text
		for name, write := range map[string]func(io.Writer, class.Class) error{"summary": report.ClassCSV, "gradebook": report.ClassGradebook} {
			rows, err := csv.NewReader(strings.NewReader(written(t, func(w io.Writer) error { return write(w, c) }))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			id, problem := rows[1][0], rows[1][len(rows[1])-1]
			if name == "gradebook" {
				id, problem = rows[1][3], want
			}
			if id != want || problem != want {
				t.Errorf("%s of %q has %q and %q, want %q", name, text, id, problem, want)
			}
		}
	}
}

// A gradebook has a field for each column in each row, and no mark that is not
// final.
func TestGradebook(t *testing.T) {
	got := written(t, func(w io.Writer) error { return report.ClassGradebook(w, aClass()) })
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"anna": {"Ahrens", "Anna", "65", "65", "65"},
		"oez":  {"Öz", "Ünal", "", "", "65"},
		"zoe":  {"", "", "0", "0", "65"},
		"late": {"", "", "", "", "65"},
		"0815": {"Lovelace", "Ada", "", "", "65"},
	}
	seen := 0
	for _, row := range rows {
		if _, ok := want[row[3]]; ok {
			seen++
		}
		if w, ok := want[row[3]]; ok && !slices.Equal(w, []string{row[4], row[5], row[7], row[9], row[10]}) {
			t.Errorf("the row is %q, want %q in it", row, w)
		}
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("a formula in %q", row)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d students have a row:\n%s", seen, len(want), got)
	}
}
