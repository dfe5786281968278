package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
)

var (
	classPage  = template.Must(template.ParseFS(htmlFiles, "html/class.html"))
	classStyle = htmlStyle + embedded("html/class.css")
)

// ClassHTML writes a page about a class, for its instructor: how the marks are
// spread, which checks fail and by which case, what is alike, and all students. It
// needs neither network nor script. Page is the address of a student's own page,
// by the name of the source. An error is one of w.
func ClassHTML(w io.Writer, c class.Class, page func(source string) string) error {
	s := classSheet{
		Policy: policy(classStyle, ""), Style: template.CSS(classStyle), Course: clean(c.Course),
		Headline: classTitle(c), Lead: classLead(c),
		Spread: spread(c.Students), Alike: alike(c.Students), Flags: append(unlistedFlags(c), flagsOf(c.Students)...),
	}
	s.Checks, s.Passed = parted(classChecks(c.Students))
	for _, r := range c.Students {
		s.Students = append(s.Students, newStudentRow(r, page(r.Source)))
	}
	for _, m := range unmarked(c) {
		s.Students = append(s.Students, studentRow{Name: studentName(m.student), Words: m.words, Verdict: grading.Blocked})
	}
	if err := classPage.Execute(w, s); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// A classSheet is what the template of the class's page is filled with. All text
// in it is clean; that it can't be taken for markup is the template's care.
type classSheet struct {
	Policy template.HTMLAttr
	Style  template.CSS

	Course, Headline string
	Lead             []string
	Spread           []spreadRow
	Checks           []checkRow
	Passed           string // of the checks that are not listed
	Alike            []alikeRow
	Flags            [][2]string
	Students         []studentRow
}

func classLead(c class.Class) []string {
	var lead []string
	open := 0
	var marks []rubric.Points
	for _, r := range c.Students {
		if !r.Marks.Final {
			open++
		}
		marks = append(marks, r.Marks.Total)
	}
	if len(marks) > 0 {
		slices.Sort(marks)
		lead = append(lead, fmt.Sprintf("The marks go from %s to %s; half of the students have %s points or more.",
			marks[0], marks[len(marks)-1], marks[len(marks)/2]))
	}
	if open > 0 {
		lead = append(lead, fmt.Sprintf("%s not final: something has no verdict yet.", isOrAre(open, "mark")))
	}
	if len(c.Missing) > 0 {
		lead = append(lead, fmt.Sprintf("%s not graded yet.", isOrAre(len(c.Missing), "submission")))
	}
	if len(c.Absent) > 0 {
		lead = append(lead, count(len(c.Absent), "student")+" of the roster handed nothing in.")
	}
	return lead
}

func isOrAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return count(n, noun) + " are"
}

// A spreadRow is a range of marks, and how many students are in it.
type spreadRow struct {
	Words    string
	Students int
	Bar      int // of 100
}

// bands is how many ranges the marks are put into.
const bands = 10

// spread puts the marks into ranges that are as wide as each other, the full mark
// into one of its own.
func spread(students []class.Result) []spreadRow {
	of := outOf(class.Class{Students: students})
	if of == 0 {
		return nil
	}
	rows := make([]spreadRow, bands+1)
	for i := range rows {
		rows[i].Words = fmt.Sprintf("%s to below %s", of*rubric.Points(i)/bands, of*rubric.Points(i+1)/bands)
	}
	rows[bands].Words = of.String()
	most := 0
	for _, r := range students {
		i := bands
		for i > 0 && r.Marks.Total < of*rubric.Points(i)/bands {
			i--
		}
		rows[i].Students++
		most = max(most, rows[i].Students)
	}
	for i := range rows {
		rows[i].Bar = rows[i].Students * 100 / most
	}
	return rows
}

// A checkRow is what became of one check in a class.
type checkRow struct {
	Stage, Check              string
	Fail, Blocked, Open, Pass int
	Bar                       int    // of 100, how many fail
	Typical, Problem          string // the shortest case of most who fail, and what happens in it
}

// classChecks counts verdicts by check, in the order of the reports.
func classChecks(students []class.Result) []checkRow {
	type seen struct {
		checkRow
		cases map[[2]string]int
	}
	var all []*seen
	index := map[[2]string]*seen{}
	for _, r := range students {
		if r.Report == nil {
			continue
		}
		for _, s := range inOrder(*r.Report) {
			for _, c := range s.Checks {
				key := [2]string{s.Stage, c.Name}
				if index[key] == nil {
					index[key] = &seen{checkRow{Stage: clean(s.Stage), Check: clean(c.Name)}, map[[2]string]int{}}
					all = append(all, index[key])
				}
				index[key].add(c.Verdict)
				if c.Verdict == grading.Fail && c.Shortest != "" {
					index[key].cases[[2]string{c.Shortest, c.Problem}]++
				}
			}
		}
	}
	var rows []checkRow
	for _, s := range all {
		if total := s.Fail + s.Blocked + s.Open + s.Pass; total > 0 {
			s.Bar = s.Fail * 100 / total
		}
		s.typical(s.cases)
		rows = append(rows, s.checkRow)
	}
	slices.SortStableFunc(rows, func(a, b checkRow) int { return strings.Compare(a.Stage, b.Stage) })
	return rows
}

// parted leaves out the checks that all passed, and says how many they are.
func parted(rows []checkRow) (listed []checkRow, passed string) {
	for _, r := range rows {
		if r.Fail+r.Blocked+r.Open > 0 {
			listed = append(listed, r)
		}
	}
	if n := len(rows) - len(listed); n > 0 {
		passed = count(n, "check") + " passed wherever the stage was handed in."
	}
	return listed, passed
}

func (r *checkRow) add(v grading.Verdict) {
	switch v {
	case grading.Pass:
		r.Pass++
	case grading.Fail:
		r.Fail++
	case grading.Blocked:
		r.Blocked++
	default:
		r.Open++
	}
}

// typical takes the case that most fail by, and of these the one of the shortest
// name.
func (r *checkRow) typical(cases map[[2]string]int) {
	var best [2]string
	for c, n := range cases {
		if cmp.Or(cmp.Compare(n, cases[best]), cmp.Compare(len(best[0]), len(c[0])), cmp.Compare(best[0], c[0]), cmp.Compare(best[1], c[1])) > 0 {
			best = c
		}
	}
	if n := cases[best]; n > 0 {
		r.Typical = fmt.Sprintf("%s (%s)", brief(best[0]), count(n, "student"))
		r.Problem = brief(best[1])
	}
}

// An alikeRow names students whose work is alike.
type alikeRow struct{ What, Who string }

// alike groups students by what they have in common: the source of a stage, then
// the steps of the first failure.
func alike(students []class.Result) []alikeRow {
	sources, failures := map[string][]string{}, map[string][]string{}
	for _, r := range students {
		for stage, hash := range r.Likeness.Sources {
			key := clean(stage) + " " + hash
			sources[key] = append(sources[key], studentName(r.Student))
		}
		if hash := r.Likeness.Failure; hash != "" {
			_, failure := cameTo(r)
			key := brief(failure) + " " + hash
			failures[key] = append(failures[key], studentName(r.Student))
		}
	}
	return append(groups("the same source of stage ", sources), groups("the same steps to the failure ", failures)...)
}

// groups are the rows for those of more than one student, by key. The hash, which
// ends a key, is left out.
func groups(what string, by map[string][]string) []alikeRow {
	var keys []string
	for key, who := range by {
		if len(who) > 1 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var rows []alikeRow
	for _, key := range keys {
		rows = append(rows, alikeRow{what + key[:strings.LastIndexByte(key, ' ')] + ":", strings.Join(by[key], "; ")})
	}
	return rows
}

// maxFlags is how many flags and problems are shown of one student.
const maxFlags = 4

// maxNames is how many students are named together.
const maxNames = 6

// together are names in a line; past maxNames they are only counted.
func together(names []string) string {
	if more := len(names) - maxNames; more > 0 {
		return strings.Join(names[:maxNames], "; ") + " and " + number(more) + " more"
	}
	return strings.Join(names, "; ")
}

// flagsOf are students and a flag, or a problem with what was handed in, each:
// those of the same are named together.
func flagsOf(students []class.Result) [][2]string {
	var order []string
	who := map[string][]string{}
	for _, r := range students {
		words := slices.Clone(r.Marks.Flags)
		for _, p := range r.Problems {
			words = append(words, p.Words)
		}
		if more := len(words) - maxFlags; more > 0 {
			words = append(words[:maxFlags], number(more)+" more in results.json")
		}
		for _, w := range words {
			w = brief(w)
			if who[w] == nil {
				order = append(order, w)
			}
			who[w] = append(who[w], studentName(r.Student))
		}
	}
	var all [][2]string
	for _, w := range order {
		all = append(all, [2]string{together(who[w]), w})
	}
	return all
}

// unlistedFlags are submissions that are in no line of the roster.
func unlistedFlags(c class.Class) [][2]string {
	var all [][2]string
	for _, u := range c.Unlisted {
		all = append(all, [2]string{brief(u.Source), brief(perhaps(u))})
	}
	return all
}

// maxBrief is how many columns are shown of a text on the page of a class.
const maxBrief = 200

// brief is a text as one clean line that is not long.
func brief(s string) string {
	line := clean(s)
	if end := fit(line, maxBrief); end < len(line) {
		return line[:end] + "..."
	}
	return line
}

// A studentRow is one student in a line.
type studentRow struct {
	Name, Page, Points, Words, Failure string
	Verdict                            grading.Verdict
}

func newStudentRow(r class.Result, page string) studentRow {
	words, failure := cameTo(r)
	row := studentRow{
		Name: studentName(r.Student), Page: page, Points: r.Marks.Total.String(),
		Words: words, Failure: brief(failure),
	}
	row.Verdict, _ = unjudged(r)
	if r.Report != nil {
		row.Verdict = r.Report.Verdict
	}
	if !r.Marks.Final {
		row.Points += "?"
	}
	return row
}
