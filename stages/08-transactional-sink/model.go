package transactionalsink

import (
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// A model is what a sink must be, written for plainness: it serves as the sink
// that the host holds, and as the measure of a learner's sink. It shares no
// code with the reference.
type model struct {
	open     []stream.Record
	prepared []transaction // in the order of their pre-commits
	visible  []stream.Record
	used     map[stream.CheckpointID]bool // ids ever pre-committed
	done     map[stream.CheckpointID]bool // ids committed or aborted
}

type transaction struct {
	id      stream.CheckpointID
	records []stream.Record
}

func newModel() *model {
	return &model{used: map[stream.CheckpointID]bool{}, done: map[stream.CheckpointID]bool{}}
}

func (m *model) Write(r stream.Record) { m.open = append(m.open, r) }

func (m *model) PreCommit(id stream.CheckpointID) {
	m.take(id) // of an id used twice, the older transaction is lost
	m.prepared = append(m.prepared, transaction{id, m.open})
	m.used[id] = true
	m.open = nil
}

func (m *model) Commit(id stream.CheckpointID) {
	if t, ok := m.take(id); ok && !m.done[id] {
		m.visible = append(m.visible, t.records...)
		m.done[id] = true
	}
}

func (m *model) Abort(id stream.CheckpointID) {
	if _, ok := m.take(id); ok {
		m.done[id] = true
	}
}

func (m *model) AbortOpen() { m.open = nil }

func (m *model) Committed() []stream.Record { return slices.Clone(m.visible) }

// take removes the prepared transaction id and returns it.
func (m *model) take(id stream.CheckpointID) (transaction, bool) {
	i := slices.IndexFunc(m.prepared, func(t transaction) bool { return t.id == id })
	if i < 0 {
		return transaction{}, false
	}
	t := m.prepared[i]
	m.prepared = slices.Delete(m.prepared, i, i+1)
	return t, true
}

// holds returns the prepared transaction id without removing it.
func (m *model) holds(id stream.CheckpointID) (transaction, bool) {
	i := slices.IndexFunc(m.prepared, func(t transaction) bool { return t.id == id })
	if i < 0 {
		return transaction{}, false
	}
	return m.prepared[i], true
}
