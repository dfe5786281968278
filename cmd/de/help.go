package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/stages"
)

const overview = `de is the course %[1]s: build your own mini stream processor, in Go.

Begin with
  de start %[1]s/%[2]s   lay a stage in this folder: a skeleton, its test, a brief
  de test               run what you wrote against every crash schedule
  de status             see where you stand

All commands: de --help
`

// appHelp and commandHelp are help texts made here, not by cli's templates,
// which neither wrap nor align.
func appHelp(app *cli.App, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "de is the course %s: %s.\n\nusage: de COMMAND [flags] [arguments]\n", stages.Course, app.Usage)
	writeRows(&b, "commands", commandRows(app.Commands), width)
	writeRows(&b, "flags", append(flagRows(app.Flags), row{"--version, -v", "print the version"}), width)
	b.WriteString("\nde COMMAND --help says more of one command.\n")
	return b.String()
}

func commandHelp(c *cli.Command, path string, width int) string {
	usage := path
	if len(c.Subcommands) > 0 {
		usage += " COMMAND"
	}
	usage += " [flags]"
	if c.ArgsUsage != "" {
		usage += " " + c.ArgsUsage
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nusage: %s\n", path, c.Usage, usage)
	if c.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Description)
	}
	writeRows(&b, "commands", commandRows(c.Subcommands), width)
	writeRows(&b, "flags", flagRows(c.Flags), width)
	return b.String()
}

type row struct{ name, usage string }

func commandRows(commands []*cli.Command) []row {
	var rows []row
	for _, c := range commands {
		if !c.Hidden {
			rows = append(rows, row{c.Name, c.Usage})
		}
	}
	return rows
}

// flagRows also has --help, which cli adds to every command.
func flagRows(flags []cli.Flag) []row {
	var rows []row
	for _, f := range slices.Concat(flags, []cli.Flag{cli.HelpFlag}) {
		documented, ok := f.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		r := row{usage: documented.GetUsage()}
		for i, name := range f.Names() {
			if i > 0 {
				r.name += ", "
			}
			r.name += "--"[:min(2, len(name))] + name
		}
		if before, value, ok := strings.Cut(r.usage, "`"); ok { // as package flag has it
			value, after, _ := strings.Cut(value, "`")
			r.name += " " + value
			r.usage = before + value + after
		}
		if value := strings.Trim(documented.GetDefaultText(), `"`); value != "" && documented.TakesValue() {
			r.usage += "; by default " + value
		}
		rows = append(rows, r)
	}
	return rows
}

// writeRows writes a titled table of two columns, or nothing if it is empty.
func writeRows(b *strings.Builder, title string, rows []row, width int) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	names := 0
	for _, r := range rows {
		names = max(names, utf8.RuneCountInString(r.name))
	}
	for _, r := range rows {
		text := wrap(r.usage, max(20, width-names-4), 0)
		text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+strings.Repeat(" ", names+4))
		fmt.Fprintf(b, "  %-*s  %s\n", names, r.name, text)
	}
}
