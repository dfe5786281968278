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
	runs := 0
	for _, path := range fixtures.Schedules(spec.Stage) {
		src, err := fixtures.Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := schedule.Load(path, src, spec, fixtures.Files)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range file.Cases {
			if o := s.Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %+v", c.ID, o.Findings[0])
			}
			runs++
		}
	}
	if runs < 100 {
		t.Errorf("only %d cases", runs)
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
