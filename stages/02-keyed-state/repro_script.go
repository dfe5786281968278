package keyedstate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A scriptWriter writes a script, beside the models of what it has made so far.
type scriptWriter struct {
	*writer
	script    []schedule.Op
	states    [maxSlots + 1]*model
	maps      [maxSlots + 1]*model
	operators [maxSlots + 1]writtenFold
	now       int // the state at hand
}

type writtenFold struct {
	function function
	state    int
}

// script writes a case that is a script.
func (w *writer) script(script []schedule.Op, times int) {
	changeMaps := !has(script, opSnapshot, opChange)
	w.Add("var s Solution")
	w.lookers(changeMaps)
	if has(script, opReduce) {
		w.folding(has(script, opProcess))
	}
	w.Add("asked := %s", gocode.Strings(keysOf(script)))
	w.Rounds(times, func() {
		run := &scriptWriter{writer: w, script: script}
		run.use(1)
		for i := range script {
			run.step(i)
		}
	})
	w.intact(changeMaps)
}

// use turns to a state, and makes it if there is none of that number.
func (w *scriptWriter) use(n int) {
	if w.now = n; w.states[n] == nil {
		w.states[n] = &model{}
		w.Add("\n%s := s.NewState()", state(n))
	}
}

func state(n int) string { return "state" + strconv.Itoa(n) }

// step writes an operation, and a look at all there is then.
func (w *scriptWriter) step(i int) {
	op := w.script[i]
	w.Block(fmt.Sprintf("// %d. %s", i+1, op))
	switch op.Name {
	case opProcess:
		w.process(i)
		return
	case opState:
		w.use(int(op.Args[0]))
	case opReduce:
		w.reduce(i)
	case opChange, opRemove:
		w.changeMap(op)
	default:
		w.apply(op)
	}
	w.look(i, w.now)
}

// apply writes an operation on the state at hand.
func (w *scriptWriter) apply(op schedule.Op) {
	s, m := state(w.now), w.states[w.now]
	switch op.Name {
	case opPut:
		w.Add("%s.Put(%q, %d)", s, keyOf(op.Args[0]), op.Args[1])
		m.Put(keyOf(op.Args[0]), op.Args[1])
	case opDelete:
		w.Add("%s.Delete(%q)", s, keyOf(op.Args[0]))
		m.Delete(keyOf(op.Args[0]))
	case opRestore:
		w.Add("%s.Restore(map%d)", s, op.Args[0])
		*m = *w.maps[op.Args[0]].clone()
	case opRestoreEmpty:
		w.Add("%s.Restore(map[string]int64{})", s)
		*m = model{}
	case opRestoreNil:
		w.Add("%s.Restore(nil)", s)
		*m = model{}
	case opSnapshot:
		w.give(op.Args[0], s+".Snapshot()", m.clone())
	}
}

// give writes a new map in the hands of its owner.
func (w *scriptWriter) give(slot int64, from string, m *model) {
	equals := ":="
	if w.maps[slot] != nil {
		equals = "="
	}
	w.Add("map%d %s %s", slot, equals, from)
	w.maps[slot] = m
}

func (w *scriptWriter) changeMap(op schedule.Op) {
	slot, key := op.Args[0], keyOf(op.Args[1])
	if w.maps[slot] == nil {
		w.give(slot, "map[string]int64{}", &model{})
	}
	m := w.maps[slot]
	if op.Name == opRemove {
		w.Add("delete(map%d, %q)", slot, key)
		m.Delete(key)
		return
	}
	if len(m.entries) == 0 {
		w.Add("if map%d == nil { // as a snapshot of nothing may be\nmap%d = map[string]int64{}\n}", slot, slot)
	}
	w.Add("map%d[%q] = %d", slot, key, op.Args[2])
	m.Put(key, op.Args[2])
}

func (w *scriptWriter) reduce(i int) {
	op := w.script[i]
	n, f := op.Args[0], functions[op.Args[1]]
	w.operators[n] = writtenFold{f, w.now}
	w.define(fmt.Sprintf("f%d", n), f)
	w.Add("op%d := s.Reduce(%s, f%d)", n, state(w.now), n)
	for _, later := range w.script[i:] {
		if later.Name == opProcess && later.Args[0] == n {
			return
		}
	}
	w.Add("_ = op%d // it gets no record", n)
}

// process writes a record that an operator gets; the look comes between the
// calls of f and the output, as the judge's does.
func (w *scriptWriter) process(i int) {
	op := w.script[i]
	fold := w.operators[op.Args[0]]
	m := w.states[fold.state]
	r := stream.Record{Key: keyOf(op.Args[1]), Value: op.Args[2], Time: int64(10 * (i + 1))}
	acc, ok := m.Get(r.Key)
	a := answer{first: !ok, acc: acc, result: r.Value}
	if ok {
		a.result = fold.function.apply(acc, r.Value)
	}
	m.Put(r.Key, a.result)
	w.Add("process(op%d, %s)", op.Args[0], gocode.Record(r))
	w.called(r, a)
	w.look(i, fold.state)
	w.emitted(r, a)
}

// look writes a look at all that there is after the i-th operation: the state
// that it was about, the maps, the other states.
func (w *scriptWriter) look(i, target int) {
	if i < len(w.script)-1 && (w.late || i%w.looksEvery() > 0) {
		return
	}
	w.lookAt(target)
	for n, m := range w.maps {
		if m != nil {
			w.Add("if want := %s; !maps.Equal(map%d, want) {", gocode.State(m.Snapshot()), n)
			w.Add("t.Fatalf(\"map%d is %%v instead of %%v\", map%d, want)\n}", n, n)
		}
	}
	for n, m := range w.states {
		if m != nil && n != target {
			w.lookAt(n)
		}
	}
}

func (w *scriptWriter) lookAt(n int) {
	w.Add("look(%s, asked, %s)", state(n), gocode.State(w.states[n].Snapshot()))
}

// looksEvery is [looksEvery] of what there is now.
func (w *scriptWriter) looksEvery() int {
	return looksEvery(len(w.script), slices.Concat(w.states[:], w.maps[:]))
}
