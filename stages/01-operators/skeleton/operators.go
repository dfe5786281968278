// Package operators is your stage 01: map, filter and flat-map, the chain that
// joins them, and the loop that runs a source through.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time:
// Map and Run first, Chain last. After each, in the workspace's folder:
//
//	go test ./01-operators   # a few plain tests, yours to extend
//	de test                  # the judge: many chains, many streams
package operators

import (
	"github.com/flk-byo/de/stages/01-operators/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must be remembered belongs to one call, or to one run.
type Solution struct{}

var _ contract.Stage = Solution{}

// Map returns the operator that emits f(r) for each record r.
//
// It returns an operator, and processes nothing yet. What does it have to carry
// along until the records come? And what is the shortest type that can?
func (Solution) Map(f func(stream.Record) stream.Record) contract.Operator {
	panic(stream.NotImplemented("Solution.Map"))
}

// Filter returns the operator that emits r if keep(r), and nothing if not.
//
// keep may count its calls. How often do you make them?
func (Solution) Filter(keep func(stream.Record) bool) contract.Operator {
	panic(stream.NotImplemented("Solution.Filter"))
}

// FlatMap returns the operator that emits what f emits for r: none, one or many.
//
// f wants an emit function, and Process has one. Where must a record be when
// the emit that f calls returns?
func (Solution) FlatMap(f func(r stream.Record, emit func(stream.Record))) contract.Operator {
	panic(stream.NotImplemented("Solution.FlatMap"))
}

// Chain returns an operator that passes each record through ops in their order.
//
// What the first emits is for the second to process. So which emit does the
// first get? What does the last one get? And with no operators at all?
func (Solution) Chain(ops ...contract.Operator) contract.Operator {
	panic(stream.NotImplemented("Solution.Chain"))
}

// Run passes the records of source through op and returns what op emits.
//
// The caller may overwrite what it gets, and run op once more. Does it notice
// anything of the first run then?
func (Solution) Run(source []stream.Record, op contract.Operator) []stream.Record {
	panic(stream.NotImplemented("Solution.Run"))
}
