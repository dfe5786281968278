// Package wire carries the contract of stage 06 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side.
package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	stageInject uint32 = iota + 1
	stageNewAligner
	stageNewChanged
)

const (
	alignerReceive uint32 = iota + 1
	alignerFinish
	alignerIntact
)

// An Injection is what InjectBarriers gave back: the elements, the input as it
// was found afterwards, and whether the slice that the call before returned,
// and its owner overwrote, was left alone.
type Injection struct {
	Output []stream.Element
	Input  []stream.Record
	Intact bool
}

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

// InjectBarriers calls the solution's; see [Stage.Inject].
func (s Stage) InjectBarriers(rs []stream.Record, every int) []stream.Element {
	return s.Inject(rs, every).Output
}

// Inject calls the solution's InjectBarriers, as an owner who overwrites what
// it is given and keeps it.
func (s Stage) Inject(rs []stream.Record, every int) Injection {
	c := s.Begin(stageInject)
	c.Records(rs)
	c.Int(every)
	d := c.Do()
	in := Injection{Output: elements(&d), Input: d.Records(), Intact: d.Bool()}
	d.End()
	return in
}

// NewAligner returns the stub of a new aligner of the solution's.
func (s Stage) NewAligner(channels int) contract.Aligner { return s.aligner(stageNewAligner, channels) }

// NewChanged returns the stub of a new aligner whose caller, on the side where
// it lives, overwrites every slice that it is given, appends to it, and keeps it.
func (s Stage) NewChanged(channels int) Aligner { return s.aligner(stageNewChanged, channels) }

func (s Stage) aligner(method uint32, channels int) Aligner {
	c := s.Begin(method)
	c.Int(channels)
	d := c.Do()
	return Aligner{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	var injector Injector
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageInject:
			rs, every := args.Records(), args.Int()
			args.End()
			in := injector.Inject(s, rs, every)
			putElements(reply, in.Output)
			reply.Records(in.Input)
			reply.Bool(in.Intact)
		case stageNewAligner:
			channels := args.Int()
			args.End()
			reply.Ref(ExportAligner(p, s.NewAligner(channels)))
		case stageNewChanged:
			channels := args.Int()
			args.End()
			reply.Ref(ExportAligner(p, &Changed{Aligner: s.NewAligner(channels)}))
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

// Aligner is an aligner on the other side.
type Aligner struct{ rpc.Object }

// Receive hands over the next element of a channel.
func (a Aligner) Receive(ch int, e stream.Element) []stream.Element {
	c := a.Begin(alignerReceive)
	c.Int(ch)
	putElement(&c.Encoder, e)
	d := c.Do()
	out := elements(&d)
	d.End()
	return out
}

// Finish tells that a channel ends.
func (a Aligner) Finish(ch int) []stream.Element {
	c := a.Begin(alignerFinish)
	c.Int(ch)
	d := c.Do()
	out := elements(&d)
	d.End()
	return out
}

// Intact is that of a [Changed] aligner.
func (a Aligner) Intact() (slicesAre, barriersAre bool) {
	d := a.Begin(alignerIntact).Do()
	return d.Bool(), d.Bool()
}

// ExportAligner serves the aligner a.
func ExportAligner(p *rpc.Peer, a contract.Aligner) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case alignerReceive:
			ch, e := args.Int(), element(args)
			args.End()
			putElements(reply, a.Receive(ch, e))
		case alignerFinish:
			ch := args.Int()
			args.End()
			putElements(reply, a.Finish(ch))
		case alignerIntact:
			args.End()
			slicesAre, barriersAre := true, true
			if changed, ok := a.(*Changed); ok {
				slicesAre, barriersAre = changed.Intact()
			}
			reply.Bool(slicesAre)
			reply.Bool(barriersAre)
		default:
			panic(rpc.Breach{Problem: "unknown method of an aligner"})
		}
	})
}

// minElement is the bytes of the shortest element: its kind, and a record.
const minElement = 4

// maxElements is how many elements of a result cross the line: more than any
// right one has. What is longer is wrong, and its start shows that as well.
const maxElements = 25_000

func putElements(to *rpc.Encoder, es []stream.Element) {
	es = es[:min(len(es), maxElements)]
	to.Len(len(es))
	for _, e := range es {
		putElement(to, e)
	}
}

func putElement(to *rpc.Encoder, e stream.Element) {
	to.Record(e.Record)
	to.Bool(e.Barrier != nil)
	if e.Barrier != nil {
		to.Int64(int64(e.Barrier.ID))
	}
}

func elements(from *rpc.Decoder) []stream.Element {
	es := make([]stream.Element, from.Len(minElement))
	for i := range es {
		es[i] = element(from)
	}
	return es
}

func element(from *rpc.Decoder) stream.Element {
	e := stream.Element{Record: from.Record()}
	if from.Bool() {
		e.Barrier = &stream.Barrier{ID: stream.CheckpointID(from.Int64())}
	}
	return e
}
