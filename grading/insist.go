package grading

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A case that is to be explained, or shown by a plain test, has failed before. If
// it passes now, it is tried again: under so many more seeds, and on guests that
// go on, so many times after itself and after others, for so long at most.
const (
	moreSeeds  = 100
	moreRounds = 10
	insistence = 3 * time.Second
)

// insist tries the case that is explained again, and reports it if it fails.
func (o *output) insist() error {
	ctx, cancel := context.WithTimeout(o.ctx, insistence)
	defer cancel()
	again := func() bool { return ctx.Err() == nil && o.announce(0, 1) == nil }
	r := o.underMoreSeeds(again)
	if r == nil {
		r = o.afterOthers(again)
	}
	if r == nil {
		return nil
	}
	clear(o.shown) // it is what is to be shown, whatever was before
	_, err := o.results([]*CaseResult{r}, 0)
	if r.bench != nil {
		r.bench.close()
	}
	return err
}

// underMoreSeeds returns the result of the first case of the agenda under another
// seed, each on a fresh guest, or nil if it passes.
func (o *output) underMoreSeeds(again func() bool) *CaseResult {
	last := o.benches[len(o.benches)-1]
	for n := uint64(1); n <= moreSeeds && again(); n++ {
		b := &bench{judge: o.judge, program: last.program, seed: last.seed + n, turn: len(o.benches)}
		b.enter(o.suite, o.stage)
		if r := b.once(o.at(0), false, true); r != nil {
			r.bench = b
			return chance(r, o.suite, fmt.Sprintf("Under random seed %d the case passes; under seed %d: %s",
				o.benches[0].seed, b.seed, r.Findings[0].Problem))
		}
		b.close()
	}
	return nil
}

// afterOthers returns the result of the first case of the agenda after itself, the
// cases nearby and those of [Stage.Before] on one guest, or nil if it passes.
func (o *output) afterOthers(again func() bool) *CaseResult {
	before := slices.Repeat(o.scheduled[:1], moreRounds)
	before = slices.Concat(before, o.scheduled[1:], o.stage.Before)
	for _, b := range o.benches {
		for _, c := range before {
			if !again() {
				return nil
			}
			b.once(c, false, false)
			if r := b.once(o.at(0), false, false); r != nil {
				return b.confirmed(r)
			}
		}
	}
	return nil
}
