package sandbox

import (
	"context"
	"sync/atomic"
)

// A Pulse tells from outside whether a guest gets on: it beats with each call
// between host and guest. It may be used by several goroutines.
type Pulse struct{ beats atomic.Bool }

// WithPulse returns a context for [Program.Start] and [Instance.Continue], and
// the pulse of the guest that runs under it.
func WithPulse(ctx context.Context) (context.Context, *Pulse) {
	p := new(Pulse)
	return context.WithValue(ctx, pulseKey{}, p), p
}

type pulseKey struct{}

// pulseOf returns the pulse that ctx wants, or nil.
func pulseOf(ctx context.Context) *Pulse {
	p, _ := ctx.Value(pulseKey{}).(*Pulse)
	return p
}

// Felt reports whether there was a call since it was last asked.
func (p *Pulse) Felt() bool { return p.beats.Swap(false) }

func (p *Pulse) beat() {
	if p != nil {
		p.beats.Store(true)
	}
}
