package windows

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/04-windows/reference"
)

// script returns a case of the operations in text: "tumbling 10 0, assign 3".
func script(t *testing.T, text string) schedule.Case {
	t.Helper()
	id := "04/sequence/" + strings.ReplaceAll(strings.ReplaceAll(text, ", ", ","), " ", "-")
	c, err := schedule.ParseSequence(id, spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// parse returns the operations in text, unchecked.
func parse(t *testing.T, text string) []schedule.Op {
	t.Helper()
	unchecked := spec
	unchecked.CheckScript = nil
	id := "04/sequence/" + strings.ReplaceAll(strings.ReplaceAll(text, ", ", ","), " ", "-")
	c, err := schedule.ParseSequence(id, unchecked)
	if err != nil {
		t.Fatal(err)
	}
	return c.Script
}

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	if o := s.Run(c); len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
}

func TestReferencePassesSequences(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	for c := range sequences() {
		expectPass(t, s, c)
		runs++
	}
	t.Logf("%d sequences", runs)
	if runs < 800 {
		t.Errorf("only %d sequences", runs)
	}
}

// seeded returns a case with records.
func seeded(seed uint64, n int, settings map[string]int) schedule.Case {
	c := schedule.Case{ID: fmt.Sprintf("04/test/seed=%d,n=%d,%v", seed, n, settings), Records: schedule.Seeded(seed, n)}
	for _, p := range spec.Params {
		c.Params = append(c.Params, schedule.Setting{Name: p.Name, Value: settings[p.Name]})
	}
	return c
}

func TestReferencePassesSeeded(t *testing.T) {
	s := Native(reference.Solution{})
	for seed := range uint64(6) {
		for kind := kindTumbling; kind <= kindFan; kind++ {
			for _, lateness := range []int{0, 7, 60} {
				for _, delay := range []int{onlyAtEnd, 0, 15} {
					expectPass(t, s, seeded(seed, 40, map[string]int{
						paramWindow: kind, paramSize: 20 + int(seed), paramOverlap: 1 + int(seed), paramOffset: -7,
						paramLateness: lateness, paramDelay: delay, paramEvery: 1 + int(seed%3),
					}))
				}
			}
		}
	}
}

func TestSectionsExist(t *testing.T) {
	brief, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !strings.Contains(string(brief), "\n## "+c.Section+"\n") {
			t.Errorf("%s: STAGE.md has no heading %q", c.Name, c.Section)
		}
		if !strings.Contains(string(brief), "**"+c.Name+"**") {
			t.Errorf("STAGE.md does not say how %s is judged", c.Name)
		}
	}
}
