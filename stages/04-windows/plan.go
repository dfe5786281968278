package windows

import (
	"math"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A plan is a case as a list of steps: what is done, and what it must return.
type plan struct {
	steps     []step
	operators []operatorPlan // by number, from 0
}

// A step is one operation.
type step struct {
	op       schedule.Op
	record   stream.Record     // of opRecord
	windows  []contract.Window // what opAssign must return, in any order
	answer   answer            // what opRecord and opAdvance must return
	operator int               // index of the operator that it is about, or -1
	at       int               // index among its operator's events
}

// An operatorPlan is one operator's part of a plan.
type operatorPlan struct {
	made     schedule.Op // opOperator or opSession
	windows  schedule.Op // of opOperator: opTumbling, opSliding or opCustom
	lateness int64
	events   []event
}

// planned returns the plan of a case.
func planned(c schedule.Case) *plan {
	p := &plan{}
	if c.Script != nil {
		p.script(c.Script)
	} else {
		p.stream(c)
	}
	p.answer()
	return p
}

// script takes over the operations of a script.
func (p *plan) script(script []schedule.Op) {
	windows, current := schedule.Op{}, -1
	for _, op := range script {
		switch op.Name {
		case opTumbling, opSliding, opCustom:
			windows = op
		case opOperator, opSession:
			current = p.operator(op, windows)
		case opUse:
			current = int(op.Args[0]) - 1
		}
		s := step{op: op, operator: current}
		switch op.Name {
		case opTumbling, opSliding, opCustom:
			s.operator = -1
		case opAssign:
			s.operator, s.windows = -1, windowsOf(windows)(op.Args[0])
		case opRecord:
			s.record = stream.Record{Key: keyOf(op.Args[0]), Value: op.Args[1], Time: op.Args[2]}
			s.at = p.feed(current, event{record: s.record})
		case opAdvance:
			s.at = p.feed(current, event{advance: true, after: op.Args[0]})
		}
		p.steps = append(p.steps, s)
	}
}

func (p *plan) operator(made, windows schedule.Op) int {
	lateness := made.Args[len(made.Args)-1]
	p.operators = append(p.operators, operatorPlan{made: made, windows: windows, lateness: lateness})
	return len(p.operators) - 1
}

// feed adds an event to an operator, and returns its index.
func (p *plan) feed(operator int, e event) int {
	o := &p.operators[operator]
	e.before = math.MinInt64
	if len(o.events) > 0 {
		e.before = o.events[len(o.events)-1].after
	}
	if !e.advance || e.after < e.before {
		e.after = e.before
	}
	o.events = append(o.events, e)
	return len(o.events) - 1
}

// stream makes steps of a case with records: one operator, and watermarks that
// stay behind the largest time, as those of stage 03 do.
func (p *plan) stream(c schedule.Case) {
	size, lateness := int64(c.Param(paramSize)), int64(c.Param(paramLateness))
	offset := int64(c.Param(paramOffset))
	slide := max(1, size/int64(c.Param(paramOverlap)))
	if (size-1)/slide >= maxOverlap {
		slide = (size + maxOverlap - 1) / maxOverlap
	}
	p.script(map[int][]schedule.Op{
		kindTumbling: {spec.Op(opTumbling, size, offset), spec.Op(opOperator, lateness)},
		kindSliding:  {spec.Op(opSliding, size, slide, offset), spec.Op(opOperator, lateness)},
		kindSession:  {spec.Op(opSession, size, lateness)},
		kindNested:   {spec.Op(opCustom, shapeNested), spec.Op(opOperator, lateness)},
		kindFan:      {spec.Op(opCustom, shapeFan), spec.Op(opOperator, lateness)},
	}[c.Param(paramWindow)])
	delay, most := int64(c.Param(paramDelay)), int64(math.MinInt64)
	for i, r := range c.Records {
		p.steps = append(p.steps, step{op: schedule.Op{Name: opRecord}, record: r, at: p.feed(0, event{record: r})})
		most = max(most, r.Time)
		if delay != onlyAtEnd && (i+1)%c.Param(paramEvery) == 0 {
			p.advance(most - delay - 1)
		}
	}
	p.advance(math.MaxInt64)
}

func (p *plan) advance(w int64) {
	op := spec.Op(opAdvance, w)
	p.steps = append(p.steps, step{op: op, at: p.feed(0, event{advance: true, after: w})})
}

// answer works out what each step must return.
func (p *plan) answer() {
	answers := make([][]answer, len(p.operators))
	for i, o := range p.operators {
		if o.made.Name == opSession {
			answers[i] = sessionAnswers(o.made.Args[0], o.lateness, o.events)
		} else {
			answers[i] = fixedAnswers(windowsOf(o.windows), o.lateness, o.events)
		}
	}
	for i, s := range p.steps {
		if s.op.Name == opRecord || s.op.Name == opAdvance {
			p.steps[i].answer = answers[s.operator][s.at]
		}
	}
}

// windowsOf returns the oracle of an assigner that an operation asks for.
func windowsOf(op schedule.Op) func(t int64) []contract.Window {
	switch op.Name {
	case opTumbling:
		return func(t int64) []contract.Window { return every(op.Args[0], op.Args[0], op.Args[1], t) }
	case opSliding:
		return func(t int64) []contract.Window { return every(op.Args[0], op.Args[1], op.Args[2], t) }
	default:
		return func(t int64) []contract.Window { return shaped(op.Args[0], t) }
	}
}

// check is the check that the case is there for.
func (p *plan) check() string {
	switch {
	case p.several():
		return isolation
	case len(p.operators) == 0:
		for _, s := range p.steps {
			if s.op.Name == opSliding {
				return sliding
			}
		}
		return tumbling
	case p.operators[0].made.Name == opSession:
		return sessions
	}
	return firing
}

// several tells whether there is more than one operator.
func (p *plan) several() bool { return len(p.operators) > 1 }
