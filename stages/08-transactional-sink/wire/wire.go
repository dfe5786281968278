// Package wire carries the contract of stage 08 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side. Host and guest both use both.
package wire

import (
	"slices"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	stageNewSink uint32 = iota + 1
	stageRun
	stageRunOwn
	stageRunScripts
)

const (
	sinkWrite uint32 = iota + 1
	sinkPreCommit
	sinkCommit
	sinkAbort
	sinkAbortOpen
	sinkCommitted
	sinkCommittedThenChange
	sinkKeptIntact
)

const newSinkCall uint32 = 1

// A Result is what a run gave back: its output, and the input as it was found
// afterwards.
type Result struct {
	Output, Input []stream.Record
	KeptIntact    bool // the slice that the run before returned holds what its owner wrote into it
}

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

// NewTransactionalSink returns the stub of a new sink of the solution's.
func (s Stage) NewTransactionalSink() contract.TransactionalSink {
	d := s.Begin(stageNewSink).Do()
	return Sink{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// RunExactlyOnceSink runs the solution's job; see [Stage.Run].
func (s Stage) RunExactlyOnceSink(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) []stream.Record {
	return s.Run(newSink, records, barrierEvery, crashAfter, commitLag).Output
}

// Run runs the solution's job with sinks of this side.
func (s Stage) Run(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) Result {
	factory := s.Peer.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		if method != newSinkCall {
			panic(rpc.Breach{Problem: "unknown method of a sink factory"})
		}
		args.End()
		reply.Ref(ExportSink(s.Peer, newSink()))
	})
	c := s.Begin(stageRun)
	c.Ref(factory)
	c.Records(records)
	c.Int(barrierEvery)
	c.Int(crashAfter)
	c.Int(commitLag)
	d := c.Do()
	result := Result{Output: d.Records(), Input: d.Records(), KeptIntact: d.Bool()}
	d.End()
	return result
}

// RunOwn runs the solution's job with the solution's sinks, and nothing of ours
// between them. It returns what the job did, and what all the sinks show then.
func (s Stage) RunOwn(records []stream.Record, barrierEvery, crashAfter, commitLag int) (output, shown []stream.Record) {
	c := s.Begin(stageRunOwn)
	c.Records(records)
	c.Int(barrierEvery)
	c.Int(crashAfter)
	c.Int(commitLag)
	d := c.Do()
	output, shown = d.Records(), d.Records()
	d.End()
	return output, shown
}

// RunOwn is [Stage.RunOwn] of a solution of this side.
func RunOwn(s contract.Stage, records []stream.Record, barrierEvery, crashAfter, commitLag int) (output, shown []stream.Record) {
	var sinks []contract.TransactionalSink
	newSink := func() contract.TransactionalSink {
		sinks = append(sinks, s.NewTransactionalSink())
		return sinks[len(sinks)-1]
	}
	output = slices.Clone(s.RunExactlyOnceSink(newSink, records, barrierEvery, crashAfter, commitLag))
	for _, sink := range sinks {
		shown = append(shown, sink.Committed()...)
	}
	return output, shown
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	var last Kept
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageNewSink:
			args.End()
			reply.Ref(ExportSink(p, s.NewTransactionalSink()))
		case stageRun:
			factory := rpc.Object{Peer: p, Ref: args.Ref()}
			newSink := func() contract.TransactionalSink {
				d := factory.Begin(newSinkCall).Do()
				return Sink{rpc.Object{Peer: p, Ref: d.Ref()}}
			}
			records := args.Records()
			every, crash, lag := args.Int(), args.Int(), args.Int()
			args.End()
			output := s.RunExactlyOnceSink(newSink, records, every, crash, lag)
			reply.Records(bounded(output))
			intact := last.Next(output) // first, so that it shows if output shares the input's memory
			reply.Records(records)
			reply.Bool(intact)
		case stageRunOwn:
			records := args.Records()
			every, crash, lag := args.Int(), args.Int(), args.Int()
			args.End()
			output, shown := RunOwn(s, records, every, crash, lag)
			reply.Records(bounded(output))
			reply.Records(bounded(shown))
		case stageRunScripts:
			serveScripts(s, args, reply)
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

// Sink is a sink on the other side.
type Sink struct{ rpc.Object }

func (s Sink) Write(r stream.Record) {
	c := s.Begin(sinkWrite)
	c.Record(r)
	c.Do()
}

func (s Sink) PreCommit(id stream.CheckpointID) { s.withID(sinkPreCommit, id) }
func (s Sink) Commit(id stream.CheckpointID)    { s.withID(sinkCommit, id) }
func (s Sink) Abort(id stream.CheckpointID)     { s.withID(sinkAbort, id) }
func (s Sink) AbortOpen()                       { s.Begin(sinkAbortOpen).Do() }

func (s Sink) Committed() []stream.Record { return s.records(sinkCommitted) }

// CommittedThenChange is Committed by a caller that then overwrites the slice
// it was given, on the side where the sink lives, as its owner may, and keeps it.
func (s Sink) CommittedThenChange() []stream.Record { return s.records(sinkCommittedThenChange) }

// KeptIntact tells whether the slices that CommittedThenChange was given still
// hold what it wrote into them.
func (s Sink) KeptIntact() bool {
	d := s.Begin(sinkKeptIntact).Do()
	return d.Bool()
}

func (s Sink) withID(method uint32, id stream.CheckpointID) {
	c := s.Begin(method)
	c.Int64(int64(id))
	c.Do()
}

func (s Sink) records(method uint32) []stream.Record {
	d := s.Begin(method).Do()
	rs := d.Records()
	d.End()
	return rs
}

// ExportSink serves the sink s.
func ExportSink(p *rpc.Peer, s contract.TransactionalSink) rpc.Ref {
	var kept Kept
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case sinkWrite:
			r := args.Record()
			args.End()
			s.Write(r)
		case sinkPreCommit:
			s.PreCommit(id(args))
		case sinkCommit:
			s.Commit(id(args))
		case sinkAbort:
			s.Abort(id(args))
		case sinkAbortOpen:
			args.End()
			s.AbortOpen()
		case sinkCommitted:
			args.End()
			reply.Records(bounded(s.Committed()))
		case sinkCommittedThenChange:
			args.End()
			rs := s.Committed()
			reply.Records(bounded(rs))
			kept.Overwrite(rs)
		case sinkKeptIntact:
			args.End()
			reply.Bool(kept.Intact())
		default:
			panic(rpc.Breach{Problem: "unknown method of a sink"})
		}
	})
}

func id(args *rpc.Decoder) stream.CheckpointID {
	v := args.Int64()
	args.End()
	return stream.CheckpointID(v)
}

// maxRecords is how many records of a result cross the line: twice as many as a
// case can have. What is longer is wrong, and its start shows that as well.
const maxRecords = 20_000

func bounded(rs []stream.Record) []stream.Record { return rs[:min(len(rs), maxRecords)] }

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

// Next is Intact of what was kept so far, in the place of which comes then rs, as
// by Overwrite.
func (k *Kept) Next(rs []stream.Record) bool {
	intact := k.Intact()
	*k = Kept{}
	k.Overwrite(rs)
	return intact
}

// Intact tells whether all of them still hold what they held.
func (k *Kept) Intact() bool {
	return slices.EqualFunc(k.slices, k.copies, func(a, b []stream.Record) bool { return slices.Equal(a, b) })
}
