package plain

import (
	"slices"
	"strconv"
	"strings"
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

// reproRecord is a record all of whose fields tell v. The keys of some are no text.
func reproRecord(v int64) stream.Record {
	key := "r" + strconv.FormatInt(v, 10)
	if v >= 1_000_000 {
		key += strings.Repeat("|,\n\xff\x00", 20)
	}
	return stream.Record{Key: key, Value: v, Time: v}
}
