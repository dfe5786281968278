package windows

import (
	"math"
	"math/rand/v2"

	"github.com/flk-byo/de/harness/schedule"
)

// longScripts is how many long scripts are run, of which the last few are about
// several operators. Those before go wrong by one operator alone, if at all.
const (
	longScripts   = 16
	ofOneOperator = 12
)

// longest is how many operations a long script has, nearly.
const longest = 150

// A longScript grows by chance.
type longScript struct {
	*rand.Rand
	ops  []schedule.Op
	keys int // how many there are
	life     // of the operator at hand
}

// A life is an operator's.
type life struct {
	size      int64 // of its windows, or gap
	back      int64 // how far behind the watermark its records may be
	watermark int64
}

// long makes a script from a seed: many windows of many keys at a time; windows
// that overlap, of which some are gone; sessions; many late records; then,
// several operators in turn.
func long(seed uint64) []schedule.Op {
	l := &longScript{Rand: rand.New(rand.NewPCG(seed, 4)), keys: 2 + int(seed%3)*4}
	switch kind := seed % 4; {
	case seed > ofOneOperator:
		l.inTurn(2 + l.IntN(4))
	case kind == 0:
		l.keys = len(keys) + numberedKeys - 1
		l.fixed(10, 1, 5)
		l.crowd()
	case kind == 1:
		l.fixed(5+l.Int64N(4), 5, l.Int64N(4))
		l.live(longest)
	case kind == 2:
		l.session(2+l.Int64N(4), l.Int64N(10))
		l.live(longest)
	default:
		l.fixed(4, 1+l.Int64N(2), l.Int64N(3))
		l.back = 20
		l.live(longest)
	}
	l.end()
	return l.ops
}

func (l *longScript) add(name string, args ...int64) { l.ops = append(l.ops, spec.Op(name, args...)) }

// fixed makes an operator over windows of which so many overlap.
func (l *longScript) fixed(size, overlap, lateness int64) {
	offset := l.Int64N(2*size) - size
	if overlap == 1 {
		l.add(opTumbling, size, offset)
	} else {
		l.add(opSliding, size, max(1, size/overlap), offset)
	}
	l.add(opOperator, lateness)
	l.life = life{size, size + lateness, l.Int64N(400) - 300}
	l.add(opAdvance, l.watermark)
}

func (l *longScript) session(gap, lateness int64) {
	l.add(opSession, gap, lateness)
	l.life = life{gap, gap + lateness, l.Int64N(400) - 300}
	l.add(opAdvance, l.watermark)
}

// record hands over a record of that time, with a value of its own.
func (l *longScript) record(time int64) {
	key := int64(1 + l.IntN(l.keys))
	if key >= int64(len(keys)) {
		key += firstNumbered - int64(len(keys))
	}
	l.add(opRecord, key, int64(len(l.ops)), time)
}

// advance moves the watermark on, by nothing now and then, or tries to move it
// back.
func (l *longScript) advance(most int64) {
	if l.IntN(12) == 0 {
		l.add(opAdvance, l.watermark-l.Int64N(5))
		return
	}
	l.watermark += l.Int64N(most + 1)
	l.add(opAdvance, l.watermark)
}

// live puts so many records and watermarks in, in any order.
func (l *longScript) live(operations int) {
	for range operations {
		if l.IntN(4) == 0 {
			l.advance(l.size)
		} else {
			l.record(l.watermark + 1 + l.Int64N(l.size+1) - l.Int64N(l.back+1))
		}
	}
}

// crowd begins many windows of many keys, and lets them end a few at a time.
func (l *longScript) crowd() {
	for range longest {
		l.record(l.watermark + 1 + l.Int64N(6*l.size))
	}
	for range 20 {
		l.advance(6)
		l.record(l.watermark + 1 - l.Int64N(l.back))
	}
}

// inTurn makes several operators, and goes from one to another and back.
func (l *longScript) inTurn(operators int) {
	lives := make([]life, operators)
	for i := range lives {
		if i%2 == 0 {
			l.fixed(2+l.Int64N(8), 1+l.Int64N(2), l.Int64N(6))
		} else {
			l.session(2+l.Int64N(4), l.Int64N(6))
		}
		lives[i] = l.life
	}
	for len(l.ops) < longest {
		i := l.IntN(operators)
		l.add(opUse, int64(i+1))
		l.life = lives[i]
		l.live(1 + l.IntN(10))
		lives[i] = l.life
	}
}

// end moves the watermark beyond all there is; what comes then is late.
func (l *longScript) end() {
	l.add(opAdvance, math.MaxInt64)
	l.record(l.watermark)
	l.record(l.watermark + 1000)
}
