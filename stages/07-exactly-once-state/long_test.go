package exactlyoncestate

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	reference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
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
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Errorf("seed %d: %v", i+1, err)
		}
		expectPass(t, Native(reference.Solution{}), c)
	}
}

// What is left of a long script when some of it is removed is defined by the
// contract, or refused: that is how a failing one is made shorter.
func TestPartsOfLongScripts(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 7))
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

// The long scripts get to where the explored ones do not: a store that many runs
// have gone on from, and a source that has grown.
func TestLongScriptsReach(t *testing.T) {
	kills, resumed, farthest := 0, 0, 0
	for _, c := range longCases() {
		s := Native(reference.Solution{}).(*subject)
		p := &past{store: newStore(nil)}
		killed, offsets := 0, map[int]bool{}
		for _, op := range c.Script {
			if found := s.live(p, op); len(found) > 0 {
				t.Fatalf("%s: %+v", c.ID, found)
			}
			if n := len(p.runs); n > 0 && p.runs[n-1].found {
				offsets[p.runs[n-1].base.Offset] = true
			}
		}
		for _, r := range p.runs {
			if r.killed() {
				killed++
			}
			farthest = max(farthest, r.base.Offset)
		}
		kills, resumed = max(kills, killed), max(resumed, len(offsets))
	}
	if kills < 5 || resumed < 5 || farthest < 20 {
		t.Errorf("up to %d runs of a history are killed, and they go on from up to %d offsets, up to %d", kills, resumed, farthest)
	}
}

// What goes wrong only late is found.
func TestLongScriptsTell(t *testing.T) {
	for name, from := range map[string]int{"offsets beyond 16": 16, "offsets beyond 8": 8} {
		found := 0
		for _, c := range longCases() {
			found += len(Native(shortSighted{from: from}).Run(c).Findings)
		}
		if found == 0 {
			t.Errorf("%s are taken for none, and no script tells", name)
		}
		for c := range histories() {
			if o := Native(shortSighted{from: from}).Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %s tells, which is not long", name, c.ID)
				break
			}
		}
	}
}

// A shortSighted solution does not resume from far in the source.
type shortSighted struct {
	reference.Solution
	from int
}

func (s shortSighted) RunExactlyOnceState(store contract.CheckpointStore, records []stream.Record, barrierEvery, crashAfter int) map[string]int64 {
	if c, ok := store.Latest(); ok && c.Offset > s.from {
		return map[string]int64{}
	}
	return s.Solution.RunExactlyOnceState(store, records, barrierEvery, crashAfter)
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
