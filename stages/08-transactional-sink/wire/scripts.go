package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Operations of the scripts of a [Batch]. Each is a byte: an operation, plus its
// argument, which is 0 to MaxArg.
const (
	OpWrite     byte = iota << 4 // the record of that index
	OpPreCommit                  // the ID of that index, as of the next two
	OpCommit
	OpAbort
	OpAbortOpen
	OpSink // go on with the sink of that number; the first is 0
	OpRead // what the sink of that number shows; then its owner overwrites the slice

	MaxArg = 15
)

// A Batch is scripts that are run in one call, each on new sinks of the
// solution's: many short ones take less time so than the calls of each would.
type Batch struct {
	Records []stream.Record // what can be written, each another; at most MaxArg+1
	IDs     []stream.CheckpointID
	Scripts []byte // of each its length, then its operations
}

// Foreign stands in the reply to a [Batch] for a record that is none of its
// Records, and for the count of more records than MaxArg.
const Foreign = 0xff

// RunScripts returns what all the reads of the batch gave, in their order: of
// each a byte that counts the records, and as many with the index of each.
func (s Stage) RunScripts(b Batch) []byte {
	c := s.Begin(stageRunScripts)
	c.Records(b.Records)
	c.Len(len(b.IDs))
	for _, id := range b.IDs {
		c.Int64(int64(id))
	}
	c.Blob(b.Scripts)
	d := c.Do()
	shown := d.Blob()
	d.End()
	return shown
}

// serveScripts is RunScripts, where the solution is.
func serveScripts(s contract.Stage, args *rpc.Decoder, reply *rpc.Encoder) {
	b := Batch{Records: args.Records()}
	for range args.Len(1) {
		b.IDs = append(b.IDs, stream.CheckpointID(args.Int64()))
	}
	b.Scripts = args.Blob()
	args.End()
	reply.Blob(b.Run(s))
}

// Run is [Stage.RunScripts] of a solution of this side.
func (b Batch) Run(s contract.Stage) []byte {
	var shown []byte
	for left := b.Scripts; len(left) > 0; {
		n := int(left[0])
		shown = b.script(s, left[1:1+n], shown)
		left = left[1+n:]
	}
	return shown
}

// script runs one script, and appends what its reads give to shown.
func (b Batch) script(s contract.Stage, script, shown []byte) []byte {
	var sinks [MaxArg + 1]contract.TransactionalSink
	sink := s.NewTransactionalSink()
	sinks[0] = sink
	for _, op := range script {
		arg := op % (MaxArg + 1)
		switch op - arg {
		case OpWrite:
			sink.Write(b.Records[arg])
		case OpPreCommit:
			sink.PreCommit(b.IDs[arg])
		case OpCommit:
			sink.Commit(b.IDs[arg])
		case OpAbort:
			sink.Abort(b.IDs[arg])
		case OpAbortOpen:
			sink.AbortOpen()
		case OpSink:
			if sinks[arg] == nil {
				sinks[arg] = s.NewTransactionalSink()
			}
			sink = sinks[arg]
		case OpRead:
			shown = b.read(sinks[arg], shown)
		default:
			panic(rpc.Breach{Problem: "unknown operation of a script"})
		}
	}
	return shown
}

// read appends what a sink shows, and overwrites the slice.
func (b Batch) read(sink contract.TransactionalSink, shown []byte) []byte {
	rs := sink.Committed()
	if len(rs) > MaxArg {
		return append(shown, Foreign)
	}
	shown = append(shown, byte(len(rs)))
	for i, r := range rs {
		shown = append(shown, b.index(r))
		rs[i] = stream.Record{Key: overwritten}
	}
	return shown
}

// index looks first where the records of a script are, in the order of their
// values.
func (b Batch) index(r stream.Record) byte {
	if i := uint64(r.Value - 1); i < uint64(len(b.Records)) && b.Records[i] == r {
		return byte(i)
	}
	for i := range b.Records {
		if b.Records[i] == r {
			return byte(i)
		}
	}
	return Foreign
}
