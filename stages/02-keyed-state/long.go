package keyedstate

import (
	"math/rand/v2"

	"github.com/flk-byo/de/harness/schedule"
)

// longScripts is how many long scripts are run. They come by what they are
// about, so that what is wrong with a state alone shows before there are maps,
// other states and operators.
const (
	longScripts = 15
	ofOneState  = 4
	ofMaps      = 9
	ofStates    = 12
)

// longest is how many operations a long script has, nearly.
const longest = 120

// A longScript grows by chance.
type longScript struct {
	*rand.Rand
	ops    []schedule.Op
	keys   []int64        // that it is about
	taken  []int64        // maps that there are
	worker map[int64]bool // operators that there are
}

// long makes a script from a seed: a state of many keys; snapshots that are
// restored long after, and again; several states in turn; or operators.
func long(seed uint64) []schedule.Op {
	l := &longScript{Rand: rand.New(rand.NewPCG(seed, 2)), worker: map[int64]bool{}}
	switch {
	case seed <= ofOneState:
		l.choose([]int{270, 12, 25, 66}[seed%4])
		l.growth()
	case seed <= ofMaps:
		l.choose(5 + l.IntN(8))
		l.snapshots()
	case seed <= ofStates:
		l.choose(5 + l.IntN(8))
		l.states(3 + l.IntN(maxSlots-2))
	default:
		l.choose(3 + l.IntN(4))
		l.operators()
	}
	return l.ops
}

func (l *longScript) add(name string, args ...int64) { l.ops = append(l.ops, spec.Op(name, args...)) }

// value is another one each time, but for a zero now and then.
func (l *longScript) value() int64 {
	if l.IntN(10) == 0 {
		return 0
	}
	return int64(len(l.ops) + 1)
}

// choose chooses keys: first of those that have words, then any.
func (l *longScript) choose(n int) {
	for _, i := range l.Perm(len(keyNames)) {
		l.keys = append(l.keys, int64(i))
	}
	for _, i := range l.Perm(numberedKeys) {
		l.keys = append(l.keys, firstNumbered+int64(i))
	}
	l.keys = l.keys[:n]
}

func (l *longScript) key() int64 { return l.keys[l.IntN(len(l.keys))] }

// growth puts all keys and deletes most of them, and goes back and forth.
func (l *longScript) growth() {
	for i, key := range l.keys {
		l.add(opPut, key, l.value())
		if i < longest/2 {
			l.few()
		}
	}
	for len(l.ops) < longest {
		l.few()
	}
	for _, i := range l.Perm(len(l.keys))[len(l.keys)/4 : min(len(l.keys), longest)] {
		l.add(opDelete, l.keys[i])
	}
}

// few puts or deletes one of the keys that were there before, or none.
func (l *longScript) few() {
	switch l.IntN(8) {
	case 0:
		l.add(opDelete, l.key())
	case 1, 2:
		l.add(opPut, l.key(), l.value())
	}
}

// snapshots takes several snapshots, and goes back to the first ones.
func (l *longScript) snapshots() {
	for _, key := range l.keys {
		l.add(opPut, key, l.value())
	}
	for len(l.taken) < 5 {
		l.take()
		l.few()
		l.few()
	}
	for len(l.ops) < longest {
		l.few()
		l.byMap()
		if l.IntN(4) == 0 {
			l.add(opRestore, 1)
		}
	}
}

// take takes a snapshot as another map.
func (l *longScript) take() {
	if n := int64(len(l.taken) + 1); n <= maxSlots {
		l.taken = append(l.taken, n)
		l.add(opSnapshot, n)
	}
}

// byMap does something with a map: it is restored, or its owner changes it, or
// takes another in its place.
func (l *longScript) byMap() {
	if len(l.taken) == 0 {
		l.take()
		return
	}
	m := l.taken[l.IntN(len(l.taken))]
	switch n := l.IntN(20); {
	case n < 9:
		l.add(opRestore, m)
	case n < 13:
		l.add(opChange, m, l.key(), l.value())
	case n < 15:
		l.add(opRemove, m, l.key())
	case n < 17:
		l.add(opSnapshot, m)
	case n < 18:
		l.add(opRestoreEmpty)
	case n < 19:
		l.add(opRestoreNil)
	default:
		l.take()
	}
}

// states goes from one state to another, each restored to what others were.
func (l *longScript) states(n int) {
	for len(l.ops) < longest {
		l.add(opState, int64(1+l.IntN(n)))
		for range 1 + l.IntN(4) {
			l.add(opPut, l.key(), l.value())
			l.few()
		}
		if l.IntN(3) == 0 {
			l.byMap()
		}
	}
}

// operators hands many records to operators over a few states, which are the
// caller's as well.
func (l *longScript) operators() {
	for len(l.ops) < longest {
		l.add(opState, int64(1+l.IntN(3)))
		if n := int64(1 + l.IntN(maxSlots)); !l.worker[n] {
			l.worker[n] = true
			l.add(opReduce, n, int64(l.IntN(len(functions))))
		}
		for n := range l.IntN(12) {
			if who := int64(1 + n%maxSlots); l.worker[who] {
				l.add(opProcess, who, l.key(), l.value())
			}
		}
		l.few()
		if l.IntN(4) == 0 {
			l.byMap()
		}
	}
}
