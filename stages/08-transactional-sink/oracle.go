package transactionalsink

import (
	"cmp"
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// oracle is the batch answer: a job that copies records gives each of them
// once. It is sorted, since the order of the output is free.
func oracle(records []stream.Record) []stream.Record { return sorted(records) }

func sorted(rs []stream.Record) []stream.Record {
	return slices.SortedFunc(slices.Values(rs), func(a, b stream.Record) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Time, b.Time))
	})
}

// same tells whether two lists hold the same records equally often.
func same(a, b []stream.Record) bool {
	return slices.Equal(a, b) || slices.Equal(sorted(a), sorted(b)) // most are in order
}
