package wire

import (
	"github.com/flk-byo/de/harness/rewind"
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
	OpNew  // forget the sinks and marks, and begin with a new sink
	OpMark // note how the sinks are
	OpBack // take them back to the newest mark
	OpDrop // remove that mark

	MaxArg = 15
)

// A Batch is scripts that are run in one call, on sinks of the solution's: many
// short ones take less time so than the calls of each would.
type Batch struct {
	Records []stream.Record // what can be written, each another; at most MaxArg+1
	IDs     []stream.CheckpointID
	Scripts []byte // each begins with OpNew
}

// Foreign stands in the reply to a [Batch] for a record that is none of its
// Records, and for the count of more records than MaxArg.
const Foreign = 0xff

// RunScripts returns what all the reads of the batch gave, in their order: of
// each a byte that counts the records, and as many with the index of each. It
// ends early, and reports false, at an OpMark where the sinks hold what can't be
// taken back.
func (s Stage) RunScripts(b Batch) (shown []byte, ok bool) {
	c := s.Begin(stageRunScripts)
	c.Records(b.Records)
	c.Len(len(b.IDs))
	for _, id := range b.IDs {
		c.Int64(int64(id))
	}
	c.Blob(b.Scripts)
	d := c.Do()
	shown, ok = d.Blob(), d.Bool()
	d.End()
	return shown, ok
}

// serveScripts is RunScripts, where the solution is.
func serveScripts(s contract.Stage, args *rpc.Decoder, reply *rpc.Encoder) {
	b := Batch{Records: args.Records()}
	for range args.Len(1) {
		b.IDs = append(b.IDs, stream.CheckpointID(args.Int64()))
	}
	b.Scripts = args.Blob()
	args.End()
	shown, ok := b.Run(s)
	reply.Blob(shown)
	reply.Bool(ok)
}

// A scene is what operations of scripts change.
type scene struct {
	sinks []contract.TransactionalSink
	now   int // which is operated on
}

// Run is [Stage.RunScripts] of a solution of this side.
func (b *Batch) Run(s contract.Stage) (shown []byte, ok bool) {
	var at scene
	var marks *rewind.Stack
	for _, op := range b.Scripts {
		arg := int(op % (MaxArg + 1))
		switch op - byte(arg) {
		case OpRead:
			shown = b.read(at.sinks[arg], shown)
		case OpNew:
			at, marks = scene{}, nil
			at.use(0, s)
		case OpSink:
			at.use(arg, s)
		case OpMark:
			if marks == nil {
				marks = rewind.New(&at)
			}
			if !marks.Mark() {
				return shown, false
			}
		case OpBack:
			marks.Back()
		case OpDrop:
			marks.Drop()
		default:
			b.apply(op, at.sinks[at.now])
		}
	}
	return shown, true
}

// use turns to the sink of a number, and makes those up to it.
func (at *scene) use(number int, s contract.Stage) {
	for len(at.sinks) <= number {
		at.sinks = append(at.sinks, s.NewTransactionalSink())
	}
	at.now = number
}

// apply carries out one operation on a sink.
func (b *Batch) apply(op byte, sink contract.TransactionalSink) {
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
	default:
		panic(rpc.Breach{Problem: "unknown operation of a script"})
	}
}

// read appends what a sink shows, and overwrites the slice.
func (b *Batch) read(sink contract.TransactionalSink, shown []byte) []byte {
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
func (b *Batch) index(r stream.Record) byte {
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
