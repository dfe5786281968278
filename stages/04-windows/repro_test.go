package windows

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

// A test is in the manner that its finding is of.
func TestReproManners(t *testing.T) {
	c := script(t, "tumbling 10 0, operator 0, advance 20, record a 1 5, record b 1 25")
	const (
		ours  = "assigner1 := reproEvery(10, 10, 0)"
		own   = "assigner1 := s.Tumbling(10, 0)"
		late  = "tellsLate(operator1.Late(), late1)\n"
		write = "checks = append(checks"
	)
	tests := map[string]struct {
		finding   grading.Finding
		want, not []string
		asks      int // how often late records are asked for
	}{
		"plain":  {grading.Finding{Check: firing}, []string{ours}, []string{own, write, "for range"}, 3},
		"modest": {grading.Finding{Check: firing, Problem: withOwnAssigner + "it is wrong"}, []string{own}, []string{ours}, 1},
		"eager":  {grading.Finding{Check: isolation}, []string{ours, write, "for range 3"}, nil, 3},
		"luck":   {grading.Finding{Check: deterministic}, []string{"for range 1000"}, nil, 3},
	}
	for name, test := range tests {
		body := repro(c, test.finding).Body
		has := func(text string) bool { return strings.Contains(body, text) }
		if i := slices.IndexFunc(test.want, func(text string) bool { return !has(text) }); i >= 0 {
			t.Errorf("%s: the test has no %q:\n%s", name, test.want[i], body)
		}
		if slices.ContainsFunc(test.not, has) {
			t.Errorf("%s: the test has one of %q:\n%s", name, test.not, body)
		}
		if n := strings.Count(body, late); n != test.asks {
			t.Errorf("%s: late records are asked for %d times instead of %d", name, n, test.asks)
		}
	}
}

// A test expects what the oracle says, late records as they come.
func TestReproExpects(t *testing.T) {
	c := script(t, "session 5 0, record a 2 1, advance 20, record b 1 5, record b 3 6")
	body := repro(c, grading.Finding{Check: sessions}).Body
	for _, want := range []string{
		"returns(operator1.Advance(20), " + resultsCode([]contract.Result{{Key: "a", Window: contract.Window{Start: 1, End: 6}, Sum: 2, Count: 1}}) + ")",
		"late1 := []stream.Record{}",
		`late1 = append(late1, stream.Record{Key: "b", Value: 3, Time: 6})`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the test has no %q:\n%s", want, body)
		}
	}
}
