package windows

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages/04-windows/contract"
)

// What Flink's documentation and its tests of the assigners say, among others.
func TestWindowsOfATime(t *testing.T) {
	tests := []struct {
		name                string
		size, slide, offset int64
		time                int64
		want                string
	}{
		{"Flink: tumbling 5000", 5000, 5000, 0, 0, "[0,5000)"},
		{"Flink: tumbling 5000, the last time", 5000, 5000, 0, 4999, "[0,5000)"},
		{"Flink: tumbling 5000, the first time", 5000, 5000, 0, 5000, "[5000,10000)"},
		{"Flink: tumbling with offset 100", 5000, 5000, 100, 100, "[100,5100)"},
		{"Flink: tumbling with offset 100, the last time", 5000, 5000, 100, 5099, "[100,5100)"},
		{"Flink: tumbling with offset 100, before it", 5000, 5000, 100, 99, "[-4900,100)"},
		{"Flink: tumbling with offset -100", 5000, 5000, -100, 0, "[-100,4900)"},
		{"Flink: tumbling with offset -100, the first time", 5000, 5000, -100, 4900, "[4900,9900)"},
		{"Flink: sliding 5000 by 1000", 5000, 1000, 0, 0, "[-4000,1000), [-3000,2000), [-2000,3000), [-1000,4000), [0,5000)"},
		{"Flink: sliding 5000 by 1000, before a start", 5000, 1000, 0, 4999, "[0,5000), [1000,6000), [2000,7000), [3000,8000), [4000,9000)"},
		{"Flink: sliding with offset 100", 5000, 1000, 100, 100, "[-3900,1100), [-2900,2100), [-1900,3100), [-900,4100), [100,5100)"},
		{"negative", 10, 10, 0, -1, "[-10,0)"},
		{"negative, a start", 10, 10, 0, -10, "[-10,0)"},
		{"negative, an end", 10, 10, 0, -11, "[-20,-10)"},
		{"an offset beyond the size", 10, 10, 23, 2, "[-7,3)"},
		{"a slide that does not divide", 10, 4, 0, 0, "[-8,2), [-4,6), [0,10)"},
		{"a slide that does not divide, later", 10, 4, 0, 2, "[-4,6), [0,10)"},
		{"within a window beside a gap", 5, 10, 0, 4, "[0,5)"},
		{"in a gap", 5, 10, 0, 5, "no window"},
		{"in a gap before 0", 5, 10, 0, -1, "no window"},
	}
	for _, test := range tests {
		if got := windowList(every(test.size, test.slide, test.offset, test.time)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Every window that contains a time has it, whatever the numbers.
func TestWindowsBySearch(t *testing.T) {
	for size := int64(1); size <= 6; size++ {
		for slide := int64(1); slide <= 8; slide++ {
			for offset := int64(-9); offset <= 9; offset++ {
				for time := int64(-20); time <= 20; time++ {
					var want []contract.Window
					for k := int64(-60); k <= 60; k++ {
						if start := offset + k*slide; start <= time && time < start+size {
							want = append(want, contract.Window{Start: start, End: start + size})
						}
					}
					if got := every(size, slide, offset, time); !slices.Equal(got, want) {
						t.Fatalf("size %d, slide %d, offset %d, time %d: %v, want %v", size, slide, offset, time, got, want)
					}
				}
			}
		}
	}
}

func TestShapesAreLegal(t *testing.T) {
	for word, shape := range shapeWords {
		for time := int64(-200); time <= 200; time++ {
			ws := shaped(shape, time)
			for i, w := range ws {
				if time < w.Start || time >= w.End || slices.Contains(ws[:i], w) {
					t.Errorf("%s: %v among the windows of %d", word, w, time)
				}
			}
		}
	}
}

func TestGone(t *testing.T) {
	w := contract.Window{Start: 0, End: 10}
	tests := []struct {
		lateness, watermark int64
		want                bool
	}{
		{0, 8, false}, {0, 9, true}, {5, 13, false}, {5, 14, true}, {5, math.MinInt64, false},
		{math.MaxInt64, 9, false}, {math.MaxInt64, math.MaxInt64 - 1, false}, {math.MaxInt64, math.MaxInt64, true},
		{math.MaxInt64 - 9, math.MaxInt64 - 1, false}, {math.MaxInt64 - 10, math.MaxInt64 - 1, true},
	}
	for _, test := range tests {
		if got := gone(w, test.lateness, test.watermark); got != test.want {
			t.Errorf("lateness %d, watermark %d: %t", test.lateness, test.watermark, got)
		}
	}
}

// Hand-worked: each operation, and what must come of it. "late" is what Late
// returns after the last.
func TestAnswers(t *testing.T) {
	tests := []struct {
		name, setup string
		steps       []string // "operation: results"
		late        string
	}{
		{"the example of the brief", "tumbling 10 0, operator 5", []string{
			"record a 1 3: nothing", "record a 2 12: nothing", "advance 8: nothing",
			"advance 9: a [0,10) sum 1 count 1", "record a 4 5: a [0,10) sum 5 count 2",
			"advance 14: nothing", "record a 8 9: nothing", "advance 19: a [10,20) sum 2 count 1", "advance 18: nothing",
		}, "a=8 @9"},
		{"sessions, the example of the brief", "session 10 20", []string{
			"record a 1 0: nothing", "record a 2 20: nothing", "advance 12: a [0,10) sum 1 count 1",
			"record a 4 10: nothing", "advance 29: a [0,30) sum 7 count 3", "record a 8 30: nothing",
			"advance 39: a [0,40) sum 15 count 4", "record a 16 3: a [0,40) sum 31 count 5",
		}, "none"},
		// After WindowOperatorTest.testLateness: size 2000, lateness 500.
		{"Flink: lateness", "tumbling 2000 0, operator 500", []string{
			"record a 1 500: nothing", "advance 1500: nothing", "record a 1 1300: nothing",
			"advance 2300: a [0,2000) sum 2 count 2", "record a 1 1997: a [0,2000) sum 3 count 3",
			"advance 6000: nothing", "record a 1 1998: nothing", "advance 7000: nothing",
		}, "a=1 @1998"},
		// After WindowOperatorTest.testDropDueToLatenessSessionZeroLateness: gap 3000.
		{"Flink: sessions without lateness", "session 3000 0", []string{
			"record a 1 1000: nothing", "advance 1999: nothing", "record a 1 2000: nothing", "advance 4998: nothing",
			"record a 1 4500: nothing", "record a 1 8500: nothing", "advance 7400: nothing",
			"record a 1 7000: nothing", "advance 11501: a [1000,11500) sum 5 count 5",
			"record a 1 11600: nothing", "advance 14600: a [11600,14600) sum 1 count 1",
			"record a 1 10000: nothing", "record a 1 14500: nothing", "advance 20000: a [14500,17500) sum 1 count 1",
		}, "a=1 @10000"},
		{"some gone, some not", "sliding 10 5 0, operator 0", []string{
			"record a 1 7: nothing", "advance 9: a [0,10) sum 1 count 1", "record a 2 8: nothing",
			"advance 14: a [5,15) sum 3 count 2", "record a 4 8: nothing",
		}, "a=4 @8"},
		{"a gap is not late", "sliding 5 10 0, operator 0", []string{"advance 100: nothing", "record a 1 7: nothing", "record a 2 3: nothing"}, "a=2 @3"},
		{"the end of all", "tumbling 10 0, operator max", []string{
			"record a 1 3: nothing", "advance 9: a [0,10) sum 1 count 1", "record a 2 3: a [0,10) sum 3 count 2",
			"advance max: nothing", "record a 4 3: nothing",
		}, "a=4 @3"},
		{"order", "custom nested, operator 0", []string{
			"record b 1 12: nothing", "record a 2 7: nothing",
			"advance max: a [0,10) sum 2 count 1, a [5,10) sum 2 count 1, b [10,15) sum 1 count 1, a [0,20) sum 2 count 1, b [0,20) sum 1 count 1, b [10,20) sum 1 count 1",
		}, "none"},
	}
	for _, test := range tests {
		text := test.setup
		var wants []string
		for _, s := range test.steps {
			do, want, _ := strings.Cut(s, ": ")
			text, wants = text+", "+do, append(wants, want)
		}
		p := planned(script(t, text))
		steps := p.steps[len(p.steps)-len(wants):]
		for i, want := range wants {
			if got := resultList(steps[i].answer.results); got != want {
				t.Errorf("%s: %s: %s, want %s", test.name, steps[i].action(), got, want)
			}
		}
		if got := recordList(steps[len(steps)-1].answer.late); got != test.late {
			t.Errorf("%s: late %s, want %s", test.name, got, test.late)
		}
	}
}
