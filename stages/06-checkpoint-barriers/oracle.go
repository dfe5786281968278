package checkpointbarriers

import (
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// injected is the batch answer to InjectBarriers: pieces of `every` records,
// and behind each whole one its barrier.
func injected(rs []stream.Record, every int) []item {
	var is []item
	for k := 1; len(rs) > 0; k++ {
		piece := rs[:min(every, len(rs))]
		rs = rs[len(piece):]
		for _, r := range piece {
			is = append(is, item{record: r})
		}
		if len(piece) == every {
			is = append(is, barrier(stream.CheckpointID(k)))
		}
	}
	return is
}

// An answer is what must come of a history of arrivals.
type answer struct {
	out [][]item // by arrival, what goes downstream then

	// How it ends.
	aligning  stream.CheckpointID // or 0
	delivered []bool              // by channel: it has delivered that barrier; nil if there is none
	ended     []bool              // by channel: its end has had its turn
	waiting   []int               // arrivals that have not had their turn

	// What was out of the ordinary.
	late    []int // arrivals that are barriers, and dropped
	skips   []int // arrivals that are barriers, and begin an alignment with an ID left out
	givenUp []givenUp
}

// A givenUp is an alignment that was cancelled.
type givenUp struct {
	id stream.CheckpointID
	by int // the arrival of the newer barrier
}

// A reader reads a history over, from alignment to alignment.
type reader struct {
	answer
	channels int
	history  []arrival
	rest     []int // of the history, in the order in which all have their turns
	now      int   // the arrival at which that is
	newest   stream.CheckpointID
}

// oracle is the batch answer, computed from the whole history at once: up to
// the next barrier all that arrives goes through; from there to where its
// alignment ends, what the channels that have delivered it bring is taken out,
// and put back behind that place. Then the same again with what is left.
//
// It holds no state of channels between arrivals, as the reference does.
func oracle(channels int, history []arrival) answer {
	r := reader{channels: channels, history: history}
	r.out = make([][]item, len(history))
	r.ended = make([]bool, channels)
	r.rest = make([]int, 0, len(history))
	for i := range history {
		r.rest = append(r.rest, i)
	}
	for len(r.rest) > 0 {
		i := r.rest[0]
		r.now = max(r.now, i)
		if a := history[i]; a.item.mark && a.item.barrier > r.newest {
			r.align()
			continue
		}
		r.pass(i)
		r.rest = r.rest[1:]
	}
	return r.answer
}

// pass lets an arrival have its turn that begins no alignment and is no part of one.
func (r *reader) pass(i int) {
	switch a := r.history[i]; {
	case a.end:
		r.ended[a.channel] = true
	case a.item.mark:
		r.late = append(r.late, i)
	default:
		r.emit(a.item)
	}
}

func (r *reader) emit(i item) { r.out[r.now] = append(r.out[r.now], i) }

// align follows the alignment that the first of the rest begins, and leaves as
// rest what has its turn after it.
func (r *reader) align() {
	first := r.history[r.rest[0]]
	if first.item.barrier > r.newest+1 {
		r.skips = append(r.skips, r.rest[0])
	}
	r.newest = first.item.barrier
	delivered := make([]bool, r.channels)
	delivered[first.channel] = true
	var heldBack []int
	for at, i := range r.rest {
		r.now = max(r.now, i)
		a := r.history[i]
		switch {
		case at == 0:
		case delivered[a.channel]:
			heldBack = append(heldBack, i)
			continue
		case a.item.mark && a.item.barrier > r.newest:
			r.givenUp = append(r.givenUp, givenUp{r.newest, i})
			r.rest = slices.Concat([]int{i}, heldBack, r.rest[at+1:])
			return
		case a.item.barrier == r.newest:
			delivered[a.channel] = true
		default:
			r.pass(i)
		}
		if r.all(delivered) {
			r.emit(barrier(r.newest))
			r.rest = slices.Concat(heldBack, r.rest[at+1:])
			return
		}
	}
	r.aligning, r.delivered, r.waiting, r.rest = r.newest, delivered, heldBack, nil
}

func (r *reader) all(delivered []bool) bool {
	for ch := range r.channels {
		if !delivered[ch] && !r.ended[ch] {
			return false
		}
	}
	return true
}
