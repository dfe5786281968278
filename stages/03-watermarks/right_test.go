package watermarks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/03-watermarks/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A player is a solution that gives the answers it is told to, whatever is called.
type player struct{ answers []answer }

func (p *player) next() (stream.Watermark, bool) {
	a := p.answers[0]
	p.answers = p.answers[1:]
	return a.watermark, a.told
}

func (p *player) BoundedOutOfOrderness(int64) contract.Generator             { return p }
func (p *player) NewMerger(int) contract.Merger                              { return p }
func (p *player) Observe(stream.Record) (stream.Watermark, bool)             { return p.next() }
func (p *player) Update(int, stream.Watermark) (w stream.Watermark, ok bool) { return p.next() }
func (p *player) Idle(int) (stream.Watermark, bool)                          { return p.next() }
func (p *player) Finish(int) (stream.Watermark, bool)                        { return p.next() }

// What the second opinion tells passes the checks, for every explored case and for
// calls by chance. Each change of one answer is rejected, unless it comes to the
// same: one left out, told again, told at another call, swapped with another, or
// off by one.
func TestRight(t *testing.T) {
	made, rejected, allowed := 0, 0, 0
	rules := func(p *plan) {
		right := p.objects[0].right()
		var all []answer
		for _, op := range p.objects[0].calls {
			all = append(all, right.call(op))
		}
		made++
		if !passes(p, all) {
			t.Fatalf("%v: the checks refuse %+v", p.objects[0], all)
		}
		for _, changed := range changes(all) {
			same := slices.EqualFunc(all, changed, answer.equal)
			if same {
				allowed++
			} else {
				rejected++
			}
			if passes(p, changed) != same {
				t.Fatalf("%v: instead of %+v the checks take %+v for right: %t", p.objects[0], all, changed, !same)
			}
		}
	}
	for c := range sequences() {
		rules(planOf(c))
	}
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		rules(anyPlan(rnd))
	}
	t.Logf("%d made; of the changed ones %d rejected and %d still allowed", made, rejected, allowed)
	if rejected < 10000 || allowed < 1000 {
		t.Error("too few to tell anything")
	}
}

// passes asks the checks.
func passes(p *plan, answers []answer) bool {
	r := &run{plan: p, solution: &player{slices.Clone(answers)}}
	return r.carryOut() == nil
}

// changes are lists of answers like all, but for one. Where nothing is told, what
// stands beside that does not matter.
func changes(all []answer) [][]answer {
	var lists [][]answer
	change := func(do func(c []answer)) {
		c := slices.Clone(all)
		do(c)
		lists = append(lists, c)
	}
	for i, a := range all {
		change(func(c []answer) { c[i].told = !a.told })
		change(func(c []answer) { c[i].watermark++ })
		change(func(c []answer) { c[i].watermark-- })
		for k := range all {
			if k == i {
				continue
			}
			change(func(c []answer) { c[i], c[k] = c[k], a })
			change(func(c []answer) { c[k] = a })
			change(func(c []answer) { c[k], c[i] = a, answer{} })
		}
	}
	return lists
}

// anyPlan is of calls by chance on a generator or a merger, with numbers that
// come again, and some at the ends of the range.
func anyPlan(rnd *rand.Rand) *plan {
	number := func() int64 {
		if rnd.IntN(4) > 0 {
			return rnd.Int64N(8)
		}
		return []int64{math.MinInt64, math.MinInt64 + 1, -1, math.MaxInt64 - 1, math.MaxInt64}[rnd.IntN(5)]
	}
	p := &plan{}
	channels := rnd.Int64N(5)
	if channels == 0 {
		p.make(spec.Op(opMaxDelay, max(number(), 0)))
	} else {
		p.make(spec.Op(opChannels, channels))
	}
	for range 1 + rnd.IntN(20) {
		op := spec.Op(opObserve, number())
		if channels > 0 {
			ch := rnd.Int64N(channels)
			op = []schedule.Op{spec.Op(opUpdate, ch, number()), spec.Op(opUpdate, ch, number()), spec.Op(opIdle, ch), spec.Op(opFinish, ch)}[rnd.IntN(4)]
		}
		p.add(0, op, stream.Record{Time: op.Args[0]})
	}
	p.answer()
	return p
}

// Where our own parts disagree, it is a panic, and no finding about a solution.
func TestAgreed(t *testing.T) {
	o := planOf(sequence(t, "channels-1,update-0-1,update-0-2")).objects[0]
	all := o.answers()
	o.agreed(all)
	all[1].watermark = 1
	defer func() {
		if v := fmt.Sprint(recover()); !strings.Contains(v, "of call 2 of") {
			t.Errorf("panic of %s", v)
		}
	}()
	o.agreed(all)
}
