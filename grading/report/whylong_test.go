package report

import (
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/grading"
)

func TestWhyLong(t *testing.T) {
	const budget = 90 * time.Second
	for ran, want := range map[time.Duration]string{
		0:                "first build",
		10 * time.Second: "first build",
		40 * time.Second: "took 40 s",
	} {
		r := grading.Report{Budget: grading.Millis(budget), Stages: []grading.StageReport{{Elapsed: grading.Millis(ran / 2)}, {Elapsed: grading.Millis(ran / 2)}}}
		if got := whyLong(r); !strings.Contains(got, want) {
			t.Errorf("of %v the cases took %v: %s", budget, ran, got)
		}
	}
}
