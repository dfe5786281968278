package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// install builds the command.
func (b *bench) install() error {
	b.de = filepath.Join(b.dir, "de")
	cmd := exec.CommandContext(b.ctx, "go", "build", "-o", b.de, "github.com/flk-byo/de/cmd/de")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build de: %w\n%s", err, out)
	}
	return nil
}

// A learner is a workspace with a right solution of every stage.
type learner struct {
	*bench
	dir   string
	cache string // where de keeps its caches; empty for the user's own
	edits int

	onTerminal bool // de's messages go to a terminal

	learned []string      // functions of Go's runtime that guests called, and that were not known for it
	started func(pid int) // called with each process of de; may be nil
}

func (b *bench) newLearner(name string) (*learner, error) {
	l := &learner{bench: b, dir: filepath.Join(b.dir, name)}
	if err := os.Mkdir(l.dir, 0o777); err != nil {
		return nil, err
	}
	last := lastSuite()
	if _, err := l.must(0, "start", stages.Course+"/"+last.ID); err != nil {
		return nil, err
	}
	return l, l.edit(last, "")
}

func lastSuite() grading.Suite {
	all := stages.All()
	return all[len(all)-1]
}

// edit writes the reference of a stage, or a mutant of it, into the workspace.
// Something new is initialised each time, so that the program is another one: for
// a comment alone, go test shows the result of before.
func (l *learner) edit(suite grading.Suite, wrong string) error {
	files, err := reference(suite)
	if err != nil {
		return err
	}
	if wrong != "" {
		if files, err = mutate(suite, files, wrong); err != nil {
			return err
		}
	}
	l.edits++
	for name, text := range files {
		text += fmt.Sprintf("\nvar _ = edit%d()\n\n//go:noinline\nfunc edit%[1]d() int { return %d }\n", l.edits, time.Now().UnixNano())
		if err := os.WriteFile(filepath.Join(l.dir, suite.Folder(), name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// reference returns the files of a stage's reference, as a workspace has them.
func reference(suite grading.Suite) (map[string]string, error) {
	return workspace.Sources(stages.Files, suite.Folder()+"/reference")
}

// mutate makes one of the course's own mutants of a reference, which is one file.
func mutate(suite grading.Suite, files map[string]string, name string) (map[string]string, error) {
	list := "mutants/" + suite.ID + ".yaml"
	src, err := fs.ReadFile(fixtures.Files, list)
	if err != nil {
		return nil, err
	}
	var file string
	for file = range files {
	}
	mutants, err := mutant.Load(list, src, stages.Course+"/"+suite.ID, file)
	if err != nil {
		return nil, err
	}
	for _, m := range mutants {
		if m.Name == name {
			return m.Apply(files)
		}
	}
	return nil, fmt.Errorf("there is no mutant %s of stage %s", name, suite.ID)
}
