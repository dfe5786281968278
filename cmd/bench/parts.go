package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/stages"
)

// times are what the parts took, by name, in the order in which they first came.
type times struct {
	names []string
	took  map[string][]time.Duration
}

func (t *times) add(name string, took time.Duration) {
	if t.took == nil {
		t.took = map[string][]time.Duration{}
	}
	if t.took[name] == nil {
		t.names = append(t.names, name)
	}
	t.took[name] = append(t.took[name], took)
}

// clock adds what do takes.
func (t *times) clock(name string, do func() error) error {
	start := time.Now()
	err := do()
	t.add(name, time.Since(start))
	return err
}

// parts times what de does one after the other, in this process and each alone.
// De itself does some of it at the same time, and starts processes for it, so the
// whole is not the sum.
func (b *bench) parts() error {
	l, err := b.newLearner("parts")
	if err != nil {
		return err
	}
	var t times
	for i := range b.runs + 1 {
		if i == 1 {
			t = times{} // the first time all gets warm
		}
		if err := l.once(&t); err != nil {
			return err
		}
	}
	rows := []string{"part\tmedian\tfrom to"}
	for _, name := range t.names {
		rows = append(rows, fmt.Sprintf("%s\t%s", name, spread(t.took[name])))
	}
	b.table(rows...)
	return nil
}

// once goes the way once, after an edit of the last stage.
func (l *learner) once(t *times) error {
	if err := t.clock("start a process of de, and end it", func() error { _, err := l.must(0, "--version"); return err }); err != nil {
		return err
	}
	all := make(grading.Cases, len(stages.All()))
	if err := t.clock("read and check the schedules", func() (err error) {
		for i, suite := range stages.All() {
			if all[i], err = ownCases(suite); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := t.clock("read and check the sources", l.refuse); err != nil {
		return err
	}
	if err := l.edit(lastSuite(), ""); err != nil {
		return err
	}
	built, err := l.built(t)
	if err != nil {
		return err
	}
	defer built.Remove()
	if err := errors.Join(serve(l, built, all, t), judge(all, t)); err != nil {
		return err
	}
	return l.print(t)
}

// built builds the guest after an edit, and again without one.
func (l *learner) built(t *times) (built build.Result, err error) {
	build := func() (err error) { built, err = l.guest(stages.All()...); return err }
	if err := t.clock("that, and build the guest after an edit", build); err != nil {
		return built, err
	}
	if err := built.Remove(); err != nil {
		return built, err
	}
	return built, t.clock("the same unchanged", build)
}

// serve does what the child does: it loads the guest and runs all stages.
func serve(l *learner, built build.Result, all grading.Cases, t *times) error {
	job := grading.Job{WASM: built.WASM, Seeds: []uint64{1, 2, 3}, Workers: runtime.NumCPU(), Hot: l.hot()}
	for i, suite := range stages.All() {
		job.Stages = append(job.Stages, grading.StageJob{Index: i, Place: i, Suite: suite.ID, Explore: true, Rewind: built.Rewindable[suite.Folder()]})
	}
	last, doing := time.Now(), ""
	next := func(what string) {
		if doing != "" {
			t.add(doing, time.Since(last))
		}
		last, doing = time.Now(), what
	}
	return grading.Serve(l.ctx, all, job, stages.All(), func(m grading.Message) error {
		switch {
		case m.Fault != "", m.Refused != "", m.Failed != nil:
			return fmt.Errorf("the references do not pass: %+v", m)
		case m.Again: // of the machine's own, as de does
			l.learned = append(append(l.learned, m.Hot), sandbox.Warm()...)
			doing = ""
		case m.Phase == grading.PhaseCompile:
			next("load the guest: compile it to machine code")
		case m.Phase == grading.PhaseStart:
			next("start it")
		case m.Phase == grading.PhaseStage:
			next(fmt.Sprintf("run and judge stage %s, %d seeds", job.Stages[m.Stage].Suite, len(job.Seeds)))
		case m.Phase == grading.PhaseEnd:
			next("")
		}
		return nil
	})
}

// hot are the functions of Go's runtime that guests are known to call.
func (l *learner) hot() []string {
	names := append(sandbox.Hot(), l.learned...)
	slices.Sort(names)
	return slices.Compact(names)
}

// judge drives and judges all cases on references of this process: what of a
// run is neither the sandbox nor what crosses its line.
func judge(all grading.Cases, t *times) error {
	return t.clock("drive and judge the cases of one seed natively", func() error {
		for i, suite := range stages.All() {
			reference := stages.References()[suite.ID]
			for _, c := range all[i] {
				if o := reference.Run(c); len(o.Findings) > 0 {
					return fmt.Errorf("the reference fails %s natively", c.ID)
				}
			}
			for c := range suite.ExploredCases() {
				if o := reference.Run(c); len(o.Findings) > 0 {
					return fmt.Errorf("the reference fails %s natively", c.ID)
				}
			}
		}
		return nil
	})
}

// print prints a report of de's as text.
func (l *learner) print(t *times) error {
	r, err := l.report("--case", "08/distinct/n=1,every=1,crash=none,lag=0")
	if err != nil {
		return err
	}
	return t.clock("print the report", func() error { return report.Text(io.Discard, r, report.Options{Width: 80}) })
}

// report returns what de test reports of a solution that passes.
func (l *learner) report(args ...string) (r grading.Report, err error) {
	ran, err := l.test(0, append([]string{"--format", "json"}, args...)...)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(ran.out, &r)
}
