package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/strict"
	"github.com/flk-byo/de/stages"
)

func (e *env) scheduleCommand() *cli.Command {
	return &cli.Command{
		Name:  "schedule",
		Usage: "check and show crash schedules",
		Description: `A schedule is a YAML file that says which cases to run. Name your own with
de test --schedule FILE. Where it has disclose: result-only or hidden, de grade
--hidden tells students no more than that of it; every other command shows all,
since whoever has the file can read it.`,
		Subcommands: []*cli.Command{
			{
				Name:      "check",
				Usage:     "report all that is wrong with schedules",
				ArgsUsage: "FILE…",
				Description: `examples:
  de schedule check mine.yaml
  de schedule check - < mine.yaml`,
				Action: e.scheduleCheck,
			},
			{
				Name:      "show",
				Usage:     "say what a schedule runs, or all those of a stage",
				ArgsUsage: "[FILE|STAGE]",
				Description: `examples:
  de schedule show
  de schedule show 08 --cases
  de schedule show mine.yaml`,
				Flags:  []cli.Flag{&cli.BoolFlag{Name: "cases", Usage: "list the ID of every case"}},
				Action: e.scheduleShow,
			},
		},
	}
}

func (e *env) scheduleCheck(c *cli.Context) error {
	if c.NArg() == 0 {
		return usage("de schedule check mine.yaml", "de schedule check wants a file")
	}
	bad := 0
	for _, name := range c.Args().Slice() {
		_, file, err := e.loadSchedule(name)
		if marked := (strict.Errors)(nil); errors.As(err, &marked) {
			fmt.Fprintln(e.stderr, marked)
			bad++
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(e.stdout, "%s: ok, %d cases\n", name, len(file.Cases))
	}
	if bad > 0 {
		return usage("put right what is marked above", "%d of %d schedules can't be run", bad, c.NArg())
	}
	return nil
}

func (e *env) scheduleShow(c *cli.Context) error {
	if c.NArg() > 1 {
		return usage("de schedule show "+c.Args().First(), "de schedule show wants one file or stage, not %d", c.NArg())
	}
	shown := stages.All()
	if c.NArg() == 1 {
		name := c.Args().First()
		stage, err := findStage(name)
		if err != nil {
			if _, err := os.Stat(e.path(name)); name != "-" && errors.Is(err, fs.ErrNotExist) {
				return usage("de schedule show, for those of the course", "there is no file and no stage %s", plain(name))
			}
			return e.showFile(name, c.Bool("cases"))
		}
		shown = []grading.Suite{stage}
	}
	for _, stage := range shown {
		for i, name := range fixtures.Schedules(stage.ID) {
			src, err := fixtures.Files.ReadFile(name)
			if err != nil {
				return err
			}
			file, err := schedule.Load(name, src, stage.Spec, fixtures.Files)
			if err != nil {
				return err
			}
			if i > 0 && !c.Bool("cases") {
				fmt.Fprintln(e.stdout)
			}
			e.showSchedule(name, file, c.Bool("cases"))
		}
	}
	return nil
}

func (e *env) showFile(name string, cases bool) error {
	_, file, err := e.loadSchedule(name)
	if err != nil {
		return err
	}
	e.showSchedule(name, file, cases)
	return nil
}

func (e *env) showSchedule(name string, file *schedule.File, cases bool) {
	if !cases {
		fmt.Fprintf(e.stdout, "%s: %s", name, schedule.Describe(file))
		return
	}
	for _, c := range file.Cases {
		fmt.Fprintln(e.stdout, c.ID)
	}
}

// loadSchedule reads a schedule of the user's, "-" for standard input, and the
// stage it is for. Record files that it names are looked for beside it, and
// then among those of the course.
func (e *env) loadSchedule(name string) (grading.Suite, *schedule.File, error) {
	src, err := e.readYAML(name, "a path to a YAML file, or de schedule show for those of the course")
	if err != nil {
		return grading.Suite{}, nil, err
	}
	id, err := schedule.StageOf(name, src)
	if err != nil {
		return grading.Suite{}, nil, err
	}
	stage, err := findStage(id)
	if err != nil {
		f := asFailure(err)
		return grading.Suite{}, nil, &failure{f.code, name + ": " + f.message, f.next}
	}
	root, err := os.OpenRoot(filepath.Dir(e.path(name)))
	if err != nil {
		return grading.Suite{}, nil, err
	}
	defer root.Close()
	file, err := schedule.Load(name, src, stage.Spec, besides{root.FS(), fixtures.Files})
	return stage, file, err
}

const maxYAML = 1 << 20 // bytes; a file of more is refused when it is read

// readYAML reads a file of the user's, "-" for standard input. Next is what to
// try if it is not there.
func (e *env) readYAML(name, next string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(e.stdin, maxYAML+1))
	}
	info, err := os.Stat(e.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage(next, "there is no file %s", plain(name))
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, usage("the path of a YAML file", "%s is not a file", plain(name))
	}
	f, err := os.Open(e.path(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxYAML+1))
}

// besides is a file system and another for what is not in it.
type besides struct{ first, second fs.FS }

func (b besides) Open(name string) (fs.File, error) {
	f, err := b.first.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return b.second.Open(name)
	}
	return f, err
}
