package main

import (
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) hintCommand() *cli.Command {
	return &cli.Command{
		Name:      "hint",
		Usage:     "show the next hint of a stage, one at a time",
		ArgsUsage: "[STAGE]",
		Description: `Without STAGE, for the one that you started last. The first hint asks a
question, the second gives the idea, the third says it in words. The workspace
remembers which ones you have seen.

examples:
  de hint
  de hint 08
  de hint 08 --again`,
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "again", Usage: "show those that you have seen, and no new one"}},
		Action: e.hint,
	}
}

func (e *env) hint(c *cli.Context) error {
	w, err := e.workspace()
	if err != nil {
		return err
	}
	var q request
	if q.suite, err = stageIfNamed(c); err != nil {
		return err
	}
	stage, err := q.stage(w)
	if err != nil {
		return err
	}
	hints, err := hintsOf(stage)
	if err != nil {
		return err
	}
	seen := min(max(w.State.Stages[stage.ID].Hints, 0), len(hints))
	if c.Bool("again") {
		return e.hintsAgain(stage, hints[:seen])
	}
	return e.nextHint(w, stage, hints, seen)
}

// hintsOf returns the texts of a stage's hints, the mildest first.
func hintsOf(stage grading.Suite) ([]string, error) {
	names, err := fs.Glob(stages.Files, stage.Folder()+"/hints/*.md")
	if err != nil {
		return nil, err
	}
	var hints []string
	for _, name := range names { // in their order, for there are fewer than ten
		text, err := fs.ReadFile(stages.Files, name)
		if err != nil {
			return nil, err
		}
		hints = append(hints, string(text))
	}
	return hints, nil
}

func (e *env) hintsAgain(stage grading.Suite, seen []string) error {
	if len(seen) == 0 {
		return usage("de hint "+stage.ID, "you have seen no hint of stage %s yet", stage.ID)
	}
	for i, text := range seen {
		if i > 0 {
			fmt.Fprintln(e.stdout)
		}
		fmt.Fprint(e.stdout, text)
	}
	return nil
}

// nextHint shows the hint after those that were seen. It is remembered first, so
// that none is shown and forgotten.
func (e *env) nextHint(w *workspace.Workspace, stage grading.Suite, hints []string, seen int) error {
	if seen == len(hints) {
		fmt.Fprintf(e.stdout, "You have seen all %d hints of stage %s.\n\n", len(hints), stage.ID)
		e.afterHints(stage)
		return nil
	}
	if err := w.RecordHints(inWorkspace(stage), seen+1); err != nil {
		return err
	}
	fmt.Fprint(e.stdout, hints[seen])
	fmt.Fprintf(e.stdout, "\n(stage %s, hint %d of %d)\n", stage.ID, seen+1, len(hints))
	return nil
}

// afterHints says what else there is.
func (e *env) afterHints(stage grading.Suite) {
	for _, r := range []row{
		{"de hint " + stage.ID + " --again", "shows them again"},
		{"de test " + stage.ID, "shows the shortest case that fails"},
		{"de solution " + stage.ID, "prints the reference, once yours passes; or with --yes"},
	} {
		fmt.Fprintf(e.stdout, "  %-18s  %s\n", r.name, r.usage)
	}
}

// hintsSeen is how many hints the learner has seen, by stage; nil if what is
// tested is no learner's.
func (s *selection) hintsSeen() map[string]int {
	if s.workspace == nil {
		return nil
	}
	seen := map[string]int{}
	for id, stage := range s.workspace.State.Stages {
		seen[id] = stage.Hints
	}
	return seen
}
