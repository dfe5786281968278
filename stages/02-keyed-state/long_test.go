package keyedstate

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	reference "github.com/flk-byo/de/stages/02-keyed-state/reference"
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
		if len(c.Script) < 100 || len(c.Script) > 800 {
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
	chance := rand.New(rand.NewPCG(1, 2))
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
	keys, restores, processed, states := 0, 0, 0, 0
	for _, c := range longCases() {
		r := &scriptRun{subject: Native(reference.Solution{}).(subject), script: c.Script, how: rarely, asked: keysOf(c.Script)}
		r.use(1)
		restored, handed := map[int64]int{}, 0
		for i, op := range c.Script {
			if f := r.step(i); f != nil {
				t.Fatal(f)
			}
			switch op.Name {
			case opRestore:
				restored[op.Args[0]]++
			case opSnapshot:
				restored[op.Args[0]] = 0
			case opProcess:
				handed++
			}
			for _, n := range r.used() {
				keys = max(keys, len(r.states[n].model.entries))
			}
			if restored[1] > 0 && len(restored) > 4 {
				restores = max(restores, restored[1])
			}
			r.done++
		}
		processed, states = max(processed, handed), max(states, len(r.used()))
	}
	if keys < 200 || restores < 3 || processed < 50 || states < 6 {
		t.Errorf("a state has up to %d keys, map 1 of five and more is restored %d times, %d records are processed, and there are up to %d states",
			keys, restores, processed, states)
	}
}

// What goes wrong only late, or only in the large, is found.
func TestLongScriptsTell(t *testing.T) {
	for name, test := range map[string]struct {
		weak  weakState
		check string
	}{
		"the third map restored is kept":             {weakState{keepsRestored: func(nth, _ int) bool { return nth >= 3 }}, restore},
		"a map of five keys is kept":                 {weakState{keepsRestored: func(_, keys int) bool { return keys >= 5 }}, restore},
		"a snapshot of five keys is not a copy":      {weakState{sharesSnapshot: func(_, keys int) bool { return keys >= 5 }}, snapshot},
		"the tenth snapshot is not a copy":           {weakState{sharesSnapshot: func(nth, _ int) bool { return nth >= 10 }}, snapshot},
		"nine keys are not sorted again after a put": {weakState{caches: 9}, stateModel},
		"a state holds 256 keys":                     {weakState{holds: 256}, stateModel},
		"a state holds 64 keys":                      {weakState{holds: 64}, stateModel},
	} {
		s := Native(weakStage{weak: test.weak})
		found := map[string]int{}
		for _, c := range longCases() {
			for _, f := range s.Run(c).Findings {
				found[f.Check]++
			}
		}
		if found[test.check] == 0 {
			t.Errorf("%s: the long scripts break %v, not %s", name, found, test.check)
		}
		for c := range sequences() {
			if o := s.Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %s tells, which is not long", name, c.ID)
				break
			}
		}
	}
}

type weakStage struct {
	reference.Solution
	weak weakState
}

func (s weakStage) NewState() contract.State {
	weak := s.weak
	weak.values = map[string]int64{}
	return &weak
}

// A weakState is right as long as it is small or young. What is 0 or nil makes
// it no weaker.
type weakState struct {
	keepsRestored  func(nth, keys int) bool
	sharesSnapshot func(nth, keys int) bool
	caches         int // the list of keys, if it is that long
	holds          int // keys

	values              map[string]int64
	restores, snapshots int
	cached              []string
}

func (s *weakState) Get(key string) (int64, bool) {
	v, ok := s.values[key]
	return v, ok
}

func (s *weakState) Put(key string, value int64) {
	if _, ok := s.values[key]; !ok && s.holds > 0 && len(s.values) == s.holds {
		return
	}
	s.values[key] = value
}

func (s *weakState) Delete(key string) { delete(s.values, key) }

func (s *weakState) Keys() []string {
	if len(s.cached) == len(s.values) && s.caches > 0 && len(s.cached) >= s.caches {
		return slices.Clone(s.cached)
	}
	s.cached = slices.Sorted(maps.Keys(s.values))
	return slices.Clone(s.cached)
}

func (s *weakState) Snapshot() map[string]int64 {
	s.snapshots++
	if s.sharesSnapshot != nil && s.sharesSnapshot(s.snapshots, len(s.values)) {
		return s.values
	}
	return maps.Clone(s.values)
}

func (s *weakState) Restore(snapshot map[string]int64) {
	s.restores++
	if s.keepsRestored != nil && snapshot != nil && s.keepsRestored(s.restores, len(snapshot)) {
		s.values = snapshot
		return
	}
	s.values = map[string]int64{}
	maps.Copy(s.values, snapshot)
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
