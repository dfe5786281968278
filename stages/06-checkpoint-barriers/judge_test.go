package checkpointbarriers

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/stream"
)

// judged is the finding of the first arrival after which another list than must
// went downstream; "/" stands between the arrivals of got.
func judged(t *testing.T, channels int, arrivals, got string) *grading.Finding {
	t.Helper()
	p := plan{channels: channels, arrivals: written(t, arrivals), label: key}
	want := oracle(channels, p.arrivals).out
	for i, text := range strings.Split(got, "/") {
		s := step{plan: p, number: i + 1, history: p.arrivals[:i+1], want: want[i], got: itemsOf(t, text)}
		if f := s.judge(); f != nil {
			return f
		}
	}
	return nil
}

// Each rule is kept by the first line of its kind, and broken by the others.
func TestJudge(t *testing.T) {
	const two, three = 2, 3
	tests := []struct {
		name     string
		channels int
		arrivals string
		got      string
		broken   string
	}{
		{"held back and released", two, "0:|1| 0:a 1:b 1:|1|", "//b/|1| a", ""},
		{"no alignment", two, "0:|1|", "|1|", consistentCut},
		{"not held back", two, "0:|1| 0:a", "/a", consistentCut},
		{"out before its barrier", two, "0:|1| 0:a 1:|1|", "//a |1|", consistentCut},
		{"the next barrier with the release", two, "0:|1| 0:|2| 1:|1|", "//|1| |2|", consistentCut},
		{"behind the next barrier", two, "0:|1| 0:|2| 0:a 1:|1|", "///|1| a", consistentCut},
		{"the next barrier too early, instead of a record", two, "0:|1| 0:a 0:|2| 1:|1|", "///|1| |2| a", consistentCut},

		{"a record held back in vain", two, "0:|1| 1:b", "/", noStall},
		{"a barrier that does not come", two, "0:|1| 1:|1|", "/", noStall},
		{"a barrier that does not come with one channel", 1, "0:|1|", "", noStall},

		{"lost", two, "0:|1| 0:a 1:|1|", "//|1|", release},
		{"doubled", two, "0:|1| 0:a 1:|1|", "//|1| a a", release},
		{"barrier doubled", two, "0:|1| 1:|1|", "/|1| |1|", release},
		{"foreign", two, "0:a", "a x", release},
		{"by channel", three, "0:|1| 1:|1| 1:b 0:a 2:|1|", "////|1| a b", release},
		{"barrier with a record", two, "0:|1| 0:a 1:|1|", "//|1|+b a", release},
		{"swapped on a channel", two, "0:|1| 0:a 0:b 1:|1|", "///|1| b a", release},

		{"given up", two, "0:|1| 0:a 1:|2| 0:b 0:|2|", "//a/b/|2|", ""},
		{"given up and out", two, "0:|1| 1:|2|", "/|1|", newerBarrier},
		{"given up and lost", two, "0:|1| 0:a 1:|2|", "//", newerBarrier},
		{"newer dropped", two, "0:|1| 1:|2| 1:b", "//b", newerBarrier},
		{"an ID skipped and dropped", two, "0:|1| 1:|1| 0:|3| 0:a", "/|1|//a", newerBarrier},

		{"late", two, "0:|2| 1:|1| 1:b 1:|2|", "//b/|2|", ""},
		{"late and passed on", two, "0:|2| 1:|1|", "/|1|", lateBarrier},
		{"late and held back", two, "0:|1| 1:|1| 0:|1| 0:a", "/|1|//", lateBarrier},

		{"ended", two, "0:|1| 0:a 1:end 0:b", "//|1| a/b", ""},
		{"ended and waited for", two, "1:end 0:|1|", "/", finishedChannel},
		{"ended before its turn", two, "0:|1| 0:a 0:end 1:|2|", "///|2| a", finishedChannel},
		{"ended and lost", two, "0:|1| 0:a 0:end 1:|1|", "///|1|", finishedChannel},
		{"ended and let go", two, "0:|1| 0:a 0:end", "//a", finishedChannel},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := judged(t, test.channels, test.arrivals, test.got)
			got := ""
			if f != nil {
				got = f.Check
				if len(f.Diff) == 0 || f.Unless == f.Check {
					t.Errorf("finding %+v", f)
				}
			}
			if got != test.broken {
				t.Errorf("broken %q, want %q: %+v", got, test.broken, f)
			}
		})
	}
}

// Blame goes to the last check in order that a history has to do with.
func TestBlame(t *testing.T) {
	for arrivals, want := range map[string]string{
		"0:|1| 1:|1| 0:a":   consistentCut,
		"0:|1| 1:|2|":       newerBarrier,
		"0:|2| 1:|2|":       newerBarrier, // 1 is skipped
		"0:|2| 1:|1|":       lateBarrier,
		"0:|1| 1:|2| 0:|1|": lateBarrier,
		"0:|2| 1:|1| 1:end": finishedChannel,
		"1:end":             finishedChannel,
	} {
		if got := blame(2, written(t, arrivals), consistentCut); got != want {
			t.Errorf("%s: %s, want %s", arrivals, got, want)
		}
	}
}

func TestJudgeInjection(t *testing.T) {
	c := injectionCase(letters("a b c"), 2)
	for got, right := range map[string]bool{
		"a b |1| c":     true,
		"a |1| b c":     false,
		"a b |1| c |2|": false,
		"a b |2| c":     false,
		"a b |1|+b c":   false,
		"a b |1|":       false,
		"a b c":         false,
		"b a |1| c":     false,
		"":              false,
	} {
		f := judgeInjection(c, itemsOf(t, got))
		if (f == nil) != right || f != nil && (f.Check != injection || len(f.Diff) == 0) {
			t.Errorf("%q: %+v", got, f)
		}
	}
}

// letters makes a record of each key.
func letters(keys string) []stream.Record {
	var rs []stream.Record
	for key := range strings.FieldsSeq(keys) {
		rs = append(rs, stream.Record{Key: key})
	}
	return rs
}

func TestNames(t *testing.T) {
	for _, f := range []struct{ got, want string }{
		{channelList([]int{1}), "channel 1"},
		{channelList([]int{0, 2}), "channels 0, 2"},
		{grading.Plural(1, "record"), "1 record"},
		{grading.Plural(2, "record"), "2 records"},
		{list(slices.Repeat([]item{barrier(1)}, 14), key), "[" + strings.Repeat("|1| ", 12) + "and 2 more]"},
		{textAt(nil, 0, key), "nothing"},
		{textAt([]item{{letters("a")[0], 1, true}}, 0, key), "|1|+a"},
		{labels(letters("a b"))(stream.Record{Key: "a"}), "a"},
		{labels(letters("a b"))(stream.Record{Key: "a", Value: 1}), "a=1 @0"},
	} {
		if f.got != f.want {
			t.Errorf("%q, want %q", f.got, f.want)
		}
	}
}
