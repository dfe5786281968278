package watermarks

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
)

const (
	least   = math.MinInt64
	largest = math.MaxInt64
)

// Worked by hand. The first four are the numbers of Flink's
// BoundedOutOfOrdernessWatermarksTest.
func TestGeneratorOracle(t *testing.T) {
	for _, test := range []struct {
		name     string
		maxDelay int64
		times    []int64
		want     string
	}{
		{"after an event", 10, []int64{1337}, "1326"},
		{"after events out of order", 10, []int64{12345, 12300, 12340, 12280}, "12334 - - -"},
		{"asked again", 10, []int64{723456, 723456}, "723445 -"},
		{"before any that counts", 10, []int64{least}, "min"},
		{"no record", 3, nil, ""},
		{"negative", 2, []int64{-5, -7, -4}, "-8 - -7"},
		{"exactly the least", 0, []int64{least + 1, least + 2}, fmt.Sprint("min ", least+1)},
		{"below the least", 5, []int64{least + 3, least + 6, least + 7}, fmt.Sprint("min - ", least+1)},
		{"the largest time", 0, []int64{largest}, fmt.Sprint(largest - 1)},
		{"the largest delay", largest, []int64{-1, 0, 1, largest}, fmt.Sprint("min - ", least+1, " -1")},
	} {
		if got := written(generatorAnswers(test.times, test.maxDelay)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Worked by hand, as far as they go from Flink's StatusWatermarkValveTest and
// WatermarkOutputMultiplexerTest; where the contract departs from Flink, the
// name says so.
func TestMergerOracle(t *testing.T) {
	for _, test := range []struct {
		name     string
		channels int
		calls    string // 0:5 updates channel 0 with 5; 0:i and 0:f are idle and finished
		want     string
	}{
		{"single input, increasing", 1, "0:0 0:25", "0 25"},
		{"single input, decreasing", 1, "0:25 0:18 0:42", "25 - 42"},
		{"all have to report", 3, "0:0 1:0 2:0", "- - 0"},
		{"increasing", 3, "0:0 1:0 2:0 0:12 2:8 2:10 1:15 2:17 0:20", "- - 0 - - - 10 12 15"},
		{"decreasing", 3, "0:25 1:10 2:17 0:12 1:8 2:15", "- - 10 - - -"},
		{"partially idle", 3, "0:15 1:10 2:i 1:18 0:20", "- - 10 15 18"},
		{"idle one after the other", 3, "0:25 1:10 2:17 1:i 2:i", "- - 10 17 25"},
		{"all idle, unlike Flink not flushed", 3, "0:10 1:5 2:3 0:i 1:i 2:i", "- - 3 - - -"},
		{"realigned", 3, "0:10 1:7 2:3 2:i 2:5 2:9 1:12", "- - 3 7 - - 9"},
		{"resumed behind, unlike the valve waited for", 2, "0:10 1:3 1:i 1:5 0:12 1:11", "- 3 10 - - 11"},
		{"all active ones behind", 3, "0:10 1:7 2:i 2:1 0:i 1:i", "- - 7 - - -"},
		{"idle first", 1, "0:i 0:0", "- 0"},
		{"two and an idle one", 3, "0:2 1:5 2:i", "- - 2"},
		{"idle advances", 2, "0:2 1:5 0:i", "- 2 5"},
		{"faster idle first", 2, "0:5 1:2 0:i 1:i", "- 2 - -"},
		{"an idle one regresses", 2, "0:2 1:5 0:i 0:3", "- 2 5 -"},
		{"a lower update does not regress", 1, "0:5 0:2", "5 -"},
		{"a removed one unblocks", 2, "0:156765 0:f 1:156775", "- - 156775"},

		{"resumed lower than it was", 2, "0:7 1:5 0:i 0:3 1:9", "- 5 - - 7"},
		{"finish tells the rest", 2, "0:5 1:3 1:f", "- 3 5"},
		{"the end once", 2, "0:5 1:3 0:f 1:f 1:f", "- 3 - max -"},
		{"the end without a report", 2, "0:f 1:f", "- max"},
		{"finished and idle", 2, "0:5 0:i 1:f 0:f", "- - - max"},
		{"finished, then called", 2, "0:f 0:9 0:i 0:f 1:4", "- - - - 4"},
		{"the end came by updates", 2, "0:max 1:max 0:f 1:f", "- max - -"},
		{"the largest is not the end", 1, "0:max 0:3 0:i 0:f", "max - - -"},
		{"the least is told", 2, "0:min 1:min 0:0 1:1", "- min - 0"},
	} {
		if got := written(mergerAnswers(test.channels, calledAs(test.calls))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// calledAs reads calls of a merger.
func calledAs(text string) []schedule.Op {
	var ops []schedule.Op
	for call := range strings.FieldsSeq(text) {
		ch, what, _ := strings.Cut(call, ":")
		word := "update-" + ch + "-" + what
		switch what {
		case "i":
			word = "idle-" + ch
		case "f":
			word = "finish-" + ch
		}
		c, err := schedule.ParseSequence("03/sequence/channels-64,"+word, spec)
		if err != nil {
			panic(err)
		}
		ops = append(ops, c.Script[1])
	}
	return ops
}

// written is what was told, call by call.
func written(all []answer) string {
	var words []string
	for _, a := range all {
		switch {
		case !a.told:
			words = append(words, "-")
		case a.watermark == least:
			words = append(words, "min")
		case a.watermark == largest:
			words = append(words, "max")
		default:
			words = append(words, fmt.Sprint(int64(a.watermark)))
		}
	}
	return strings.Join(words, " ")
}
