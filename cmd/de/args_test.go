package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestReorder(t *testing.T) {
	app := &cli.App{
		Flags: []cli.Flag{&cli.StringFlag{Name: "color"}},
		Commands: []*cli.Command{
			{Name: "test", Flags: []cli.Flag{
				&cli.Uint64Flag{Name: "seed", Aliases: []string{"s"}},
				&cli.BoolFlag{Name: "watch"},
			}},
			{Name: "schedule", Subcommands: []*cli.Command{
				{Name: "show", Flags: []cli.Flag{&cli.BoolFlag{Name: "cases"}}},
			}},
			{Name: "raw", SkipFlagParsing: true},
		},
	}
	tests := []struct{ name, args, want string }{
		{"nothing", "", ""},
		{"flag before", "test --seed 1 08", "test --seed 1 08"},
		{"flag after", "test 08 --seed 1", "test --seed 1 08"},
		{"flag between", "test 08 --seed 1 09", "test --seed 1 08 09"},
		{"one dash, alias", "test 08 -s 1", "test -s 1 08"},
		{"with equals", "test 08 --seed=1 09", "test --seed=1 08 09"},
		{"bool takes no value", "test --watch 08", "test --watch 08"},
		{"bool with equals", "test 08 --watch=false", "test --watch=false 08"},
		{"value that looks like a flag", "test 08 --seed --watch", "test --seed --watch 08"},
		{"value missing", "test 08 --seed", "test --seed"},
		{"unknown flag", "test 08 --what", "test --what 08"},
		{"of the app, after the command", "test 08 --color never --watch", "--color never test --watch 08"},
		{"of the app, before it", "--color never test 08", "--color never test 08"},
		{"unknown, before the command", "--what test 08", "--what test 08"},
		{"two dashes", "test 08 --watch -- --seed", "test --watch -- 08 --seed"},
		{"a dash alone", "test - --watch", "test --watch -"},
		{"subcommand", "schedule show f --cases", "schedule show --cases f"},
		{"a command's name as argument", "test schedule --watch", "test --watch schedule"},
		{"no such command", "what 08 --seed 1", "--seed what 08 1"},
		{"help of a command", "test 08 --watch --help", "test --help"},
		{"help, short", "-h", "--help"},
		{"help command", "help schedule show", "schedule show --help"},
		{"help of no command", "help what", "what"},
		{"help as a value", "test --seed --help", "test --seed --help"},
		{"help after two dashes", "test -- --help", "test -- --help"},
		{"left alone", "raw a --seed b --help", "raw a --seed b --help"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := strings.Fields(test.args)
			before := slices.Clone(args)
			if got := strings.Join(reorder(args, app), " "); got != test.want {
				t.Errorf("reorder(%q) = %q, want %q", test.args, got, test.want)
			}
			if !slices.Equal(args, before) {
				t.Errorf("the arguments given were changed to %q", args)
			}
		})
	}
}

// Whatever the arguments, none is made up, and reordering again changes nothing.
func FuzzReorder(f *testing.F) {
	f.Add("start 08 --dir x --from-scratch")
	f.Add("schedule show -- --cases -")
	f.Fuzz(func(t *testing.T, line string) {
		app := (&env{}).app()
		args := strings.Fields(line)
		once := reorder(args, app)
		if twice := reorder(once, app); !slices.Equal(once, twice) {
			t.Errorf("%q becomes %q, and then %q", args, once, twice)
		}
		for _, a := range once {
			if a != "--help" && !slices.Contains(args, a) {
				t.Errorf("%q becomes %q", args, once)
			}
		}
	})
}
