package operators

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

// timeline is what happened, in rows that people can read.
func (a *attempt) timeline() []grading.Step { return a.rows }

// tell adds a row for each event of a step, and returns the index of the row
// where the first is that is not as it should be, or -1.
func (a *attempt) tell(t *trace, want []event) int {
	at := mismatch(t.events, want)
	for i, e := range t.events {
		row := grading.Step{Object: e.object(), Action: e.action(t.gave[i])}
		if i == at && i < len(want) {
			row.Note = "expected " + want[i].noun()
		} else if i == at {
			row.Note = "expected nothing more"
		}
		a.rows = append(a.rows, row)
	}
	if at < 0 {
		return -1
	}
	if at == len(t.events) {
		a.rows = append(a.rows, grading.Step{Object: want[at].object(), Action: "nothing", Note: "expected " + want[at].noun()})
	}
	return len(a.rows) - max(len(t.events)-at, 1)
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
