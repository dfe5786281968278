// Package wire carries the contract of stage 04 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side. Host and guest both use both.
//
// The stage itself is in this file, assigners and operators in one each, and
// what an owner may do to the slices that it is given in kept.go.
package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

const (
	stageTumbling uint32 = iota + 1
	stageSliding
	stageWindowOperator
	stageSessionOperator
)

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

var _ contract.Stage = Stage{}

// Tumbling returns the stub of a new assigner of the solution's.
func (s Stage) Tumbling(size, offset int64) contract.Assigner {
	return Assigner{s.made(stageTumbling, size, offset)}
}

// Sliding returns the stub of a new assigner of the solution's.
func (s Stage) Sliding(size, slide, offset int64) contract.Assigner {
	return Assigner{s.made(stageSliding, size, slide, offset)}
}

// NewWindowOperator returns the stub of a new operator of the solution's. An
// assigner that is the solution's own is handed back to it.
func (s Stage) NewWindowOperator(a contract.Assigner, lateness int64) contract.Operator {
	c := s.Begin(stageWindowOperator)
	if own, ok := a.(Assigner); ok {
		c.Ref(own.Ref)
	} else {
		c.Ref(ExportAssigner(s.Peer, a))
	}
	c.Int64(lateness)
	return Operator{s.object(c)}
}

// NewSessionOperator returns the stub of a new operator of the solution's.
func (s Stage) NewSessionOperator(gap, lateness int64) contract.Operator {
	return Operator{s.made(stageSessionOperator, gap, lateness)}
}

func (s Stage) made(method uint32, args ...int64) rpc.Object {
	c := s.Begin(method)
	for _, a := range args {
		c.Int64(a)
	}
	return s.object(c)
}

func (s Stage) object(c *rpc.Call) rpc.Object {
	d := c.Do()
	o := rpc.Object{Peer: s.Peer, Ref: d.Ref()}
	d.End()
	return o
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageTumbling:
			size, offset := args.Int64(), args.Int64()
			args.End()
			reply.Ref(ExportAssigner(p, s.Tumbling(size, offset)))
		case stageSliding:
			size, slide, offset := args.Int64(), args.Int64(), args.Int64()
			args.End()
			reply.Ref(ExportAssigner(p, s.Sliding(size, slide, offset)))
		case stageWindowOperator:
			a, lateness := assigner(p, args.Ref()), args.Int64()
			args.End()
			reply.Ref(ExportOperator(p, s.NewWindowOperator(a, lateness)))
		case stageSessionOperator:
			gap, lateness := args.Int64(), args.Int64()
			args.End()
			reply.Ref(ExportOperator(p, s.NewSessionOperator(gap, lateness)))
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

// assigner returns the assigner of a ref: this side's own, or a stub.
func assigner(p *rpc.Peer, ref rpc.Ref) contract.Assigner {
	value, ok := p.Own(ref)
	if !ok {
		return Assigner{rpc.Object{Peer: p, Ref: ref}}
	}
	a, ok := value.(contract.Assigner)
	if !ok {
		panic(rpc.Breach{Problem: "an object is no assigner"})
	}
	return a
}
