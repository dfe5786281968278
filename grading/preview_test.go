package grading

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
)

func TestInTurn(t *testing.T) {
	cases := testCases("a1", "a2", "a3", "b1", "a4", "b2", "c1")
	first := func(c schedule.Case) string { return c.ID[:1] }
	for n, want := range map[int]string{0: "", 3: "a1 b1 c1", 4: "a1 b1 c1 a2", 9: "a1 b1 c1 a2 b2 a3 a4"} {
		var got []string
		for _, c := range inTurn(cases, first, n) {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%d of them are %v, want %s", n, got, want)
		}
	}
}
