package watermarks

import (
	"os"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/03-watermarks/reference"
)

func TestReferencePassesSequences(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	for c := range sequences() {
		if o := s.Run(c); len(o.Findings) > 0 {
			t.Fatalf("%s: %+v", c.ID, o.Findings[0])
		}
		runs++
	}
	t.Logf("%d sequences", runs)
	if runs < 1000 {
		t.Errorf("only %d sequences", runs)
	}
}

func TestReferencePassesSchedules(t *testing.T) {
	s := Native(reference.Solution{})
	cases, err := schedule.LoadAll(fixtures.Files, fixtures.Schedules(spec.Stage), spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if o := s.Run(c); len(o.Findings) > 0 {
			t.Errorf("%s: %+v", c.ID, o.Findings[0])
		}
	}
	if len(cases) < 100 {
		t.Errorf("only %d cases", len(cases))
	}
}

// Each check sends the learner to a heading that there is.
func TestSectionsAreThere(t *testing.T) {
	brief, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !strings.Contains(string(brief), "\n## "+c.Section+"\n") {
			t.Errorf("%s: STAGE.md has no heading %q", c.Name, c.Section)
		}
		if !strings.Contains(string(brief), "- **"+c.Name+"**: ") {
			t.Errorf("STAGE.md does not list %s", c.Name)
		}
	}
}
