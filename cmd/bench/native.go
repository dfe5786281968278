package main

import (
	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// ownCases are those of a stage's schedules.
func ownCases(suite grading.Suite) ([]schedule.Case, error) {
	return schedule.LoadAll(fixtures.Files, fixtures.Schedules(suite.ID), suite.Spec)
}

// nativeGuest serves a solution of stage 08 as a guest does, over the same
// protocol, but in this process. Each call of it is shown to see, before and
// after, if that is not nil.
func nativeGuest(s contract.Stage, see func(args, reply []byte)) grading.Guest {
	var host, guest *rpc.Peer
	host = rpc.NewHost(func(ref rpc.Ref, method uint32, args []byte) []byte {
		reply := guest.Serve(ref, method, args)
		if see != nil {
			see(args, reply)
		}
		return reply
	})
	guest = rpc.NewGuest(func(ref rpc.Ref, method uint32, args []byte) []byte { return host.Serve(ref, method, args) })
	return grading.Guest{Solution: rpc.Object{Peer: host, Ref: wire.ExportStage(guest, s)}, Alive: func() {}}
}

// A counted solution counts the operations on its sinks, reads included.
type counted struct {
	contract.Stage
	operations *int
}

func (c counted) NewTransactionalSink() contract.TransactionalSink {
	return countedSink{c.Stage.NewTransactionalSink(), c.operations}
}

type countedSink struct {
	sink       contract.TransactionalSink
	operations *int
}

func (s countedSink) Write(r stream.Record)            { *s.operations++; s.sink.Write(r) }
func (s countedSink) PreCommit(id stream.CheckpointID) { *s.operations++; s.sink.PreCommit(id) }
func (s countedSink) Commit(id stream.CheckpointID)    { *s.operations++; s.sink.Commit(id) }
func (s countedSink) Abort(id stream.CheckpointID)     { *s.operations++; s.sink.Abort(id) }
func (s countedSink) AbortOpen()                       { *s.operations++; s.sink.AbortOpen() }
func (s countedSink) Committed() []stream.Record       { *s.operations++; return s.sink.Committed() }
