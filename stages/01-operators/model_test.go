package operators

import (
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

type record = stream.Record

// Hand-worked: what comes out, for records of the values 1, 2, 3, 4 of keys a,
// b, c, d.
func TestOracle(t *testing.T) {
	for made, want := range map[string]string{
		"chain 0":                          "a=1 b=2 c=3 d=4",
		"map inc":                          "a=2 b=3 c=4 d=5",
		"map double":                       "a=2 b=4 c=6 d=8",
		"map zero, chain 1":                `""=0 ""=0 ""=0 ""=0`,
		"map number":                       "a=1 b=2 c=3 d=4",
		"map previous":                     `""=0 a=1 b=2 c=3`,
		"filter even":                      "b=2 d=4",
		"filter none":                      "",
		"filter second":                    "b=2 d=4",
		"flat_map twice":                   "a=1 a=1 b=2 b=2 c=3 c=3 d=4 d=4",
		"flat_map split":                   "a.1=1 b.1=2 b.2=2 c.1=3 c.2=3 c.3=3",
		"flat_map around":                  "a=0 a=1 a=2 b=1 b=2 b=3 c=2 c=3 c=4 d=3 d=4 d=5",
		"flat_map pairs":                   "a=1 b=2 c=3 d=4",
		"flat_map growing":                 "b=2 c=3 c=3 d=4 d=4 d=4",
		"own echo":                         "a=1 a=-1 b=2 b=-2 c=3 c=-3 d=4 d=-4",
		"own skip, chain 1":                "b=2 d=4",
		"map inc, filter even, chain 2":    "a=2 c=4",
		"filter even, map inc, chain 2":    "b=3 d=5",
		"filter even, map number, chain 2": "b=1 d=2",
		"map number, filter even, chain 2": "b=2 d=4",
		"map double, again, chain 2":       "a=4 b=8 c=12 d=16",
		"filter even, flat_map twice, chain 2, filter second, map rekey, chain 3": "x-b=2 x-d=4",
	} {
		steps := steps(caseOf(made + ", run 4"))
		last := steps[len(steps)-1]
		var got []string
		for _, r := range oracle(last.node, last.source, bodies{}) {
			got = append(got, strings.Split(diff.Record(r), " ")[0])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", made, strings.Join(got, " "), want)
		}
	}
}

// Hand-worked: what happens in which order.
func TestModel(t *testing.T) {
	for script, want := range map[string]string{
		"chain 0, run 2":                             "out a=1, out b=2",
		"filter even, run 2":                         "filter even a=1, filter even b=2, out b=2",
		"map inc, again, chain 2, run 2":             "map inc a=1, map inc a=2, out a=3, map inc b=2, map inc b=3, out b=4",
		"flat_map twice, map number, chain 2, run 1": "flat_map twice a=1, emit a=1, map number a=1, out a=1, emit a=1, map number a=1, out a=2",
		"filter odd, own echo, chain 2, process 2":   "filter odd b=2",
	} {
		steps := steps(caseOf(script))
		last := steps[len(steps)-1]
		var got []string
		for _, e := range model(last.node, last.source, bodies{}) {
			what := map[string]string{out: "out", emitted: "emit"}[e.kind]
			if e.kind == called {
				what = e.leaf.text()
			}
			got = append(got, what+" "+strings.Split(diff.Record(e.record), " ")[0])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s:\n%s, want\n%s", script, strings.Join(got, ", "), want)
		}
	}
}

// caseOf returns the case of a script.
func caseOf(text string) schedule.Case { return schedule.Case{ID: "01/test", Script: script(text)} }
