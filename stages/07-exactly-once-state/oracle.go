package exactlyoncestate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// sumsAfter is the batch answer: the sum of each key that is in before or came
// with one of the records. It puts the records of a key side by side, and adds
// them as numbers without a sign, which wrap around as they must.
func sumsAfter(before map[string]int64, records []stream.Record) map[string]int64 {
	rows := make([]stream.Record, 0, len(before)+len(records))
	for key, value := range before {
		rows = append(rows, stream.Record{Key: key, Value: value})
	}
	rows = append(rows, records...)
	slices.SortFunc(rows, func(a, b stream.Record) int { return cmp.Compare(a.Key, b.Key) })
	sums := map[string]int64{}
	for len(rows) > 0 {
		var total uint64
		key, n := rows[0].Key, 0
		for n < len(rows) && rows[n].Key == key {
			total += uint64(rows[n].Value)
			n++
		}
		sums[key] = int64(total)
		rows = rows[n:]
	}
	return sums
}

// same tells whether two maps hold the same sums; nil is as good as empty.
func same(a, b map[string]int64) bool { return maps.Equal(a, b) }
