package encore_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages"
)

// A program has the drivers that this module's tests run against. What they need
// in turn, of golang.org/x, may differ.
func TestProgramsHaveTheDriversThatAreTested(t *testing.T) {
	root, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	tested := required(string(root))
	names, err := fs.Glob(stages.Files, "encore/program/*/go.mod.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d programs, %v", len(names), err)
	}
	agree := 0
	for _, name := range names {
		text, err := fs.ReadFile(stages.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		for module, version := range required(string(text)) {
			if want := tested[module]; want != "" && want != version {
				t.Errorf("%s requires %s %s, and this module %s", name, module, version, want)
			} else if want != "" {
				agree++
			}
		}
	}
	if agree == 0 {
		t.Error("no program has a module that is tested")
	}
}

// required are the modules of GitHub's in a go.mod, with their versions.
func required(text string) map[string]string {
	versions := map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(words) >= 2 && strings.HasPrefix(words[0], "github.com/") && strings.HasPrefix(words[1], "v") {
			versions[words[0]] = words[1]
		}
	}
	delete(versions, "github.com/flk-byo/de")
	return versions
}
