package operators

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/01-operators/reference"
)

// own returns the cases of the stage's own schedules.
func own(t *testing.T) []schedule.Case {
	t.Helper()
	all, err := schedule.LoadAll(fixtures.Files, fixtures.Schedules(spec.Stage), spec)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestReferencePasses(t *testing.T) {
	s := Native(reference.Solution{})
	cases := own(t)
	t.Logf("%d cases of schedules", len(cases))
	cases = slices.AppendSeq(cases, sequences())
	t.Logf("%d cases in all", len(cases))
	for _, c := range cases {
		if o := s.Run(c); len(o.Findings) > 0 {
			t.Errorf("%s: %+v", c.ID, o.Findings[0])
		}
	}
}

// The model, which goes record by record, and the oracle, which goes list by
// list, agree on what comes out.
func TestModelAgreesWithOracle(t *testing.T) {
	for _, c := range slices.AppendSeq(own(t), sequences()) {
		stack, batch := bodies{}, bodies{}
		for _, s := range steps(c) {
			if !s.uses() {
				continue
			}
			var outs []record
			for _, e := range model(s.node, s.source, stack) {
				if e.kind == out {
					outs = append(outs, e.record)
				}
			}
			if want := oracle(s.node, s.source, batch); !slices.Equal(outs, want) {
				t.Errorf("%s, %s: the model emits %s, the oracle says %s", c.ID, s.op, list(outs), list(want))
			}
		}
	}
}

// What is explored could stand in a schedule, each case once.
func TestExploredCasesAreScripts(t *testing.T) {
	ids := map[string]bool{}
	for c := range sequences() {
		if ids[c.ID] {
			t.Errorf("%s is explored twice", c.ID)
		}
		ids[c.ID] = true
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Error(err)
		}
	}
	if len(ids) < 300 {
		t.Errorf("only %d cases are explored", len(ids))
	}
}

// Every check sends the learner to a heading that is there.
func TestSectionsExist(t *testing.T) {
	brief, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		if !strings.Contains(string(brief), "\n## "+check.Section+"\n") {
			t.Errorf("check %s: STAGE.md has no section %q", check.Name, check.Section)
		}
		if !strings.Contains(string(brief), "**"+check.Name+"**") {
			t.Errorf("STAGE.md does not tell of check %s", check.Name)
		}
	}
}
