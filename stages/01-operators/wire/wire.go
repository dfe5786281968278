// Package wire carries the contract of stage 01 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side. Host and guest both use both. Functions cross
// as objects with one method; see [rpc.Peer.ExportFunc].
package wire

import (
	"slices"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/01-operators/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	stageMap uint32 = iota + 1
	stageFilter
	stageFlatMap
	stageChain
	stageRun
	stageKeptIntact
)

const operatorProcess uint32 = 1

// A Result is what a run gave back: its output, the input as it was found
// afterwards, and whether the caller's memory behind the input was left alone.
type Result struct {
	Output, Input []stream.Record
	Behind        bool
}

// Stage is a solution on the other side. An operator that it returns is nil
// where the solution returned nil.
type Stage struct{ rpc.Object }

func (s Stage) Map(f func(stream.Record) stream.Record) contract.Operator {
	return s.make(stageMap, s.Peer.ExportFunc(func(args *rpc.Decoder, reply *rpc.Encoder) {
		r := args.Record()
		args.End()
		reply.Record(f(r))
	}))
}

func (s Stage) Filter(keep func(stream.Record) bool) contract.Operator {
	return s.make(stageFilter, s.Peer.ExportFunc(func(args *rpc.Decoder, reply *rpc.Encoder) {
		r := args.Record()
		args.End()
		reply.Bool(keep(r))
	}))
}

func (s Stage) FlatMap(f func(r stream.Record, emit func(stream.Record))) contract.Operator {
	return s.make(stageFlatMap, s.Peer.ExportFunc(func(args *rpc.Decoder, reply *rpc.Encoder) {
		process(s.Peer, args, f)
	}))
}

func (s Stage) make(method uint32, function rpc.Ref) contract.Operator {
	c := s.Begin(method)
	c.Ref(function)
	d := c.Do()
	return operator(s.Peer, &d)
}

func (s Stage) Chain(ops ...contract.Operator) contract.Operator {
	c := s.Begin(stageChain)
	c.Len(len(ops))
	for _, op := range ops {
		c.Ref(ExportOperator(s.Peer, op))
	}
	d := c.Do()
	return operator(s.Peer, &d)
}

// Run runs a source through op; see [Stage.RunThenChange].
func (s Stage) Run(source []stream.Record, op contract.Operator) []stream.Record {
	return s.RunThenChange(source, op, false).Output
}

// RunThenChange is Run by a caller that, with change, overwrites the slice it
// was given, on the side of the solution, as its owner may, and keeps it.
func (s Stage) RunThenChange(source []stream.Record, op contract.Operator, change bool) Result {
	c := s.Begin(stageRun)
	c.Records(source)
	c.Ref(ExportOperator(s.Peer, op))
	c.Bool(change)
	d := c.Do()
	result := Result{Output: d.Records(), Input: d.Records(), Behind: d.Bool()}
	d.End()
	return result
}

// KeptIntact tells whether the slices that RunThenChange was given still hold
// what it wrote into them, and lets go of them.
func (s Stage) KeptIntact() bool {
	d := s.Begin(stageKeptIntact).Do()
	return d.Bool()
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	var kept Kept
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageMap:
			reply.Ref(ExportOperator(p, s.Map(mapper(function(p, args)))))
		case stageFilter:
			reply.Ref(ExportOperator(p, s.Filter(predicate(function(p, args)))))
		case stageFlatMap:
			reply.Ref(ExportOperator(p, s.FlatMap(flatMapper(function(p, args), rpc.Invoke))))
		case stageChain:
			ops := make([]contract.Operator, args.Len(1))
			for i := range ops {
				ops[i] = operator(p, args)
			}
			args.End()
			reply.Ref(ExportOperator(p, s.Chain(ops...)))
		case stageRun:
			source, op, change := Lend(args.Records()), operator(p, args), args.Bool()
			args.End()
			output := s.Run(source, op)
			reply.Records(bounded(output))
			if change {
				kept.Overwrite(output) // first, so that it shows if output shares the input's memory
			}
			reply.Records(source)
			reply.Bool(BehindIntact(source))
		case stageKeptIntact:
			args.End()
			reply.Bool(kept.Intact())
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

func function(p *rpc.Peer, args *rpc.Decoder) rpc.Object {
	f := rpc.Object{Peer: p, Ref: args.Ref()}
	args.End()
	return f
}

func mapper(f rpc.Object) func(stream.Record) stream.Record {
	return func(r stream.Record) stream.Record {
		c := f.Begin(rpc.Invoke)
		c.Record(r)
		d := c.Do()
		return d.Record()
	}
}

func predicate(f rpc.Object) func(stream.Record) bool {
	return func(r stream.Record) bool {
		c := f.Begin(rpc.Invoke)
		c.Record(r)
		d := c.Do()
		return d.Bool()
	}
}

// flatMapper calls the other side with a record and a function of ours to emit by.
func flatMapper(f rpc.Object, method uint32) func(r stream.Record, emit func(stream.Record)) {
	return func(r stream.Record, emit func(stream.Record)) {
		c := f.Begin(method)
		c.Record(r)
		c.Ref(f.Peer.ExportFunc(func(args *rpc.Decoder, reply *rpc.Encoder) {
			r := args.Record()
			args.End()
			emit(r)
		}))
		c.Do()
	}
}

// process serves a call of flatMapper's. The function to emit by is given up
// if it is a guest's, so that it can be freed. The host's stays: it tells of
// records that are emitted too late.
func process(p *rpc.Peer, args *rpc.Decoder, f func(r stream.Record, emit func(stream.Record))) {
	r, emit := args.Record(), rpc.Object{Peer: p, Ref: args.Ref()}
	args.End()
	f(r, func(r stream.Record) {
		c := emit.Begin(rpc.Invoke)
		c.Record(r)
		c.Do()
	})
	if emit.Ref > 0 {
		emit.Release()
	}
}

// Operator is an operator on the other side.
type Operator struct{ rpc.Object }

func (o Operator) Process(r stream.Record, emit func(stream.Record)) {
	flatMapper(o.Object, operatorProcess)(r, emit)
}

// ExportOperator serves the operator op: under the ref that it has, if it is of
// the other side, and under none if it is nil.
func ExportOperator(p *rpc.Peer, op contract.Operator) rpc.Ref {
	if op == nil {
		return 0
	}
	if stub, ok := op.(Operator); ok {
		return stub.Ref
	}
	return p.ExportAs(op, func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		if method != operatorProcess {
			panic(rpc.Breach{Problem: "unknown method of an operator"})
		}
		process(p, args, op.Process)
	})
}

// operator reads what ExportOperator returned on the other side: an operator
// of this side comes back as itself.
func operator(p *rpc.Peer, args *rpc.Decoder) contract.Operator {
	ref := args.Ref()
	if ref == 0 {
		return nil
	}
	value, ours := p.Own(ref)
	if !ours {
		return Operator{rpc.Object{Peer: p, Ref: ref}}
	}
	op, ok := value.(contract.Operator)
	if !ok {
		panic(rpc.Breach{Problem: "an object that is no operator is used as one"})
	}
	return op
}

// maxRecords is how many records of a result cross the line: twice as many as a
// case can have. What is longer is wrong, and its start shows that as well.
const maxRecords = 20_000

func bounded(rs []stream.Record) []stream.Record { return rs[:min(len(rs), maxRecords)] }

// Lend returns rs as a slice of a longer one that the caller has, so that there
// is room behind it, which is the caller's.
func Lend(rs []stream.Record) []stream.Record {
	all := make([]stream.Record, len(rs), len(rs)+behind)
	copy(all, rs)
	return append(all, slices.Repeat([]stream.Record{callers}, behind)...)[:len(rs)]
}

// behind is how many records the caller has behind those that it lends.
const behind = 8

// callers is each of them.
var callers = stream.Record{Key: "behind the source"}

// BehindIntact tells whether they still are what they were.
func BehindIntact(lent []stream.Record) bool {
	return !slices.ContainsFunc(lent[len(lent):len(lent)+behind], func(r stream.Record) bool { return r != callers })
}

// Kept are slices that their owner keeps, and what they held when it got them.
type Kept struct {
	slices, copies [][]stream.Record
}

// overwritten is the key of records that the owner of a slice writes into it.
const overwritten = "overwritten by the slice's owner"

// maxKept bounds how many slices are kept.
const maxKept = 100

// Overwrite writes into rs what no other slice holds, and keeps it.
func (k *Kept) Overwrite(rs []stream.Record) {
	for i := range rs {
		rs[i] = stream.Record{Key: overwritten, Value: int64(len(k.slices))}
	}
	if len(k.slices) < maxKept {
		k.slices, k.copies = append(k.slices, rs), append(k.copies, slices.Clone(rs))
	}
}

// Intact tells whether all of them still hold what they held, and keeps them
// no longer.
func (k *Kept) Intact() bool {
	intact := slices.EqualFunc(k.slices, k.copies, func(a, b []stream.Record) bool { return slices.Equal(a, b) })
	*k = Kept{}
	return intact
}
