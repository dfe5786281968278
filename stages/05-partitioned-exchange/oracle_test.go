package partitionedexchange

import (
	"maps"
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

// The test vectors that the authors of FNV publish, and the hashes that the
// named keys are there for.
func TestHash(t *testing.T) {
	tests := map[string]uint32{
		"": 0x811c9dc5, "a": 0xe40c292c, "b": 0xe70c2de5, "c": 0xe60c2c52, "d": 0xe10c2473, "e": 0xe00c22e0, "f": 0xe30c2799,
		"fo": 0x6222e842, "foo": 0xa9f37ed7, "foob": 0x3f5076ef, "fooba": 0x39aaa18a, "foobar": 0xbf9cf968,
		"ppkttia": 0, "hlsnjpab": 1, "ljjiooab": 0x7fffffff, "rdklaij": 0x80000000, "isntosr": 0x80000001, "prezece": 0xffffffff,
		"\xcc\x24\x31\xc4": 0, // the shortest key whose hash is 0, by the same authors
	}
	for key, want := range tests {
		if got := hashOf(key); got != want {
			t.Errorf("hash of %q: %#08x, want %#08x", key, got, want)
		}
		if got, want := groupOf(key, 128), int(want%128); got != want {
			t.Errorf("group of %q: %d, want %d", key, got, want)
		}
	}
}

// The groups of each subtask, as Flink's formulas have them worked out by hand:
// start = ceil(i*max/par), end = floor(((i+1)*max-1)/par), which is inclusive.
func TestRanges(t *testing.T) {
	tests := []struct {
		groups int
		want   [][2]int // of each subtask, the first and the last group
	}{
		{1, [][2]int{{0, 0}}},
		{13, [][2]int{{0, 12}}},
		{13, [][2]int{{0, 6}, {7, 12}}},
		{10, [][2]int{{0, 3}, {4, 6}, {7, 9}}}, // 10 groups scaled from 3 subtasks to 4
		{10, [][2]int{{0, 2}, {3, 4}, {5, 7}, {8, 9}}},
		{128, [][2]int{{0, 42}, {43, 85}, {86, 127}}},
		{4096, [][2]int{{0, 2047}, {2048, 4095}}},
		{32767, [][2]int{{0, 32766}}},
		{32768, [][2]int{{0, 16383}, {16384, 32767}}},
		{3, [][2]int{{0, 0}, {1, 1}, {2, 2}}},
	}
	for _, test := range tests {
		for i, want := range test.want {
			lo, hi := rangeOf(i, test.groups, len(test.want))
			if lo != want[0] || hi-1 != want[1] {
				t.Errorf("subtask %d of %d, %d groups: %d to %d, want %v", i, len(test.want), test.groups, lo, hi-1, want)
			}
			for _, group := range want {
				if got := ownerOf(group, test.groups, len(test.want)); got != i {
					t.Errorf("group %d of %d is owned by %d of %d, want %d", group, test.groups, got, len(test.want), i)
				}
			}
		}
	}
}

// Every group has one owner, and each range is what its subtask owns.
func TestRangesAndOwnersAgree(t *testing.T) {
	for groups := 1; groups <= 40; groups++ {
		for subtasks := 1; subtasks <= groups; subtasks++ {
			next := 0
			for i := range subtasks {
				lo, hi := rangeOf(i, groups, subtasks)
				if lo != next || hi <= lo {
					t.Fatalf("subtask %d of %d, %d groups: [%d, %d) after %d", i, subtasks, groups, lo, hi, next)
				}
				for ; next < hi; next++ {
					if got := ownerOf(next, groups, subtasks); got != i {
						t.Fatalf("group %d of %d is owned by %d of %d, want %d", next, groups, got, subtasks, i)
					}
				}
			}
			if next != groups {
				t.Fatalf("%d subtasks own %d of %d groups", subtasks, next, groups)
			}
		}
	}
}

// The example of the brief.
func TestParts(t *testing.T) {
	k := keyspace{10, 3}
	records := []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 3}, {Key: "e", Value: 4}}
	want := [][]stream.Record{{{Key: "a", Value: 1}, {Key: "a", Value: 3}}, {{Key: "e", Value: 4}}, {{Key: "b", Value: 2}}}
	wantState := []map[string]int64{{"a": 4}, {"e": 4}, {"b": 2}}
	if got := k.parts(records); !slices.EqualFunc(got, want, slices.Equal[[]stream.Record]) {
		t.Errorf("parts: %v, want %v", got, want)
	}
	if got := k.state(records); !slices.EqualFunc(got, wantState, maps.Equal[map[string]int64]) {
		t.Errorf("state: %v, want %v", got, wantState)
	}
	if got := (keyspace{10, 2}).state(nil); len(got) != 2 || got[0] == nil || got[1] != nil {
		t.Errorf("state of nothing: %#v, want an empty map and nil", got)
	}
}
