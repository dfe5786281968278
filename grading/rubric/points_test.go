package rubric_test

import (
	"encoding/json"
	"testing"

	"github.com/flk-byo/de/grading/rubric"
)

func TestPoints(t *testing.T) {
	tests := []struct {
		points rubric.Points
		want   string
	}{
		{0, "0"}, {1, "0.01"}, {10, "0.1"}, {99, "0.99"}, {100, "1"}, {105, "1.05"},
		{650, "6.5"}, {1000, "10"}, {100_000_001, "1000000.01"}, {-1, "-0.01"}, {-250, "-2.5"},
	}
	for _, test := range tests {
		text, err := json.Marshal(test.points)
		if err != nil || string(text) != test.want || test.points.String() != test.want {
			t.Errorf("%d hundredths are written %s and %v (%v), want %s", int64(test.points), text, test.points, err, test.want)
		}
		var back rubric.Points
		if err := json.Unmarshal(text, &back); err != nil || back != test.points {
			t.Errorf("%s comes back as %d (%v), want %d", text, int64(back), err, int64(test.points))
		}
	}
	for _, text := range []string{`"1"`, `1.125`, `1e3`, `null`, `{}`, `99999999999999999999`} {
		var p rubric.Points
		if err := json.Unmarshal([]byte(text), &p); err == nil {
			t.Errorf("%s is taken for %v points", text, p)
		}
	}
}
