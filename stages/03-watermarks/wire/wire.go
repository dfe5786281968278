// Package wire carries the contract of stage 03 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side. Host and guest both use both.
package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/03-watermarks/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	stageBoundedOutOfOrderness uint32 = iota + 1
	stageNewMerger
)

const generatorObserve uint32 = 1

const (
	mergerUpdate uint32 = iota + 1
	mergerIdle
	mergerFinish
)

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

// BoundedOutOfOrderness returns the stub of a new generator of the solution's.
func (s Stage) BoundedOutOfOrderness(maxDelay int64) contract.Generator {
	c := s.Begin(stageBoundedOutOfOrderness)
	c.Int64(maxDelay)
	d := c.Do()
	return Generator{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// NewMerger returns the stub of a new merger of the solution's.
func (s Stage) NewMerger(channels int) contract.Merger {
	c := s.Begin(stageNewMerger)
	c.Int(channels)
	d := c.Do()
	return Merger{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageBoundedOutOfOrderness:
			maxDelay := args.Int64()
			args.End()
			reply.Ref(ExportGenerator(p, s.BoundedOutOfOrderness(maxDelay)))
		case stageNewMerger:
			channels := args.Int()
			args.End()
			reply.Ref(ExportMerger(p, s.NewMerger(channels)))
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

// Generator is a generator on the other side.
type Generator struct{ rpc.Object }

func (g Generator) Observe(r stream.Record) (stream.Watermark, bool) {
	c := g.Begin(generatorObserve)
	c.Record(r)
	return told(c)
}

// ExportGenerator serves the generator g.
func ExportGenerator(p *rpc.Peer, g contract.Generator) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		if method != generatorObserve {
			panic(rpc.Breach{Problem: "unknown method of a generator"})
		}
		r := args.Record()
		args.End()
		tell(reply)(g.Observe(r))
	})
}

// Merger is a merger on the other side.
type Merger struct{ rpc.Object }

func (m Merger) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	c := m.Begin(mergerUpdate)
	c.Int(ch)
	c.Int64(int64(w))
	return told(c)
}

func (m Merger) Idle(ch int) (stream.Watermark, bool)   { return m.withChannel(mergerIdle, ch) }
func (m Merger) Finish(ch int) (stream.Watermark, bool) { return m.withChannel(mergerFinish, ch) }

func (m Merger) withChannel(method uint32, ch int) (stream.Watermark, bool) {
	c := m.Begin(method)
	c.Int(ch)
	return told(c)
}

// ExportMerger serves the merger m.
func ExportMerger(p *rpc.Peer, m contract.Merger) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		ch := args.Int()
		switch method {
		case mergerUpdate:
			w := stream.Watermark(args.Int64())
			args.End()
			tell(reply)(m.Update(ch, w))
		case mergerIdle:
			args.End()
			tell(reply)(m.Idle(ch))
		case mergerFinish:
			args.End()
			tell(reply)(m.Finish(ch))
		default:
			panic(rpc.Breach{Problem: "unknown method of a merger"})
		}
	})
}

// told makes a call whose result is a watermark that there may be, and tell
// gives back such a result.
func told(c *rpc.Call) (stream.Watermark, bool) {
	d := c.Do()
	w, ok := d.Int64(), d.Bool()
	d.End()
	return stream.Watermark(w), ok
}

func tell(reply *rpc.Encoder) func(stream.Watermark, bool) {
	return func(w stream.Watermark, ok bool) {
		reply.Int64(int64(w))
		reply.Bool(ok)
	}
}
