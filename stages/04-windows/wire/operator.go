package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	operatorProcess uint32 = iota + 1
	operatorAdvance
	operatorLate
	operatorKeptIntact
)

// Operator is an operator on the other side.
type Operator struct{ rpc.Object }

// Process hands r over.
func (o Operator) Process(r stream.Record) []contract.Result {
	return o.ProcessAs(r, Reading{}).Results
}

// Advance hands w over.
func (o Operator) Advance(w stream.Watermark) []contract.Result {
	return o.AdvanceAs(w, Reading{}).Results
}

// Late returns the late records.
func (o Operator) Late() []stream.Record {
	d := o.Begin(operatorLate).Do()
	rs := d.Records()
	d.End()
	return rs
}

// ProcessAs is Process by a caller that treats the slices as how says.
func (o Operator) ProcessAs(r stream.Record, how Reading) Answer {
	c := o.Begin(operatorProcess)
	c.Record(r)
	return answer(c, how)
}

// AdvanceAs is Advance by a caller that treats the slices as how says.
func (o Operator) AdvanceAs(w stream.Watermark, how Reading) Answer {
	c := o.Begin(operatorAdvance)
	c.Int64(int64(w))
	return answer(c, how)
}

// KeptIntact tells whether the overwritten slices still hold what was written.
func (o Operator) KeptIntact() bool {
	d := o.Begin(operatorKeptIntact).Do()
	return d.Bool()
}

func answer(c *rpc.Call, how Reading) Answer {
	c.Bool(how.Late)
	c.Bool(how.Change)
	d := c.Do()
	a := Answer{Results: make([]contract.Result, d.Len(minResult))}
	for i := range a.Results {
		a.Results[i] = contract.Result{Key: d.String(), Window: decodeWindow(&d), Sum: d.Int64(), Count: d.Int64()}
	}
	a.Late = d.Records()
	d.End()
	return a
}

// minResult is the bytes of the shortest result.
const minResult = 1 + minWindow + 2

// ExportOperator serves the operator o.
func ExportOperator(p *rpc.Peer, o contract.Operator) rpc.Ref {
	owner := OwnOperator(o)
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case operatorProcess:
			r, how := args.Record(), reading(args)
			encodeAnswer(reply, owner.ProcessAs(r, how))
		case operatorAdvance:
			w, how := stream.Watermark(args.Int64()), reading(args)
			encodeAnswer(reply, owner.AdvanceAs(w, how))
		case operatorLate:
			args.End()
			reply.Records(bounded(o.Late()))
		case operatorKeptIntact:
			args.End()
			reply.Bool(owner.KeptIntact())
		default:
			panic(rpc.Breach{Problem: "unknown method of an operator"})
		}
	})
}

func reading(args *rpc.Decoder) Reading {
	how := Reading{Late: args.Bool(), Change: args.Bool()}
	args.End()
	return how
}

func encodeAnswer(e *rpc.Encoder, a Answer) {
	e.Len(len(a.Results))
	for _, r := range a.Results {
		e.String(r.Key)
		encodeWindow(e, r.Window)
		e.Int64(r.Sum)
		e.Int64(r.Count)
	}
	e.Records(a.Late)
}
