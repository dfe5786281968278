package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) solutionCommand() *cli.Command {
	return &cli.Command{
		Name:      "solution",
		Usage:     "print the reference of a stage, once yours passes",
		ArgsUsage: "STAGE",
		Description: `There is more than one right answer; the reference is one. It is worth most
after your own passes, so before that it has to be asked for with --yes.

examples:
  de solution 08
  de solution 08 --yes`,
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "print it though mine does not pass yet"}},
		Action: e.solution,
	}
}

func (e *env) solution(c *cli.Context) error {
	stage, err := stageArgument(c)
	if err != nil {
		return err
	}
	if !c.Bool("yes") {
		if err := e.mayLook(stage); err != nil {
			return err
		}
	}
	sources, err := workspace.Sources(stages.Files, stage.Folder()+"/reference")
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(e.stdout, "// %s, %s\n\n%s\n", stage.Folder(), name, sources[name])
	}
	return nil
}

// mayLook refuses the reference to a learner whose own code does not pass yet.
func (e *env) mayLook(stage grading.Suite) error {
	w, err := e.workspace()
	if err != nil {
		return err
	}
	known := w.State.Stages[stage.ID]
	if known.Provided || known.Result != nil && known.Result.Verdict == string(grading.Pass) {
		return nil
	}
	return usage(fmt.Sprintf("de test %s; or, to see it anyway: de solution %s --yes", stage.ID, stage.ID),
		"stage %s does not pass in this workspace yet", stage.ID)
}
