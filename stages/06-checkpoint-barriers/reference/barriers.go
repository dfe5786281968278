// Package barriers is the model answer to stage 06.
package barriers

import (
	"slices"

	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is the model answer.
type Solution struct{}

var _ contract.Stage = Solution{}

// InjectBarriers puts a barrier after every `every` records.
func (Solution) InjectBarriers(rs []stream.Record, every int) []stream.Element {
	var elements []stream.Element
	for i, r := range rs {
		elements = append(elements, stream.Element{Record: r})
		if n := i + 1; n%every == 0 {
			elements = append(elements, barrier(stream.CheckpointID(n/every)))
		}
	}
	return elements
}

func barrier(id stream.CheckpointID) stream.Element {
	return stream.Element{Barrier: &stream.Barrier{ID: id}}
}

// NewAligner returns an aligner of channels to which nothing has arrived.
func (Solution) NewAligner(channels int) contract.Aligner {
	return &aligner{held: make([]bool, channels), finished: make([]bool, channels)}
}

// An aligner keeps what arrived and has not had its turn, and how far the
// channels have come.
type aligner struct {
	waiting  []arrival           // by arrival; each of a channel that is held back, between calls
	newest   stream.CheckpointID // of the barriers that an alignment was begun for
	held     []bool              // by channel: it delivered newest, which is being aligned
	finished []bool              // by channel
}

// An arrival is an element of a channel, or its end.
type arrival struct {
	channel int
	element stream.Element
	end     bool
}

// Receive takes the next element of a channel.
func (a *aligner) Receive(ch int, e stream.Element) []stream.Element {
	return a.arrive(arrival{channel: ch, element: e})
}

// Finish takes the end of a channel.
func (a *aligner) Finish(ch int) []stream.Element {
	return a.arrive(arrival{channel: ch, end: true})
}

// arrive lets x wait, and handles all whose turn it is.
func (a *aligner) arrive(x arrival) []stream.Element {
	var out []stream.Element
	a.waiting = append(a.waiting, x)
	for {
		next := slices.IndexFunc(a.waiting, func(x arrival) bool { return !a.held[x.channel] })
		if next < 0 {
			return out
		}
		x := a.waiting[next]
		a.waiting = slices.Delete(a.waiting, next, next+1)
		out = append(out, a.handle(x)...)
	}
}

func (a *aligner) handle(x arrival) []stream.Element {
	switch {
	case x.end:
		a.finished[x.channel] = true
		return a.complete()
	case x.element.Barrier != nil:
		return a.align(x.channel, x.element.Barrier.ID)
	default:
		return []stream.Element{x.element}
	}
}

// align takes barrier id of channel ch, which is not held back.
func (a *aligner) align(ch int, id stream.CheckpointID) []stream.Element {
	if id < a.newest || id == a.newest && !a.aligning() {
		return nil // late
	}
	if id > a.newest {
		a.newest = id
		clear(a.held) // gives up the one before, if it is not complete
	}
	a.held[ch] = true
	return a.complete()
}

// aligning tells whether newest is begun and not complete: then the channel
// that brought it is held back.
func (a *aligner) aligning() bool { return slices.Contains(a.held, true) }

// complete returns the barrier being aligned if no channel is left to wait for.
func (a *aligner) complete() []stream.Element {
	if !a.aligning() {
		return nil
	}
	for ch := range a.held {
		if !a.held[ch] && !a.finished[ch] {
			return nil
		}
	}
	clear(a.held)
	return []stream.Element{barrier(a.newest)}
}
