package operators

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/01-operators/contract"
	reference "github.com/flk-byo/de/stages/01-operators/reference"
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
		if len(c.Script) < 100 || len(c.Script) > 200 {
			t.Errorf("seed %d gives %d operations", i+1, len(c.Script))
		}
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Errorf("seed %d: %v", i+1, err)
		}
		if o := Native(reference.Solution{}).Run(c); len(o.Findings) > 0 {
			t.Errorf("seed %d: %+v", i+1, o.Findings[0])
		}
	}
}

// What is left of a long script when some of it is removed is defined by the
// contract, or refused: that is how a failing one is made shorter.
func TestPartsOfLongScripts(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
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
	runs, chained, places, calls := 0, 0, 0, 0
	for _, c := range longCases() {
		n, by, stack := 0, map[*node]int{}, bodies{}
		for _, s := range steps(c) {
			if !s.uses() {
				continue
			}
			if s.op.Name == opRun {
				n++
			}
			leaves := s.node.leaves()
			chained = max(chained, len(leaves))
			for _, leaf := range leaves {
				places = max(places, count(leaves, leaf))
			}
			for _, e := range model(s.node, s.source, stack) {
				if e.kind == called {
					by[e.leaf]++
					calls = max(calls, by[e.leaf])
				}
			}
		}
		runs = max(runs, n)
	}
	if runs < 50 || chained < 20 || places < 5 || calls < 200 {
		t.Errorf("up to %d runs, chains of %d, an operator in %d places, a function called %d times", runs, chained, places, calls)
	}
}

func count(leaves []*node, leaf *node) int {
	n := 0
	for _, l := range leaves {
		if l == leaf {
			n++
		}
	}
	return n
}

// What goes wrong only late, or only in the large, is found. What depends on the
// runs before is called a matter of isolation.
func TestLongScriptsTell(t *testing.T) {
	for name, test := range map[string]struct {
		solution contract.Stage
		check    string
	}{
		"a fourth emission is held back":          {wrong{flatMap: holding}, operatorsCheck},
		"an operator has three places in a chain": {pointers{places: 3}, chainCheck},
		"a chain has 16 operators":                {pointers{length: 16}, chainCheck},
		"a 200th call is left out":                {wrong{mapping: tired}, isolation},
		"results are in one of five arrays":       {wrong{finish: ring(5)}, isolation},
	} {
		s := Native(test.solution)
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
			if o := Native(test.solution).Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %s tells, which is not long: %+v", name, c.ID, o.Findings[0])
				break
			}
		}
	}
}

// What lies behind the source is the caller's.
func TestBehindTheSource(t *testing.T) {
	behind := wrong{finish: func(source, output []record) []record { return append(source, output...)[len(source):] }}
	o := Native(behind).Run(caseOf("map inc, run 2"))
	if len(o.Findings) != 1 || o.Findings[0].Check != isolation {
		t.Errorf("findings %+v, want one of %s", o.Findings, isolation)
	}
}

// holding emits a fourth record only when the function has returned.
func holding(f process) process {
	return func(r record, emit func(record)) {
		n, release := 0, func() {}
		f(r, func(e record) {
			if n++; n == 4 {
				release = func() { emit(e) }
			} else {
				emit(e)
			}
		})
		release()
	}
}

// tired does not call its function for a 200th record.
func tired(f func(record) record) process {
	calls := 0
	return func(r record, emit func(record)) {
		if calls++; calls != 200 {
			r = f(r)
		}
		emit(r)
	}
}

// ring returns results in arrays that are used again.
func ring(arrays int) func(source, output []record) []record {
	buffers, next := make([][]record, arrays), 0
	return func(_, output []record) []record {
		next = (next + 1) % arrays
		buffers[next] = append(buffers[next][:0], output...)
		return buffers[next]
	}
}

// A pointers solution knows its maps, filters and flat-maps when it sees them
// again. What is 0 bounds nothing.
type pointers struct {
	reference.Solution
	places int // of one operator in a chain
	length int // of a chain
}

type pointed struct{ contract.Operator }

func (p pointers) Map(f func(record) record) contract.Operator { return &pointed{p.Solution.Map(f)} }
func (p pointers) Filter(f func(record) bool) contract.Operator {
	return &pointed{p.Solution.Filter(f)}
}
func (p pointers) FlatMap(f func(record, func(record))) contract.Operator {
	return &pointed{p.Solution.FlatMap(f)}
}

func (p pointers) Chain(ops ...contract.Operator) contract.Operator {
	if p.length > 0 {
		ops = ops[:min(len(ops), p.length)]
	}
	seen := map[*pointed]int{}
	ops = slices.DeleteFunc(slices.Clone(ops), func(op contract.Operator) bool {
		own, ok := op.(*pointed)
		if ok {
			seen[own]++
		}
		return ok && p.places > 0 && seen[own] > p.places
	})
	return p.Solution.Chain(ops...)
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
