package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
)

// Of a timeline of more than maxSteps rows, those are shown that are among the
// first, the last, or near the finding.
const (
	maxSteps    = 24
	firstSteps  = 4
	lastSteps   = 6
	beforeSteps = 6
	afterSteps  = 3
)

// timeline shows the steps of a case in a table, and marks the one at which the
// finding was seen; -1 is none.
func (p *page) timeline(steps []grading.Step, finding int) {
	var rows []row
	phase, hidden := "", 0
	for i, step := range steps {
		if !shown(i, len(steps), finding) {
			hidden++
			continue
		}
		rows = append(rows, p.hidden(hidden)...)
		hidden = 0
		if step.Phase != phase && step.Phase != "" {
			rows = append(rows, row{heading: "--- " + clean(step.Phase) + " ---", style: p.style.title})
		}
		phase = step.Phase
		rows = append(rows, p.step(step, i == finding))
	}
	p.states(rows)
}

func shown(i, n, finding int) bool {
	return n <= maxSteps || i < firstSteps || i >= n-lastSteps ||
		finding >= 0 && i >= finding-beforeSteps && i <= finding+afterSteps
}

func (p *page) hidden(n int) []row {
	if n == 0 {
		return nil
	}
	return []row{{heading: fmt.Sprintf("... %s: see all with --format json", count(n, "more step")), style: p.style.faint}}
}

func (p *page) step(s grading.Step, marked bool) row {
	r := row{
		cells: []string{clean(s.At), clean(s.Object), clean(s.Action), clean(s.State)},
		note:  clean(s.Note),
		style: p.style.plain,
	}
	if marked {
		r.mark, r.style = ">", p.style.bad
	}
	return r
}

// states writes the table of steps. Where there is room, the parts of a state,
// which stand two spaces apart, become columns of their own.
func (p *page) states(rows []row) {
	header := []string{"source", "object", "action", "state afterwards"}
	apart := slices.Clone(rows)
	for i, r := range rows {
		if len(r.cells) == len(header) {
			apart[i].cells = append(slices.Clone(r.cells[:len(header)-1]), strings.Split(r.cells[len(header)-1], "  ")...)
		}
	}
	if total(natural(append(slices.Clone(apart), row{cells: header}))) <= p.width-4 {
		rows = apart
	}
	p.table(4, header, rows)
}
