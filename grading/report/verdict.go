package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
)

// pass says what was covered, for a pass is worth no more than that.
func (p *page) pass(r grading.Report) {
	if len(r.Stages) == 1 {
		s := r.Stages[0]
		p.headline(r.Verdict, fmt.Sprintf("%s: %s%s", stageName(r, s), covered(s), after(", ", tookOrUnchanged(s))))
	} else {
		p.headline(r.Verdict, count(len(r.Stages), "stage")+about(r)+after(", in ", took(r.Elapsed)))
	}
	p.stages(r)
	p.section("Covered")
	p.table(2, nil, coverage(r))
}

// coverage says what was run, as rows of a label and a text.
func coverage(r grading.Report) []row {
	cases, checks := 0, 0
	var explored []row
	for _, s := range inOrder(r) {
		cases += s.Cases.Ran
		checks += len(s.Checks)
		if s.Explored.Ran == 0 {
			continue
		}
		text := exploredText(s)
		if len(r.Stages) > 1 {
			text = "stage " + s.Stage + ": " + text
		}
		explored = append(explored, row{cells: []string{"explored", text}})
	}
	rows := append([]row{{cells: []string{"cases", number(cases) + " of the schedules, " + seeds(r)}}}, unrepeated(explored)...)
	if n := withheldCases(r); n > 0 {
		rows = append(rows, row{cells: []string{"not shown", count(n, "case") + " beside them"}})
	}
	text := number(checks)
	if len(r.Stages) == 1 {
		text += ": " + checkNames(r.Stages[0])
	}
	rows = append(rows, row{cells: []string{"checks", text}})
	if text := unchanged(r); text != "" {
		rows = append(rows, row{cells: []string{"unchanged", text}})
	}
	return rows
}

// unchanged says which stages were not judged again, and since when nothing has
// changed; empty if all were judged.
func unchanged(r grading.Report) string {
	var since time.Time
	var stages []string
	for _, s := range inOrder(r) {
		if s.UnchangedSince == nil {
			continue
		}
		stages = append(stages, s.Stage)
		if since.IsZero() || s.UnchangedSince.Before(since) {
			since = *s.UnchangedSince
		}
	}
	if stages == nil {
		return ""
	}
	which := "stage " + stages[0]
	switch {
	case len(stages) == len(r.Stages) && len(stages) > 1:
		which = "all stages"
	case len(stages) > 1:
		which = "stages " + strings.Join(stages, ", ")
	}
	return fmt.Sprintf("%s, since %s; --fresh judges again", which, at(since))
}

func at(t time.Time) string { return t.Format("15:04 on 2 January") }

// tookOrUnchanged is how long a stage took, or since when nothing has changed.
func tookOrUnchanged(s grading.StageReport) string {
	if s.UnchangedSince != nil {
		return "unchanged since " + at(*s.UnchangedSince)
	}
	return took(s.Elapsed)
}

// took is how long something took, or empty where times are told elsewhere.
func took(d grading.Millis) string {
	if d == 0 {
		return ""
	}
	return seconds(d)
}

// after is a text after some words, or nothing if it is empty.
func after(words, text string) string {
	if text == "" {
		return ""
	}
	return words + text
}

func exploredText(s grading.StageReport) string {
	if s.Bound == "" {
		return number(s.Explored.Ran)
	}
	return number(s.Explored.Ran) + ", " + clean(s.Bound)
}

func checkNames(s grading.StageReport) string {
	var names []string
	for _, c := range s.Checks {
		names = append(names, clean(c.Name))
	}
	return strings.Join(names, ", ")
}

// unrepeated leaves the label in the first of rows only.
func unrepeated(rows []row) []row {
	for i := 1; i < len(rows); i++ {
		rows[i].cells[0] = ""
	}
	return rows
}

func seeds(r grading.Report) string {
	if r.Seeds <= 1 {
		return fmt.Sprintf("under random seed %d", r.Seed)
	}
	return fmt.Sprintf("each under %d random seeds (the first: %d)", r.Seeds, r.Seed)
}

// noPass shows the stage that decided the verdict in full, and the others in a
// line each.
func (p *page) noPass(r grading.Report) {
	s := detailed(r)
	if s == nil {
		p.headline(r.Verdict, "the run as a whole"+about(r))
		s = &grading.StageReport{Stage: target(r).Stage}
	} else if r.Verdict == grading.Fail {
		p.fail(r, *s)
		return
	} else {
		p.headline(r.Verdict, stageName(r, *s))
	}
	p.blank()
	p.lines(2, oneOf(r.Problem, s.Problem))
	if r.Verdict == grading.HarnessFault {
		p.harnessFault(r, *s)
	} else {
		p.inconclusive(r)
	}
}

func (p *page) harnessFault(r grading.Report, s grading.StageReport) {
	p.stages(r)
	p.section("This is a fault of de, not of your solution.")
	p.prose("Nothing was scored. Please report it at https://github.com/flk-byo/de/issues, with the file that this command writes:")
	p.blank()
	words := p.test(s)
	if s.Failure != nil {
		words = append(words, "--case", s.Failure.Case)
	}
	p.command(append(words, "--format", "json", "--out", "report.json"))
}

func (p *page) inconclusive(r grading.Report) {
	p.section("What ran and what did not")
	p.stageTable(r)
	p.section("This is not a pass.")
	p.prose("What did not run may still fail. To give it more time:")
	p.blank()
	budget := max(2*time.Duration(r.Budget), usualBudget)
	p.command(append(p.test(target(r)), "--budget", fmt.Sprintf("%.0fs", budget.Seconds())))
	p.blank()
	p.prose(whyLong(r))
}

// whyLong says what used up the budget: the cases, or what comes before them.
func whyLong(r grading.Report) string {
	var ran grading.Millis
	for _, s := range r.Stages {
		ran += s.Elapsed
	}
	if ran < r.Budget/4 {
		return "The first build on a machine is slow; de doctor --warm does it beforehand."
	}
	return fmt.Sprintf("The cases took %.0f s of it. The machine is busy, or the solution slow: it may leave something behind in each call, such as a goroutine.", time.Duration(ran).Seconds())
}

// usualBudget is the least that is worth trying.
const usualBudget = 90 * time.Second

// target is the stage that the run was about.
func target(r grading.Report) grading.StageReport {
	for _, s := range r.Stages {
		if !s.Regression {
			return s
		}
	}
	return grading.StageReport{}
}

// headline is the first line of a report.
func (p *page) headline(v grading.Verdict, s string) {
	p.entry(p.of(v).Render(word(v))+"  ", s)
}

// word is a verdict as a report begins with it.
func word(v grading.Verdict) string {
	return strings.ToUpper(strings.ReplaceAll(string(v), "-", " "))
}

func stageName(r grading.Report, s grading.StageReport) string {
	name := s.Stage + " " + s.Title
	if s.Regression {
		name += " (regression)"
	}
	return name + about(r)
}

// about names what was judged, where it is not the learner's solution.
func about(r grading.Report) string {
	if r.Subject == "" || r.Subject == "your solution" {
		return ""
	}
	return " (" + clean(r.Subject) + ")"
}

func oneOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
