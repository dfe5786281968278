package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
)

// stages lists all of them, where there is more than one.
func (p *page) stages(r grading.Report) {
	if len(r.Stages) < 2 {
		return
	}
	title := "Stages"
	if r.Stages[len(r.Stages)-1].Regression {
		title = "Stage " + target(r).Stage + ", and those before it again"
	}
	p.section(title)
	p.stageTable(r)
}

func (p *page) stageTable(r grading.Report) {
	var rows []row
	for _, s := range inOrder(r) {
		rows = append(rows, row{style: p.of(s.Verdict), cells: []string{
			string(s.Verdict), s.Stage, clean(s.Title), outcome(s), elapsed(s),
		}})
	}
	p.table(2, nil, rows)
}

// inOrder returns the stages in the order of the course; they ran in another.
func inOrder(r grading.Report) []grading.StageReport {
	return slices.SortedStableFunc(slices.Values(r.Stages), func(a, b grading.StageReport) int {
		return strings.Compare(a.Stage, b.Stage)
	})
}

// outcome says in a few words what became of a stage.
func outcome(s grading.StageReport) string {
	switch {
	case s.Verdict == grading.Fail && s.Failure != nil:
		f := headFinding(s.Failure)
		return clean(fmt.Sprintf("%s, %s%s", f.Check, f.Kind, below(s)))
	case isUnseen(s):
		return clean(fmt.Sprintf("%s, %s%s", unseenCheck(s).Name, s.Kind, below(s)))
	case s.Verdict == grading.Fail:
		return string(s.Kind) + below(s)
	case s.BlockedBy != "":
		return "built on " + s.BlockedBy + ", which can't be compiled"
	case s.Verdict == grading.HarnessFault:
		return "a fault of de"
	case s.Cases.Ran+s.Explored.Ran == 0:
		return "not run"
	}
	return covered(s)
}

// below says which failing stages a failing one is built on.
func below(s grading.StageReport) string {
	if len(s.BuiltOn) == 0 {
		return ""
	}
	return "; built on " + strings.Join(s.BuiltOn, ", ") + ", failing too"
}

// covered returns "12 cases, 34 explored" or "5 of 12 cases, 0 of 34 explored".
func covered(s grading.StageReport) string {
	text := ran(s.Cases) + " case"
	if s.Cases.Total != 1 {
		text += "s"
	}
	if s.Explored.Total > 0 {
		text += ", " + ran(s.Explored) + " explored"
	}
	return text
}

func ran(c grading.Count) string {
	if c.Ran < c.Total {
		return number(c.Ran) + " of " + number(c.Total)
	}
	return number(c.Ran)
}

func elapsed(s grading.StageReport) string {
	if s.UnchangedSince != nil {
		return "unchanged"
	}
	if s.Elapsed == 0 {
		return ""
	}
	return seconds(s.Elapsed)
}

func seconds(m grading.Millis) string {
	return fmt.Sprintf("%.2f s", time.Duration(m).Seconds())
}

// checks lists the checks of a stage.
func (p *page) checks(s grading.StageReport) {
	if len(s.Checks) == 0 {
		return
	}
	p.section("Checks of stage " + s.Stage)
	var rows []row
	for _, c := range s.Checks {
		kind, cases, shortest := "", "", ""
		switch c.Verdict {
		case grading.Fail:
			kind, cases, shortest = string(c.Kind), count(c.Failed, "case"), c.Shortest
		case grading.Blocked:
			kind = "by " + c.BlockedBy
		}
		rows = append(rows, row{style: p.of(c.Verdict), cells: []string{
			checkVerdict(s, c), clean(c.Name), clean(kind), cases, clean(shortest),
		}})
	}
	p.table(2, []string{"", "check", "", "broken in", "shortest case"}, rows)
}

// checkVerdict is the verdict of a check in a word: one that no case was run
// for is inconclusive in a way of its own.
func checkVerdict(s grading.StageReport, c grading.CheckReport) string {
	if notRun(s, c) {
		return "not run"
	}
	return string(c.Verdict)
}

func notRun(s grading.StageReport, c grading.CheckReport) bool {
	return c.Verdict == grading.Inconclusive && s.Cases.Ran+s.Explored.Ran == 0
}
