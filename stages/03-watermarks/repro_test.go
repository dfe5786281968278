package watermarks

import (
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
)

// A test makes the calls of its case, and expects the right answers.
func TestReproExpects(t *testing.T) {
	c := sequence(t, "channels-2,update-0-5,finish-1,finish-0,max_delay-2,observe-min")
	for check, want := range map[string]string{
		minimum: `merger1 := s.NewMerger(2)

// Channel 1 is active and has not reported.
told, ok = merger1.Update(0, 5)
tellsNothing()

// The slowest active channel is 0, at 5.
told, ok = merger1.Finish(1)
tells(5)

// Every channel is finished.
told, ok = merger1.Finish(0)
tells(stream.MaxWatermark)

generator2 := s.BoundedOutOfOrderness(2)

// The largest time so far is math.MinInt64.
told, ok = generator2.Observe(stream.Record{Key: "c", Value: 15, Time: -9223372036854775808})
tells(math.MinInt64)`,
		isolation:     "for range 3 {",
		deterministic: "for range 1000 {",
	} {
		if body := repro(c, grading.Finding{Check: check}).Body; !strings.Contains(body, want) {
			t.Errorf("%s: the test has no\n%s\nbut\n%s", check, want, body)
		}
	}
}
