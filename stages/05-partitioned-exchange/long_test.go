package partitionedexchange

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	reference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
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
		if again := long(uint64(i + 1)); !reflect.DeepEqual(again, c.Script) || len(again) != longest {
			t.Errorf("seed %d gives two scripts, or one of %d operations", i+1, len(again))
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
	chance := rand.New(rand.NewPCG(1, 5))
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

// What goes wrong only late is found.
func TestLongScriptsTell(t *testing.T) {
	for name, s := range map[string]contract.Stage{
		"a group is remembered whatever the number of groups": &forgetful{groups: map[string]int{}, from: 30},
		"the 50th owner is that of another group":             &forgetful{groups: map[string]int{}, from: 1 << 20, slips: 50},
	} {
		found := 0
		for _, c := range longCases() {
			found += len(Native(s).Run(c).Findings)
		}
		if found == 0 {
			t.Errorf("%s, and no script tells", name)
		}
	}
}

// A forgetful solution keeps what it should not, after so many calls.
type forgetful struct {
	reference.Solution
	groups             map[string]int
	from, slips, calls int
}

func (f *forgetful) KeyGroup(key string, maxParallelism int) int {
	f.calls++
	if g, ok := f.groups[key]; ok && f.calls > f.from {
		return g % maxParallelism
	}
	f.groups[key] = f.Solution.KeyGroup(key, maxParallelism)
	return f.groups[key]
}

func (f *forgetful) Subtask(group, maxParallelism, parallelism int) int {
	if f.slips--; f.slips == 0 {
		group = 0
	}
	return f.Solution.Subtask(group, maxParallelism, parallelism)
}

// Keys are told apart by what comes after their first 1,000 bytes.
func TestLongKeysTell(t *testing.T) {
	found := 0
	for c := range calls() {
		found += len(Native(cut{}).Run(c).Findings)
	}
	if found == 0 {
		t.Error("a hash of the first 1,000 bytes passes")
	}
}

// A cut solution looks at the beginning of a key.
type cut struct{ reference.Solution }

func (c cut) KeyGroup(key string, maxParallelism int) int {
	return c.Solution.KeyGroup(key[:min(len(key), 1000)], maxParallelism)
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
