package grading

import (
	"sync"
	"sync/atomic"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
)

// sweepParts runs parts of the sweep on the first benches, side by side, and
// reports the shortest sequence that goes wrong. Each part begins on a fresh
// guest, so that what it shows does not depend on which ran before.
func (o *output) sweepParts(from, to int) (ended bool, err error) {
	f := &finds{length: o.sweep.Length}
	lanes := min(runners, len(o.benches))
	var wait sync.WaitGroup
	var failed atomic.Value // a panic is a fault of ours, which must reach Serve
	for lane := range lanes {
		wait.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					failed.CompareAndSwap(nil, laneEnd{v})
				}
			}()
			for place := from + lane; place < to && failed.Load() == nil; place += lanes {
				alive := func() {
					if err := o.announce(place, place+1); err != nil {
						panic(err)
					}
				}
				alive()
				f.add(o.benches[lane].part(o.sweep, place-len(o.scheduled), f.limit(), alive), place)
			}
		})
	}
	wait.Wait()
	if end, ok := failed.Load().(laneEnd); ok {
		panic(end.cause)
	}
	r := f.best()
	if r == nil {
		return false, nil
	}
	return o.results([]*CaseResult{o.everywhere(r)}, r.Index)
}

// A laneEnd is how the work of a lane broke down.
type laneEnd struct{ cause any }

// finds are the failing sequences that a sweep has come upon.
type finds struct {
	mu        sync.Mutex
	length    int         // of the sequences that are still of interest
	one, leak *CaseResult // the shortest, the first of several: one that fails alone, and one that does not
}

// limit is how long the sequences of the next part should be: shorter than the
// one that was found. It only saves time: a longer one would not be chosen.
func (f *finds) limit() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.length
}

func (f *finds) add(r *CaseResult, place int) {
	if r == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r.Index = place
	best := &f.one
	if r.Leaks {
		best = &f.leak
	}
	if *best == nil || r.before(*best) {
		*best = r
	}
	if !r.Leaks {
		f.length = min(f.length, len(r.Case.Script)-1)
	}
}

func (r *CaseResult) before(other *CaseResult) bool {
	if n := len(r.Case.Script) - len(other.Case.Script); n != 0 {
		return n < 0
	}
	return r.Index < other.Index
}

func (f *finds) best() *CaseResult {
	if f.one != nil {
		return f.one
	}
	return f.leak
}

// part runs one part of a sweep and returns the shortest sequence that fails.
func (b *bench) part(s Sweep, part, length int, alive func()) *CaseResult {
	if length < 1 {
		return nil
	}
	if b.job.Guarded {
		return b.oneByOne(s, part, length, alive)
	}
	c, died := b.bulk(s, part, length, alive)
	if died != nil {
		return b.oneByOne(s, part, length, alive)
	}
	if c == nil {
		return nil
	}
	if r := b.once(*c, true, true); r != nil {
		return r
	}
	b.bulk(s, part, length, alive)
	return b.leak(b.once(*c, true, false), *c)
}

// bulk runs a part in few calls of the guest.
func (b *bench) bulk(s Sweep, part, length int, alive func()) (wrong *schedule.Case, died *fault.Fault) {
	ctx, cancel := b.limited()
	defer cancel()
	if died := b.ready(ctx, true); died != nil {
		return nil, died
	}
	b.guest.Allow(s.Parts[part])
	died = fault.Guard(func() {
		g := b.bound(ctx, 0)
		g.Alive = alive
		restart := g.Restart
		g.Restart = func() rpc.Object {
			root := restart()
			b.guest.Allow(s.Parts[part])
			return root
		}
		wrong = s.Run(g, part, length)
	})
	return wrong, died
}

// leak makes the finding of a case that goes wrong in the midst of others, and
// not alone, of what it showed after others, if it did so again.
func (b *bench) leak(after *CaseResult, c schedule.Case) *CaseResult {
	if after == nil {
		after = &CaseResult{Case: c, Explored: true, Findings: []Finding{
			*Broken(b.suite.Isolation, len(c.Script)-1, "it showed what it must not."),
		}}
	}
	after.leaks(b.suite)
	return after
}

// oneByOne runs the sequences of a part as any other case, and returns the
// shortest that fails.
func (b *bench) oneByOne(s Sweep, part, length int, alive func()) (shortest *CaseResult) {
	for length > 0 {
		r := b.firstOf(s, part, length, alive)
		if r == nil {
			break
		}
		shortest, length = r, len(r.Case.Script)-1
	}
	return shortest
}

func (b *bench) firstOf(s Sweep, part, length int, alive func()) *CaseResult {
	n := 0
	for c := range s.Cases(part, length) {
		if n++; n%batchSize == 0 {
			alive()
		}
		r := b.confirmed(b.once(c, true, n == 1))
		if r == nil {
			continue
		}
		if f := r.Findings[0]; f.Step >= 0 && f.Step+1 < len(c.Script) && !r.Leaks {
			if cut := b.once(sequence(b.suite, c.Script[:f.Step+1]), true, true); cut != nil {
				return cut
			}
		}
		return r
	}
	return nil
}

// sequence returns the case of a script that is in no schedule.
func sequence(suite Suite, script []schedule.Op) schedule.Case {
	return schedule.Case{ID: schedule.SequenceID(suite.ID, script), Script: script}
}
