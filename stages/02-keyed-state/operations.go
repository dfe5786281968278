package keyedstate

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// apply carries out an operation on the state at hand and on its model.
func (r *scriptRun) apply(op schedule.Op) *grading.Finding {
	s, m := r.states[r.now].state, r.states[r.now].model
	switch op.Name {
	case opPut:
		s.Put(keyOf(op.Args[0]), op.Args[1])
		m.Put(keyOf(op.Args[0]), op.Args[1])
	case opDelete:
		s.Delete(keyOf(op.Args[0]))
		m.Delete(keyOf(op.Args[0]))
	case opRestore:
		from := r.maps[op.Args[0]]
		s.RestoreMap(from.wire)
		*m = *from.model.clone()
	case opRestoreEmpty:
		s.Restore(map[string]int64{})
		*m = model{}
	case opRestoreNil:
		s.Restore(nil)
		*m = model{}
	case opSnapshot:
		taken, contents := s.SnapshotMap()
		r.give(op.Args[0], &held{taken, m.clone()})
		if !m.holds(contents) {
			r.rows.last().state = m.summary()
			return r.wrong(snapshot, "the snapshot holds "+instead(modelOf(contents).String(), m.String()))
		}
	}
	return nil
}

// give puts a map into a slot of the script's owner.
func (r *scriptRun) give(slot int64, h *held) {
	if old := r.maps[slot]; old != nil {
		free(old.wire)
	}
	r.maps[slot] = h
}

// changeMap is by the owner of the map.
func (r *scriptRun) changeMap(op schedule.Op) {
	if r.maps[op.Args[0]] == nil {
		r.give(op.Args[0], &held{r.solution.NewMap(), &model{}})
	}
	h, key := r.maps[op.Args[0]], keyOf(op.Args[1])
	if op.Name == opRemove {
		h.wire.Remove(key)
		h.model.Delete(key)
		return
	}
	h.wire.Set(key, op.Args[2])
	h.model.Put(key, op.Args[2])
}

// process hands a record to an operator and judges the calls of f; the state
// comes with the look that follows, and the output after it.
func (r *scriptRun) process(i int) *grading.Finding {
	op := r.script[i]
	o := r.operators[op.Args[0]]
	m := r.states[o.state].model
	record := stream.Record{Key: keyOf(op.Args[1]), Value: op.Args[2], Time: int64(10 * (i + 1))}
	acc, ok := m.Get(record.Key)
	want := answer{first: !ok, acc: acc, result: record.Value}
	if ok {
		want.result = o.function.apply(acc, record.Value)
	}
	emitted := o.fold.process(record, 0, 0)
	last := len(r.rows) - 1
	if f := o.judgeCalls(record, want, last); f != nil {
		return f
	}
	m.Put(record.Key, want.result)
	if r.how != rarely && i%r.looksEvery() == 0 {
		r.rows[last].state = m.summary()
		if f := r.lookAt(o.state, reduceState); f != nil {
			return f
		}
	}
	return judgeOutput(record, want, emitted, last)
}
