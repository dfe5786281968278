package partitionedexchange

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A test makes the calls of its case, and expects what the oracle says.
func TestReproExpects(t *testing.T) {
	script := schedule.Case{Script: []schedule.Op{spec.Op(opGroup, -1, 3), spec.Op(opGroups, 1, 3, 2), spec.Op(opTable, 2, 1)}}
	records := func(to int) schedule.Case {
		return schedule.Case{Records: []stream.Record{{Key: "a", Value: 1}}, Params: []schedule.Setting{{Name: maxParallelism, Value: 4}, {Name: parallelism, Value: 1}, {Name: rescaleTo, Value: to}}}
	}
	tests := map[string]struct {
		c         schedule.Case
		check     string
		want, not []string
	}{
		"a script": {script, keyGroup, []string{
			`is(s.KeyGroup("", 3), 1) // 2166136261 mod 3`,
			"lo, hi = s.Groups(1, 3, 2) // group 2\nis(lo, 2)\nis(hi, 3)",
			"is(s.Subtask(1, 2, 1), 0)",
		}, []string{"32768", "for range"}},
		"chance":          {script, deterministic, []string{`is(s.KeyGroup("", 32768), `, "for range 1000"}, nil},
		"an exchange":     {records(exchangeOnly), partition, []string{"s.Partition(lent, 4, 1)", "want[0] = []stream.Record{"}, []string{"written by the caller"}},
		"a shared slice":  {records(exchangeOnly), isolation, []string{"written by the caller", "only lent", "for range 3", "another key"}, nil},
		"a rescaling":     {records(2), rescale, []string{"got := rescale(old, 2, new)\nrescale(got, 1, old)", `old[0] = map[string]int64{"a": 1}`}, []string{"written by the caller"}},
		"a shared map":    {records(2), isolation, []string{"written by the caller", "only lent", "for range 3", "another key"}, nil},
		"reading a clock": {records(2), noSleep, nil, []string{"s"}},
	}
	for name, test := range tests {
		body := repro(test.c, grading.Finding{Check: test.check}).Body
		has := func(text string) bool { return strings.Contains(body, text) }
		if i := slices.IndexFunc(test.want, func(text string) bool { return !has(text) }); i >= 0 {
			t.Errorf("%s: the test has no %q:\n%s", name, test.want[i], body)
		}
		if slices.ContainsFunc(test.not, has) {
			t.Errorf("%s: the test has one of %q:\n%s", name, test.not, body)
		}
	}
}
