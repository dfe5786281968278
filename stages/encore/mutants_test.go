package encore_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/stages"
	"github.com/flk-byo/de/stages/encore"
)

// Each mutant fails by its sign in the scenario that is written down. With
// DE_TEST_ALL=1 all scenarios before that one are run, and must show nothing.
func TestMutantsShowTheirSigns(t *testing.T) {
	for _, m := range mutants(t) {
		t.Run(m.Name, func(t *testing.T) {
			store, id, _ := strings.Cut(m.Shortest, "/")
			power := strings.HasPrefix(id, "power=")
			if power {
				mustCutPower(t)
			}
			r := runner(t, store, mutated(t, m))
			r.Records = records[:3]
			var shown encore.Outcome
			if all {
				shown = first(t, r, power)
			} else {
				shown = only(t, r, id)
			}
			if got := shown.Scenario.String(); got != id {
				t.Errorf("it shows first in %s, %q, not in %s", got, shown.Places, id)
			}
			if len(shown.Findings) == 0 {
				t.Fatalf("nothing is found in %s, %q", shown.Scenario, shown.Places)
			}
			if got := shown.Findings[0]; got.Sign != m.Check {
				t.Errorf("the sign is %s, not %s: %s", got.Sign, m.Check, got.Message)
			}
		})
	}
}

func mutants(t *testing.T) []mutant.Mutant {
	t.Helper()
	const name = "mutants/encore.yaml"
	src, err := fixtures.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := mutant.Load(name, src, stages.Course+"/encore", "reference/job.go")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// mutated returns the files that a mutant changes.
func mutated(t *testing.T, m mutant.Mutant) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, e := range m.Edits {
		text, err := fs.ReadFile(stages.Files, "encore/"+e.File)
		if err != nil {
			t.Fatal(err)
		}
		files[e.File] = string(text)
	}
	changed, err := m.Apply(files)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func only(t *testing.T, r encore.Runner, id string) encore.Outcome {
	t.Helper()
	s, err := encore.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	o, err := r.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// first runs scenarios, the simple ones first, until something is found. The power
// is cut last, and not for mutants that are to show before.
func first(t *testing.T, r encore.Runner, power bool) encore.Outcome {
	t.Helper()
	clean := only(t, r, "clean")
	if len(clean.Findings) > 0 {
		return clean
	}
	var once []encore.Outcome
	for _, s := range encore.Once(clean.Moments) {
		o := only(t, r, s.String())
		if len(o.Findings) > 0 {
			return o
		}
		once = append(once, o)
	}
	more := encore.Twice(once)
	more = append(more, encore.Zombies(clean.Moments)...)
	more = append(more, encore.Held(clean.Moments)...)
	if power {
		more = append(more, encore.Power(clean.Moments)...)
	}
	for _, s := range more {
		if o := only(t, r, s.String()); len(o.Findings) > 0 {
			return o
		}
	}
	return encore.Outcome{}
}
