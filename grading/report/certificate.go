package report

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/certify"
	"github.com/flk-byo/de/harness/fault"
)

// Certificate writes for people what was found of a course: by stage what became
// of everything, a matrix of mutants by checks, and a summary line at the end. An
// error is one of w.
func Certificate(w io.Writer, r certify.Result, o Options) error {
	p := newPage(o)
	for _, s := range r.Stages {
		p.certifiedStage(s)
	}
	p.certificateSummary(r)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("write certificate: %w", err)
	}
	return nil
}

// CertificateSchema is the JSON Schema (draft 2020-12) of what [CertificateJSON]
// writes.
//
//go:embed schema/certificate.v1.schema.json
var CertificateSchema string

// CertificateJSON writes all of r, indented, as [CertificateSchema] describes it.
// An error is one of w.
func CertificateJSON(w io.Writer, r certify.Result) error { return writeJSON(w, r) }

func (p *page) certifiedStage(s certify.Stage) {
	p.line(0, p.style.title, fmt.Sprintf("Stage %s  %s", s.Stage, s.Title))
	p.table(2, nil, p.evidence(s))
	p.matrix(s)
	if len(s.Problems) > 0 {
		p.section(fmt.Sprintf("Problems of stage %s", s.Stage))
		for _, problem := range s.Problems {
			p.entry("  - ", problem)
		}
	}
	p.blank()
}

// evidence says what became of everything, in a row each.
func (p *page) evidence(s certify.Stage) []row {
	rows := []row{
		p.fact("reference", len(s.Reference.Failed) == 0, fmt.Sprintf("passes %d of %s, each under %s: %s cases and %s explored",
			s.Reference.Rounds-len(s.Reference.Failed), grading.Plural(s.Reference.Rounds, "round"), grading.Plural(s.Reference.Seeds, "seed"),
			number(s.Reference.Cases), number(s.Reference.Explored))),
		p.fact("skeleton", s.Skeleton.Kind == fault.NotImplemented, strings.Join([]string{string(s.Skeleton.Verdict), string(s.Skeleton.Kind)}, ", ")),
	}
	up := 0
	for _, situation := range s.Situations {
		if situation.CameUp {
			up++
		}
	}
	rows = append(rows, p.fact("situations", up == len(s.Situations), fmt.Sprintf("%d of %d came up", up, len(s.Situations))))
	content := "brief, hints, contract and schedules agree"
	if len(s.Content) > 0 {
		content = fmt.Sprintf("%d wrong in brief, hints, contract or schedules", len(s.Content))
	}
	rows = append(rows, p.fact("content", len(s.Content) == 0, content))
	killed, right := 0, 0
	for _, m := range s.Mutants {
		if m.KilledBy == m.Check {
			killed++
		}
	}
	for _, v := range s.Variants {
		if v.Verdict == grading.Pass {
			right++
		}
	}
	rows = append(rows,
		p.fact("mutants", killed == len(s.Mutants), fmt.Sprintf("%d of %d killed by their check", killed, len(s.Mutants))),
		p.fact("made", len(s.Made.Wrong) == 0, madeInWords(s.Made)),
		p.fact("variants", right == len(s.Variants), fmt.Sprintf("%d of %d pass", right, len(s.Variants))),
		p.fact("canaries", s.RightCanary == grading.Pass && s.WrongCanary == grading.Fail,
			fmt.Sprintf("the reference among the mutants: %s; a mutant among the variants: %s", s.RightCanary, s.WrongCanary)))
	return rows
}

func (p *page) fact(label string, good bool, text string) row {
	style := p.style.good
	if !good {
		style = p.style.bad
	}
	return row{style: style, cells: []string{label, clean(text)}}
}

func madeInWords(m certify.Made) string {
	killed := 0
	var by []string
	for _, check := range slices.Sorted(maps.Keys(m.KilledBy)) {
		killed += m.KilledBy[check]
		by = append(by, fmt.Sprintf("%s %d", check, m.KilledBy[check]))
	}
	text := fmt.Sprintf("%d of %d made by machine were judged: %d killed", m.Judged, m.Total, killed)
	if len(by) > 0 {
		text += " (" + strings.Join(by, ", ") + ")"
	}
	text += fmt.Sprintf(", %d at a limit, %d equivalent, %d wrong", m.TimedOut, m.Equivalent, len(m.Wrong))
	return text + fmt.Sprintf("; beside them %d did not compile, %d were the same as others", m.NotCompiled, m.Same)
}

// matrix shows which mutant broke which checks: K is the one that it is there
// for, and failed by, x another one.
func (p *page) matrix(s certify.Stage) {
	if len(s.Mutants) == 0 {
		return
	}
	checks := brokenChecks(s.Mutants)
	p.blank()
	var legend []string
	head := ""
	for i, check := range checks {
		legend = append(legend, fmt.Sprintf("%c=%s", 'a'+i, clean(check)))
		head += string(rune('a'+i)) + " "
	}
	for _, line := range wrap(strings.Join(legend, " "), p.width-2) {
		p.line(2, p.style.faint, line)
	}
	width := p.width - 2 - len(head) - 1
	p.line(2, p.style.faint, strings.Repeat(" ", width+1)+head)
	for _, m := range s.Mutants {
		marks := ""
		for _, check := range checks {
			marks += mark(m, check) + " "
		}
		name := clean(m.Name)
		name = name[:fit(name, width)]
		style := p.style.plain
		if m.KilledBy != m.Check {
			style = p.style.bad
		}
		p.line(2, style, name+strings.Repeat(" ", width+1-lipgloss.Width(name))+marks)
	}
}

// brokenChecks are the checks that a mutant breaks or is there for, in the order
// in which they come up.
func brokenChecks(mutants []certify.Mutant) []string {
	var checks []string
	for _, m := range mutants {
		for _, check := range append([]string{m.Check}, m.Broken...) {
			if !slices.Contains(checks, check) {
				checks = append(checks, check)
			}
		}
	}
	return checks
}

func mark(m certify.Mutant, check string) string {
	switch {
	case check == m.KilledBy && check == m.Check:
		return "K"
	case check == m.Check:
		return "!"
	case slices.Contains(m.Broken, check):
		return "x"
	default:
		return "."
	}
}

// certificateSummary is the last line, and what it stands on.
func (p *page) certificateSummary(r certify.Result) {
	s := r.Summary
	p.prose("In a matrix K is the check that killed the mutant, as it should, x another that it broke, and ! one that should have killed it.")
	verdict, style := "CERTIFIED", p.style.good
	if s.Problems > 0 {
		verdict, style = grading.Plural(s.Problems, "PROBLEM"), p.style.bad
		if s.Problems > 1 {
			verdict = fmt.Sprintf("%d PROBLEMS", s.Problems)
		}
	}
	if r.Every > 1 {
		p.prose(fmt.Sprintf("Of mutants and variants one in %d was judged.", r.Every))
	}
	p.prose(fmt.Sprintf("Of %d mutants made by machine %d were killed, %d came to a limit, %d are equivalent.",
		s.Made, s.MadeKilled, s.TimedOut, s.Equivalent))
	p.blank()
	p.line(0, style, fmt.Sprintf("%s: killed %d of %d, wrongly rejected %d of %d", verdict, s.Killed, s.Mutants, s.Rejected, s.Variants))
}
