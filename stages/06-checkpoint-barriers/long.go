package checkpointbarriers

import (
	"math/rand/v2"

	"github.com/flk-byo/de/harness/schedule"
)

// longScripts is how many long scripts are run, of which the last two are about
// one thing each, and longer than the others.
const (
	longScripts = 26
	ofAllKinds  = 24
)

// longest is how many operations a long script has at most. It is no more than
// it takes, since a solution may look at its whole history at each call.
const longest = 200

// A longScript grows by chance. What it does is in hundredths of all arrivals;
// the rest are the next barriers.
type longScript struct {
	*rand.Rand
	ops                         []schedule.Op
	ids                         []int64 // of the barriers, with gaps
	records, late, lost, finish int
}

// A line is how far the channels of one aligner have come.
type line struct {
	next  []int // by channel, the index of the next barrier's ID
	ended []bool
}

// long makes a script from a seed: many channels; many records behind one
// barrier; many barriers, one channel far behind the others, and some lost or
// late; many aligners in turn; or, at last, more records behind one barrier, and
// more barriers.
func long(seed uint64) []schedule.Op {
	l := &longScript{Rand: rand.New(rand.NewPCG(seed, 6)), records: []int{20, 50, 92}[seed/4%3]}
	l.ids = l.rising()
	switch {
	case seed > ofAllKinds+1:
		l.steady()
		return l.ops
	case seed > ofAllKinds:
		l.deep()
		return l.ops
	}
	switch seed % 4 {
	case 0:
		l.late, l.finish = l.IntN(10), 1
		l.wide(21 + l.IntN(44))
	case 1:
		l.flood(2 + l.IntN(3))
	case 2:
		l.late, l.lost = l.IntN(15), l.IntN(10)
		l.behind(2 + l.IntN(4))
	default:
		l.late, l.finish = 5, 1
		l.inTurn(2 + l.IntN(3))
	}
	return l.ops[:min(len(l.ops), longest)]
}

// rising are IDs as checkpoints have them: one more each time, or far more.
func (l *longScript) rising() []int64 {
	ids, gaps := make([]int64, 2*longest), l.IntN(2)
	for i, id := 0, int64(0); i < len(ids); i++ {
		id++
		if gaps*l.IntN(4) == 1 {
			id += l.Int64N(1 << 40)
		}
		ids[i] = id
	}
	return ids
}

func (l *longScript) add(name string, args ...int64) { l.ops = append(l.ops, spec.Op(name, args...)) }

func newLine(channels int) *line {
	return &line{make([]int, channels), make([]bool, channels)}
}

// arrive lets something arrive on a channel.
func (l *longScript) arrive(at *line, ch int) {
	if at.ended[ch] {
		return
	}
	n := l.IntN(100)
	before := func(share int) bool { n -= share; return n < 0 }
	switch {
	case before(l.records):
		l.add(opRecord, int64(ch))
	case before(l.finish):
		l.add(opFinish, int64(ch))
		at.ended[ch] = true
	case before(l.late):
		if passed := at.next[ch]; passed > 0 {
			l.add(opBarrier, int64(ch), l.ids[l.IntN(passed)])
		}
	default:
		if before(l.lost) {
			at.next[ch]++
		}
		l.add(opBarrier, int64(ch), l.ids[at.next[ch]])
		at.next[ch]++
	}
}

// wide lets much the same arrive on many channels, in any order.
func (l *longScript) wide(channels int) {
	l.add(opChannels, int64(channels))
	at := newLine(channels)
	for len(l.ops) < longest {
		for _, ch := range l.Perm(channels) {
			l.arrive(at, ch)
		}
	}
}

// flood lets many records wait behind one barrier, until channel 0 delivers it.
func (l *longScript) flood(channels int) {
	l.add(opChannels, int64(channels))
	at := newLine(channels)
	for len(l.ops) < longest {
		l.records = 0
		for ch := 1; ch < channels; ch++ {
			l.arrive(at, ch)
		}
		l.records = 100
		for range 30 + l.IntN(100) {
			l.arrive(at, 1+l.IntN(channels-1))
		}
		l.records = 0
		l.arrive(at, 0)
	}
}

// held is how many records wait behind one barrier in the end.
const held = 290

// deep lets so many records wait behind one barrier, and no other channel bring
// anything else.
func (l *longScript) deep() {
	l.add(opChannels, 2)
	l.add(opBarrier, 1, l.ids[0])
	for range held {
		l.add(opRecord, 1)
	}
	l.add(opBarrier, 0, l.ids[0])
}

// steady lets so many barriers come on one channel, each of which goes out.
func (l *longScript) steady() {
	l.add(opChannels, 1)
	for _, id := range l.ids[:held] {
		l.add(opBarrier, 0, id)
	}
}

// behind lets the others run far ahead of channel 0, which then catches up.
func (l *longScript) behind(channels int) {
	l.add(opChannels, int64(channels))
	at := newLine(channels)
	for len(l.ops) < longest {
		ahead := 10 + l.IntN(90)
		for range ahead {
			l.arrive(at, 1+l.IntN(channels-1))
		}
		for range ahead {
			l.arrive(at, 0)
		}
	}
}

// inTurn goes from one aligner to another, and comes back.
func (l *longScript) inTurn(channels int) {
	l.add(opChannels, int64(channels))
	lines := make([]*line, maxAligners)
	for i := range lines {
		lines[i] = newLine(channels)
	}
	for len(l.ops) < longest {
		i := l.IntN(maxAligners)
		l.add(opAligner, int64(i+1))
		for range 1 + l.IntN(8) {
			l.arrive(lines[i], l.IntN(channels))
		}
	}
}
