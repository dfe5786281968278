package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/harness/strict"
	"github.com/flk-byo/de/harness/workspace"
)

// Exit codes.
const (
	exitPass         = 0
	exitFail         = 1 // the solution fails
	exitUsage        = 2 // usage or bad input
	exitHarness      = 3 // a fault of ours
	exitInconclusive = 4 // a limit was reached
)

const issuesURL = "https://github.com/flk-byo/de/issues"

// A failure is how a command ends that does not end well.
type failure struct {
	code    int
	message string // what happened; empty where the command's output has said it
	next    string // one thing to try
}

func (f *failure) Error() string { return f.message }

// usage is a failure by what the user gave: arguments, files, folders.
func usage(next, format string, args ...any) error {
	return &failure{exitUsage, fmt.Sprintf(format, args...), next}
}

// report prints what err has to say and returns the exit code.
func (e *env) report(err error) int {
	if err == nil {
		return exitPass
	}
	f := asFailure(err)
	if f.message != "" {
		e.printFailure(f)
	}
	return f.code
}

func asFailure(err error) *failure {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f
	}
	if marked := (strict.Errors)(nil); errors.As(err, &marked) {
		return &failure{exitUsage, err.Error(), "put right what is marked above"}
	}
	if p := (*workspace.Problem)(nil); errors.As(err, &p) {
		return &failure{exitUsage, p.Message, p.Next}
	}
	if fromSystem(err) {
		return &failure{exitUsage, err.Error(), "look at the folder's permissions and its disk; nothing of yours was overwritten"}
	}
	return &failure{exitHarness, err.Error(), "this is a fault of de, not of your code; please report it at " + issuesURL}
}

// fromSystem reports whether the operating system refused something: the
// user's folder, not de, is the place to look.
func fromSystem(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	return errors.As(err, &path) || errors.As(err, &link)
}

func (e *env) printFailure(f *failure) {
	message := "error: " + f.message
	if strings.Contains(f.message, "\n") { // it shows places in a file, and says where itself
		message = f.message
	}
	fmt.Fprint(e.stderr, wrap(message, e.width, 7))
	if f.next != "" {
		fmt.Fprint(e.stderr, wrap("try: "+f.next, e.width, 5))
	}
}

// wrap breaks text between words so that lines are of at most width columns
// where words allow it, and indents all but the first. Text that has lines
// already stays as it is.
func wrap(text string, width, indent int) string {
	if strings.Contains(text, "\n") {
		return text + "\n"
	}
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String() + "\n"
}

var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -+(.*)$`)
	missingValue = regexp.MustCompile(`^flag needs an argument: -+(.*)$`)
	badValue     = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-+(\S+?): .*$`)
)

// onUsageError puts what package flag says in words of ours.
func onUsageError(c *cli.Context, err error, _ bool) error {
	help := c.Command.HelpName + " --help"
	text := err.Error()
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		name, _, _ := strings.Cut(m[1], "=")
		return usage(help, "%s has no flag --%s%s", c.Command.HelpName, name, didYouMean("--", name, flagNames(c.Command.Flags)))
	}
	if m := missingValue.FindStringSubmatch(text); m != nil {
		return usage(help, "--%s wants a value", m[1])
	}
	if m := badValue.FindStringSubmatch(text); m != nil {
		return usage(help, "%s is no value for --%s", m[1], m[2])
	}
	return usage(help, "%s", text)
}

// unknownCommand is the action of a command that has only subcommands.
func unknownCommand(c *cli.Context) error {
	var names []string
	for _, sub := range c.Command.Subcommands {
		if !sub.Hidden {
			names = append(names, sub.Name)
		}
	}
	help := c.Command.HelpName + " --help"
	if !c.Args().Present() {
		return usage(help, "%s wants one of: %s", c.Command.HelpName, strings.Join(names, ", "))
	}
	word := c.Args().First()
	return usage(help, "there is no command %s %s%s", c.Command.HelpName, plain(word), didYouMean("", word, names))
}

func flagNames(flags []cli.Flag) []string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	return names
}

// plain returns a user's word as it is, or quoted if it would not read or print
// as one word.
func plain(word string) string {
	quoted := fmt.Sprintf("%q", word)
	if word == "" || strings.ContainsAny(word, " \t") || quoted != `"`+word+`"` {
		return quoted
	}
	return word
}

// didYouMean returns "; did you mean X?" for the names nearest to word, or
// nothing if none is near.
func didYouMean(prefix, word string, names []string) string {
	near := strict.Closest(strings.ToLower(word), names, 2)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}
