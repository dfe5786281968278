package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

//go:embed html
var htmlFiles embed.FS

var (
	htmlPage   = template.Must(template.ParseFS(htmlFiles, "html/page.html"))
	htmlStyle  = embedded("html/page.css")
	htmlScript = embedded("html/page.js")
)

func embedded(name string) string {
	text, err := htmlFiles.ReadFile(name)
	if err != nil {
		panic(err) // the name is ours
	}
	return string(text)
}

// HTML writes what [Explain] does as one page for a browser: the facts, and the
// steps as a figure to go through. It needs no network, and without scripts it
// shows all of it, too. An error is one of w.
func HTML(w io.Writer, r grading.Report, o Options) error { return newSheet(r, o).write(w) }

func (s sheet) write(w io.Writer) error {
	if err := htmlPage.Execute(w, s); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// A sheet is what the template of a page is filled with. All text in it is
// clean; that it can't be taken for markup is the template's care.
type sheet struct {
	Policy template.HTMLAttr
	Style  template.CSS
	Script template.JS

	Student *studentSheet // whose marks stand on top; nil for none

	Course   string
	Verdict  grading.Verdict
	Word     string // the verdict, as a report begins with it
	Headline string

	Text   string // of a report that has no case to show; else the rest
	Lead   []string
	Source string // of the line that the lead names

	Otherwise string // what another seed came to

	Case  string
	Facts [][2]string

	Figure  *figure
	Columns map[string]bool // that a step fills, of those that not all cases have
	Runs    []run

	Apart    []diffLine // two runs, where they part
	Diff     []diffLine
	Lesson   [][2]string
	Others   [][2]string
	End      [2]string // a title, and what it died of
	Frames   [][2]string
	Printed  []string
	Withheld [][2]string
	Nearby   []nearLine
	Commands [][2]string
	Notes    []string
}

// A run is rows of the timeline that are of one phase.
type run struct {
	Phase string
	Steps []moment
}

type diffLine struct{ Sign, Text string }

type nearLine struct{ Verdict, Words, Check string }

func newSheet(r grading.Report, o Options) sheet {
	s := sheet{
		Policy: policy(htmlStyle, htmlScript), Style: template.CSS(htmlStyle), Script: template.JS(htmlScript),
		Course: clean(r.Course), Verdict: r.Verdict,
	}
	stage := detailed(r)
	if r.Verdict != grading.Fail || stage.Failure == nil || headFinding(stage.Failure).Kind == fault.NotImplemented {
		s.asText(r, o)
	} else {
		s.Headline = clean(fmt.Sprintf("%s: check %s, %s", stageName(r, *stage), headFinding(stage.Failure).Check, headFinding(stage.Failure).Kind))
		s.failure(*stage)
		s.steps(stage.Failure)
		s.commands(*stage, o)
		for _, note := range r.NoteList {
			s.Notes = append(s.Notes, clean(note))
		}
	}
	s.Word = word(r.Verdict)
	return s
}

// policy lets a browser run and use what is on the page, and load nothing.
func policy(style, script string) template.HTMLAttr {
	return template.HTMLAttr(fmt.Sprintf(`content="default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'"`,
		digest(script), digest(style)))
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// unbroken is a width that no line is broken at: a browser does that.
const unbroken = 1 << 16

// asText takes over the text, where there is no case to show.
func (s *sheet) asText(r grading.Report, o Options) {
	p := newPage(Options{Width: unbroken, Flags: o.Flags})
	p.explain(r)
	headline, text, _ := strings.Cut(p.String(), "\n")
	s.Headline = strings.TrimSpace(strings.TrimPrefix(headline, word(r.Verdict)))
	s.Text = strings.Trim(text, "\n")
}

// failure is what Explain tells of a failing case, its steps aside.
func (s *sheet) failure(stage grading.StageReport) {
	all := stage.Failure
	f := headFinding(all)
	s.Lead = []string{clean(f.Problem)}
	if at := atOf(f); at != "" {
		s.Lead = append(s.Lead, "at "+clean(at))
		s.Source = clean(f.Source)
	}
	s.Otherwise = clean(otherwise(all))
	s.Case = clean(all.Case)
	for _, fact := range all.Input {
		s.Facts = append(s.Facts, [2]string{clean(fact.Name), clean(fact.Value)})
	}
	s.Apart, s.Diff = diffLines(f.Apart), diffLines(f.Diff)
	for _, pair := range lesson(stage, f) {
		if pair[1] != "" {
			s.Lesson = append(s.Lesson, [2]string{pair[0], clean(pair[1])})
		}
	}
	for _, other := range all.Finding[1:] {
		s.Others = append(s.Others, [2]string{clean(other.Check), clean(other.Problem)})
	}
	if e := endOf(stage, f); e != nil {
		s.End, s.Frames = [2]string{e.title, clean(e.words)}, e.frames
	}
	s.Printed = split(all.Printed)
	if all.Printed == "" {
		s.Printed = nil
	}
	s.Withheld = withheldPairs(stage)
	for _, near := range stage.Nearby {
		s.Nearby = append(s.Nearby, nearLine{string(near.Verdict), clean(near.Words), clean(near.Check)})
	}
}

func diffLines(lines []string) (all []diffLine) {
	for _, line := range lines {
		d := diffLine{Text: clean(line)}
		for _, sign := range []string{"-", "+", "!"} {
			if rest, ok := strings.CutPrefix(d.Text, sign); ok {
				d = diffLine{sign, rest}
				break
			}
		}
		d.Text = strings.TrimSpace(d.Text)
		all = append(all, d)
	}
	return all
}

// steps is the figure, and the same as rows of a table.
func (s *sheet) steps(f *grading.Failure) {
	if len(f.Steps) == 0 {
		return
	}
	s.Figure, s.Columns = newFigure(f), map[string]bool{}
	for _, m := range s.Figure.Steps {
		s.Columns["source"] = s.Columns["source"] || m.At != ""
		s.Columns["line"] = s.Columns["line"] || m.Line != ""
		if n := len(s.Runs); n == 0 || s.Runs[n-1].Phase != m.Phase {
			s.Runs = append(s.Runs, run{Phase: m.Phase})
		}
		last := &s.Runs[len(s.Runs)-1]
		last.Steps = append(last.Steps, m)
	}
}

// Width is how many columns the table of steps has.
func (s sheet) Width() int {
	width := len([]string{"step", "object", "action"}) + len(s.Figure.Lanes)
	for _, filled := range s.Columns {
		if filled {
			width++
		}
	}
	return width
}

// commands are how to go on from here.
func (s *sheet) commands(stage grading.StageReport, o Options) {
	p := newPage(o)
	s.Commands = [][2]string{
		{"Run just this case", shellLine(append(p.test(stage), "--case", stage.Failure.Case))},
		{"Debug it", shellLine(append([]string{"de", "repro"}, append(p.flags, stage.Failure.Case)...))},
	}
}

// shellLine is a command on one line.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(escape(word))
	}
	return strings.Join(quoted, " ")
}
