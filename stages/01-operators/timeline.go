package operators

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

// timeline is what happened, in rows that people can read.
func (a *attempt) timeline() []grading.Step {
	rows, _ := a.rows()
	return rows
}

// rows returns the timeline, and the index of the row where it first goes wrong.
func (a *attempt) rows() (rows []grading.Step, wrong int) {
	for i, e := range a.log {
		begin := grading.Step{Object: e.object(), Action: e.action()}
		if !e.uses() && e.op.Name != opAgain && e.op.Name != opSwap {
			begin.Note = e.node.function.doc
		}
		rows = append(rows, begin)
		before := len(rows)
		at := mismatch(e.trace.events, e.want)
		rows = append(rows, e.told(at)...)
		if e.over {
			rows = append(rows, e.end())
		}
		if i == a.at {
			wrong = len(rows) - 1
			if at >= 0 && e.over {
				wrong = before + at
			}
		}
	}
	return rows, wrong
}

// told returns a row for each event of a step, of which that at the index is
// not as it should be.
func (e entry) told(at int) []grading.Step {
	var rows []grading.Step
	for i, event := range e.trace.events {
		row := grading.Step{Object: event.object(), Action: event.action(e.trace.gave[i])}
		switch {
		case i == at && i < len(e.want):
			row.Note = "expected " + e.want[i].noun()
		case i == at:
			row.Note = "expected nothing more"
		}
		rows = append(rows, row)
	}
	if at == len(rows) && e.over {
		missing := e.want[at]
		rows = append(rows, grading.Step{Object: missing.object(), Action: "nothing", Note: "expected " + missing.noun()})
	}
	return rows
}

// end is the row of what came out of a step.
func (e entry) end() grading.Step {
	row := grading.Step{Object: e.object(), Action: e.verb() + " " + list(e.got)}
	if !slices.Equal(e.got, e.due) {
		row.Note = "expected " + list(e.due)
	}
	return row
}

// object is the column that says whose a row is.
func (s step) object() string { return fmt.Sprintf("operator %d", s.node.number) }

func (e event) object() string {
	if e.kind == out {
		return "output"
	}
	return fmt.Sprintf("%d %s", e.leaf.number, e.leaf.text())
}

func (s step) action() string {
	switch s.op.Name {
	case opRun:
		return "run " + list(s.source)
	case opProcess:
		return "process " + diff.Record(s.source[0])
	case opChain:
		return "make a chain of " + s.node.numbers()
	case opAgain:
		return "use it once more"
	case opSwap:
		return "turn to it"
	case opOwn:
		return s.op.String()
	default:
		return "make " + s.op.String()
	}
}

// numbers lists the parts of a chain.
func (n *node) numbers() string {
	if len(n.parts) == 0 {
		return "nothing"
	}
	var all []string
	for _, p := range n.parts {
		all = append(all, fmt.Sprint(p.number))
	}
	return strings.Join(all, ", ")
}

// did and verb say what a step brought about, in a sentence and in a row.
func (s step) did() string {
	if s.op.Name == opRun {
		return "Run returned"
	}
	return fmt.Sprintf("Process of %s emitted", diff.Record(s.source[0]))
}

func (s step) verb() string {
	if s.op.Name == opRun {
		return "returned"
	}
	return "emitted in all"
}

// action tells of an event, and what our function gave.
func (e event) action(gave []stream.Record) string {
	r := diff.Record(e.record)
	switch {
	case e.kind == out && e.late:
		return "late: " + r
	case e.kind == out:
		return r
	case e.kind == emitted:
		return "emits " + r
	}
	switch e.leaf.op.Name {
	case opMap:
		return fmt.Sprintf("called with %s, returns %s", r, diff.Record(gave[0]))
	case opFilter:
		return fmt.Sprintf("called with %s, returns %t", r, len(gave) == 1)
	default:
		return fmt.Sprintf("called with %s, will emit %d", r, len(gave))
	}
}

// maxListed is how many records a list shows.
const maxListed = 6

func list(rs []stream.Record) string {
	words := make([]string, 0, maxListed+1)
	for i, r := range rs {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(rs)-i))
			break
		}
		words = append(words, diff.Record(r))
	}
	return "[" + strings.Join(words, ", ") + "]"
}
