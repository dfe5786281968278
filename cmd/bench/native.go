package main

import (
	"io/fs"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	operators "github.com/flk-byo/de/stages/01-operators"
	operatorsreference "github.com/flk-byo/de/stages/01-operators/reference"
	keyedstate "github.com/flk-byo/de/stages/02-keyed-state"
	keyedstatereference "github.com/flk-byo/de/stages/02-keyed-state/reference"
	watermarks "github.com/flk-byo/de/stages/03-watermarks"
	watermarksreference "github.com/flk-byo/de/stages/03-watermarks/reference"
	windows "github.com/flk-byo/de/stages/04-windows"
	windowsreference "github.com/flk-byo/de/stages/04-windows/reference"
	partitionedexchange "github.com/flk-byo/de/stages/05-partitioned-exchange"
	partitionedexchangereference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	checkpointbarriers "github.com/flk-byo/de/stages/06-checkpoint-barriers"
	checkpointbarriersreference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	exactlyoncestate "github.com/flk-byo/de/stages/07-exactly-once-state"
	exactlyoncestatereference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
	transactionalsink "github.com/flk-byo/de/stages/08-transactional-sink"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	sinkreference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// natively are the references, run in this process.
var natively = map[string]grading.Subject{
	"01": operators.Native(operatorsreference.Solution{}),
	"02": keyedstate.Native(keyedstatereference.Solution{}),
	"03": watermarks.Native(watermarksreference.Solution{}),
	"04": windows.Native(windowsreference.Solution{}),
	"05": partitionedexchange.Native(partitionedexchangereference.Solution{}),
	"06": checkpointbarriers.Native(checkpointbarriersreference.Solution{}),
	"07": exactlyoncestate.Native(exactlyoncestatereference.Solution{}),
	"08": transactionalsink.Native(sinkreference.Solution{}),
}

// ownCases are those of a stage's schedules.
func ownCases(suite grading.Suite) ([]schedule.Case, error) {
	var all []schedule.Case
	for _, name := range fixtures.Schedules(suite.ID) {
		src, err := fs.ReadFile(fixtures.Files, name)
		if err != nil {
			return nil, err
		}
		file, err := schedule.Load(name, src, suite.Spec, fixtures.Files)
		if err != nil {
			return nil, err
		}
		all = append(all, file.Cases...)
	}
	return all, nil
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
