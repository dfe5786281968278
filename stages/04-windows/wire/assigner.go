package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

const (
	assignerAssign uint32 = iota + 1
	assignerKeptIntact
)

// Assigner is an assigner on the other side.
type Assigner struct{ rpc.Object }

// Assign returns the windows of t.
func (a Assigner) Assign(t int64) []contract.Window { return a.AssignAs(t, false) }

// AssignAs is Assign by a caller that then may overwrite the slice, on the side
// where the assigner lives, and keep it.
func (a Assigner) AssignAs(t int64, change bool) []contract.Window {
	c := a.Begin(assignerAssign)
	c.Int64(t)
	c.Bool(change)
	d := c.Do()
	ws := make([]contract.Window, d.Len(minWindow))
	for i := range ws {
		ws[i] = decodeWindow(&d)
	}
	d.End()
	return ws
}

// KeptIntact tells whether the overwritten slices still hold what was written.
func (a Assigner) KeptIntact() bool {
	d := a.Begin(assignerKeptIntact).Do()
	return d.Bool()
}

// ExportAssigner serves the assigner a.
func ExportAssigner(p *rpc.Peer, a contract.Assigner) rpc.Ref {
	owner := OwnAssigner(a)
	return p.ExportAs(a, func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case assignerAssign:
			t, change := args.Int64(), args.Bool()
			args.End()
			ws := owner.AssignAs(t, change)
			reply.Len(len(ws))
			for _, w := range ws {
				encodeWindow(reply, w)
			}
		case assignerKeptIntact:
			args.End()
			reply.Bool(owner.KeptIntact())
		default:
			panic(rpc.Breach{Problem: "unknown method of an assigner"})
		}
	})
}

// minWindow is the bytes of the shortest window.
const minWindow = 2

func encodeWindow(e *rpc.Encoder, w contract.Window) {
	e.Int64(w.Start)
	e.Int64(w.End)
}

func decodeWindow(d *rpc.Decoder) contract.Window {
	return contract.Window{Start: d.Int64(), End: d.Int64()}
}
