package stages_test

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages"
)

// A gate that no check is named like would take no points, and the last stage's
// is that of the default rubric.
func TestGatesAreChecks(t *testing.T) {
	all := stages.All()
	for _, s := range all {
		known := slices.ContainsFunc(s.Checks, func(c grading.Check) bool { return c.Name == s.Gate })
		if s.Gate != "" && !known {
			t.Errorf("stage %s: the gate %q is none of its checks", s.ID, s.Gate)
		}
	}
	if last := all[len(all)-1]; last.Gate == "" {
		t.Errorf("stage %s, the last, has no gate", last.ID)
	}
}
