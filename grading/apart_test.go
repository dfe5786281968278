package grading

import (
	"reflect"
	"testing"
)

func TestApart(t *testing.T) {
	run := func(actions ...string) []Step {
		var steps []Step
		for _, a := range actions {
			steps = append(steps, Step{Object: "o", Action: a})
		}
		return steps
	}
	for _, test := range []struct {
		name       string
		one, other []Step
		want       []string
	}{
		{"alike", run("a", "b"), run("a", "b"), nil},
		{"by what came of it", []Step{{Object: "o", Action: "a", State: "s"}}, []Step{{Object: "o", Action: "a", State: "s", Note: "returned 2"}}, []string{
			"- step 1, seed 1: o, a; s", "+ step 1, seed 2: o, a; s; returned 2",
		}},
		{"by what was done, whatever came of it", []Step{{Object: "o", Action: "a", State: "s"}}, []Step{{Object: "o", Action: "b", Note: "n"}}, []string{
			"- step 1, seed 1: o, a", "+ step 1, seed 2: o, b",
		}},
		{"by the line alone", []Step{{Object: "o", Action: "a", Place: "x.go:1"}}, []Step{{Object: "o", Action: "a", Place: "x.go:2"}}, nil},
		{"at once", run("a"), run("b"), []string{"- step 1, seed 1: o, a", "+ step 1, seed 2: o, b"}},
		{"one ends sooner", run("a"), run("a", "b"), []string{"  step 1, both: o, a", "- step 2, seed 1: nothing more", "+ step 2, seed 2: o, b"}},
		{"far in", run("1", "2", "3", "4", "5", "x", "6"), run("1", "2", "3", "4", "5", "6"), []string{
			"  step 3, both: o, 3", "  step 4, both: o, 4", "  step 5, both: o, 5",
			"- step 6, seed 1: o, x", "- step 7, seed 1: o, 6", "+ step 6, seed 2: o, 6",
		}},
	} {
		if got := apart(test.one, test.other, [2]uint64{1, 2}); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
