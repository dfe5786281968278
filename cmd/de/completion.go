package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/stages"
)

//go:embed completion
var completionScripts embed.FS

func (e *env) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes de's commands in your shell",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: `The script says in its first lines where it belongs.

examples:
  source <(de completion bash)
  de completion fish > ~/.config/fish/completions/de.fish`,
		Action: e.completion,
	}
}

func (e *env) completion(c *cli.Context) error {
	extensions := map[string]string{"bash": "bash", "zsh": "zsh", "fish": "fish", "powershell": "ps1"}
	extension, ok := extensions[c.Args().First()]
	if !ok || c.NArg() != 1 {
		return usage("de completion bash", "completion wants the name of a shell: bash, zsh, fish or powershell")
	}
	script, err := completionScripts.ReadFile("completion/de." + extension)
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(script)
	return err
}

// completeCommand is what the scripts call: the word to complete, after "=" so
// that no shell drops an empty one, then the words before it.
func (e *env) completeCommand() *cli.Command {
	return &cli.Command{
		Name:            "__complete",
		Hidden:          true,
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			word := strings.TrimPrefix(c.Args().First(), "=")
			for _, found := range completions(c.App, c.Args().Tail(), word) {
				fmt.Fprintln(e.stdout, found)
			}
			return nil
		},
	}
}

// completions returns what word may become after the words before it.
func completions(app *cli.App, before []string, word string) []string {
	flags, commands, usage := app.Flags, app.Commands, ""
	for _, w := range before {
		if c := named(commands, w); c != nil {
			flags, commands, usage = c.Flags, c.Subcommands, c.ArgsUsage
		}
	}
	var candidates []string
	if strings.HasPrefix(word, "-") {
		for _, name := range flagNames(flags) {
			if len(name) > 1 {
				candidates = append(candidates, "--"+name)
			}
		}
		candidates = append(candidates, "--help")
	} else {
		candidates = argumentCandidates(commands, usage)
	}
	var found []string
	for _, c := range candidates {
		if strings.HasPrefix(c, word) {
			found = append(found, c)
		}
	}
	return found
}

// argumentCandidates reads off a command's usage which arguments it takes.
func argumentCandidates(commands []*cli.Command, usage string) []string {
	var candidates []string
	for _, c := range commands {
		if !c.Hidden {
			candidates = append(candidates, c.Name)
		}
	}
	switch {
	case strings.Contains(usage, "COURSE/STAGE"):
		for _, s := range stages.All() {
			candidates = append(candidates, stages.Course+"/"+s.ID)
		}
	case strings.Contains(usage, "STAGE"):
		for _, s := range stages.All() {
			candidates = append(candidates, s.ID)
		}
	case strings.Contains(usage, "|"):
		candidates = append(candidates, strings.Split(usage, "|")...)
	}
	return candidates
}
