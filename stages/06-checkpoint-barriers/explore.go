package checkpointbarriers

import (
	"iter"
	"slices"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A bound is how far one exploration goes.
type bound struct {
	channels, length int // elements and ends
	odd              int // ends, and barriers that skip an ID or repeat one
}

// bounds are in the order in which their cases of one size are run.
var bounds = []bound{
	{channels: 1, length: 3, odd: 2},
	{channels: 2, length: 4, odd: 2},
	{channels: 2, length: 5, odd: 1},
	{channels: 2, length: 6},
	{channels: 3, length: 4, odd: 1},
	{channels: 3, length: 5},
}

// boundText says the same for the report of a pass.
const boundText = "every order of up to 6 arrivals on 2 channels, or 5 on 3, " +
	"with at most 2 records and 3 barriers a channel; with one end or barrier lost or repeated, " +
	"of up to 5 on 2, or 4 on 3; with two of these, of up to 4 on 2; records that would just pass aside"

// Bounds of one channel.
const (
	maxID      = 3
	maxRecords = 2
)

// sequences yields a case for every order in which elements and ends can arrive
// within the bounds, the shorter first.
func sequences() iter.Seq[schedule.Case] {
	var all []schedule.Case
	seen := map[string]bool{}
	for _, b := range bounds {
		for script := range explore.Sequences(1+b.length, b.next) {
			id := schedule.SequenceID(spec.Stage, script)
			if len(script) > 1 && !seen[id] {
				seen[id] = true
				all = append(all, schedule.Case{ID: id, Script: script})
			}
		}
	}
	slices.SortStableFunc(all, compare)
	return slices.Values(all)
}

// next is what can follow a script: on each channel that has not ended, and on
// the first of those that nothing has arrived on, since these are alike, a
// record, the next barrier, one that skips an ID, the last once more, and the
// end. A record that would just pass is left out, except right behind a barrier
// of its channel.
func (b bound) next(script []schedule.Op) []schedule.Op {
	if len(script) == 0 {
		return []schedule.Op{spec.Op(opChannels, int64(b.channels))}
	}
	p := scripted(script)
	aligning := oracle(p.channels, p.arrivals).aligning > 0
	tapes, odd := tapesOf(p)
	var next []schedule.Op
	for ch, t := range tapes {
		n, id := int64(ch), int64(t.last)
		if t.ended {
			continue
		}
		if t.records < maxRecords && (aligning || t.behind) {
			next = append(next, spec.Op(opRecord, n))
		}
		if id < maxID {
			next = append(next, spec.Op(opBarrier, n, id+1))
		}
		if odd < b.odd {
			if id+1 < maxID {
				next = append(next, spec.Op(opBarrier, n, id+2))
			}
			if id > 0 {
				next = append(next, spec.Op(opBarrier, n, id))
			}
			next = append(next, spec.Op(opFinish, n))
		}
		if !t.used {
			break
		}
	}
	return next
}

// A tape is what has arrived on one channel.
type tape struct {
	used, ended bool
	records     int
	last        stream.CheckpointID
	behind      bool // its last element is the last arrival, and a barrier
}

// tapesOf returns what has arrived by channel, and how many odd things did.
func tapesOf(p plan) (tapes []tape, odd int) {
	tapes = make([]tape, p.channels)
	for i, a := range p.arrivals {
		t := &tapes[a.channel]
		t.used = true
		switch {
		case a.end:
			t.ended = true
			odd++
		case a.item.mark:
			if a.item.barrier != t.last+1 {
				odd++
			}
			t.last, t.behind = a.item.barrier, i == len(p.arrivals)-1
		default:
			t.records++
		}
	}
	return tapes, odd
}
