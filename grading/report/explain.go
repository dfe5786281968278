package report

import (
	"fmt"
	"io"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

// Explain writes the failure of a report of one case for people who want to
// understand it: all of its steps, the cases nearby, and what to do next. Where
// there is none, and there were more cases, it is as [Text]. An error is one of w.
func Explain(w io.Writer, r grading.Report, o Options) error {
	p := newPage(o)
	p.explain(r)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("write explanation: %w", err)
	}
	return nil
}

func (p *page) explain(r grading.Report) {
	p.whole = true
	switch s := detailed(r); {
	case r.Verdict == grading.Pass && s.Cases.Total == 1+len(s.Nearby):
		p.nothing(r, *s)
		p.nearby(s.Nearby)
		p.notes(r)
	case r.Verdict != grading.Fail || s.Failure == nil || headFinding(s.Failure).Kind == fault.NotImplemented:
		p.all(r)
	default:
		p.failure(r, *s)
		p.withheld(*s)
		p.nearby(s.Nearby)
		p.next(*s)
		p.notes(r)
	}
}

// nothing says that there is nothing to explain.
func (p *page) nothing(r grading.Report, s grading.StageReport) {
	p.headline(s.Verdict, stageName(r, s)+": the case passes")
	p.blank()
	p.prose("However often it was tried, it passed: alone under every seed and many more, and after itself and others. If de test says that it fails, your code keeps something from one run to the next, or a rare chance decides.")
}

// nearby shows what became of cases that differ in one thing.
func (p *page) nearby(all []grading.NearReport) {
	if len(all) == 0 {
		return
	}
	p.section("Cases nearby, with all else the same")
	var rows []row
	for _, near := range all {
		verdict := string(near.Verdict)
		if near.Verdict == grading.Inconclusive {
			verdict = "?"
		}
		rows = append(rows, row{style: p.of(near.Verdict), cells: []string{verdict, clean(near.Words), near.Check}})
	}
	p.table(2, nil, rows)
}

// next says how to go on from here.
func (p *page) next(s grading.StageReport) {
	p.section("Run just this case")
	p.command(append(p.test(s), "--case", s.Failure.Case))
	p.section("Debug it")
	p.command(append([]string{"de", "repro"}, append(p.flags, s.Failure.Case)...))
}

// explainCommand has a stage's failure explained.
func (p *page) explainCommand(s grading.StageReport) []string {
	return append(append([]string{"de", "explain"}, p.flags...), s.Failure.Case)
}
