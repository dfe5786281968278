package checkpointbarriers

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// A rightAligner is a second opinion on what an aligner puts out. Of each
// arrival one thing must come, so it is a second oracle. It is written from the
// contract and STAGE.md alone, and goes from arrival to arrival with a queue for
// each channel, where the first reads a whole history over and over. Where the
// two disagree, one of them is wrong, and that is a fault of ours.
type rightAligner struct {
	queues   [][]waiting // by channel: what arrived and had no turn yet
	arrived  int
	newest   stream.CheckpointID // that was begun
	complete bool                // newest has gone downstream
	has      []bool              // by channel: it has delivered newest
	ended    []bool              // by channel
}

// A waiting arrival, and which of all it is.
type waiting struct {
	arrival
	number int
}

func newRightAligner(channels int) *rightAligner {
	return &rightAligner{
		queues: make([][]waiting, channels), complete: true,
		has: make([]bool, channels), ended: make([]bool, channels),
	}
}

// arrive returns what goes downstream because of an arrival.
func (a *rightAligner) arrive(x arrival) []item {
	a.arrived++
	a.queues[x.channel] = append(a.queues[x.channel], waiting{x, a.arrived})
	var out []item
	for ch := a.turn(); ch >= 0; ch = a.turn() {
		x := a.queues[ch][0]
		a.queues[ch] = a.queues[ch][1:]
		out = append(out, a.handle(x.arrival)...)
	}
	return out
}

// turn is the channel whose first waiting arrival has its turn: of those that are
// not held back the one that waits longest. It is -1 if there is none.
func (a *rightAligner) turn() int {
	longest := -1
	for ch, q := range a.queues {
		heldBack := !a.complete && a.has[ch]
		if len(q) > 0 && !heldBack && (longest < 0 || q[0].number < a.queues[longest][0].number) {
			longest = ch
		}
	}
	return longest
}

// handle returns what goes downstream as x has its turn: a record, or a barrier
// that x completes.
func (a *rightAligner) handle(x arrival) []item {
	switch id := x.item.barrier; {
	case x.end:
		a.ended[x.channel] = true
	case !x.item.mark:
		return []item{x.item}
	case id > a.newest:
		a.newest, a.complete = id, false
		clear(a.has)
		a.has[x.channel] = true
	case id == a.newest:
		a.has[x.channel] = true
	}
	if a.complete || !a.hasAll() {
		return nil
	}
	a.complete = true
	return []item{barrier(a.newest)}
}

func (a *rightAligner) hasAll() bool {
	for ch := range a.has {
		if !a.has[ch] && !a.ended[ch] {
			return false
		}
	}
	return true
}

// rightlyInjected is a second opinion on what InjectBarriers returned: it goes
// along it and counts records and barriers.
func rightlyInjected(rs []stream.Record, every int, got []item) bool {
	records, barriers := 0, 0
	for _, i := range got {
		due := records == (barriers+1)*every
		switch {
		case due != i.mark:
			return false
		case due:
			if barriers++; i != barrier(stream.CheckpointID(barriers)) {
				return false
			}
		case records == len(rs) || i != item{record: rs[records]}:
			return false
		default:
			records++
		}
	}
	return records == len(rs) && barriers == len(rs)/every
}

// agreed panics where the second opinion on a history differs from this one.
func (a answer) agreed(channels int, history []arrival) {
	second := newRightAligner(channels)
	for i, x := range history {
		if out := second.arrive(x); !slices.Equal(out, a.out[i]) {
			panic(fmt.Sprintf("of arrival %d of %+v on %d channels one oracle says that %+v goes downstream, the other %+v",
				i+1, history, channels, a.out[i], out))
		}
	}
}
