package operators

import (
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/01-operators/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A trace is what a solution did to the functions, operators and emits of ours
// in one step. It can't be forged: they are the host's.
type trace struct {
	events []event
	gave   [][]stream.Record // by event: what our function returned or was about to emit
	bytes  int               // of keys, beyond those that should be there
	depth  int               // calls of functions of ours under way that emit
}

// Bounds of what one step can make us hold. No right solution comes near them.
const (
	maxEvents = 3 * maxCalls
	maxBytes  = 16 << 20
	maxDepth  = 2 * maxLeaves
)

// expect makes room for the events that should come.
func (t *trace) expect(want []event) {
	t.events, t.gave = make([]event, 0, len(want)), make([][]stream.Record, 0, len(want))
	for _, e := range want {
		t.bytes -= len(e.record.Key)
	}
}

func (t *trace) note(e event, gave []stream.Record) {
	if len(t.events) == maxEvents || t.bytes > maxBytes {
		return
	}
	t.bytes += len(e.record.Key)
	t.events, t.gave = append(t.events, e), append(t.gave, gave)
}

// A driver makes operators by the solution, with functions that leave a trace,
// and uses them.
type driver struct {
	solution
	bodies bodies
	ops    map[*node]contract.Operator
	now    *trace // of the step under way
}

// apply calls the function of a leaf.
func (d *driver) apply(leaf *node, r stream.Record) []stream.Record {
	gave := d.bodies.of(leaf)(r)
	d.now.note(event{kind: called, leaf: leaf, record: r}, gave)
	return gave
}

// flatMap applies the function of a leaf that emits.
func (d *driver) flatMap(leaf *node) func(stream.Record, func(stream.Record)) {
	return func(r stream.Record, emit func(stream.Record)) {
		if d.now.depth++; d.now.depth > maxDepth {
			panic(&fault.Fault{Kind: fault.StackExhausted, Message: leaf.text() + " is called from within itself without end"})
		}
		for _, e := range d.apply(leaf, r) {
			d.now.note(event{kind: emitted, leaf: leaf, record: e}, nil)
			emit(e)
		}
		d.now.depth--
	}
}

// An ownOperator is of the caller's own type.
type ownOperator struct {
	process func(stream.Record, func(stream.Record))
}

func (o ownOperator) Process(r stream.Record, emit func(stream.Record)) { o.process(r, emit) }

// make makes the operator that n describes. Its parts are there.
func (d *driver) make(n *node) contract.Operator {
	switch n.op.Name {
	case opMap:
		return d.Map(func(r stream.Record) stream.Record { return d.apply(n, r)[0] })
	case opFilter:
		return d.Filter(func(r stream.Record) bool { return len(d.apply(n, r)) == 1 })
	case opFlatMap:
		return d.FlatMap(d.flatMap(n))
	case opOwn:
		return ownOperator{d.flatMap(n)}
	}
	parts := make([]contract.Operator, len(n.parts))
	for i, part := range n.parts {
		parts[i] = d.ops[part]
	}
	return d.Chain(parts...)
}

// process lets op process r, and returns what it emits meanwhile.
func (d *driver) process(op contract.Operator, r stream.Record) []stream.Record {
	var output []stream.Record
	over := false
	op.Process(r, func(e stream.Record) {
		d.now.note(event{kind: out, record: e, late: over}, nil)
		if !over && len(output) < maxEvents && d.now.bytes <= maxBytes {
			output = append(output, e)
		}
	})
	over = true
	return output
}
