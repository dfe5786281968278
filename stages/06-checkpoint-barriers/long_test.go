package checkpointbarriers

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	reference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	"github.com/flk-byo/de/stages/stream"
)

// longCases are the long scripts as cases.
func longCases() []schedule.Case {
	var all []schedule.Case
	for seed := range uint64(longScripts) {
		script := long(seed + 1)
		all = append(all, schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script})
	}
	return all
}

// A long script could stand in a schedule, and is the same whenever it is made.
func TestLongScripts(t *testing.T) {
	for i, c := range longCases() {
		if again := long(uint64(i + 1)); !reflect.DeepEqual(again, c.Script) {
			t.Errorf("seed %d gives two scripts", i+1)
		}
		if len(c.Script) < 100 {
			t.Errorf("seed %d gives %d operations", i+1, len(c.Script))
		}
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Errorf("seed %d: %v", i+1, err)
		}
		expectPass(t, Native(reference.Solution{}), c)
	}
}

// What is left of a long script when some of it is removed is defined by the
// contract, or refused: that is how a failing one is made shorter.
func TestPartsOfLongScripts(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 6))
	s, passed := Native(reference.Solution{}), 0
	for _, c := range longCases() {
		for share := 2; share <= 20; share += 3 {
			part := c
			part.Script = slices.DeleteFunc(slices.Clone(c.Script), func(schedule.Op) bool { return chance.IntN(share) == 0 })
			if len(part.Script) == 0 || !spec.Allows(part.Script) {
				continue
			}
			passed++
			if o := s.Run(part); len(o.Findings) > 0 {
				t.Errorf("%v: %+v", part.Script, o.Findings[0])
			}
		}
	}
	if passed < 10 {
		t.Errorf("only %d parts are allowed", passed)
	}
}

// The long scripts get to where the explored ones do not.
func TestLongScriptsReach(t *testing.T) {
	wide, waiting, complete, aligners := 0, 0, 0, 0
	id := stream.CheckpointID(0)
	for _, c := range longCases() {
		p := planOf(c)
		for _, a := range answersTo(p)[1:] {
			aligners = max(aligners, len(answersTo(p))-1)
			waiting = max(waiting, most(a))
			barriers := 0
			for _, out := range a.out {
				for _, i := range out {
					if i.mark {
						barriers++
						wide, id = max(wide, p.channels), max(id, i.barrier)
					}
				}
			}
			complete = max(complete, barriers)
		}
	}
	if wide <= 32 || waiting <= 64 || complete <= 40 || id>>32 == 0 || aligners < maxAligners {
		t.Errorf("a barrier goes out on up to %d channels, up to %d elements go out at once, %d barriers go out of one aligner, up to %d, and there are up to %d aligners",
			wide, waiting, complete, id, aligners)
	}
}

// most is the largest count of elements that go downstream at once.
func most(a answer) int {
	n := 0
	for _, out := range a.out {
		n = max(n, len(out))
	}
	return n
}

// What goes wrong only late, or only in the large, is found.
func TestLongScriptsTell(t *testing.T) {
	for name, receive := range map[string]func(a *altered, ch int, e stream.Element) []stream.Element{
		"channels beyond 20 are taken for others": func(a *altered, ch int, e stream.Element) []stream.Element {
			return a.Aligner.Receive(ch%20, e)
		},
		"no more than 64 records wait": func(a *altered, ch int, e stream.Element) []stream.Element {
			if e.Barrier == nil && a.waiting == 64 {
				return nil
			}
			return a.Aligner.Receive(ch, e)
		},
		"IDs have 32 bits": func(a *altered, ch int, e stream.Element) []stream.Element {
			if e.Barrier != nil {
				e.Barrier = &stream.Barrier{ID: 1 + stream.CheckpointID(uint32(e.Barrier.ID-1))}
			}
			return a.Aligner.Receive(ch, e)
		},
		"the 40th barrier does not go out": func(a *altered, ch int, e stream.Element) []stream.Element {
			out := a.Aligner.Receive(ch, e)
			if a.barriers < 40 && a.barriers+barriersOf(out) >= 40 {
				return nil
			}
			return out
		},
	} {
		s := Native(alteredStage{receive: receive})
		found := 0
		for _, c := range longCases() {
			found += len(s.Run(c).Findings)
		}
		if found == 0 {
			t.Errorf("%s, and no script tells", name)
		}
		for c := range sequences() {
			if o := s.Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %s tells, which is not long", name, c.ID)
				break
			}
		}
	}
}

// A late barrier is dropped, but not changed: it is the caller's.
func TestBarriersStay(t *testing.T) {
	script := []schedule.Op{
		spec.Op(opChannels, 2), spec.Op(opBarrier, 0, 2), spec.Op(opBarrier, 1, 1), spec.Op(opBarrier, 1, 2),
	}
	c := schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script}
	o := Native(alteredStage{receive: func(a *altered, ch int, e stream.Element) []stream.Element {
		out := a.Aligner.Receive(ch, e)
		if e.Barrier != nil && e.Barrier.ID == 1 {
			e.Barrier.ID = 0
		}
		return out
	}}).Run(c)
	if len(o.Findings) != 1 || o.Findings[0].Check != isolation {
		t.Errorf("findings %+v, want one of %s", o.Findings, isolation)
	}
}

// An alteredStage is the reference, but for what its aligners receive.
type alteredStage struct {
	reference.Solution
	receive func(a *altered, ch int, e stream.Element) []stream.Element
}

func (s alteredStage) NewAligner(channels int) contract.Aligner {
	return &altered{Aligner: s.Solution.NewAligner(channels), receive: s.receive}
}

type altered struct {
	contract.Aligner
	receive           func(a *altered, ch int, e stream.Element) []stream.Element
	waiting, barriers int // records that came and did not go, and barriers that went
}

func (a *altered) Receive(ch int, e stream.Element) []stream.Element {
	out := a.receive(a, ch, e)
	if e.Barrier == nil {
		a.waiting++
	}
	a.waiting -= len(out) - barriersOf(out)
	a.barriers += barriersOf(out)
	return out
}

func barriersOf(es []stream.Element) int {
	n := 0
	for _, e := range es {
		if e.Barrier != nil {
			n++
		}
	}
	return n
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
