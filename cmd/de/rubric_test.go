package main

import (
	"os"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/stages"
)

// The rubric in README.md is one, and so is what de rubric show prints.
func TestRubricsLoad(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "\n```yaml\ncourse:")
	example, _, found := strings.Cut("course:"+after, "\n```\n")
	if !found {
		t.Fatal("README.md has no rubric")
	}
	for name, src := range map[string]string{"README.md": example, "the default": rubric.Default(stages.All()).YAML()} {
		r, err := rubric.Load(name, []byte(src), stages.All())
		if err != nil {
			t.Error(err)
		} else if r.Of() != 100*rubric.Whole {
			t.Errorf("the rubric of %s comes to %v points, not 100", name, r.Of())
		}
	}
}
