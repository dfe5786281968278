package checkpointbarriers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

// A tally counts what the second opinion and the checks agree on.
type tally struct{ made, rejected, allowed int }

func (n *tally) note(right bool) {
	if right {
		n.allowed++
	} else {
		n.rejected++
	}
}

func (n *tally) tells(t *testing.T, rejected, allowed int) {
	t.Helper()
	t.Logf("%d made; of the changed ones %d rejected and %d still allowed", n.made, n.rejected, n.allowed)
	if n.rejected < rejected || n.allowed < allowed {
		t.Error("too few to tell anything")
	}
}

// What the second opinion puts out passes the checks, for every explored case and
// for histories by chance. Each change of one thing in it is rejected, unless it
// comes to the same: an item left out, doubled, or swapped with another, or moved
// to another arrival.
func TestRightAligner(t *testing.T) {
	n := &tally{}
	for c := range sequences() {
		rulesOn(t, n, planOf(c), 1)
	}
	rnd := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		rulesOn(t, n, anyPlan(rnd), 3)
	}
	n.tells(t, 10000, 100)
}

// rulesOn has the checks judge what the second opinion puts out, and one of so
// many changes of it.
func rulesOn(t *testing.T, n *tally, p plan, of int) {
	t.Helper()
	answer := answersTo(p)[1]
	right := newRightAligner(p.channels)
	var out [][]item
	for _, x := range p.arrivals {
		out = append(out, right.arrive(x))
	}
	n.made++
	if !passes(p, answer, out) {
		t.Fatalf("the checks refuse %s of %+v", shown(out), p.arrivals)
	}
	for k, changed := range changes(out) {
		if k%of > 0 {
			continue
		}
		same := slices.EqualFunc(out, changed, slices.Equal)
		n.note(same)
		if passes(p, answer, changed) != same {
			t.Fatalf("of %+v goes downstream %s; the checks take %s for right: %t", p.arrivals, shown(out), shown(changed), !same)
		}
	}
}

// passes asks the checks.
func passes(p plan, want answer, got [][]item) bool {
	for i := range p.arrivals {
		s := step{plan: p, number: i + 1, history: p.arrivals[:i+1], want: want.out[i], got: got[i]}
		if s.judge() != nil {
			return false
		}
	}
	return true
}

// changes are lists like out, but for one item.
func changes(out [][]item) [][][]item {
	type place struct{ arrival, at int }
	var places []place
	for i, is := range out {
		for k := range is {
			places = append(places, place{i, k})
		}
	}
	var all [][][]item
	change := func(do func(out [][]item)) {
		c := make([][]item, len(out))
		for i := range out {
			c[i] = slices.Clone(out[i])
		}
		do(c)
		all = append(all, c)
	}
	for n, p := range places {
		this := out[p.arrival][p.at]
		change(func(c [][]item) { c[p.arrival] = slices.Delete(c[p.arrival], p.at, p.at+1) })
		change(func(c [][]item) { c[p.arrival] = slices.Insert(c[p.arrival], p.at, this) })
		for _, other := range places[n+1:] {
			change(func(c [][]item) {
				c[p.arrival][p.at], c[other.arrival][other.at] = out[other.arrival][other.at], this
			})
		}
		for i := range out {
			change(func(c [][]item) {
				c[p.arrival] = slices.Delete(c[p.arrival], p.at, p.at+1)
				c[i] = append(c[i], this)
			})
		}
	}
	return all
}

// anyPlan lets arrive by chance what the contract allows, with IDs that are
// skipped, come back, and come in disorder. Some of the records are alike.
func anyPlan(rnd *rand.Rand) plan {
	p := plan{channels: 1 + rnd.IntN(4), label: key}
	ended := make([]bool, p.channels)
	for range 5 + rnd.IntN(25) {
		a := arrival{aligner: 1, channel: rnd.IntN(p.channels)}
		if ended[a.channel] {
			continue
		}
		switch rnd.IntN(12) {
		case 0:
			a.end, ended[a.channel] = true, true
		case 1, 2, 3, 4:
			a.item = barrier(stream.CheckpointID(1 + rnd.IntN(4)))
		default:
			a.item = item{record: stream.Record{Key: string(rune('a' + rnd.IntN(4)))}}
		}
		p.arrivals = append(p.arrivals, a)
	}
	return p
}

// The same of InjectBarriers.
func TestRightlyInjected(t *testing.T) {
	n := &tally{}
	for count := range 7 {
		rs := letters(strings.Join(strings.Split("abbcba"[:count], ""), " "))
		for every := 1; every <= count+1; every++ {
			c, right := injectionCase(rs, every), injected(rs, every)
			n.made++
			if !rightlyInjected(rs, every, right) {
				t.Errorf("%v every %d: refused", rs, every)
			}
			for _, changed := range changes([][]item{right, nil}) {
				got := slices.Concat(changed...)
				same := slices.Equal(got, right)
				n.note(same)
				if (judgeInjection(c, got) == nil) != same {
					t.Errorf("%v every %d: %v is taken for right: %t", rs, every, got, !same)
				}
			}
		}
	}
	n.tells(t, 500, 50)
}

// Where our own parts disagree, it is a panic, and no finding about a solution.
func TestAgreed(t *testing.T) {
	history := written(t, "0:|1| 0:a 1:|1|")
	a := oracle(2, history)
	a.agreed(2, history)
	a.out[2] = a.out[2][:1]
	defer func() {
		if v := fmt.Sprint(recover()); !strings.Contains(v, "of arrival 3 of") {
			t.Errorf("panic of %s", v)
		}
	}()
	a.agreed(2, history)
}
