package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/harness/strict"
	"github.com/flk-byo/de/stages"
)

func (e *env) rubricCommand() *cli.Command {
	return &cli.Command{
		Name:  "rubric",
		Usage: "check and show how submissions are marked",
		Description: `A rubric is a YAML file that says what each stage and check is worth, which
check gates its stage, and what becomes of the marks if an earlier stage no
longer passes. Begin with the one that de rubric show prints.`,
		Subcommands: []*cli.Command{
			{
				Name:      "check",
				Usage:     "report all that is wrong with rubrics",
				ArgsUsage: "FILE…",
				Description: `examples:
  de rubric check mine.yaml
  de rubric check - < mine.yaml`,
				Action: e.rubricCheck,
			},
			{
				Name:      "show",
				Usage:     "print a rubric with the points of each check, or the default",
				ArgsUsage: "[FILE]",
				Description: `What is printed is itself a rubric.

examples:
  de rubric show > mine.yaml
  de rubric show mine.yaml`,
				Action: e.rubricShow,
			},
		},
	}
}

func (e *env) rubricCheck(c *cli.Context) error {
	if c.NArg() == 0 {
		return usage("de rubric check mine.yaml", "de rubric check wants a file")
	}
	bad := 0
	for _, name := range c.Args().Slice() {
		r, err := e.loadRubric(name)
		if marked := (strict.Errors)(nil); errors.As(err, &marked) {
			fmt.Fprintln(e.stderr, marked)
			bad++
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(e.stdout, "%s: ok, %v points in %s\n", name, r.Of(), grading.Plural(len(r.Stages), "stage"))
	}
	if bad > 0 {
		return usage("put right what is marked above", "%d of %d rubrics can't be used", bad, c.NArg())
	}
	return nil
}

func (e *env) rubricShow(c *cli.Context) error {
	if c.NArg() > 1 {
		return usage("de rubric show "+c.Args().First(), "de rubric show wants one file, not %d", c.NArg())
	}
	r := rubric.Default(stages.All())
	if c.NArg() == 1 {
		var err error
		if r, err = e.loadRubric(c.Args().First()); err != nil {
			return err
		}
	}
	fmt.Fprint(e.stdout, r.YAML())
	return nil
}

// loadRubric reads a rubric of the user's, "-" for standard input.
func (e *env) loadRubric(name string) (rubric.Rubric, error) {
	src, err := e.readYAML(name, "a path to a YAML file; de rubric show > mine.yaml makes one")
	if err != nil {
		return rubric.Rubric{}, err
	}
	return rubric.Load(name, src, stages.All())
}
