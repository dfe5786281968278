package transactionalsink

import (
	"maps"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	reference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
)

// Together the same sequences are run, with the same reads, as one after another.
func TestTogetherAreTheSameSequences(t *testing.T) {
	wide := scope{sinks: 1, length: 6, dead: newestDead} // its parts take several batches
	for _, sc := range append([]scope{wide}, short...) {
		for _, p := range sc.parts() {
			for _, length := range []int{sc.length, sc.length - 1} {
				want := map[string]int{}
				p.walk(length, func(script, _ []byte) bool {
					want[string(script)]++
					return true
				})
				got := map[string]int{}
				p.together(func(b wire.Batch) ([]byte, bool) {
					for script := range expanded(b.Scripts) {
						if n := len(withoutReads([]byte(script))); n == length || p.rarely && n > 0 {
							got[script] = 1 // a batch repeats what leads to where it begins
						}
					}
					return b.Run(reference.Solution{})
				}, func() {}, length)
				if !maps.Equal(got, want) {
					t.Fatalf("%v, part %v: %d sequences of up to %d, want %d", sc, p.prefix, len(got), length, len(want))
				}
			}
		}
	}
}

// expanded are the scripts without marks that one with marks stands for: each up
// to where something is taken back.
func expanded(scripts []byte) map[string]bool {
	all := map[string]bool{}
	var script []byte
	var marks []int
	end := func() {
		if n := len(script); n > 0 && script[n-1] >= wire.OpRead {
			all[string(script)] = true
		}
	}
	for _, op := range scripts {
		switch op {
		case wire.OpNew:
			end()
			script, marks = nil, nil
		case wire.OpMark:
			marks = append(marks, len(script))
		case wire.OpBack:
			end()
			script = script[:marks[len(marks)-1]]
		case wire.OpDrop:
			end()
			marks = marks[:len(marks)-1]
		default:
			script = append(script, op)
		}
	}
	end()
	return all
}

// Together a fault shows in the parts in which it shows one after another.
func TestTogetherShowsTheSame(t *testing.T) {
	for _, fault := range []string{"", "unknown commits all", "own slice", "flood", "abort-open aborts all"} {
		right := 0
		for _, sc := range short {
			for _, p := range sc.parts() {
				s := faults{fault: fault}
				one := p.run(runs(s), func() {}, sc.length) == nil
				if together := p.together(runs(s), func() {}, sc.length); together != one {
					t.Errorf("%q, %v, part %v: together it passes: %v, one after another: %v", fault, sc, p.prefix, together, one)
				}
				if one {
					right++
				}
			}
		}
		if fault != "" && right == 0 {
			t.Errorf("%q shows in every part", fault)
		}
	}
}

// hooked is a sink that can't be taken back.
type hooked struct {
	contract.TransactionalSink
	hook func()
}

type hooks struct{ reference.Solution }

func (h hooks) NewTransactionalSink() contract.TransactionalSink {
	return hooked{h.Solution.NewTransactionalSink(), func() {}}
}

// A guest is started afresh before its sequences are run one after another, and
// only where together they don't show that it is right.
func TestExploreBeginsTogether(t *testing.T) {
	for name, test := range map[string]struct {
		solution contract.Stage
		rewind   bool
		restarts int
		right    bool
	}{
		"right":                  {reference.Solution{}, true, 0, true},
		"not to be taken back":   {reference.Solution{}, false, 0, true},
		"with a function inside": {hooks{}, true, 1, true},
		"wrong":                  {faults{fault: "flood"}, true, 1, false},
		"dies":                   {faults{fault: "panic"}, true, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			restarts := 0
			g := grading.Guest{
				Solution: proxied(test.solution).Object, Rewind: test.rewind, Alive: func() {},
				Restart: func() rpc.Object {
					restarts++
					return proxied(test.solution).Object
				},
			}
			var c *schedule.Case
			died := fault.Guard(func() { c = short[0].parts()[0].explore(g, short[0].length) })
			if right := c == nil && died == nil; right != test.right || restarts != test.restarts {
				t.Errorf("it is right: %v, after %d restarts", right, restarts)
			}
		})
	}
}

// What can't be taken back is not run together, and not held to be right.
func TestNotTogether(t *testing.T) {
	p := short[0].parts()[0]
	if p.together(runs(hooks{}), func() {}, p.length) {
		t.Error("it is held to be right")
	}
	if c := p.run(runs(hooks{}), func() {}, p.length); c != nil {
		t.Errorf("one after another %s goes wrong", c.ID)
	}
}
