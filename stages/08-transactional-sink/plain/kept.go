package plain

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A reproKept holds slices that sinks returned. They are their caller's, who
// overwrites them.
type reproKept struct {
	slices, copies [][]stream.Record
}

// shows asks that a sink shows the records of these values, and then overwrites
// the slice.
func (k *reproKept) shows(t *testing.T, s contract.TransactionalSink, values ...int64) {
	t.Helper()
	got := s.Committed()
	reproEqual(t, got, values)
	for i := range got {
		got[i] = stream.Record{Key: "overwritten", Value: int64(len(k.slices))}
	}
	k.slices, k.copies = append(k.slices, got), append(k.copies, slices.Clone(got))
}

// intact asks that nobody else has written to the slices.
func (k *reproKept) intact(t *testing.T) {
	t.Helper()
	for i, want := range k.copies {
		if !slices.Equal(k.slices[i], want) {
			t.Errorf("a slice that a sink returned is now %v, but its caller wrote %v", k.slices[i], want)
		}
	}
}
