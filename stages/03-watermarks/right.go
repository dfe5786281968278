package watermarks

import (
	"fmt"
	"math"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A rightObject is a second opinion on what a generator or a merger tells. Of
// each call one answer is right, so it is a second oracle. It is written from the
// contract and STAGE.md alone, and goes from call to call, where the first works
// each answer out of all calls so far. Where the two disagree, one of them is
// wrong, and that is a fault of ours.
type rightObject struct {
	last  answer // that was told
	delay int64  // of a generator

	channels []rightChannel // of a merger
}

// A rightChannel is what a merger knows of a channel.
type rightChannel struct {
	mode     string           // opUpdate for active, opIdle or opFinish
	furthest stream.Watermark // if it has reported
	reported bool
}

// right is a new object like o.
func (o object) right() *rightObject {
	if o.generator() {
		return &rightObject{delay: o.made.Args[0]}
	}
	r := &rightObject{channels: make([]rightChannel, o.made.Args[0])}
	for ch := range r.channels {
		r.channels[ch].mode = opUpdate
	}
	return r
}

// call returns the right answer to a call: what there is, if it is an advance.
func (r *rightObject) call(op schedule.Op) answer {
	now := r.after(op)
	if !now.told || r.last.told && now.watermark <= r.last.watermark {
		return answer{}
	}
	r.last = now
	return now
}

// after is the watermark that there is after a call, told before or not. An older
// record has a lower one, which is none to tell.
func (r *rightObject) after(op schedule.Op) answer {
	if op.Name == opObserve {
		least := math.MinInt64 + r.delay + 1 // the time of which comes the least watermark
		return answer{stream.Watermark(max(op.Args[0], least) - r.delay - 1), true}
	}
	ch := &r.channels[op.Args[0]]
	if ch.mode != opFinish {
		ch.mode = op.Name
		if op.Name == opUpdate {
			ch.report(stream.Watermark(op.Args[1]))
		}
	}
	return r.merged()
}

func (ch *rightChannel) report(w stream.Watermark) {
	if !ch.reported || ch.furthest < w {
		ch.reported, ch.furthest = true, w
	}
}

// merged is the least of the active channels, if there is one, and all of these
// have reported; or the last of all, if all are finished.
func (r *rightObject) merged() answer {
	active, finished, least := 0, 0, stream.MaxWatermark
	for _, ch := range r.channels {
		switch {
		case ch.mode == opFinish:
			finished++
		case ch.mode == opIdle:
		case !ch.reported:
			return answer{}
		default:
			active++
			least = min(least, ch.furthest)
		}
	}
	return answer{least, active > 0 || finished == len(r.channels)}
}

// agreed panics where the second opinion on an object differs from these answers.
func (o object) agreed(all []answer) {
	right := o.right()
	for i, op := range o.calls {
		if a := right.call(op); !a.equal(all[i]) {
			panic(fmt.Sprintf("of call %d of %v, %v: one oracle says %+v, the other %+v", i+1, o.made, o.calls, all[i], a))
		}
	}
}
