package explore_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/explore"
)

// has tells whether the letters of want stand in text, in order.
func has(text []string, want string) bool {
	for _, letter := range text {
		want = strings.TrimPrefix(want, letter)
	}
	return want == ""
}

func TestShrink(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
	for _, culprit := range []string{"", "a", "ab", "aa", "dcba", "abcdabcd"} {
		for range 20 {
			var long []string
			for !has(long, culprit) || len(long) < 40 {
				long = append(long, string("abcd"[chance.IntN(4)]))
			}
			before := slices.Clone(long)
			got := explore.Shrink(long, 10_000, func(s []string) bool { return has(s, culprit) })
			if strings.Join(got, "") != culprit {
				t.Errorf("%v shrinks to %v, want %s", long, got, culprit)
			}
			if !slices.Equal(long, before) {
				t.Errorf("the sequence was changed to %v", long)
			}
		}
	}
}

// What is left fails, and can't do without any one of its operations.
func TestShrinkIsMinimal(t *testing.T) {
	for sum := range 8 {
		fails := func(s []int) bool {
			all := 0
			for _, v := range s {
				all += v
			}
			return all%8 == sum && len(s) > 0
		}
		long := []int{1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7}
		for !fails(long) {
			long = append(long, 1)
		}
		got := explore.Shrink(long, 10_000, fails)
		if !fails(got) {
			t.Errorf("%v does not fail", got)
		}
		for i := range got {
			if shorter := slices.Delete(slices.Clone(got), i, i+1); fails(shorter) {
				t.Errorf("%v shrinks to %v, which fails without item %d", long, got, i)
			}
		}
	}
}

func TestShrinkIsBounded(t *testing.T) {
	for _, limit := range []int{0, 1, 7, 50} {
		calls := 0
		explore.Shrink(make([]string, 100), limit, func([]string) bool { calls++; return calls%3 == 0 })
		if calls > limit {
			t.Errorf("%d calls, where %d are allowed", calls, limit)
		}
	}
}

func BenchmarkShrink(b *testing.B) {
	long := slices.Repeat([]string{"a", "b", "c", "d"}, 100)
	calls := 0
	b.ReportAllocs()
	for b.Loop() {
		calls = 0
		explore.Shrink(long, 10_000, func(s []string) bool { calls++; return has(s, "dcba") })
	}
	b.ReportMetric(float64(calls), "tries")
}
