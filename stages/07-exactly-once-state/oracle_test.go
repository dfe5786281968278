package exactlyoncestate

import (
	"math"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

// Sums worked out by hand. The first is the stream of the keyed state example in
// Flink's documentation: key 1 with the values 3, 5, 7, 4 and 2.
func TestSumsAfter(t *testing.T) {
	flink := []stream.Record{{Key: "1", Value: 3}, {Key: "1", Value: 5}, {Key: "1", Value: 7}, {Key: "1", Value: 4}, {Key: "1", Value: 2}}
	for n, want := range []int64{0, 3, 8, 15, 19, 21} {
		if got := sumsAfter(nil, flink[:n]); got["1"] != want || len(got) != min(n, 1) {
			t.Errorf("after %d: %v, want %d", n, got, want)
		}
	}
	for name, test := range map[string]struct {
		before  map[string]int64
		records []stream.Record
		want    map[string]int64
	}{
		"nothing":           {nil, nil, nil},
		"interleaved":       {nil, []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 3}}, map[string]int64{"a": 4, "b": 2}},
		"to zero":           {nil, []stream.Record{{Key: "a", Value: 5}, {Key: "a", Value: -5}}, map[string]int64{"a": 0}},
		"on top":            {map[string]int64{"a": 7, "z": 1}, []stream.Record{{Key: "a", Value: 1}}, map[string]int64{"a": 8, "z": 1}},
		"wraps around up":   {nil, []stream.Record{{Value: math.MaxInt64}, {Value: 1}}, map[string]int64{"": math.MinInt64}},
		"wraps around down": {nil, []stream.Record{{Value: math.MinInt64}, {Value: -1}}, map[string]int64{"": math.MaxInt64}},
		"twice the least":   {nil, []stream.Record{{Value: math.MinInt64}, {Value: math.MinInt64}}, map[string]int64{"": 0}},
	} {
		if got := sumsAfter(test.before, test.records); !same(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
