package explore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/explore"
)

// letters lets anything follow anything.
func letters([]string) []string { return []string{"a", "b"} }

// rising lets only larger letters follow.
func rising(prefix []string) []string {
	all := []string{"a", "b", "c"}
	if len(prefix) == 0 {
		return all
	}
	return all[slices.Index(all, prefix[len(prefix)-1])+1:]
}

func joined(length int, next func([]string) []string) []string {
	var got []string
	for s := range explore.Sequences(length, next) {
		got = append(got, strings.Join(s, ""))
	}
	return got
}

func TestSequences(t *testing.T) {
	tests := []struct {
		name   string
		length int
		next   func([]string) []string
		want   string
	}{
		{"none", 0, letters, ""},
		{"negative", -1, letters, ""},
		{"one", 1, letters, "a b"},
		{"the shorter first", 2, letters, "a b aa ab ba bb"},
		{"what may follow", 3, rising, "a b c ab ac bc abc"},
		{"longer than there are", 9, rising, "a b c ab ac bc abc"},
		{"nothing may begin", 3, func([]string) []string { return nil }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(joined(test.length, test.next), " "); got != test.want {
				t.Errorf("yields %q, want %q", got, test.want)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	got := joined(10, letters)
	if want := 1<<11 - 2; len(got) != want { // 2 + 4 + ... + 1024
		t.Errorf("%d sequences, want %d", len(got), want)
	}
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != 1<<11-2 {
		t.Errorf("%d of them differ", n)
	}
}

func TestStopsEarly(t *testing.T) {
	for stop := 1; stop <= 6; stop++ {
		seen, asked := 0, 0
		next := func(prefix []string) []string {
			if seen == stop {
				asked++
			}
			return letters(prefix)
		}
		for range explore.Sequences(2, next) {
			if seen++; seen == stop {
				break
			}
		}
		if seen != stop || asked != 0 {
			t.Errorf("after %d sequences: %d were yielded, and %d times it was asked what follows", stop, seen, asked)
		}
	}
}

// A yielded sequence is the caller's: changing it changes no other.
func TestSequencesShareNothing(t *testing.T) {
	want := joined(4, letters)
	var got []string
	var kept [][]string
	for s := range explore.Sequences(4, letters) {
		got = append(got, strings.Join(s, ""))
		kept = append(kept, slices.Clone(s))
		for i := range s {
			s[i] = "x"
		}
		_ = append(s, "x")
	}
	if !slices.Equal(got, want) {
		t.Errorf("a caller that changes what it is given gets %v", got)
	}
	for i, s := range kept {
		if strings.Join(s, "") != want[i] {
			t.Errorf("sequence %d became %v", i, s)
		}
	}
}

func BenchmarkSequences(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for range explore.Sequences(10, letters) {
		}
	}
}
