package transactionalsink

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
)

// A scope is a set of sequences of operations: all of up to so many writes of new
// records, pre-commits of new IDs, aborts of the open transaction, and commits
// and aborts of the IDs that are prepared and of some that are not.
type scope struct {
	sinks  int
	length int
	dead   dead // which IDs that are not prepared are committed and aborted
	rarely bool // the output is read at the end only, not after each operation
}

// dead is a choice of IDs that are not prepared.
type dead int

const (
	noDead     dead = iota
	newestDead      // the one that was committed or aborted last; if none was, one that was never pre-committed
	everyKind       // the newest committed, the newest aborted, and one that was never pre-committed
)

// scopes is what is explored by default.
var scopes = []scope{
	{sinks: 1, length: 7, dead: newestDead},
	{sinks: 1, length: 6, dead: everyKind},
	{sinks: 1, length: 6, dead: everyKind, rarely: true},
	{sinks: 2, length: 6, dead: noDead},
}

// runScripts runs a batch; see [wire.Stage.RunScripts].
type runScripts func(wire.Batch) (shown []byte, ok bool)

// sweep explores sequences longer than those of scopes by so many operations.
func sweep(longer int) grading.Sweep {
	one, every := scopes[0].length+longer, scopes[1].length+longer
	s := grading.Sweep{
		Length: one,
		Bound:  fmt.Sprintf("every sequence of up to %d operations on a sink, and of up to %d with every kind of dead ID, read only at the end, or on two sinks", one, every),
	}
	var parts []part
	for _, sc := range scopes {
		sc.length += longer
		c := counter{sc, map[outlook]int{}}
		for _, p := range sc.parts() {
			parts, s.Parts = append(parts, p), append(s.Parts, c.size(p))
		}
	}
	s.Run = func(g grading.Guest, i, length int) *schedule.Case {
		return parts[i].explore(g, length)
	}
	s.Cases = func(i, length int) iter.Seq[schedule.Case] { return parts[i].cases(length) }
	return s
}

// A part is the sequences of a scope that begin alike.
type part struct {
	scope
	prefix []byte
}

// prefixLength is how far the sequences of a part are alike.
const prefixLength = 2

// parts shares out the sequences.
func (sc scope) parts() []part {
	root := part{scope: sc}
	root.length = prefixLength
	var all []part
	if sc.rarely {
		root.length--
		all = append(all, root) // those that are too short to be another's
		root.length++
	}
	root.rarely = false
	root.walk(prefixLength, func(script, _ []byte) bool {
		all = append(all, part{sc, withoutReads(script)})
		return true
	})
	return all
}

// A counter counts the sequences that walk yields.
type counter struct {
	scope
	known map[outlook]int
}

// size is how many those of a part are.
func (c counter) size(p part) int {
	s := scene{used: 1}
	for _, op := range p.prefix {
		s = s.after(op)
	}
	n := c.count(s, p.length-len(p.prefix))
	if p.rarely && len(p.prefix) == 0 {
		n-- // the empty one
	}
	return n
}

// An outlook is what that depends on.
type outlook struct {
	left      int
	live      [2]uint16
	dead      [2][3]bool
	now, used byte
	moved     bool
}

func (c counter) count(s scene, left int) int {
	if left == 0 {
		return 1
	}
	o := outlook{left: left, now: s.now, used: s.used, moved: s.moved}
	for i, k := range s.sinks {
		o.live[i], o.dead[i] = k.live, [3]bool{k.committed != 0, k.aborted != 0, k.over != 0}
	}
	if n, ok := c.known[o]; ok {
		return n
	}
	n := 0
	if c.rarely {
		n = 1
	}
	for _, op := range s.next(c.scope, nil) {
		n += c.count(s.after(op), left-1)
	}
	c.known[o] = n
	return n
}

// walk yields all sequences of the part that are no longer than length and not
// the beginning of another, with reads, and what these must show, as in a
// [wire.Batch]. Where the output is read at the end only, it yields the
// beginnings too. Both are valid until yield returns.
func (p part) walk(length int, yield func(script, want []byte) bool) {
	w := walk{scope: p.scope, yield: yield}
	w.length = min(p.length, length)
	w.from(scene{used: 1}, 0, p.prefix)
}

// A walk is one under way.
type walk struct {
	scope
	yield        func(script, want []byte) bool
	script, want []byte
}

// from goes on from a scene that n operations led to: with the next of the
// prefix, else with all that may follow.
func (w *walk) from(s scene, n int, prefix []byte) bool {
	if (n == w.length || w.rarely && n > 0 && len(prefix) == 0) && !w.emit(s) {
		return false
	}
	if n == w.length {
		return true
	}
	var space [2*wire.MaxArg + 8]byte
	ops := space[:0]
	if len(prefix) > 0 {
		ops, prefix = append(ops, prefix[0]), prefix[1:]
	} else {
		ops = s.next(w.scope, ops)
	}
	scripted, wanted := len(w.script), len(w.want)
	for _, op := range ops {
		after := s.after(op)
		w.script = append(w.script, op)
		if !w.rarely {
			w.read(after)
		}
		if !w.from(after, n+1, prefix) {
			return false
		}
		w.script, w.want = w.script[:scripted], w.want[:wanted]
	}
	return true
}

func (w *walk) emit(s scene) bool {
	if !w.rarely {
		return w.yield(w.script, w.want)
	}
	scripted, wanted := len(w.script), len(w.want)
	w.read(s)
	ok := w.yield(w.script, w.want)
	w.script, w.want = w.script[:scripted], w.want[:wanted]
	return ok
}

// read adds a read of each sink.
func (w *walk) read(s scene) {
	for i := range s.used {
		visible := s.sinks[i].visible.all()
		w.script = append(w.script, wire.OpRead+i)
		w.want = append(append(w.want, byte(len(visible))), visible...)
	}
}

// explore runs the sequences of the part that are no longer than length, and
// returns the shortest that goes wrong, up to where it does, or nil. Where that
// can be, it first runs them together, which takes a fraction of the time, and is
// content with that if nothing goes wrong.
func (p part) explore(g grading.Guest, length int) *schedule.Case {
	if g.Rewind {
		right := false
		died := fault.Guard(func() { right = p.together(wire.Stage{Object: g.Solution}.RunScripts, g.Alive, length) })
		if died == nil && right {
			return nil
		}
		g.Solution = g.Restart()
	}
	return p.run(wire.Stage{Object: g.Solution}.RunScripts, g.Alive, length)
}

// batchSize is how many sequences go into one call.
const batchSize = 1024

// run runs the sequences one after another, each from its beginning. It calls
// alive before each batch.
func (p part) run(runScripts runScripts, alive func(), length int) *schedule.Case {
	var shortest []byte
	batch := wire.Batch{Records: exploredRecords(), IDs: exploredIDs()}
	var want []byte
	n := 0
	flush := func() {
		if n == 0 {
			return
		}
		alive()
		if got, _ := runScripts(batch); !bytes.Equal(got, want) {
			shortest = slices.Clone(shorter(shortest, firstWrong(batch.Scripts, want, got))) // the batch is used again
		}
		batch.Scripts, want, n = batch.Scripts[:0], want[:0], 0
	}
	p.walk(length, func(script, shown []byte) bool {
		batch.Scripts = append(append(batch.Scripts, wire.OpNew), script...)
		want = append(want, shown...)
		if n++; n == batchSize {
			flush()
		}
		return true
	})
	flush()
	if shortest == nil {
		return nil
	}
	c := caseOf(shortest)
	return &c
}

func shorter(a, b []byte) []byte {
	if a == nil || b != nil && len(withoutReads(b)) < len(withoutReads(a)) {
		return b
	}
	return a
}

// firstWrong returns the shortest beginning of a script, the first of several,
// after which a read gave something else than it must. What was got is the
// guest's word, so it can be anything.
func firstWrong(scripts, want, got []byte) (shortest []byte) {
	var last []byte
	for script := range bytes.SplitSeq(bytes.TrimPrefix(scripts, []byte{wire.OpNew}), []byte{wire.OpNew}) {
		last = script
		wrong := false
		for i, op := range script {
			if op-op%(wire.MaxArg+1) != wire.OpRead {
				continue
			}
			var a, b []byte
			a, want = oneRead(want)
			b, got = oneRead(got)
			if !wrong && !bytes.Equal(a, b) {
				wrong = true
				shortest = shorter(shortest, script[:i])
			}
		}
	}
	if len(got) > 0 { // more than was asked for
		shortest = shorter(shortest, last)
	}
	return shortest
}

// oneRead splits off what one read gave.
func oneRead(shown []byte) (one, rest []byte) {
	if len(shown) == 0 {
		return nil, nil
	}
	n := 1
	if shown[0] != wire.Foreign {
		n = min(1+int(shown[0]), len(shown))
	}
	return shown[:n], shown[n:]
}

// cases yields the sequences as cases.
func (p part) cases(length int) iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		p.walk(length, func(script, _ []byte) bool { return yield(caseOf(withoutReads(script))) })
	}
}

func withoutReads(script []byte) []byte {
	var ops []byte
	for _, op := range script {
		if op-op%(wire.MaxArg+1) != wire.OpRead {
			ops = append(ops, op)
		}
	}
	return ops
}

// caseOf returns the case of a sequence.
func caseOf(script []byte) schedule.Case {
	ids := exploredIDs()
	var ops []schedule.Op
	for _, op := range withoutReads(script) {
		arg := op % (wire.MaxArg + 1)
		switch op - arg {
		case wire.OpWrite:
			ops = append(ops, spec.Op(opWrite, int64(arg)+1))
		case wire.OpPreCommit:
			ops = append(ops, spec.Op(opPreCommit, int64(ids[arg])))
		case wire.OpCommit:
			ops = append(ops, spec.Op(opCommit, int64(ids[arg])))
		case wire.OpAbort:
			ops = append(ops, spec.Op(opAbort, int64(ids[arg])))
		case wire.OpAbortOpen:
			ops = append(ops, spec.Op(opAbortOpen))
		case wire.OpSink:
			ops = append(ops, spec.Op(opSink, int64(arg)+1))
		}
	}
	return schedule.Case{ID: schedule.SequenceID(spec.Stage, ops), Script: ops}
}
