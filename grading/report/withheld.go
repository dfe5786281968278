package report

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
)

// maxWithheld is how many results of cases that are not shown a page lists.
const maxWithheld = 10

// unseen shows a stage that fails in no case that may be shown.
func (p *page) unseen(r grading.Report, s grading.StageReport) {
	c := unseenCheck(s)
	p.headline(s.Verdict, fmt.Sprintf("%s: check %s, in cases that are not shown", stageName(r, s), clean(c.Name)))
	p.blank()
	p.prose(c.Problem)
	p.rules([][2]string{{"rule", c.Rule}, {"read", s.Stage + "-" + s.Slug + "/STAGE.md"}, {"try", advice(c.Kind)}})
}

// unseenCheck is the first check that fails, of a stage that has no case to show
// for it.
func unseenCheck(s grading.StageReport) grading.CheckReport {
	for _, c := range s.Checks {
		if c.Verdict == grading.Fail {
			return c
		}
	}
	return grading.CheckReport{Name: "?"}
}

// isUnseen tells whether a stage fails, but in no case that may be shown.
func isUnseen(s grading.StageReport) bool {
	return s.Verdict == grading.Fail && s.Failure == nil && s.Withheld != nil && len(s.Checks) > 0
}

// withheld tells what may be told of the cases of a stage that are not shown.
func (p *page) withheld(s grading.StageReport) {
	pairs := withheldPairs(s)
	if len(pairs) == 0 {
		return
	}
	p.section(notShownTitle)
	var rows []row
	for _, pair := range pairs[:p.most(len(pairs), maxWithheld)] {
		rows = append(rows, row{cells: pair[:]})
	}
	p.table(2, nil, rows)
	p.more(len(pairs)-p.most(len(pairs), maxWithheld), "result")
}

const notShownTitle = "Cases that are not shown"

// withheldPairs are labels and texts, clean.
func withheldPairs(s grading.StageReport) [][2]string {
	w := s.Withheld
	if w == nil {
		return nil
	}
	var pairs [][2]string
	if w.Hidden.Total > 0 {
		var checks []string
		for _, c := range w.Checks {
			checks = append(checks, fmt.Sprintf("%s %d", clean(c.Check), c.Failed))
		}
		pairs = append(pairs, [2]string{"hidden", failedOf(w.Hidden, strings.Join(checks, ", "))})
	}
	if w.ResultOnly.Total > 0 {
		pairs = append(pairs, [2]string{"result only", failedOf(w.ResultOnly, "")})
	}
	for _, r := range w.Results {
		pairs = append(pairs, [2]string{"", clean(fmt.Sprintf("%s: %s, %s", r.Case, r.Check, r.Kind))})
	}
	return pairs
}

// failedOf returns "2 of 14 cases failed: eos-output 2; 3 were not run".
func failedOf(c grading.Count, by string) string {
	text := fmt.Sprintf("%s of %s failed", number(c.Failed), count(c.Total, "case"))
	if by != "" {
		text += ": " + by
	}
	if c.Ran < c.Total {
		text += "; " + number(c.Total-c.Ran) + " not run"
	}
	return text
}

// withheldCases is how many cases that are not shown were run.
func withheldCases(r grading.Report) int {
	n := 0
	for _, s := range r.Stages {
		if s.Withheld != nil {
			n += s.Withheld.Hidden.Ran + s.Withheld.ResultOnly.Ran
		}
	}
	return n
}
