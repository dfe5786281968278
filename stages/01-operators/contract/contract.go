// Package contract is what stage 01 asks of a solution: the operators of a
// stream, the chain that joins them, and the loop that runs a source through.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// An Operator takes one record at a time and emits any number of records for
// it, as Flink's operators do with their Collector.
//
// An operator may be used in several chains, several times in one chain, and
// in several runs. So emit belongs to one call of Process, not to the
// operator, and emit may lead to another Process of the same operator before
// the first returns. Calls never come from two goroutines at a time.
type Operator interface {
	// Process emits what the operator makes of r: every record in its order,
	// and all of them before Process returns. Nothing is kept for later.
	//
	// emit takes one record down the stream, and returns when that record has
	// left it. It is valid until Process returns.
	Process(r stream.Record, emit func(stream.Record))
}

// A Stage is a solution of stage 01.
//
// The functions that it is given may remember what they were called with (a
// filter may keep every second record), so each is called exactly once for each
// record that reaches its operator, in the order in which they reach it, and
// never to try it out. Functions, operators and emit are never nil.
type Stage interface {
	// Map returns the operator that emits f(r) for each record r.
	Map(f func(r stream.Record) stream.Record) Operator

	// Filter returns the operator that emits r, as it is, if keep(r), and
	// nothing if not.
	Filter(keep func(r stream.Record) bool) Operator

	// FlatMap returns the operator that emits what f emits for r: no record,
	// one or many. Each goes down the stream, to its end, before f can emit the
	// next: it has left when emit returns. f calls emit only until it returns.
	FlatMap(f func(r stream.Record, emit func(stream.Record))) Operator

	// Chain returns an operator that passes each record through ops in their
	// order: what one emits is processed by the next, and what the last emits
	// is emitted. A record that is emitted anywhere in the chain goes on to the
	// end at once, before the operator that emitted it can emit another, and so
	// before the chain takes its next record. Flink chains operators in one
	// task in the same way, by plain calls, without a buffer between them.
	//
	// Chain() emits each record as it is. The operators may be chains, or the
	// caller's own types. The caller does not change the slice ops afterwards.
	Chain(ops ...Operator) Operator

	// Run passes the records of source through op, one after the other, and
	// returns what op emits, in order. Empty and nil are the same.
	//
	// source is only lent: it must not be changed or kept, nor appended to,
	// since what lies behind it may be the caller's, too. The slice that is
	// returned is the caller's, who may overwrite it, and no later run writes
	// to it. Nothing survives from one run to the next but what the functions
	// themselves remember.
	Run(source []stream.Record, op Operator) []stream.Record
}
