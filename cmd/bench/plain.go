package main

import (
	_ "embed"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	sinkreference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/stream"
)

const plainWords = `
What go test does there is in its favour: the solution runs natively, under one
seed, and of what a sequence must show nothing is computed. It has no sandbox, no
limit on time or memory, no look at the clock; it does not shrink what fails, and
says of a sequence only that one of a thousand is wrong.
`

// plain compares de with what a learner would use instead: go test, over the same
// grid of stage 08 as ordinary table tests.
func (b *bench) plain() error {
	with, err := b.newLearner("with-de")
	if err != nil {
		return err
	}
	without, err := b.newLearner("without-de")
	if err != nil {
		return err
	}
	if err := without.layPlain(); err != nil {
		return err
	}
	folder := "./" + lastSuite().Folder()
	rows := []string{"stage 08 alone\tde test\tgo test\tratio"}
	for _, now := range []struct {
		name  string
		wrong string
		edit  bool
		flags []string
	}{
		{"a wrong job", wrongJob, true, nil},
		{"a wrong sink", wrongSink, true, nil},
		{"edited and right", "", true, nil},
		{"unchanged", "", false, nil},
		{"unchanged, run again", "", false, []string{"-count=1"}},
	} {
		code := 0
		if now.wrong != "" {
			code = 1
		}
		args := []string{"--stage-only", lastSuite().ID}
		if now.flags != nil {
			args = append(args, with.freshly()...)
		}
		var de, plain []time.Duration
		for i := range b.runs + 1 {
			if now.edit {
				if err := errors.Join(with.edit(lastSuite(), now.wrong), without.edit(lastSuite(), now.wrong)); err != nil {
					return err
				}
			}
			r, err := with.test(code, args...)
			if err != nil {
				return err
			}
			took, err := without.goTest(code, append(now.flags, folder)...)
			if err != nil {
				return err
			}
			if i > 0 { // the first time all gets warm
				de, plain = append(de, r.whole), append(plain, took)
			}
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s", now.name, millis(median(de)), millis(median(plain)), ratio(median(de), median(plain))))
	}
	b.table(rows...)
	_, err = fmt.Fprint(b.out, plainWords)
	return err
}

// goTest runs go test, which must exit with code.
func (l *learner) goTest(code int, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(l.ctx, "go", append([]string{"test"}, args...)...)
	cmd.Dir = l.dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return 0, fmt.Errorf("go test: exit %d, want %d\n%.4000s", got, code, out)
	}
	return took, nil
}

//go:embed plain_test.go.txt
var plainTest string

// layPlain puts table tests beside the learner's stage 08, in place of those that
// it came with.
func (l *learner) layPlain() error {
	suite := lastSuite()
	dir := filepath.Join(l.dir, suite.Folder())
	started, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range started {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	cases, err := ownCases(suite)
	if err != nil {
		return err
	}
	all, err := newGrid(suite, cases)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "testdata"), 0o777); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "testdata", "grid.gob"))
	if err != nil {
		return err
	}
	if err := errors.Join(gob.NewEncoder(file).Encode(all), file.Close()); err != nil {
		return err
	}
	// The rules are those of the plain tests that de repro writes.
	rules := suite.Repro(cases[0], grading.Finding{Kind: fault.WrongOutput})
	return os.WriteFile(filepath.Join(dir, "plain_test.go"), []byte(plainFile(rules)), 0o666)
}

func plainFile(rules grading.Repro) string {
	imports := append([]string{"bytes", "encoding/gob", "os", "testing"}, rules.Imports...)
	slices.Sort(imports)
	var list strings.Builder
	for _, path := range slices.Compact(imports) {
		list.WriteString("\t" + strconv.Quote(path) + "\n")
	}
	return strings.NewReplacer("PACKAGE", "sink", "IMPORTS", list.String()).Replace(plainTest) + "\n" + rules.Decls
}

// A plainGrid is all that stage 08 is judged by, as plain_test.go.txt reads it.
type plainGrid struct {
	Jobs      []plainJob
	Scripts   []plainScript
	Sequences []plainSequences
}

type plainJob struct {
	Name              string
	Records           []stream.Record
	Every, Crash, Lag int
	Repeat, Own       bool // run it twice; run it with the solution's own sinks
}

type plainScript struct {
	Name string
	Ops  []plainOp
}

type plainOp struct {
	Name string
	Arg  int64
}

type plainSequences struct {
	Records        []stream.Record
	IDs            []int64
	Scripts, Shown []byte
}

func newGrid(suite grading.Suite, cases []schedule.Case) (g plainGrid, err error) {
	for _, c := range cases {
		g.add(c, true, len(c.Records) <= 4)
	}
	n := 0
	for c := range suite.ExploredCases() {
		n++
		g.add(c, n%2 == 0, false) // as de shares them out
	}
	return g, g.addSequences(suite.Sweep(0))
}

func (g *plainGrid) add(c schedule.Case, own, repeat bool) {
	if c.Script == nil {
		g.Jobs = append(g.Jobs, plainJob{
			Name: c.ID, Records: c.Records, Own: own, Repeat: repeat,
			Every: c.Param("barrier_every"), Crash: c.Param("crash_after"), Lag: c.Param("commit_lag"),
		})
		return
	}
	s := plainScript{Name: c.ID}
	for _, op := range c.Script {
		next := plainOp{Name: op.Name}
		if len(op.Args) > 0 {
			next.Arg = op.Args[0]
		}
		s.Ops = append(s.Ops, next)
	}
	g.Scripts = append(g.Scripts, s)
}

// addSequences runs the sweep on the reference, and takes down what it asks of a
// guest and what the guest, which is right, shows.
func (g *plainGrid) addSequences(s grading.Sweep) error {
	guest := nativeGuest(sinkreference.Solution{}, func(args, reply []byte) {
		d := rpc.NewDecoder(args)
		b := plainSequences{Records: d.Records()}
		for range d.Len(1) {
			b.IDs = append(b.IDs, d.Int64())
		}
		b.Scripts = slices.Clone(d.Blob())
		d.End()
		shown := rpc.NewDecoder(reply)
		b.Shown = slices.Clone(shown.Blob())
		g.Sequences = append(g.Sequences, b)
	})
	for part := range s.Parts {
		if wrong := s.Run(guest, part, s.Length); wrong != nil {
			return fmt.Errorf("the reference fails %s", wrong.ID)
		}
	}
	return nil
}
