package stages_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages"
)

// A check points to a hint that is there.
func TestHintsAreThere(t *testing.T) {
	for _, suite := range stages.All() {
		pointed := 0
		for _, check := range suite.Checks {
			if check.Hint == 0 {
				continue
			}
			pointed++
			name := fmt.Sprintf("%s/hints/%d.md", suite.Folder(), check.Hint)
			if _, err := fs.Stat(stages.Files, name); err != nil {
				t.Errorf("stage %s, check %s: %v", suite.ID, check.Name, err)
			}
		}
		if pointed == 0 {
			t.Errorf("stage %s: no check points to a hint", suite.ID)
		}
	}
}

// A hint says nothing in the reference's own words.
func TestHintsKeepTheSolution(t *testing.T) {
	for _, suite := range stages.All() {
		code := lines(t, suite, "reference/*.go")
		for line := range lines(t, suite, "hints/*.md") {
			if len(line) > 20 && code[line] {
				t.Errorf("stage %s: a hint has a line of the reference: %s", suite.ID, line)
			}
		}
	}
}

// lines are those of a stage's files, without the space around them.
func lines(t *testing.T, suite grading.Suite, pattern string) map[string]bool {
	t.Helper()
	names, err := fs.Glob(stages.Files, suite.Folder()+"/"+pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	all := map[string]bool{}
	for _, name := range names {
		text, err := fs.ReadFile(stages.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			all[strings.TrimSpace(line)] = true
		}
	}
	return all
}
