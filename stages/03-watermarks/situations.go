package watermarks

import (
	"iter"
	"math"

	"github.com/flk-byo/de/grading"
)

var situations = append(generatorSigns.Situations(), mergerSigns.Situations()...)

// generatorSigns are told by one record, and those before it. Those of a merger
// are in situations_merger.go.
var generatorSigns = grading.Signs[observation]{
	{"late-record", "A record comes whose time is less than the largest before it.", func(o observation) bool {
		return o.nth > 0 && o.record.Time < o.largest
	}},
	{"tied-record", "A record comes whose time is the largest before it.", func(o observation) bool {
		return o.nth > 0 && o.record.Time == o.largest
	}},
	{"late-record-of-a-new-key", "A late record is the first of its key.", func(o observation) bool {
		return o.nth > 0 && o.record.Time < o.largest && !o.keys[o.record.Key]
	}},
	{"advance-by-1", "The watermark advances by 1.", func(o observation) bool {
		return o.nth > 0 && o.want.told && o.record.Time-1 == o.largest
	}},
	{"first-watermark-not-positive", "The first watermark is 0 or less.", func(o observation) bool {
		return o.nth == 0 && o.want.watermark <= 0
	}},
	{"watermark-below-the-range", "A first record comes whose watermark would be less than math.MinInt64.", func(o observation) bool {
		return o.nth == 0 && o.underflows()
	}},
	{"watermark-still-below-the-range", "A larger time comes, and the watermark would still be less than math.MinInt64.", func(o observation) bool {
		return o.nth > 0 && o.record.Time > o.largest && o.underflows()
	}},
	{"times-that-a-float-confuses", "A time is larger than the largest before it, and as a float64 it is not.", func(o observation) bool {
		return o.nth > 0 && o.record.Time > o.largest && float64(o.record.Time) == float64(o.largest)
	}},
	{"delay-beyond-32-bits", "The delay does not fit an int32.", func(o observation) bool {
		return o.delay > math.MaxInt32
	}},
	{"two-generators", "The first record comes to a generator, and another has seen a larger time.", func(o observation) bool {
		return o.nth == 0 && o.behind
	}},
}

// situations returns the names of those that came up in the calls that were made.
func (r *run) situations() []string {
	n := len(r.seen)
	return append(generatorSigns.During(r.plan.observations(n)), mergerSigns.During(r.plan.mergings(n))...)
}

// An observation is a call of a generator, and what it has seen before.
type observation struct {
	call
	delay   int64
	largest int64           // of the times before; none if it is the first
	keys    map[string]bool // of the records before
	behind  bool            // another generator has seen a larger time
}

// observations are the first n calls of a plan, those of mergers left out.
func (p *plan) observations(n int) iter.Seq[observation] {
	return func(yield func(observation) bool) {
		largest := map[int]int64{} // by generator
		keys := map[int]map[string]bool{}
		for _, c := range p.calls[:n] {
			if c.nth < 0 || !p.objects[c.object].generator() {
				continue
			}
			if c.nth == 0 {
				keys[c.object], largest[c.object] = map[string]bool{}, math.MinInt64
			}
			o := observation{
				call: c, delay: p.objects[c.object].made.Args[0],
				largest: largest[c.object], keys: keys[c.object],
			}
			for _, time := range largest {
				o.behind = o.behind || time > c.record.Time
			}
			if !yield(o) {
				return
			}
			keys[c.object][c.record.Key] = true
			largest[c.object] = max(largest[c.object], c.record.Time)
		}
	}
}

// underflows tells whether the watermark of the record would be too small.
func (o observation) underflows() bool {
	_, inRange := bound(o.record.Time, o.delay)
	return !inRange
}
