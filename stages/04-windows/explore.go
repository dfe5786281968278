package windows

import (
	"iter"
	"math"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
)

// The bounds of exploration: every order of up to so many records and watermarks
// is run.
const (
	fixedLength   = 5
	sessionLength = 4
)

// A scope is an operator, and what is put into it in every order.
type scope struct {
	length     int
	made       []schedule.Op
	times      []int64 // of records
	watermarks []int64
}

var scopes = []scope{
	{ // the ends of two windows, and of the first one's lateness
		length:     fixedLength,
		made:       []schedule.Op{spec.Op(opTumbling, 2, 0), spec.Op(opOperator, 1)},
		times:      []int64{1, 2},
		watermarks: []int64{0, 1, 2},
	},
	{ // of a record's two windows, one is gone first
		length:     fixedLength,
		made:       []schedule.Op{spec.Op(opSliding, 2, 1, 0), spec.Op(opOperator, 0)},
		times:      []int64{0, 1},
		watermarks: []int64{0, 1, math.MaxInt64},
	},
	{ // 0 and 4 are apart until 2 comes
		length:     sessionLength,
		made:       []schedule.Op{spec.Op(opSession, 2, 2)},
		times:      []int64{0, 2, 4},
		watermarks: []int64{1, 3},
	},
}

// sequences yields a case for every order, the shorter first.
func sequences() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		for n := 1; n <= fixedLength; n++ {
			for _, s := range scopes {
				if n > s.length {
					continue
				}
				for script := range explore.Sequences(n, s.next) {
					if len(script) == n && !yield(s.of(script)) {
						return
					}
				}
			}
		}
	}
}

func (s scope) of(script []schedule.Op) schedule.Case {
	whole := append(s.made[:len(s.made):len(s.made)], script...)
	return schedule.Case{ID: schedule.SequenceID(spec.Stage, whole), Script: whole}
}

// next is what can follow: a record of each time, with a value that tells it
// apart in every sum, and each watermark that moves on.
func (s scope) next(script []schedule.Op) []schedule.Op {
	value, reached := int64(1), int64(math.MinInt64)
	for _, op := range script {
		if op.Name == opRecord {
			value *= 2
		} else {
			reached = op.Args[0]
		}
	}
	var next []schedule.Op
	for _, t := range s.times {
		next = append(next, spec.Op(opRecord, keyWords["a"], value, t))
	}
	for _, w := range s.watermarks {
		if w > reached {
			next = append(next, spec.Op(opAdvance, w))
		}
	}
	return next
}
