package watermarks

import (
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A plan is a case as calls, each with the answer that is right.
type plan struct {
	objects []object
	calls   []call
}

// An object is a generator or a merger that a plan calls.
type object struct {
	made  schedule.Op   // max_delay or channels
	calls []schedule.Op // all there are
}

// A call is one step of a plan.
type call struct {
	object int         // index
	nth    int         // of the calls of that object; -1 makes it
	op     schedule.Op // of a script; of a stream, the same in other words
	record stream.Record
	want   answer
}

// planOf returns the plan of a case: a stream is a generator that observes its
// records.
func planOf(c schedule.Case) *plan {
	p := &plan{}
	if c.Script == nil {
		p.make(spec.Op(opMaxDelay, int64(c.Param(maxDelay))))
		for _, r := range c.Records {
			p.add(0, spec.Op(opObserve, r.Time), r)
		}
	} else {
		p.script(c.Script)
	}
	p.answer()
	return p
}

func (p *plan) script(script []schedule.Op) {
	now := 0
	for i, op := range script {
		switch op.Name {
		case opMaxDelay, opChannels:
			now = p.make(op)
		case opUse:
			now = int(op.Args[0]) - 1
		default:
			p.add(now, op, scriptRecord(i, op))
		}
	}
}

// scriptRecord is the record that "observe t" stands for. Its key and value
// change, so that they show where they should not matter.
func scriptRecord(i int, op schedule.Op) stream.Record {
	if op.Name != opObserve {
		return stream.Record{}
	}
	return stream.Record{Key: string(rune('a' + i%3)), Value: int64(50 - 7*(i%11)), Time: op.Args[0]}
}

// make adds an object, and returns its index.
func (p *plan) make(op schedule.Op) int {
	p.objects = append(p.objects, object{made: op})
	p.calls = append(p.calls, call{object: len(p.objects) - 1, nth: -1, op: op})
	return len(p.objects) - 1
}

func (p *plan) add(index int, op schedule.Op, r stream.Record) {
	o := &p.objects[index]
	p.calls = append(p.calls, call{object: index, nth: len(o.calls), op: op, record: r})
	o.calls = append(o.calls, op)
}

// answer asks the oracle, of each object by itself. That our two opinions differ
// is a fault of ours, and a panic.
func (p *plan) answer() {
	all := make([][]answer, len(p.objects))
	for i, o := range p.objects {
		all[i] = o.answers()
		o.agreed(all[i])
	}
	for i, c := range p.calls {
		if c.nth >= 0 {
			p.calls[i].want = all[c.object][c.nth]
		}
	}
}

func (o object) generator() bool { return o.made.Name == opMaxDelay }

func (o object) answers() []answer {
	if !o.generator() {
		return mergerAnswers(int(o.made.Args[0]), o.calls)
	}
	return generatorAnswers(o.times(), o.made.Args[0])
}

// times are those of the records that a generator observes.
func (o object) times() []int64 {
	all := make([]int64, len(o.calls))
	for i, op := range o.calls {
		all[i] = op.Args[0]
	}
	return all
}

// only returns the plan of one object alone.
func (p *plan) only(index int) *plan {
	alone := &plan{objects: p.objects[index : index+1]}
	for _, c := range p.calls {
		if c.object == index {
			c.object = 0
			alone.calls = append(alone.calls, c)
		}
	}
	return alone
}
