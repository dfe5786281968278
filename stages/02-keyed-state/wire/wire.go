// Package wire carries the contract of stage 02 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side. Host and guest both use both. What the owner
// of a snapshot does with it, on the side of the solution, is in owner.go.
package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	stageNewState uint32 = iota + 1
	stageNewMap
	stageReduce
)

const operatorProcess uint32 = 1

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

// NewState returns the stub of a new state of the solution's.
func (s Stage) NewState() contract.State {
	d := s.Begin(stageNewState).Do()
	return State{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// NewMap returns an empty map that its owner holds on the other side.
func (s Stage) NewMap() Map {
	d := s.Begin(stageNewMap).Do()
	return Map{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// Reduce returns the stub of an operator over state, which is the solution's own
// or one of this side, and over f, a function of this side.
func (s Stage) Reduce(state contract.State, f func(acc, v int64) int64) contract.Operator {
	c := s.Begin(stageReduce)
	c.Ref(stateRef(s.Peer, state))
	c.Ref(s.Peer.ExportFunc(func(args *rpc.Decoder, reply *rpc.Encoder) {
		acc, v := args.Int64(), args.Int64()
		args.End()
		reply.Int64(f(acc, v))
	}))
	d := c.Do()
	return Operator{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
}

// stateRef names a state to the other side: by its own ref if it is of there.
func stateRef(p *rpc.Peer, s contract.State) rpc.Ref {
	if theirs, ok := s.(State); ok && theirs.Peer == p {
		return theirs.Ref
	}
	return ExportState(p, s)
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageNewState:
			args.End()
			reply.Ref(ExportState(p, s.NewState()))
		case stageNewMap:
			args.End()
			reply.Ref(exportMap(p, map[string]int64{}))
		case stageReduce:
			state, f := stateOf(p, args.Ref()), rpc.Object{Peer: p, Ref: args.Ref()}
			args.End()
			reply.Ref(ExportOperator(p, s.Reduce(state, func(acc, v int64) int64 {
				c := f.Begin(rpc.Invoke)
				c.Int64(acc)
				c.Int64(v)
				d := c.Do()
				return d.Int64()
			})))
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

// stateOf is the state that ref names: this side's own, as itself, or a stub.
func stateOf(p *rpc.Peer, ref rpc.Ref) contract.State {
	own, ok := p.Own(ref)
	if !ok {
		return State{rpc.Object{Peer: p, Ref: ref}}
	}
	s, ok := own.(contract.State)
	if !ok {
		panic(rpc.Breach{Problem: "an object that is no state was handed back as one"})
	}
	return s
}

// Operator is an operator on the other side.
type Operator struct{ rpc.Object }

// Process hands r over, and emits what the operator emitted in the meantime.
func (o Operator) Process(r stream.Record, emit func(stream.Record)) {
	c := o.Begin(operatorProcess)
	c.Record(r)
	d := c.Do()
	emitted := d.Records()
	d.End()
	for _, r := range emitted {
		emit(r)
	}
}

// maxEmitted is how many records of one call cross the line: one is right.
const maxEmitted = 100

// ExportOperator serves the operator o. What o emits after it returned, through
// an emit that is no longer valid, is lost.
func ExportOperator(p *rpc.Peer, o contract.Operator) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		if method != operatorProcess {
			panic(rpc.Breach{Problem: "unknown method of an operator"})
		}
		r := args.Record()
		args.End()
		var emitted []stream.Record
		o.Process(r, func(r stream.Record) {
			if len(emitted) < maxEmitted {
				emitted = append(emitted, r)
			}
		})
		reply.Records(emitted)
	})
}
