package stages_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
)

// Every situation of a stage comes up in some case of its schedules, and no other
// situation does. What exploration comes to does not count, so that a schedule
// which loses a case is noticed.
func TestSituationsComeUp(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			came := map[string]bool{}
			for _, s := range suite.Situations {
				came[s.Name] = false
			}
			reference := stages.References()[suite.ID]
			for _, c := range cases(t, suite) {
				o := reference.Run(c)
				if o.Situations == nil {
					t.Fatalf("%s does not tell which situations came up", c.ID)
				}
				for _, name := range o.Situations() {
					if _, ok := came[name]; !ok {
						t.Fatalf("%s: %s is no situation of the stage", c.ID, name)
					}
					came[name] = true
				}
			}
			for _, s := range suite.Situations {
				if !came[s.Name] {
					t.Errorf("no case comes to %s: %s", s.Name, s.Doc)
				}
			}
		})
	}
}

// cases are those of a stage's schedules.
func cases(t *testing.T, suite grading.Suite) []schedule.Case {
	t.Helper()
	all, err := schedule.LoadAll(fixtures.Files, fixtures.Schedules(suite.ID), suite.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	kebabCase = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	sentence  = regexp.MustCompile(`^[A-Z].*\.$`)
)

// A situation has a name of its own, and one sentence that says what it is.
func TestSituationsAreNamed(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			names := map[string]bool{}
			for _, s := range suite.Situations {
				if !kebabCase.MatchString(s.Name) || names[s.Name] {
					t.Errorf("%q is no name in kebab case, or comes twice", s.Name)
				}
				names[s.Name] = true
				if !sentence.MatchString(s.Doc) || strings.Contains(s.Doc, ". ") {
					t.Errorf("%s: %q is not one sentence", s.Name, s.Doc)
				}
			}
			if len(names) == 0 {
				t.Error("there are none")
			}
		})
	}
}
