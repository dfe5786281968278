package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// reorder puts flags before arguments, which is the only order that package
// flag knows: "test 08 --seed 1" becomes "test --seed 1 08". Flags of the app go
// before the command, and "help X" becomes "X --help". What is wrong stays
// wrong, for cli to complain about.
func reorder(args []string, app *cli.App) []string {
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	l := line{app: app, flags: app.Flags, commands: app.Commands, group: true}
	for len(args) > 0 {
		arg := args[0]
		switch {
		case arg == "--":
			l.rest = slices.Concat([]string{"--"}, l.rest, args[1:])
			return l.args()
		case isHelp(arg):
			if l.group && len(l.rest) > 0 { // of no such command
				return l.args()
			}
			return slices.Concat(l.global, l.path, []string{"--help"})
		case isFlag(arg):
			n := l.lenFlag(arg)
			if n > len(args) { // nothing may stand where the value is missing
				return slices.Concat(l.global, l.path, l.own, args)
			}
			l.addFlag(args[:n])
			args = args[n:]
		default:
			if l.addWord(arg) {
				l.rest = args[1:]
				return l.args()
			}
			args = args[1:]
		}
	}
	return l.args()
}

// A line is a command line taken apart.
type line struct {
	app    *cli.App
	global []string // flags of the app
	path   []string // the command's names
	own    []string // flags of the command
	rest   []string // arguments

	flags    []cli.Flag // that the command defines
	commands []*cli.Command
	group    bool // the command has subcommands only
}

func (l *line) args() []string { return slices.Concat(l.global, l.path, l.own, l.rest) }

// addWord adds a name of a command or an argument, and reports whether all
// that follows is to be left as it is.
func (l *line) addWord(word string) (verbatim bool) {
	next := named(l.commands, word)
	if next == nil {
		l.rest, l.commands = append(l.rest, word), nil
		return false
	}
	l.path, l.flags, l.commands = append(l.path, word), next.Flags, next.Subcommands
	l.group = len(l.commands) > 0
	return next.SkipFlagParsing
}

func (l *line) addFlag(flag []string) {
	if len(l.path) == 0 || find(l.flags, flag[0]) == nil && find(l.app.Flags, flag[0]) != nil {
		l.global = append(l.global, flag...)
		return
	}
	l.own = append(l.own, flag...)
}

// lenFlag is 2 for a flag whose value is the next argument, and else 1.
func (l *line) lenFlag(arg string) int {
	f := find(l.flags, arg)
	if f == nil {
		f = find(l.app.Flags, arg)
	}
	documented, ok := f.(cli.DocGenerationFlag)
	if ok && documented.TakesValue() && !strings.Contains(arg, "=") {
		return 2
	}
	return 1
}

// isFlag tells a flag from an argument; "-" alone is one, as for standard input.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

func isHelp(arg string) bool { return slices.Contains([]string{"-h", "--h", "-help", "--help"}, arg) }

func named(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// find returns the flag that an argument like "--seed" or "--seed=1" names, or nil.
func find(flags []cli.Flag, arg string) cli.Flag {
	name, _, _ := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}
