package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func (e *env) resetCommand() *cli.Command {
	return &cli.Command{
		Name:      "reset",
		Usage:     "lay the skeleton of a stage anew; what you had is kept",
		ArgsUsage: "STAGE",
		Description: `Your folder of the stage moves to .de/backup; nothing is deleted.

examples:
  de reset 08
  de reset 08 --yes`,
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "don't ask"}},
		Action: e.reset,
	}
}

func (e *env) reset(c *cli.Context) error {
	stage, err := stageArgument(c)
	if err != nil {
		return err
	}
	w, err := e.workspace()
	if err != nil {
		return err
	}
	if !c.Bool("yes") {
		if !e.stdinIsTerminal {
			return usage(fmt.Sprintf("de reset %s --yes", stage.ID), "reset asks before it moves your files, and there is no terminal to ask at")
		}
		question := fmt.Sprintf("Lay %s anew? Your files move to .de/backup.", stage.Folder())
		if !e.confirm(question) {
			fmt.Fprintln(e.stdout, "Nothing was changed.")
			return nil
		}
	}
	backup, err := w.Reset(course(), inWorkspace(stage), e.now())
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s holds the skeleton again.\nWhat you had is in %s\n", stage.Folder(), backup)
	return nil
}

// confirm asks a question; only a clear yes is one.
func (e *env) confirm(question string) bool {
	fmt.Fprintf(e.stdout, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(e.stdin).ReadString('\n') // no answer is no
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
