package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// commands is the list of commands, in the order of the help text.
func (e *env) commands() []*cli.Command {
	return []*cli.Command{
		e.startCommand(),
		e.testCommand(),
		e.explainCommand(),
		e.hintCommand(),
		e.reproCommand(),
		e.statusCommand(),
		e.resetCommand(),
		e.solutionCommand(),
		e.encoreCommand(),
		e.scheduleCommand(),
		e.rubricCommand(),
		e.doctorCommand(),
		e.gradeCommand(),
		e.reportCommand(),
		e.certifyCommand(),
		e.completionCommand(),
		e.completeCommand(),
	}
}

func (e *env) app() *cli.App {
	app := &cli.App{
		Name:            "de",
		Usage:           "build your own mini stream processor, in Go",
		Version:         e.version,
		Reader:          e.stdin,
		Writer:          e.stdout,
		ErrWriter:       e.stderr,
		Commands:        e.commands(),
		Flags:           []cli.Flag{&cli.StringFlag{Name: "color", Value: "auto", Usage: "color the output `WHEN`: auto, always or never"}},
		HideHelpCommand: true, // reorder has it
		OnUsageError:    onUsageError,
		ExitErrHandler:  func(*cli.Context, error) {}, // cli's own calls os.Exit

		DisableSliceFlagSeparator: true, // there are commas in the names of files
	}
	app.Before = func(c *cli.Context) (err error) {
		e.color, err = e.useColor(c.String("color"))
		return err
	}
	app.Action = func(c *cli.Context) error {
		if c.Args().Present() {
			return unknownCommand(c)
		}
		fmt.Fprintf(e.stdout, overview, stages.Course, stages.All()[0].ID)
		return nil
	}
	app.CustomAppHelpTemplate = appHelp(app, e.width)
	prepare(app.Commands, app.Name, e.width)
	return app
}

// prepare gives commands, named after path, what all of them have.
func prepare(commands []*cli.Command, path string, width int) {
	for _, c := range commands {
		name := path + " " + c.Name
		c.HideHelpCommand = true
		c.CustomHelpTemplate = commandHelp(c, name, width)
		c.OnUsageError = onUsageError
		if c.Action == nil {
			c.Action = unknownCommand
		}
		prepare(c.Subcommands, name, width)
	}
}

// course is the course as workspaces see it.
func course() workspace.Course {
	c := workspace.Course{Name: stages.Course, Files: stages.Files, Beside: []workspace.Stage{theEncore}}
	for _, s := range stages.All() {
		c.Stages = append(c.Stages, inWorkspace(s))
	}
	return c
}

func inWorkspace(s grading.Suite) workspace.Stage {
	return workspace.Stage{ID: s.ID, Folder: s.Folder()}
}

// workspace returns the workspace that the working directory is in.
func (e *env) workspace() (*workspace.Workspace, error) {
	if err := e.needDir(); err != nil {
		return nil, err
	}
	w, err := workspace.Find(e.dir)
	if errors.Is(err, workspace.ErrNone) {
		return nil, usage(
			fmt.Sprintf("cd to your workspace, or make one here: de start %s/%s", stages.Course, stages.All()[0].ID),
			"%s is not in a workspace", e.dir)
	}
	return w, err
}

func (e *env) needDir() error {
	if e.dir == "" {
		return usage("cd to a folder that exists", "the working directory is gone")
	}
	return nil
}

// path makes a path of the command line absolute.
func (e *env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.dir, name)
}
