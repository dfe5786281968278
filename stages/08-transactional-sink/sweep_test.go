package transactionalsink

import (
	"fmt"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	reference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// short are scopes like those that are explored, small enough for tests.
var short = []scope{
	{sinks: 1, length: 5, dead: newestDead},
	{sinks: 1, length: 4, dead: everyKind},
	{sinks: 1, length: 4, dead: everyKind, rarely: true},
	{sinks: 2, length: 4, dead: noDead},
}

func (sc scope) String() string {
	return fmt.Sprintf("%d sinks, length %d, dead %d, rarely %v", sc.sinks, sc.length, sc.dead, sc.rarely)
}

// runs returns runScripts of a native solution.
func runs(s contract.Stage) runScripts {
	return func(b wire.Batch) ([]byte, bool) { return b.Run(s) }
}

// What the sketches say that a read must give is what the model gives.
func TestSketchAgreesWithModel(t *testing.T) {
	for _, sc := range short {
		n := 0
		for _, p := range sc.parts() {
			p.walk(sc.length, func(script, want []byte) bool {
				n++
				batch := wire.Batch{Records: exploredRecords(), IDs: exploredIDs(), Scripts: append([]byte{wire.OpNew}, script...)}
				if got, _ := batch.Run(models{}); !slices.Equal(got, want) {
					t.Errorf("%v: %s gives % x, want % x", sc, caseOf(script).ID, got, want)
				}
				return !t.Failed()
			})
		}
		t.Logf("%v: %d sequences", sc, n)
		if n < 100 {
			t.Errorf("%v: only %d sequences", sc, n)
		}
	}
}

// models is a solution whose sinks are models.
type models struct{ contract.Stage }

func (models) NewTransactionalSink() contract.TransactionalSink { return newModel() }

// Each sequence of a scope is yielded by one part, and as many are as are said
// to be.
func TestParts(t *testing.T) {
	for _, sc := range short {
		seen := map[string]bool{}
		c := counter{sc, map[outlook]int{}}
		for _, p := range sc.parts() {
			n := 0
			p.walk(sc.length, func(script, _ []byte) bool {
				n++
				if text := string(withoutReads(script)); seen[text] {
					t.Errorf("%v: %s comes twice", sc, caseOf(script).ID)
				} else {
					seen[text] = true
				}
				return true
			})
			if want := c.size(p); n != want {
				t.Errorf("%v: part %v has %d sequences, %d are announced", sc, p.prefix, n, want)
			}
		}
		if want := countOf(sc, nil); len(seen) != want {
			t.Errorf("%v: %d sequences, want %d", sc, len(seen), want)
		}
	}
}

// countOf counts the sequences that go on from one by brute force, without
// scenes.
func countOf(sc scope, script []byte) int {
	n := 0
	if len(script) == sc.length || sc.rarely && len(script) > 0 {
		n++
	}
	if len(script) == sc.length {
		return n
	}
	for _, op := range mayFollow(sc, script) {
		n += countOf(sc, append(slices.Clone(script), op))
	}
	return n
}

// mayFollow says what the documentation of scope does, by looking at the whole
// script each time.
func mayFollow(sc scope, script []byte) []byte {
	now, moved, writes := byte(0), false, byte(0)
	var prepared, over [2][]byte
	var newestCommit, newestAbort byte = unknown, unknown
	ids := [2]byte{}
	for _, op := range script {
		arg := op % (wire.MaxArg + 1)
		moved = false
		switch op - arg {
		case wire.OpWrite:
			writes++
		case wire.OpPreCommit:
			prepared[now] = append(prepared[now], arg)
			ids[now]++
		case wire.OpCommit, wire.OpAbort:
			if i := slices.Index(prepared[now], arg); i >= 0 {
				prepared[now] = slices.Delete(prepared[now], i, i+1)
				over[now] = append(over[now], arg)
				if op-arg == wire.OpCommit {
					newestCommit = arg
				} else {
					newestAbort = arg
				}
			}
		case wire.OpSink:
			now, moved = arg, true
		}
	}
	targets := map[byte]bool{}
	for _, id := range prepared[now] {
		targets[id] = true
	}
	if sc.sinks == 2 {
		for _, id := range prepared[1-now] {
			targets[id] = true
		}
	}
	switch n := len(over[now]); {
	case sc.dead == everyKind:
		targets[newestCommit], targets[newestAbort], targets[unknown] = true, true, true
	case sc.dead == newestDead && n > 0:
		targets[over[now][n-1]] = true
	case sc.dead == newestDead:
		targets[unknown] = true
	}
	ops := []byte{wire.OpWrite + writes, wire.OpPreCommit + ids[now], wire.OpAbortOpen}
	for id := range targets {
		ops = append(ops, wire.OpCommit+id, wire.OpAbort+id)
	}
	if sc.sinks == 2 && !moved {
		ops = append(ops, wire.OpSink+1-now)
	}
	return ops
}

func TestLonger(t *testing.T) {
	a, b := sweep(0), sweep(1)
	if b.Length != a.Length+1 || b.Bound == a.Bound || total(b.Parts) <= total(a.Parts) {
		t.Errorf("%d sequences (%s), longer %d (%s)", total(a.Parts), a.Bound, total(b.Parts), b.Bound)
	}
}

func total(parts []int) (n int) {
	for _, size := range parts {
		n += size
	}
	return n
}

func TestReferencePassesSweep(t *testing.T) {
	for _, sc := range short {
		for _, p := range sc.parts() {
			alive := 0
			if c := p.run(runs(reference.Solution{}), func() { alive++ }, sc.length); c != nil {
				t.Errorf("%v: %s", sc, c.ID)
			}
			if !p.together(runs(reference.Solution{}), func() {}, sc.length) {
				t.Errorf("%v: part %v goes wrong together", sc, p.prefix)
			}
			if alive == 0 {
				t.Errorf("%v: part %v never said that it goes on", sc, p.prefix)
			}
		}
	}
}

// A faulty sink is one that goes wrong in one way.
type faulty struct {
	*model
	fault string
}

// faults is a solution with such sinks.
type faults struct {
	contract.Stage
	fault string
}

func (f faults) NewTransactionalSink() contract.TransactionalSink {
	return &faulty{newModel(), f.fault}
}

func (f *faulty) Commit(id stream.CheckpointID) {
	f.model.Commit(id)
	if f.fault == "unknown commits all" && id == unknownID {
		for len(f.prepared) > 0 {
			f.model.Commit(f.prepared[0].id)
		}
	}
}

func (f *faulty) Committed() []stream.Record {
	if f.fault == "own slice" {
		return f.visible
	}
	if f.fault == "panic" && len(f.visible) > 0 {
		panic(&fault.Fault{Kind: fault.Panic})
	}
	if rs := f.model.Committed(); f.fault == "flood" && len(rs) > 0 {
		return slices.Repeat(rs, 100)
	}
	return f.model.Committed()
}

func (f *faulty) AbortOpen() {
	if f.fault == "abort-open aborts all" {
		f.prepared = nil
	}
	f.model.AbortOpen()
}

// The shortest sequence that shows a fault is found, the same whatever the parts
// and the order in which they run.
func TestSweepFindsTheShortest(t *testing.T) {
	for fault, want := range map[string]int{
		"unknown commits all": 3, "own slice": 4, "flood": 3, "abort-open aborts all": 4,
	} {
		t.Run(fault, func(t *testing.T) {
			var lengths []int
			wide := scope{sinks: 1, length: 6, dead: everyKind} // its parts take several batches
			for _, sc := range append([]scope{wide}, short...) {
				for _, p := range sc.parts() {
					c := p.run(runs(faults{fault: fault}), func() {}, sc.length)
					if c == nil {
						continue
					}
					lengths = append(lengths, len(c.Script))
					if o := Native(faults{fault: fault}).Run(*c); len(o.Findings) == 0 {
						t.Fatalf("%v: %s is found, and passes", sc, c.ID)
					}
				}
			}
			if len(lengths) == 0 || slices.Min(lengths) != want {
				t.Errorf("what is found has %v operations, the shortest should have %d", lengths, want)
			}
		})
	}
}

// What a guest replies can be anything: it is wrong then, and nothing breaks.
func TestForgedReplies(t *testing.T) {
	p := short[0].parts()[0]
	for name, reply := range map[string]func(right []byte) []byte{
		"nothing":      func([]byte) []byte { return nil },
		"cut short":    func(right []byte) []byte { return right[:len(right)-1] },
		"too long":     func(right []byte) []byte { return append(right, 0) },
		"huge counts":  func(right []byte) []byte { return slices.Repeat([]byte{0xfe}, len(right)) },
		"many records": func(right []byte) []byte { return slices.Repeat([]byte{wire.Foreign}, len(right)) },
	} {
		t.Run(name, func(t *testing.T) {
			forged := func(b wire.Batch) ([]byte, bool) {
				right, ok := b.Run(reference.Solution{})
				return reply(right), ok
			}
			if c := p.run(forged, func() {}, 5); c == nil {
				t.Error("it passes")
			}
			if p.together(forged, func() {}, 5) {
				t.Error("together it passes")
			}
		})
	}
}

// A sequence of a sweep is a case as any other, which its ID tells in full.
func TestSweepCases(t *testing.T) {
	s := sweep(0)
	for part := range s.Parts {
		for c := range s.Cases(part, 4) {
			again, err := schedule.ParseSequence(c.ID, spec)
			if err != nil || !slices.EqualFunc(c.Script, again.Script, func(a, b schedule.Op) bool { return a.String() == b.String() }) {
				t.Fatalf("%s is read as %v, %v", c.ID, again.Script, err)
			}
			if o := Native(reference.Solution{}).Run(c); len(o.Findings) > 0 {
				t.Fatalf("%s: %+v", c.ID, o.Findings[0])
			}
		}
	}
}
