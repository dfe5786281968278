package main

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

func (e *env) statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "see where you stand",
		Description: `One line a stage: whether it is started, was provided, passes or fails, and when
that was last tested.

example:
  de status`,
		Action: e.status,
	}
}

func (e *env) status(c *cli.Context) error {
	if c.Args().Present() {
		return usage("de status", "status wants no arguments")
	}
	w, err := e.workspace()
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s in %s\n\n", stages.Course, w.Dir)
	table := tabwriter.NewWriter(e.stdout, 0, 0, 3, ' ', 0)
	fmt.Fprint(table, "  stage\tstate\tlast test\n")
	next := fmt.Sprintf("de start %s/%s", stages.Course, stages.All()[0].ID)
	for _, s := range stages.All() {
		state, err := e.stageState(w, inWorkspace(s))
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "  %s %s\t%s\t%s\n", s.ID, s.Title, state.word, state.tested)
		if s.ID == w.State.Current {
			next = nextStep(s, state)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(e.stdout, "\n"+wrap("Next: "+next, e.width, 2))
	return nil
}

type stageState struct {
	word   string // e.g. failing
	tested string // e.g. "3 minutes ago, edited since"
	edited bool   // since the test
	failed string // ID of the case
}

// Words for the state of a stage.
const (
	missing      = "folder missing"
	notStarted   = "not started"
	started      = "started"
	provided     = "provided"
	passing      = "passing"
	failing      = "failing"
	inconclusive = "inconclusive"
)

func (e *env) stageState(w *workspace.Workspace, s workspace.Stage) (stageState, error) {
	known := w.State.Stages[s.ID]
	state := stageState{word: stateWord(known), tested: "-"}
	if _, err := os.Lstat(w.Path(s)); err != nil {
		if known.Started != nil || known.Provided {
			state.word = missing
		}
		return state, nil
	}
	if known.Result == nil {
		return state, nil
	}
	state.tested, state.failed = age(e.now().Sub(known.Result.At)), known.Result.Case
	sources, err := w.Sources(s)
	if err != nil {
		return state, err
	}
	if known.Result.Sources != "" && known.Result.Sources != sources {
		state.edited = true
		state.tested += ", edited since"
	}
	return state, nil
}

func stateWord(s workspace.StageState) string {
	if s.Result != nil {
		switch grading.Verdict(s.Result.Verdict) {
		case grading.Pass:
			if !s.Provided {
				return passing
			}
		case grading.Fail, grading.Blocked:
			return failing
		case grading.Inconclusive:
			return inconclusive
		}
	}
	if s.Provided {
		return provided
	}
	if s.Started != nil {
		return started
	}
	return notStarted
}

// nextStep is what to do about the stage that was started last.
func nextStep(s grading.Suite, state stageState) string {
	later := stageAfter(s.ID)
	switch {
	case state.word == missing:
		return fmt.Sprintf("de start %s/%s lays %s again", stages.Course, s.ID, s.Folder())
	case state.edited, state.word == inconclusive:
		return "de test"
	case state.word == failing && state.failed != "":
		return "de test --case " + state.failed
	case state.word == passing && later != "":
		return fmt.Sprintf("de start %s/%s", stages.Course, later)
	case state.word == passing:
		return fmt.Sprintf("de solution %s, to compare with the reference", s.ID)
	}
	return fmt.Sprintf("write your code in %s, then run de test", s.Folder())
}

// stageAfter returns the ID of the stage after the given one, or "".
func stageAfter(id string) string {
	all := stages.All()
	for i, s := range all[:len(all)-1] {
		if s.ID == id {
			return all[i+1].ID
		}
	}
	return ""
}

// age is a duration as people say it.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return count(d, time.Minute, "minute")
	case d < day:
		return count(d, time.Hour, "hour")
	}
	return count(d, day, "day")
}

func count(d, unit time.Duration, name string) string {
	n := int(d / unit)
	if n == 1 {
		return "1 " + name + " ago"
	}
	return fmt.Sprintf("%d %ss ago", n, name)
}
