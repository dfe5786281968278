// Package plain is what plain Go tests of stage 06 are made of. A test takes the
// declarations that it needs along, so they need nothing of the harness, and
// their names begin with repro. Start reading at reproGoes.
package plain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

func reproRecord(key string, value, time int64) stream.Element {
	return stream.Element{Record: stream.Record{Key: key, Value: value, Time: time}}
}

func reproBarrier(id stream.CheckpointID) stream.Element {
	return stream.Element{Barrier: &stream.Barrier{ID: id}}
}

// reproGoes asks that just these elements go downstream.
func reproGoes(t *testing.T, got []stream.Element, want ...stream.Element) {
	t.Helper()
	if g, w := reproWords(got), reproWords(want); !slices.Equal(g, w) {
		t.Fatalf("downstream goes %v, want %v", g, w)
	}
}

// reproWords are elements by value: a barrier is as good as another of its ID, if
// it has no record beside it.
func reproWords(elements []stream.Element) []string {
	var words []string
	for _, e := range elements {
		word := fmt.Sprintf("{%q %d %d}", e.Record.Key, e.Record.Value, e.Record.Time)
		switch {
		case e.Barrier != nil && e.Record == stream.Record{}:
			word = fmt.Sprintf("barrier %d", e.Barrier.ID)
		case e.Barrier != nil:
			word = fmt.Sprintf("barrier %d with %s", e.Barrier.ID, word)
		}
		words = append(words, word)
	}
	return words
}
