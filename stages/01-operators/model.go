package operators

import (
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// Kinds of events.
const (
	called  = "called"  // a function of ours, with the record
	emitted = "emitted" // a function of ours did, the record
	out     = "out"     // the operator emitted the record, at the end of the stream
)

// An event is something that can be seen of a run, from outside.
type event struct {
	kind   string
	leaf   *node // whose function it is; nil for out
	record stream.Record
	late   bool // of out: not while its Process ran
}

// bodies are the functions of a case at work, by leaf. What they remember is
// theirs, so driver, model and oracle have a set each.
type bodies map[*node]body

func (b bodies) of(leaf *node) body {
	if b[leaf] == nil {
		b[leaf] = leaf.function.start()
	}
	return b[leaf]
}

// A task is something that remains to be done in a model: a record that
// arrives before the leaf at that place, emitted by the one before it or not.
type task struct {
	place  int
	record stream.Record
	first  bool // not emitted by a function of ours that is seen to emit
}

// model returns the events of passing source through an operator: those that
// the contract says, in the only order that it allows. It does not call
// operators from operators, as a solution does, but keeps a stack of the
// records that are under way.
func model(n *node, source []stream.Record, b bodies) []event {
	leaves := n.leaves()
	var events []event
	var stack []task
	for _, r := range slices.Backward(source) {
		stack = append(stack, task{0, r, true})
	}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !t.first {
			events = append(events, event{kind: emitted, leaf: leaves[t.place-1], record: t.record})
		}
		if t.place == len(leaves) {
			events = append(events, event{kind: out, record: t.record})
			continue
		}
		leaf := leaves[t.place]
		events = append(events, event{kind: called, leaf: leaf, record: t.record})
		for _, r := range slices.Backward(b.of(leaf)(t.record)) {
			stack = append(stack, task{t.place + 1, r, !leaf.emits()})
		}
	}
	return events
}

// emits tells whether the function of n emits, rather than returns.
func (n *node) emits() bool { return n.op.Name == opFlatMap || n.op.Name == opOwn }
