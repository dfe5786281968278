package report

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

// How much of a failure is shown; all of it is in the JSON.
const (
	maxDiagnostics = 10
	maxDiff        = 20
	maxPrinted     = 12
	maxPrintedLine = 3 // lines of the page for one
	maxFindings    = 9 // beside the first
)

// fail shows a failing stage, and ends with the command to run it again.
func (p *page) fail(r grading.Report, s grading.StageReport) {
	words := p.test(s)
	again := "Run it again"
	switch {
	case isUnseen(s):
		p.unseen(r, s)
		p.withheld(s)
		p.checks(s)
		p.stages(r)
	case s.Failure == nil:
		p.notBuilt(r, s)
		p.stages(r)
	case headFinding(s.Failure).Kind == fault.NotImplemented:
		p.notImplemented(r, s)
		p.stages(r)
	default:
		p.failure(r, s)
		p.withheld(s)
		p.checks(s)
		p.stages(r)
		words = append(words, "--case", s.Failure.Case)
		again = "Run just this case"
	}
	if r.Problem != "" {
		p.blank()
		p.lines(2, r.Problem)
	}
	if text := unchanged(r); text != "" {
		p.blank()
		p.lines(2, "Unchanged: "+text+".")
	}
	p.section(again)
	p.command(words)
	if s.Failure != nil && headFinding(s.Failure).Kind != fault.NotImplemented {
		p.section("Have it explained")
		p.command(p.explainCommand(s))
	}
	p.hint(s)
}

// hint offers the next hint, where it or a later one is about the rule that was
// broken.
func (p *page) hint(s grading.StageReport) {
	if p.hints == nil || s.Failure == nil || headFinding(s.Failure).Fault != nil {
		return
	}
	if about := s.Failure.Hint; about > p.hints[s.Stage] {
		p.rules([][2]string{{"hint", fmt.Sprintf("de hint %s; hint %d is about this", s.Stage, about)}})
	}
}

// notBuilt shows why no case ran.
func (p *page) notBuilt(r grading.Report, s grading.StageReport) {
	p.headline(s.Verdict, fmt.Sprintf("%s: %s", stageName(r, s), s.Kind))
	p.blank()
	if s.Problem != "" {
		p.lines(2, s.Problem)
	}
	for _, d := range s.Compile[:p.most(len(s.Compile), maxDiagnostics)] {
		p.lines(2, place(d)+": "+d.Message)
	}
	p.more(len(s.Compile)-p.most(len(s.Compile), maxDiagnostics), "message")
	if s.Cases.Ran == 0 {
		p.blank()
		p.prose("No case was run.")
	}
	p.rules([][2]string{{"try", advice(s.Kind)}})
}

func place(d grading.Diagnostic) string {
	text := d.File
	if d.Line > 0 {
		text += fmt.Sprintf(":%d", d.Line)
		if d.Column > 0 {
			text += fmt.Sprintf(":%d", d.Column)
		}
	}
	return text
}

// notImplemented names what is to be written next.
func (p *page) notImplemented(r grading.Report, s grading.StageReport) {
	f := headFinding(s.Failure)
	p.headline(s.Verdict, stageName(r, s)+": not implemented yet")
	method, where := "the method", ""
	if f.Fault != nil {
		where = f.Fault.Where
		if _, name, ok := strings.Cut(f.Fault.Message, ": "); ok {
			method = name
		}
	}
	p.blank()
	next := "write " + method
	if where == "" {
		p.prose(method)
	} else {
		p.prose(method + ", at " + where)
		file, _, _ := strings.Cut(where, ":")
		next = "open " + file + " and " + next
	}
	p.rules([][2]string{{"next", next}, {"read", section(s)}, {"so far", progress(s)}})
}

func progress(s grading.StageReport) string {
	var passed []string
	for _, c := range s.Checks {
		if c.Verdict == grading.Pass {
			passed = append(passed, c.Name)
		}
	}
	if len(passed) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s pass: %s", len(passed), count(len(s.Checks), "check"), strings.Join(passed, ", "))
}

// failure shows one failing case: what happened, what it was given, what it did.
func (p *page) failure(r grading.Report, s grading.StageReport) {
	f := headFinding(s.Failure)
	p.headline(s.Verdict, clean(fmt.Sprintf("%s: check %s, %s", stageName(r, s), f.Check, f.Kind)))
	p.blank()
	p.prose(f.Problem)
	p.where(f)
	if o := otherwise(s.Failure); o != "" {
		p.blank()
		p.prose(o)
	}
	p.section("The case")
	p.facts(s.Failure)
	if len(s.Failure.Steps) > 0 {
		p.section("What it did")
		p.timeline(s.Failure.Steps, f.Step, s.Failure.Unsafe)
		if p.whole {
			p.legend(f, s.Failure.Unsafe)
		}
	}
	p.diff("Two runs, where they part", f.Apart)
	p.diff("Expected and seen", f.Diff)
	p.rules(lesson(s, f))
	p.others(s.Failure.Finding)
	p.died(s, f)
	p.printed(s.Failure.Printed)
}

// where shows the line that a finding is about.
func (p *page) where(f grading.Finding) {
	if at := atOf(f); at != "" {
		p.prose("at " + at)
		if f.Source != "" {
			p.wrapped(6, p.style.plain, clean(f.Source))
		}
	}
}

// otherwise says what another seed came to, or is empty.
func otherwise(f *grading.Failure) string {
	if f.Otherwise == "" {
		return ""
	}
	return "It went otherwise under another seed: " + f.Otherwise
}

// atOf is the line that a finding is about, or empty.
func atOf(f grading.Finding) string {
	if f.Where == "" && f.Fault != nil {
		return f.Fault.Where
	}
	return f.Where
}

// lesson is what to learn from a finding. Where the solution died it broke no
// rule yet.
func lesson(s grading.StageReport, f grading.Finding) [][2]string {
	pairs := [][2]string{{"read", section(s)}, {"try", advice(f.Kind)}}
	if f.Fault == nil {
		pairs = append([][2]string{{"rule", rule(s, f.Check)}, {"why", s.Failure.Why}}, pairs...)
	}
	return pairs
}

func headFinding(f *grading.Failure) grading.Finding {
	if len(f.Finding) == 0 {
		return grading.Finding{Step: -1}
	}
	return f.Finding[0]
}

func (p *page) facts(f *grading.Failure) {
	p.wrapped(2, p.style.plain, clean(f.Case))
	var rows []row
	for _, fact := range f.Input {
		rows = append(rows, row{cells: []string{clean(fact.Name), clean(fact.Value)}})
	}
	p.table(4, nil, rows)
}

func (p *page) diff(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.section(title)
	for _, line := range lines[:p.most(len(lines), maxDiff)] {
		style := p.style.plain
		switch {
		case strings.HasPrefix(line, "-"):
			style = p.style.bad
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "!"):
			style = p.style.unsure
		}
		p.wrapped(2, style, clean(line))
	}
	p.more(len(lines)-p.most(len(lines), maxDiff), "line")
}

// rules shows labelled sentences, leaving out those without text.
func (p *page) rules(pairs [][2]string) {
	var rows []row
	for _, pair := range pairs {
		if pair[1] != "" {
			rows = append(rows, row{style: p.style.title, cells: []string{pair[0], clean(pair[1])}})
		}
	}
	if len(rows) > 0 {
		p.blank()
		p.table(2, nil, rows)
	}
}

func rule(s grading.StageReport, check string) string {
	for _, c := range s.Checks {
		if c.Name == check {
			return c.Rule
		}
	}
	return ""
}

func section(s grading.StageReport) string {
	file := s.Stage + "-" + s.Slug + "/STAGE.md"
	if s.Failure.Section == "" {
		return file
	}
	return fmt.Sprintf("%q in %s", s.Failure.Section, file)
}

// others shows what else the case broke.
func (p *page) others(findings []grading.Finding) {
	if len(findings) < 2 {
		return
	}
	p.section("Also broken in this case")
	others := findings[1:]
	var rows []row
	for _, f := range others[:p.most(len(others), maxFindings)] {
		rows = append(rows, row{cells: []string{clean(f.Check), clean(f.Problem)}})
	}
	p.table(2, nil, rows)
	p.more(len(others)-p.most(len(others), maxFindings), "rule")
}

// An end is how the solution died.
type end struct {
	title  string
	words  string      // what of, unless the problem said so
	frames [][2]string // functions and lines, the innermost first
}

// endOf returns nil where there is nothing to tell.
func endOf(s grading.StageReport, f grading.Finding) *end {
	if f.Fault == nil {
		return nil
	}
	e := end{title: "Where it died"}
	if f.Kind == fault.TimeLimit {
		e.title = "What was running"
	}
	if !strings.Contains(strings.ToLower(f.Problem), strings.ToLower(f.Fault.Message)) {
		e.words = fmt.Sprintf("%s: %s", f.Fault.Kind, f.Fault.Message)
	}
	for _, frame := range f.Fault.Frames {
		i := strings.LastIndexByte(frame, ' ')
		name := strings.TrimPrefix(frame[:max(i, 0)], s.Stage+"-"+s.Slug+".")
		e.frames = append(e.frames, [2]string{clean(name), clean(frame[i+1:])})
	}
	if e.words == "" && e.frames == nil {
		return nil
	}
	return &e
}

func (p *page) died(s grading.StageReport, f grading.Finding) {
	e := endOf(s, f)
	if e == nil {
		return
	}
	p.section(e.title)
	if e.words != "" {
		p.prose(e.words)
	}
	var rows []row
	for _, frame := range e.frames {
		rows = append(rows, row{cells: frame[:]})
	}
	p.table(2, nil, rows)
}

func (p *page) printed(s string) {
	if s == "" {
		return
	}
	p.section("What it printed")
	lines := split(s)
	for _, line := range lines[:p.most(len(lines), maxPrinted)] {
		first, rest := cut(line, p.width-4)
		parts := append([]string{first}, wrap(rest, p.width-4)...)
		for _, part := range short(parts, maxPrintedLine, p.width-4) {
			p.WriteString("  |")
			p.line(1, p.style.plain, part)
		}
	}
	p.more(len(lines)-p.most(len(lines), maxPrinted), "line")
}

// most is how many of n things are shown: up to a limit, unless the page shows
// all.
func (p *page) most(n, limit int) int {
	if p.whole {
		return n
	}
	return min(n, limit)
}

// more says that n things were left out, and where to find them.
func (p *page) more(n int, noun string) {
	if n > 0 {
		p.line(2, p.style.faint, fmt.Sprintf("... %s: see all with --format json", count(n, "more "+noun)))
	}
}
