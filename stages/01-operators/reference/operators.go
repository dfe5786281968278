// Package operators is the model answer of stage 01.
package operators

import (
	"github.com/flk-byo/de/stages/01-operators/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 01.
type Solution struct{}

var _ contract.Stage = Solution{}

// An operator is a function that has the form of Process.
type operator func(r stream.Record, emit func(stream.Record))

func (o operator) Process(r stream.Record, emit func(stream.Record)) { o(r, emit) }

// Map returns the operator that emits f of each record.
func (Solution) Map(f func(stream.Record) stream.Record) contract.Operator {
	return operator(func(r stream.Record, emit func(stream.Record)) {
		emit(f(r))
	})
}

// Filter returns the operator that emits the records to keep.
func (Solution) Filter(keep func(stream.Record) bool) contract.Operator {
	return operator(func(r stream.Record, emit func(stream.Record)) {
		if keep(r) {
			emit(r)
		}
	})
}

// FlatMap returns the operator that emits what f does.
func (Solution) FlatMap(f func(r stream.Record, emit func(stream.Record))) contract.Operator {
	return operator(f)
}

// Chain returns the operator that passes each record through all of ops.
func (Solution) Chain(ops ...contract.Operator) contract.Operator {
	return operator(func(r stream.Record, emit func(stream.Record)) {
		through(ops, r, emit)
	})
}

// through is Process of a chain: what its first operator emits goes through the rest.
func through(ops []contract.Operator, r stream.Record, emit func(stream.Record)) {
	if len(ops) == 0 {
		emit(r)
		return
	}
	ops[0].Process(r, func(r stream.Record) {
		through(ops[1:], r, emit)
	})
}

// Run passes source through op and returns what op emits.
func (Solution) Run(source []stream.Record, op contract.Operator) []stream.Record {
	var output []stream.Record
	for _, r := range source {
		op.Process(r, func(r stream.Record) {
			output = append(output, r)
		})
	}
	return output
}
