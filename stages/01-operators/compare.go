package operators

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

// compared returns what is wrong with the events of a step, where want are
// those that the contract says, or nil. That other records came out than
// should is not among it.
func compared(got, want []event) *problem {
	at := mismatch(got, want)
	if at < 0 {
		return nil
	}
	p := &problem{}
	for _, leaf := range seen(got, want) {
		wants, gots := arrivals(want, leaf), arrivals(got, leaf)
		if diff.Multiset(wants, gots) != nil { // else only the order is wrong
			p.calls, p.leaf = misCalled(leaf, wants, gots), leaf
			break
		}
	}
	p.order = disorder(got, want, at)
	return p
}

// mismatch returns the index of the first event that is not as it should be,
// or -1. It is len(got) where something is missing at the end.
func mismatch(got, want []event) int {
	for i, e := range got {
		if i == len(want) || e != want[i] {
			return i
		}
	}
	if len(got) < len(want) {
		return len(got)
	}
	return -1
}

// seen returns the leaves whose functions were called, or should have been, in
// that order.
func seen(got, want []event) []*node {
	var leaves []*node
	for _, e := range slices.Concat(want, got) {
		if e.kind == called && !slices.Contains(leaves, e.leaf) {
			leaves = append(leaves, e.leaf)
		}
	}
	return leaves
}

func arrivals(events []event, leaf *node) []stream.Record {
	var rs []stream.Record
	for _, e := range events {
		if e.kind == called && e.leaf == leaf {
			rs = append(rs, e.record)
		}
	}
	return rs
}

// misCalled says how the calls of a function differ from those that are right.
func misCalled(leaf *node, want, got []stream.Record) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	if len(want) != len(got) {
		return fmt.Sprintf("The function of %s was called with %s instead of %s: %s for %s.",
			leaf.text(), list(got), list(want), grading.Plural(len(got), "call"), grading.Plural(len(want), "record"))
	}
	return fmt.Sprintf("Call %d of the function of %s was with %s instead of %s.",
		i+1, leaf.text(), diff.Record(got[i]), diff.Record(want[i]))
}

// disorder says what came at the wrong time, where all that should come came.
func disorder(got, want []event, at int) string {
	switch {
	case at == len(got):
		return fmt.Sprintf("In the end %s is missing.", want[at].noun())
	case got[at].late:
		return fmt.Sprintf("%s was emitted when the Process that it was emitted through had returned.", diff.Record(got[at].record))
	case at == len(want):
		return fmt.Sprintf("After all was done, there was %s.", got[at].noun())
	case at == 0:
		return fmt.Sprintf("First there was %s; it should have been %s.", got[0].noun(), want[0].noun())
	}
	return fmt.Sprintf("After %s, there was %s; first it should have been %s.", got[at-1].noun(), got[at].noun(), want[at].noun())
}

// noun names an event within a sentence.
func (e event) noun() string {
	switch e.kind {
	case called:
		return fmt.Sprintf("the call of %s with %s", e.leaf.text(), diff.Record(e.record))
	case emitted:
		return fmt.Sprintf("the emit of %s by %s", diff.Record(e.record), e.leaf.text())
	default:
		return fmt.Sprintf("the output of %s", diff.Record(e.record))
	}
}

// text names an operator as a script does, as in "map inc".
func (n *node) text() string { return n.op.String() }
