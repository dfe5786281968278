package grading

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
)

func TestInTurn(t *testing.T) {
	cases := testCases("a1", "a2", "a3", "b1", "a4", "b2", "c1", "a5", "a6", "a7", "a8")
	first := func(c schedule.Case) string { return c.ID[:1] }
	for n, want := range map[int]string{0: "", 3: "a6 b2 c1", 5: "a6 b2 c1 a2 b1", 99: "a6 b2 c1 a2 b1 a4 a5 a1 a3"} {
		var got []string
		for _, c := range inTurn(cases, first, n) {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%d of them are %v, want %s", n, got, want)
		}
	}
}

// Every number comes once, and no two of the first 2^k lie closer together than
// half of what would be even.
func TestFarApart(t *testing.T) {
	for n := range 200 {
		all := farApart(n)
		if sorted := slices.Sorted(slices.Values(all)); len(all) != n || n > 0 && (sorted[0] != 0 || sorted[n-1] != n-1) || len(slices.Compact(sorted)) != n {
			t.Fatalf("below %d: %v", n, all)
		}
		for k := 1; k <= n; k *= 2 {
			some := slices.Sorted(slices.Values(all[:k]))
			for i := 1; i < k; i++ {
				if some[i]-some[i-1] < n/k/2 {
					t.Errorf("below %d, two of the first %d are %d and %d", n, k, some[i-1], some[i])
				}
			}
		}
	}
}
