package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) startCommand() *cli.Command {
	return &cli.Command{
		Name:      "start",
		Usage:     "lay a stage in a workspace, and make the workspace if need be",
		ArgsUsage: "COURSE/STAGE",
		Description: `The workspace you are in is extended; elsewhere the current folder becomes one.
Earlier stages that are missing are filled with the reference. Your files are
never overwritten.

examples:
  de start FLK-BYO/08
  de start 08 --dir ~/flk-byo
  de start 08 --from-scratch
  de start FLK-BYO/encore`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dir", Usage: "the workspace is `DIR`, which is made if it is not there"},
			&cli.BoolFlag{Name: "from-scratch", Usage: "skeletons for the earlier stages, not the reference"},
		},
		Action: e.start,
	}
}

func (e *env) start(c *cli.Context) error {
	if c.NArg() == 1 && isEncore(c.Args().First()) {
		return e.startEncore(c)
	}
	stage, err := stageArgument(c)
	if err != nil {
		return err
	}
	dir, err := e.startDir(c.String("dir"), c.IsSet("dir"))
	if err != nil {
		return err
	}
	made, err := workspace.Start(course(), workspace.StartOptions{
		Dir: dir, Stage: inWorkspace(stage), FromScratch: c.Bool("from-scratch"), Now: e.now(),
	})
	if err != nil {
		return err
	}
	e.printMade(stage, dir, made)
	return nil
}

// startDir returns the folder to start in: the one given, the workspace around
// the working directory, or the working directory.
func (e *env) startDir(given string, isGiven bool) (string, error) {
	if isGiven && given == "" {
		return "", usage("--dir flk-byo", "--dir wants a folder")
	}
	if filepath.IsAbs(given) {
		return filepath.Clean(given), nil
	}
	if err := e.needDir(); err != nil {
		return "", err
	}
	if isGiven {
		return filepath.Join(e.dir, given), nil
	}
	w, err := workspace.Find(e.dir)
	if errors.Is(err, workspace.ErrNone) {
		return e.dir, nil
	}
	if w == nil {
		return "", err
	}
	return w.Dir, nil // whatever else is wrong with it, Start says or repairs
}

func (e *env) printMade(stage grading.Suite, dir string, made workspace.Made) {
	where := "In the workspace"
	if made.New {
		where = "Made a workspace in"
	}
	fmt.Fprintf(e.stdout, "%s %s\n\n", where, dir)
	if made.Kept {
		fmt.Fprintf(e.stdout, "Stage %s, %s, was there and stays as it is:\n", stage.ID, stage.Title)
	} else {
		fmt.Fprintf(e.stdout, "Stage %s, %s:\n", stage.ID, stage.Title)
	}
	for _, name := range made.Files {
		fmt.Fprintf(e.stdout, "  %s\n", name)
	}
	if len(made.Provided) > 0 {
		fmt.Fprint(e.stdout, wrap("Earlier stages, filled with the reference: "+ids(made.Provided)+".", e.width, 2))
	}
	if len(made.Skeletons) > 0 {
		fmt.Fprint(e.stdout, wrap("Earlier stages, laid as skeletons: "+ids(made.Skeletons)+".", e.width, 2))
	}
	if made.StateSaved != "" {
		fmt.Fprintf(e.stdout, "The damaged state file is kept as %s.\n", made.StateSaved)
	}
	for _, note := range made.Notes {
		fmt.Fprint(e.stdout, wrap("note: "+note, e.width, 6))
	}
	e.printNextSteps(stage, dir, made)
}

func (e *env) printNextSteps(stage grading.Suite, dir string, made workspace.Made) {
	step := 0
	next := func(format string, args ...any) {
		step++
		fmt.Fprintf(e.stdout, "  %d. %s\n", step, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(e.stdout, "\nNext:")
	if dir != e.dir {
		if rel, err := filepath.Rel(e.dir, dir); err == nil && len(rel) < len(dir) {
			dir = rel
		}
		if strings.Contains(dir, " ") {
			dir = `"` + dir + `"`
		}
		next("cd %s", dir)
	}
	next("read %s", filepath.Join(stage.Folder(), "STAGE.md"))
	for _, name := range made.Files {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			next("write your code in %s", name)
			break
		}
	}
	next("de test")
}

func ids(stages []workspace.Stage) string {
	var all []string
	for _, s := range stages {
		all = append(all, s.ID)
	}
	return strings.Join(all, ", ")
}

// stageArgument returns the stage that the one argument of a command names.
func stageArgument(c *cli.Context) (grading.Suite, error) {
	example := fmt.Sprintf("%s %s", c.Command.HelpName, stages.All()[0].ID)
	switch c.NArg() {
	case 0:
		return grading.Suite{}, usage(example, "%s wants a stage, %s", c.Command.HelpName, stageList())
	case 1:
		return findStage(c.Args().First())
	}
	return grading.Suite{}, usage(example, "%s wants one stage, not %d arguments", c.Command.HelpName, c.NArg())
}

// stageIfNamed is stageArgument where the argument may be left out; nil if it is.
func stageIfNamed(c *cli.Context) (*grading.Suite, error) {
	if !c.Args().Present() {
		return nil, nil
	}
	stage, err := stageArgument(c)
	return &stage, err
}

// findStage returns the stage that a word names: FLK-BYO/08,
// FLK-BYO/08-transactional-sink, 08, 8, or the folder.
func findStage(word string) (grading.Suite, error) {
	name := strings.TrimPrefix(strings.ReplaceAll(word, `\`, "/"), "./")
	name = strings.TrimSuffix(name, "/")
	if strings.EqualFold(name, stages.Course) {
		return grading.Suite{}, usage(fmt.Sprintf("one of these, as in %s/%s", stages.Course, stages.All()[0].ID), "%s is the course, and a stage of it is wanted: %s", stages.Course, stageList())
	}
	if before, after, ok := strings.Cut(name, "/"); ok {
		if !strings.EqualFold(before, stages.Course) {
			return grading.Suite{}, usage(fmt.Sprintf("a stage of this one, as in %s/%s", stages.Course, stages.All()[0].ID), "there is no course %s here; this is %s", plain(before), stages.Course)
		}
		name = after
	}
	var names []string
	for _, s := range stages.All() {
		if strings.EqualFold(name, s.Folder()) || strings.EqualFold(name, s.Slug) || sameNumber(name, s.ID) {
			return s, nil
		}
		names = append(names, s.ID, s.Folder(), s.Slug)
	}
	return grading.Suite{}, usage("one of "+stageList()+"; de status lists them",
		"%s has no stage %s%s", stages.Course, plain(name), didYouMean("", name, names))
}

func sameNumber(word, id string) bool {
	a, errA := strconv.ParseUint(word, 10, 8)
	b, errB := strconv.ParseUint(id, 10, 8)
	return errA == nil && errB == nil && a == b
}

// stageList is "01 to 08".
func stageList() string {
	all := stages.All()
	return all[0].ID + " to " + all[len(all)-1].ID
}
