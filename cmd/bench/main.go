// Command bench measures the way from an edit to a verdict: the de command as a
// learner runs it, the parts of that way, and how they grow. It prints tables
// and judges nothing: times depend on the machine, so what must hold on each is
// a count; see TestCounts in stages.
//
// Start reading at sections.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A section measures one thing and prints it.
type section struct {
	name, doc string
	more      bool // only if it is asked for
	measure   func(*bench) error
}

func sections() []section {
	return []section{
		{"verdict", "from an edit to a verdict, by the de command", false, (*bench).verdict},
		{"parts", "what that is made of, each part alone", false, (*bench).parts},
		{"speed", "the sandbox against the processor", false, (*bench).speed},
		{"memory", "of the processes of de test", false, (*bench).memory},
		{"growth", "with more cases, longer inputs, more stages", false, (*bench).growth},
		{"plain", "de against go test on the same grid", true, (*bench).plain},
		{"cold", "the first run on a machine", true, (*bench).cold},
	}
}

// A bench is one run of this program.
type bench struct {
	ctx  context.Context
	out  io.Writer
	dir  string // of our own; removed at the end
	de   string // the command
	runs int    // that a median is taken of
}

func run(ctx context.Context, args []string, out io.Writer) error {
	b := &bench{ctx: ctx, out: out}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.Usage = func() { usage(flags) }
	flags.IntVar(&b.runs, "runs", 9, "how many runs a median is taken of")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(flags.Args())
	if err != nil {
		return err
	}
	if b.runs < 1 {
		return fmt.Errorf("-runs wants 1 or more, not %d", b.runs)
	}
	if b.dir, err = os.MkdirTemp("", "de-bench-*"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.install(); err != nil {
		return err
	}
	start := time.Now()
	fmt.Fprintf(out, "%s\nAll is warm unless it says otherwise; times are medians of %d runs.\n", machine(), b.runs)
	for _, s := range chosen {
		fmt.Fprintf(out, "\n== %s: %s\n", s.name, s.doc)
		if err := s.measure(b); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	fmt.Fprintf(out, "\nmeasured in %.0f s\n", time.Since(start).Seconds())
	return nil
}

// choose returns the sections of these names; without any, those that need not
// be asked for.
func choose(names []string) ([]section, error) {
	all := sections()
	if len(names) == 0 {
		return slices.DeleteFunc(all, func(s section) bool { return s.more }), nil
	}
	var chosen []section
	for _, name := range names {
		i := slices.IndexFunc(all, func(s section) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no section %q; -help lists them", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func usage(flags *flag.FlagSet) {
	fmt.Fprint(flags.Output(), "usage: go run ./cmd/bench [-runs N] [SECTION...]\n\nsections:\n")
	for _, s := range sections() {
		doc := s.doc
		if s.more {
			doc += " (only if named)"
		}
		fmt.Fprintf(flags.Output(), "  %-8s %s\n", s.name, doc)
	}
	fmt.Fprintln(flags.Output(), strings.TrimRight("\nflags:", "\n"))
	flags.PrintDefaults()
}
