package keyedstate

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// stateSigns are told by an operation on a state or a map, and all that there is
// before it.
var stateSigns = grading.Signs[moment]{
	{"zero-put", "A key is put with the value 0.", func(m moment) bool {
		return m.is(opPut) && m.op.Args[1] == 0
	}},
	{"zero-put-over-another-value", "A key is put with the value 0, and had another.", func(m moment) bool {
		return m.is(opPut) && m.op.Args[1] == 0 && m.present() && m.value() != 0
	}},
	{"value-put-over-another", "A key is put with another value than it had.", func(m moment) bool {
		return m.is(opPut) && m.present() && m.value() != m.op.Args[1]
	}},
	{"absent-key-deleted", "An absent key is deleted beside another.", func(m moment) bool {
		return m.is(opDelete) && !m.present() && len(m.state.entries) > 0
	}},
	{"deleted-key-comes-back", "A key is put that was deleted.", func(m moment) bool {
		return m.is(opPut) && !m.present() && m.state.deleted[m.key()]
	}},
	{"empty-key", "The empty key is put.", func(m moment) bool { return m.is(opPut) && m.key() == "" }},
	{"key-that-is-no-utf-8", "A key is put that is no UTF-8.", func(m moment) bool { return m.is(opPut) && !utf8.ValidString(m.key()) }},
	{"keys-out-of-order", "A key is put between two others.", func(m moment) bool {
		keys := m.state.Keys()
		return m.is(opPut) && !m.present() && len(keys) > 1 && keys[0] < m.key() && m.key() < keys[len(keys)-1]
	}},
	{"key-that-begins-another", "A key is put with which another begins.", func(m moment) bool {
		return m.is(opPut) && slices.ContainsFunc(m.state.Keys(), func(key string) bool {
			return key != m.key() && m.key() != "" && strings.HasPrefix(key, m.key())
		})
	}},
	{"two-states-with-one-key", "A key is put into one state that another holds.", func(m moment) bool {
		return m.is(opPut) && slices.ContainsFunc(m.others, func(s *witness) bool { _, ok := s.Get(m.key()); return ok })
	}},

	{"snapshot-of-nothing", "A snapshot is taken of an empty state.", func(m moment) bool {
		return m.is(opSnapshot) && len(m.state.entries) == 0
	}},
	{"snapshot-with-a-zero", "A snapshot is taken of a state in which a value is 0.", func(m moment) bool {
		return m.is(opSnapshot) && hasZero(m.state.model)
	}},
	{"put-after-a-snapshot", "A key is put with another value than a snapshot of the state holds.", func(m moment) bool {
		return m.is(opPut) && m.inSnapshot(func(value int64, ok bool) bool { return ok && value != m.op.Args[1] })
	}},
	{"new-key-after-a-snapshot", "A key is put that a snapshot of the state does not hold.", func(m moment) bool {
		return m.is(opPut) && m.inSnapshot(func(_ int64, ok bool) bool { return !ok })
	}},
	{"delete-after-a-snapshot", "A key is deleted that a snapshot of the state holds.", func(m moment) bool {
		return m.is(opDelete) && m.present() && m.inSnapshot(func(_ int64, ok bool) bool { return ok })
	}},
	{"snapshot-changed-by-its-owner", "The owner of a snapshot changes it.", func(m moment) bool {
		return (m.is(opChange) || m.is(opRemove)) && m.held != nil && m.held.of != nil
	}},

	{"restore-drops-a-key", "A state is restored that holds a key which the map does not.", func(m moment) bool {
		return m.is(opRestore) && !holdsKeys(m.held.model, m.state.model)
	}},
	{"restore-brings-a-key-back", "A state is restored that does not hold a key of the map.", func(m moment) bool {
		return m.is(opRestore) && !holdsKeys(m.state.model, m.held.model)
	}},
	{"restore-changes-a-value", "A state is restored that holds a key with another value than the map.", func(m moment) bool {
		return m.is(opRestore) && slices.ContainsFunc(m.held.entries, func(e entry) bool {
			value, ok := m.state.Get(e.key)
			return ok && value != e.value
		})
	}},
	{"restore-of-a-zero", "A state is restored from a map in which a value is 0.", func(m moment) bool {
		return m.is(opRestore) && hasZero(m.held.model)
	}},
	{"restore-of-an-empty-map", "A state that holds something is restored from an empty map.", func(m moment) bool {
		return m.is(opRestoreEmpty) && len(m.state.entries) > 0
	}},
	{"restore-of-nil", "A state that holds something is restored from nil.", func(m moment) bool {
		return m.is(opRestoreNil) && len(m.state.entries) > 0
	}},
	{"put-after-a-restore-of-nil", "The first thing that comes to a state after a restore from nil is a put.", func(m moment) bool {
		return m.is(opPut) && m.state.last == opRestoreNil
	}},
	{"put-after-a-restore", "A key is put into a state that was restored from a map which is still there.", func(m moment) bool {
		return m.is(opPut) && m.state.from != nil
	}},
	{"map-changed-after-its-restore", "The owner changes the map that a state was restored from.", func(m moment) bool {
		return (m.is(opChange) || m.is(opRemove)) && m.held != nil && slices.ContainsFunc(m.all(), func(s *witness) bool { return s.from == m.held })
	}},
	{"restored-twice-from-one-map", "A state is restored from a map a second time, and has changed since.", func(m moment) bool {
		return m.is(opRestore) && m.state.from == m.held && !m.state.equal(m.held.model)
	}},
	{"restored-from-another-state", "A state is restored from the snapshot of another.", func(m moment) bool {
		return m.is(opRestore) && m.held.of != nil && m.held.of != m.state
	}},
	{"map-of-the-owner-restored", "A state is restored from a map that is no snapshot.", func(m moment) bool {
		return m.is(opRestore) && m.held.of == nil
	}},
}

// operatorSigns are told by a record of a script that comes to an operator.
var operatorSigns = grading.Signs[moment]{
	{"acc-put-by-the-owner", "A record finds an acc that no operator has put.", func(m moment) bool {
		return m.is(opProcess) && m.present() && m.state.writers[m.key()] == 0
	}},
	{"acc-of-zero", "A record finds an acc of 0.", func(m moment) bool {
		return m.is(opProcess) && m.present() && m.value() == 0
	}},
	{"key-gone-between-records", "A record finds no acc, though its operator had put one.", func(m moment) bool {
		return m.is(opProcess) && !m.present() && m.left != nil
	}},
	{"acc-changed-between-records", "A record finds another acc than its operator had put.", func(m moment) bool {
		return m.is(opProcess) && m.present() && m.left != nil && *m.left != m.value()
	}},
	{"acc-of-another-operator", "A record finds an acc that another operator has put.", func(m moment) bool {
		writer := int64(0)
		if m.is(opProcess) {
			writer = m.state.writers[m.key()]
		}
		return writer > 0 && writer != m.op.Args[0]
	}},
	{"operators-over-two-states", "A record comes for a key that is also in the state of another operator.", func(m moment) bool {
		return m.is(opProcess) && slices.ContainsFunc(m.others, func(s *witness) bool { return s.writers[m.key()] > 0 })
	}},
	{"record-after-a-snapshot", "A record changes an acc that a snapshot of the state holds.", func(m moment) bool {
		return m.is(opProcess) && m.inSnapshot(func(_ int64, ok bool) bool { return ok })
	}},
}

// A moment is an operation of a script, and all that there is before it.
type moment struct {
	op     schedule.Op
	state  *witness // that it is about
	others []*witness
	maps   []*kept
	held   *kept  // the map that it is about, if there is one
	left   *int64 // the acc of the key that the operator put last
}

// A witness is what a state must hold, and how it came to that.
type witness struct {
	*model
	deleted map[string]bool
	from    *kept            // the map that it was last restored from
	last    string           // operation
	writers map[string]int64 // by key, the operator that put it last; 0 is the owner
}

// A kept map is what one that the owner keeps must hold.
type kept struct {
	*model
	of *witness // which it was taken of, or nil
}

// A world is all that there is in a script.
type world struct {
	states    [maxSlots + 1]*witness
	maps      [maxSlots + 1]*kept
	operators [maxSlots + 1]folding
	now       int64 // the state at hand
}

// A folding is an operator of a script.
type folding struct {
	state    *witness
	function function
	left     map[string]int64 // by key, the acc that it put last
}

// moments are those of a script. Each is good until the next.
func moments(script []schedule.Op) iter.Seq[moment] {
	return func(yield func(moment) bool) {
		w := &world{now: 1}
		for _, op := range script {
			if op.Name == opState {
				w.now = op.Args[0]
			}
			if w.states[w.now] == nil {
				w.states[w.now] = &witness{model: &model{}, deleted: map[string]bool{}, writers: map[string]int64{}}
			}
			m := w.moment(op)
			if !yield(m) {
				return
			}
			w.pass(m)
		}
	}
}

func (w *world) moment(op schedule.Op) moment {
	m := moment{op: op, state: w.states[w.now]}
	switch op.Name {
	case opChange, opRemove, opRestore:
		m.held = w.maps[op.Args[0]]
	case opProcess:
		o := w.operators[op.Args[0]]
		m.state = o.state
		if acc, ok := o.left[m.key()]; ok {
			m.left = &acc
		}
	}
	for _, s := range w.states {
		if s != nil && s != m.state {
			m.others = append(m.others, s)
		}
	}
	for _, k := range w.maps {
		if k != nil {
			m.maps = append(m.maps, k)
		}
	}
	return m
}

// pass lets the operation take effect.
func (w *world) pass(m moment) {
	switch s := m.state; m.op.Name {
	case opPut:
		s.put(m.key(), m.op.Args[1], 0)
	case opDelete:
		s.deleted[m.key()] = m.present() || s.deleted[m.key()]
		s.Delete(m.key())
	case opRestore:
		s.restore(m.held)
	case opRestoreEmpty, opRestoreNil:
		s.restore(nil)
	case opSnapshot:
		w.maps[m.op.Args[0]] = &kept{s.clone(), s}
	case opChange, opRemove:
		w.changeMap(m.op)
	case opReduce:
		w.operators[m.op.Args[0]] = folding{s, functions[m.op.Args[1]], map[string]int64{}}
	case opProcess:
		o, acc := w.operators[m.op.Args[0]], m.op.Args[2]
		if m.present() {
			acc = o.function.apply(m.value(), acc)
		}
		s.put(m.key(), acc, m.op.Args[0])
		o.left[m.key()] = acc
	}
	m.state.last = m.op.Name
}

func (w *world) changeMap(op schedule.Op) {
	at := op.Args[0]
	if w.maps[at] == nil {
		w.maps[at] = &kept{model: &model{}}
	}
	if op.Name == opRemove {
		w.maps[at].Delete(keyOf(op.Args[1]))
	} else {
		w.maps[at].Put(keyOf(op.Args[1]), op.Args[2])
	}
}

func (s *witness) put(key string, value, writer int64) {
	s.Put(key, value)
	s.writers[key] = writer
}

// restore replaces what s holds, by nothing if there is no map.
func (s *witness) restore(from *kept) {
	s.model, s.from = &model{}, from
	if from != nil {
		s.model = from.clone()
	}
	clear(s.writers)
}

func (m moment) is(op string) bool { return m.op.Name == op }

// key is that of a put, a delete, a record, or a change of a map.
func (m moment) key() string {
	if m.is(opPut) || m.is(opDelete) {
		return keyOf(m.op.Args[0])
	}
	return keyOf(m.op.Args[1])
}

func (m moment) present() bool { _, ok := m.state.Get(m.key()); return ok }

func (m moment) value() int64 { value, _ := m.state.Get(m.key()); return value }

// inSnapshot tells whether a snapshot of the state has the key so.
func (m moment) inSnapshot(so func(value int64, present bool) bool) bool {
	return slices.ContainsFunc(m.maps, func(k *kept) bool { return k.of == m.state && so(k.Get(m.key())) })
}

// all are all states.
func (m moment) all() []*witness { return append(m.others, m.state) }

func hasZero(m *model) bool {
	return slices.ContainsFunc(m.entries, func(e entry) bool { return e.value == 0 })
}

// holdsKeys tells whether m holds every key that n does.
func holdsKeys(m, n *model) bool {
	return !slices.ContainsFunc(n.entries, func(e entry) bool { _, ok := m.Get(e.key); return !ok })
}
