package watermarks

import (
	"math/rand/v2"

	"github.com/flk-byo/de/harness/schedule"
)

// longScripts is how many long scripts are run.
const longScripts = 20

// Bounds of a long script, in operations: of all, and of a merger that has some.
// A right solution may work its answer out anew from all calls there were, so
// that a script of twice the length takes it eight times as long.
const (
	longest      = 220
	longestMerge = 120
)

// A longScript grows by chance: a merger of many channels, one that tells often,
// several objects in turn, or mergers that come to their end one after another.
type longScript struct {
	*rand.Rand
	ops  []schedule.Op
	time int64 // about which times and watermarks are
}

// long makes a script from a seed.
func long(seed uint64) []schedule.Op {
	l := &longScript{Rand: rand.New(rand.NewPCG(seed, 3))}
	l.time = int64(l.IntN(200)) - 100
	switch seed % 4 {
	case 0:
		l.wide(65 + l.IntN(8))
	case 1:
		l.often()
	case 2:
		l.inTurn(2 + l.IntN(maxObjects-1))
	default:
		for range maxObjects {
			l.toTheEnd(3 + l.IntN(5))
		}
	}
	return l.ops[:min(len(l.ops), longest)]
}

func (l *longScript) add(name string, args ...int64) { l.ops = append(l.ops, spec.Op(name, args...)) }

// near is a time that is not far from the last one, but may be before it.
func (l *longScript) near() int64 {
	l.time += int64(l.IntN(3))
	return l.time - int64(l.IntN(4))
}

// round calls each channel once, in any order. Of a hundred, so many become
// idle or are finished, and the others come to a watermark.
func (l *longScript) round(channels, idle, finish int) {
	for _, ch := range l.Perm(channels) {
		switch n := l.IntN(100); {
		case n < finish:
			l.add(opFinish, int64(ch))
		case n < finish+idle:
			l.add(opIdle, int64(ch))
		default:
			l.add(opUpdate, int64(ch), l.near())
		}
	}
}

// wide calls a merger of many channels, of which the last one to report, or to
// be raised, lets it tell; and a few times one of many more.
func (l *longScript) wide(channels int) {
	l.add(opChannels, int64(channels))
	idle, finish := l.IntN(3)*10, l.IntN(2)*3
	for range 2 {
		l.round(channels, idle, finish)
	}
	l.add(opChannels, maxChannels)
	for range 20 {
		l.add(opUpdate, int64(l.IntN(maxChannels)), l.near())
	}
}

// often calls a generator, or a merger of one or two channels, that has
// something to tell at nearly all calls.
func (l *longScript) often() {
	channels := l.IntN(3)
	if channels == 0 {
		l.add(opMaxDelay, int64(l.IntN(10)))
	} else {
		l.add(opChannels, int64(channels))
	}
	for len(l.ops) < longest {
		l.time += 4
		if channels == 0 {
			l.add(opObserve, l.near())
		} else if l.round(channels, l.IntN(50)/49*30, 0); len(l.ops) >= longestMerge {
			return
		}
	}
}

// inTurn goes from one generator or merger to another, and comes back to the
// first ones when the last has been made and used.
func (l *longScript) inTurn(objects int) {
	channels := make([]int, objects)
	for i := range channels {
		if channels[i] = l.IntN(5); channels[i] == 0 {
			l.add(opMaxDelay, int64(l.IntN(10)))
		} else {
			l.add(opChannels, int64(channels[i]))
		}
	}
	for len(l.ops) < longest {
		i := l.IntN(objects)
		l.add(opUse, int64(i+1))
		for range 1 + l.IntN(3) {
			if channels[i] == 0 {
				l.add(opObserve, l.near())
			} else {
				l.round(channels[i], 15, 1)
			}
		}
	}
}

// toTheEnd makes a merger of which some channels finish while the others are
// idle, come back and finish too.
func (l *longScript) toTheEnd(channels int) {
	l.add(opChannels, int64(channels))
	l.round(channels, 10, 0)
	order := l.Perm(channels)
	first := l.IntN(channels)
	for i, ch := range order {
		if i < first {
			l.add(opFinish, int64(ch))
		} else {
			l.add(opIdle, int64(ch))
		}
	}
	for range l.IntN(2 * channels) {
		l.time += 2
		l.add(opUpdate, int64(l.IntN(channels)), l.near())
	}
	for _, ch := range order[first:] {
		l.add(opFinish, int64(ch))
	}
}
