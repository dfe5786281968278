package main

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/worker"
	"github.com/flk-byo/de/stages"
)

// wordBuggy is the word by which these tests call themselves to judge as de
// does, but with a bug, which the next word names.
const wordBuggy = "__buggy"

// bugs are what goes wrong in a judge.
var bugs = map[string]func(){
	"outside": func() { panic("the oracle is lost") },                                             // as an oracle that is asked after a run
	"inside":  func() { fault.Guard(func() { func(seen map[int]bool) { seen[1] = true }(nil) }) }, // as a model that goes along with one
}

// buggy is a judge that has a bug.
type buggy struct {
	grading.Subject
	bug func()
}

func (b buggy) Run(c schedule.Case) grading.Outcome {
	o := b.Subject.Run(c)
	b.bug()
	return o
}

// buggyChild is [child] with a bug.
func buggyChild(args []string, stdin io.Reader, stdout io.Writer) (code int, ok bool) {
	if len(args) < 2 || args[0] != wordBuggy {
		return 0, false
	}
	var cases grading.Cases
	var job grading.Job
	if err := worker.Job(stdin, &cases, &job); err != nil {
		return exitHarness, true
	}
	suites := stages.All()
	for i, suite := range suites {
		suites[i].Bind = func(g grading.Guest) grading.Subject { return buggy{suite.Bind(g), bugs[args[1]]} }
	}
	lines := worker.NewLines(stdout)
	if err := grading.Serve(context.Background(), cases, job, suites, func(m grading.Message) error { return lines.Write(m) }); err != nil {
		return exitHarness, true
	}
	return exitPass, true
}

// A bug of the judge's, of an oracle or a model, is a harness fault, and no
// solution's: neither of one that is right nor of one that is wrong.
func TestBugsAreHarnessFaults(t *testing.T) {
	suite := stages.All()[len(stages.All())-1]
	for bug, says := range map[string]string{"outside": "the oracle is lost", "inside": "assignment to entry in nil map"} {
		for _, impl := range []string{implReference, implSkeleton} {
			t.Run(bug+" with "+impl, func(t *testing.T) {
				files, err := fs.Sub(stages.Files, path.Join(suite.Folder(), impl))
				if err != nil {
					t.Fatal(err)
				}
				config := testConfig(t)
				config.Worker.Command = []string{config.Worker.Command[0], wordBuggy, bug}
				config.Stages = []grading.Stage{{
					Suite: suite, Cases: sortedCases(t, suite, 1), Explore: true,
					Package: packageOf(suite, solution{impl, files}),
				}}
				config.Others = references(t)
				r, err := grading.Run(t.Context(), config)
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != grading.HarnessFault || exitCode(r.Verdict) != exitHarness || !strings.Contains(r.Problem, says) {
					t.Errorf("%s: %s; want a fault of the harness that says %q", r.Verdict, r.Problem, says)
				}
			})
		}
	}
}
