package plain

import (
	"slices"
	"strconv"
	"testing"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// reproShows asks that a sink shows the records of these values.
func reproShows(t *testing.T, s contract.TransactionalSink, values ...int64) {
	t.Helper()
	reproEqual(t, s.Committed(), values)
}

func reproEqual(t *testing.T, got []stream.Record, values []int64) {
	t.Helper()
	var want []stream.Record
	for _, v := range values {
		want = append(want, reproRecord(v))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the sink shows %v, want %v", got, want)
	}
}

// reproRecord is a record all of whose fields tell v.
func reproRecord(v int64) stream.Record {
	return stream.Record{Key: "r" + strconv.FormatInt(v, 10), Value: v, Time: v}
}
