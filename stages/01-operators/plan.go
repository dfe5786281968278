package operators

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A node describes an operator of a case: one with a function, which is a leaf,
// or a chain of others.
type node struct {
	number   int // of those made in the case, from 1
	op       schedule.Op
	function function
	parts    []*node // of a chain
}

// A step is one operation of a case.
type step struct {
	op     schedule.Op
	node   *node           // which it makes, uses or turns to
	source []stream.Record // of run and process
}

func (s step) uses() bool { return s.op.Name == opRun || s.op.Name == opProcess }

// steps returns what is done in a case: a script as it stands, and a case with
// records as one that makes the pipeline and runs them through.
func steps(c schedule.Case) []step {
	script := c.Script
	if script == nil {
		script = append(made(c), schedule.Op{Name: opRun, Args: []int64{int64(len(c.Records))}})
	}
	p := planner{records: c.Records}
	for _, op := range script {
		p.add(op)
	}
	return p.steps
}

// A planner turns operations into steps.
type planner struct {
	row     []*node // the operators, of which the last is used next
	steps   []step
	made    int
	records []stream.Record // of runs, or nil for those of scripts
}

func (p *planner) add(op schedule.Op) {
	s := step{op: op}
	last := len(p.row) - 1
	switch op.Name {
	case opAgain:
		p.row = append(p.row, p.row[last])
	case opSwap:
		p.row[last], p.row[last-1] = p.row[last-1], p.row[last]
	case opRun:
		s.source = p.records
		if s.source == nil {
			s.source = numbered(op.Args[0])
		}
	case opProcess:
		s.source = []stream.Record{scriptRecord(op.Args[0])}
	default:
		p.make(op)
	}
	s.node = p.row[len(p.row)-1]
	p.steps = append(p.steps, s)
}

func (p *planner) make(op schedule.Op) {
	p.made++
	n := &node{number: p.made, op: op}
	switch op.Name {
	case opMap:
		n.function = mapFunctions[op.Args[0]]
	case opFilter:
		n.function = filterFunctions[op.Args[0]]
	case opFlatMap:
		n.function = flatMapFunctions[op.Args[0]]
	case opOwn:
		n.function = ownOperators[op.Args[0]]
	case opChain:
		at := len(p.row) - int(op.Args[0])
		n.parts = slices.Clone(p.row[at:])
		p.row = p.row[:at]
	}
	p.row = append(p.row, n)
}

// leaves returns the operators that a record meets in n, one after the other.
func (n *node) leaves() []*node {
	if n.op.Name != opChain {
		return []*node{n}
	}
	var all []*node
	for _, part := range n.parts {
		all = append(all, part.leaves()...)
	}
	return all
}

// numbered are the records that "run n" runs: 1 to n, of changing keys.
func numbered(n int64) []stream.Record {
	rs := make([]stream.Record, 0, n)
	for i := range n {
		rs = append(rs, scriptRecord(i+1))
	}
	return rs
}

// scriptRecord is the record of value v in a script.
func scriptRecord(v int64) stream.Record {
	return stream.Record{Key: string(rune('a' + (v%26+25)%26)), Value: v, Time: v}
}

// checkScript refuses a script that takes operators it does not have, that
// makes too many records, or that tries nothing. It also refuses the same
// function with a memory in two places: what it returns then depends on more
// than the list functions know.
func checkScript(script []schedule.Op) (int, string) {
	p := planner{}
	for i, op := range script {
		if problem := p.refuse(op); problem != "" {
			return i, problem
		}
		p.add(op)
	}
	if !slices.ContainsFunc(p.steps, step.uses) {
		return len(script) - 1, fmt.Sprintf("the script makes operators, and uses none; end with %q or %q", "run 3", "process 1")
	}
	return 0, ""
}

func (p *planner) refuse(op schedule.Op) string {
	need := map[string]int{opAgain: 1, opSwap: 2, opRun: 1, opProcess: 1}[op.Name]
	if op.Name == opChain {
		need = int(op.Args[0])
	}
	if len(p.row) < need {
		return fmt.Sprintf("%s needs %d operators made before it; there are %d", op, need, len(p.row))
	}
	if len(p.row) == maxOperators {
		return fmt.Sprintf("the script has more than %d operators at a time; make fewer", maxOperators)
	}
	if len(p.row) == 0 {
		return ""
	}
	last := p.row[len(p.row)-1]
	switch op.Name {
	case opAgain:
		for _, leaf := range last.leaves() {
			if leaf.function.remembers {
				return fmt.Sprintf("%s remembers its calls, so it can't be used in two places; use another function", leaf.op)
			}
		}
	case opRun, opProcess:
		return last.tooLarge(op)
	}
	return ""
}

// tooLarge says so if a run would take too long.
func (n *node) tooLarge(op schedule.Op) string {
	records := 1
	if op.Name == opRun {
		records = int(op.Args[0])
	}
	leaves := n.leaves()
	if len(leaves) > maxLeaves {
		return fmt.Sprintf("the last operator is a chain of %d in all, more than the %d allowed", len(leaves), maxLeaves)
	}
	calls := 0
	for _, leaf := range leaves {
		calls += records
		records *= leaf.function.emits
		if calls+records > maxCalls {
			return fmt.Sprintf("the run can take more than %d calls; use fewer records, or operators", maxCalls)
		}
	}
	return ""
}
