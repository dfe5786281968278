package windows

import (
	"fmt"
	"math"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

// timeline is the plan in rows that people can read, up to the step at which f
// showed. Its state is that of an operator as it should be: the watermark, the
// windows that are not gone, and how many records were late.
func (p *plan) timeline(f *failure) []grading.Step {
	end := p.upTo(f)
	rows := make([]grading.Step, 0, end)
	for i := range p.steps[:end] {
		s := &p.steps[i]
		row := grading.Step{Object: s.object(), Action: s.action()}
		switch s.op.Name {
		case opCustom:
			row.State = shapeDocs[s.op.Args[0]]
		case opAssign:
			row.State = "should return " + windowList(s.windows)
		case opRecord, opAdvance:
			row.State = p.state(s)
			if len(s.answer.results) > 0 {
				row.Note = "should return " + resultList(s.answer.results)
			}
		}
		if f != nil && i == f.Step && f.Fault == nil && f.seen != "" {
			row.Note = "returned " + f.seen // what it should is in the problem
		}
		rows = append(rows, row)
	}
	return rows
}

// upTo is how many steps there are up to the one at which f showed.
func (p *plan) upTo(f *failure) int {
	if f == nil || f.Step < 0 {
		return len(p.steps)
	}
	return min(len(p.steps), f.Step+1)
}

func (s *step) object() string {
	if s.operator < 0 {
		return "assigner"
	}
	return fmt.Sprintf("operator %d", s.operator+1)
}

// state is that of the step's operator after it.
func (p *plan) state(s *step) string {
	o := p.operators[s.operator]
	now := o.events[s.at].after
	word := "none yet"
	if now != math.MinInt64 {
		word = watermark(now)
	}
	text := fmt.Sprintf("watermark %s  windows %s", word, list(p.there(o, s.at), total, "none"))
	if n := len(s.answer.late); n > 0 {
		text += fmt.Sprintf("  late %d", n)
	}
	return text
}

// there is the windows that are not gone after event n of o, with their totals:
// those that would fire by one watermark, had none come.
func (p *plan) there(o operatorPlan, n int) []contract.Result {
	now := o.events[n].after
	if o.made.Name == opSession {
		return sessionsThere(o.made.Args[0], o.lateness, o.events[:n+1])
	}
	b := newBatch(windowsOf(o.windows), o.lateness, o.events)
	return b.totals(n, func(_ string, w contract.Window) bool { return !gone(w, o.lateness, now) })
}

// total is "a [0,10) 3/2", sum and count, as in the brief.
func total(r contract.Result) string {
	return fmt.Sprintf("%s %s %d/%d", key(r.Key), window(r.Window), r.Sum, r.Count)
}
