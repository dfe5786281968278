package plain

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

// A reproOwner does with the slices that it is given what it may: it overwrites
// them, appends to them, and keeps them. It keeps the barriers it hands over, too.
type reproOwner struct {
	slices, copies [][]stream.Element
	barriers       []stream.Element
	ids            []stream.CheckpointID
}

// barrier makes a barrier and keeps it.
func (o *reproOwner) barrier(id stream.CheckpointID) stream.Element {
	e := reproBarrier(id)
	o.barriers, o.ids = append(o.barriers, e), append(o.ids, id)
	return e
}

// goes asks that just these elements go downstream, and then overwrites the slice
// and the room behind it, as append does.
func (o *reproOwner) goes(t *testing.T, got []stream.Element, want ...stream.Element) {
	t.Helper()
	reproGoes(t, got, want...)
	if len(got) == 0 {
		return
	}
	got = got[:min(len(got)+4, cap(got))]
	for i := range got {
		got[i] = reproRecord("overwritten", int64(len(o.slices)), 0)
	}
	o.slices, o.copies = append(o.slices, got), append(o.copies, slices.Clone(got))
}

// intact asks that nobody else has written to what it keeps.
func (o *reproOwner) intact(t *testing.T) {
	t.Helper()
	for i, want := range o.copies {
		if !slices.Equal(o.slices[i], want) {
			t.Errorf("a returned slice is now %v, but its owner wrote %v", reproWords(o.slices[i]), reproWords(want))
		}
	}
	for i, e := range o.barriers {
		if e.Barrier.ID != o.ids[i] {
			t.Errorf("barrier %d has the ID %d now", o.ids[i], e.Barrier.ID)
		}
	}
}
