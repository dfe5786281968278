package grading_test

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/grading"
)

func TestSigns(t *testing.T) {
	signs := grading.Signs[int]{
		{Name: "even", Doc: "It is even.", Shows: func(n int) bool { return n%2 == 0 }},
		{Name: "large", Doc: "It is large.", Shows: func(n int) bool { return n > 5 }},
	}
	for _, test := range []struct {
		numbers []int
		want    []string
	}{
		{numbers: nil, want: nil},
		{numbers: []int{1, 3}, want: nil},
		{numbers: []int{1, 7, 2, 8}, want: []string{"large", "even"}}, // each once, as they come up
	} {
		if got := signs.During(slices.Values(test.numbers)); !slices.Equal(got, test.want) {
			t.Errorf("during %v: %v, want %v", test.numbers, got, test.want)
		}
	}
	if got := signs.In(8); !slices.Equal(got, []string{"even", "large"}) {
		t.Errorf("in 8: %v", got)
	}
	if got, want := signs.Situations(), (grading.Situation{Name: "large", Doc: "It is large."}); len(got) != 2 || got[1] != want {
		t.Errorf("situations %v", got)
	}
}
