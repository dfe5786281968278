package rubric

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
)

// Mark gives the points for what a report says. A check that passes has its
// points, one that fails or is blocked has none, and says so. What is
// inconclusive, or a fault of the harness, has none yet, and is flagged.
func (r Rubric) Mark(report grading.Report) Marks {
	m := marker{report: report, marks: Marks{Final: true, Rows: []Row{}}}
	switch {
	case report.Verdict == grading.HarnessFault:
		m.open(true, "harness fault, nothing is scored", report.Problem)
	case m.unjudged():
		m.open(true, "inconclusive, nothing is scored", report.Problem)
	}
	var gates []seen
	for _, s := range r.Stages {
		stage := m.see(s)
		m.flag(stage)
		if s.Regression == "" {
			m.byCheck(stage)
			continue
		}
		m.asWhole(stage)
		if s.Regression == Gate && stage.verdict != grading.Pass {
			gates = append(gates, stage)
		}
	}
	for _, stage := range gates {
		take(m.marks.Rows, "gate stage "+stage.rules.ID+" "+became(stage.verdict))
	}
	for _, row := range m.marks.Rows {
		m.marks.Total += row.Points
		m.marks.Of += row.Of
	}
	return m.marks
}

type marker struct {
	report grading.Report
	marks  Marks
}

// A seen stage is what the report says of one.
type seen struct {
	rules   Stage
	verdict grading.Verdict
	problem string
	checks  []seenCheck // as rules has them
}

type seenCheck struct {
	name    string
	verdict grading.Verdict
	words   string
}

// see finds in the report what it says of a stage and each of its checks.
func (m *marker) see(s Stage) seen {
	report, ok := m.stageReport(s.ID)
	stage := seen{rules: s, verdict: report.Verdict, problem: report.Problem}
	all := func(verdict grading.Verdict, words string) seen {
		stage.verdict = verdict
		for _, c := range s.Checks {
			stage.checks = append(stage.checks, seenCheck{c.Name, verdict, words})
		}
		return stage
	}
	switch {
	case m.report.Verdict == grading.HarnessFault, report.Verdict == grading.HarnessFault:
		return all(grading.HarnessFault, "harness fault, not scored")
	case m.unjudged():
		return all(grading.Inconclusive, "not judged")
	case !ok:
		return all(grading.Fail, "nothing to judge")
	case report.BlockedBy != "":
		return all(grading.Blocked, "blocked by stage "+report.BlockedBy)
	case len(report.Checks) == 0 && report.Verdict == grading.Fail:
		return all(grading.Fail, string(report.Kind))
	}
	for _, c := range s.Checks {
		stage.checks = append(stage.checks, seeCheck(c.Name, report.Checks))
	}
	return stage
}

// unjudged tells whether nothing was judged, though something may be to be.
func (m *marker) unjudged() bool {
	return m.report.Verdict == grading.Inconclusive && len(m.report.Stages) == 0
}

func (m *marker) stageReport(id string) (grading.StageReport, bool) {
	for _, s := range m.report.Stages {
		if s.Stage == id {
			return s, true
		}
	}
	return grading.StageReport{}, false
}

func seeCheck(name string, reports []grading.CheckReport) seenCheck {
	for _, c := range reports {
		switch {
		case c.Name != name:
			continue
		case c.Verdict == grading.Pass:
			return seenCheck{name, c.Verdict, ""}
		case c.Verdict == grading.Blocked:
			return seenCheck{name, c.Verdict, "blocked by " + c.BlockedBy}
		case c.Verdict == grading.Fail:
			return seenCheck{name, c.Verdict, string(c.Kind)}
		case c.Verdict == grading.HarnessFault:
			return seenCheck{name, c.Verdict, "harness fault, not scored"}
		}
		return seenCheck{name, grading.Inconclusive, "inconclusive"}
	}
	return seenCheck{name, grading.Inconclusive, "not judged"}
}

// flag tells the instructor of what was left open in a stage.
func (m *marker) flag(stage seen) {
	if m.report.Verdict == grading.HarnessFault || m.unjudged() {
		return // one flag says it of all stages
	}
	open := map[grading.Verdict][]string{}
	bears := stage.rules.Regression == Gate
	for i, c := range stage.checks {
		if isOpen(c.verdict) {
			open[c.verdict] = append(open[c.verdict], c.name)
			bears = bears || stage.rules.Checks[i].Points > 0 || c.name == stage.rules.Gate
		}
	}
	if v := stage.verdict; isOpen(v) && len(open) == 0 { // each check has a verdict, yet it was not at its end
		open[v] = names(stage.checks)
		bears = bears || stage.rules.Points > 0
	}
	if v := stage.gate(); v != grading.Pass && !isOpen(v) {
		bears = false // its points are gone, whatever the others are
	}
	for _, verdict := range []grading.Verdict{grading.Inconclusive, grading.HarnessFault} {
		if len(open[verdict]) > 0 {
			words := fmt.Sprintf("stage %s: %s: %s", stage.rules.ID, verdict, which(open[verdict], len(stage.checks)))
			m.open(bears, words, stage.problem)
		}
	}
}

// gate is the verdict of the check that is the stage's gate; it passes where
// there is none.
func (s seen) gate() grading.Verdict {
	for _, c := range s.checks {
		if c.name == s.rules.Gate {
			return c.verdict
		}
	}
	return grading.Pass
}

func names(checks []seenCheck) []string {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	return names
}

// isOpen tells of a verdict that it is none yet.
func isOpen(v grading.Verdict) bool { return v == grading.Inconclusive || v == grading.HarnessFault }

func which(names []string, of int) string {
	if len(names) == of {
		return fmt.Sprintf("all %d checks", of)
	}
	return strings.Join(names, ", ")
}

// open takes down that something has no verdict, why, if that is known, and
// whether points hang on it.
func (m *marker) open(bears bool, words, why string) {
	if why != "" {
		words += ": " + why
	}
	if bears {
		m.marks.Final = false
		words += "; the mark is not final"
	}
	m.marks.Flags = append(m.marks.Flags, words)
}

// byCheck adds a row for each check of a stage.
func (m *marker) byCheck(stage seen) {
	var rows []Row
	for i, c := range stage.checks {
		row := Row{Stage: stage.rules.ID, Check: c.name, Of: stage.rules.Checks[i].Points, Verdict: c.verdict, Words: c.words}
		if c.verdict == grading.Pass {
			row.Points = row.Of
		}
		rows = append(rows, row)
	}
	if gate := stage.gate(); gate != grading.Pass {
		take(rows, "gate "+stage.rules.Gate+" "+became(gate))
	}
	m.marks.Rows = append(m.marks.Rows, rows...)
}

// asWhole adds one row for a stage.
func (m *marker) asWhole(stage seen) {
	row := Row{Stage: stage.rules.ID, Of: stage.rules.Points, Verdict: stage.verdict}
	passed, words := 0, map[string]int{}
	for i, c := range stage.checks {
		words[c.words]++
		if c.verdict == grading.Pass {
			passed++
			row.Points += stage.rules.Checks[i].Points
		}
	}
	row.Words = fmt.Sprintf("%d of %d checks", passed, len(stage.checks))
	if n := len(stage.checks); passed == 0 && n > 0 && words[stage.checks[0].words] == n {
		row.Words = stage.checks[0].words // the same is to be said of all of them
	}
	m.marks.Rows = append(m.marks.Rows, row)
}

// take takes the points of rows, and says why.
func take(rows []Row, why string) {
	for i, row := range rows {
		if row.Points == 0 {
			continue
		}
		rows[i].Points, rows[i].Words = 0, why
		if row.Words != "" {
			rows[i].Words = row.Words + "; " + why
		}
	}
}

// became says in a word what a gate did that did not pass.
func became(v grading.Verdict) string {
	if isOpen(v) {
		return "has no verdict yet"
	}
	return "failed"
}
