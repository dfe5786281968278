package grading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/harness/schedule"
)

// SourceRoot is how the paths of a solution's files begin in stack traces.
const SourceRoot = "flkbyo/"

// Serve is a child's work: it does job and reports through send. The error is
// one of sending; all else is reported.
func Serve(ctx context.Context, cases Cases, job Job, suites []Suite, send func(Message) error) error {
	if job.Guarded {
		job.Hot = nil // it is for cases that went wrong, of which the guest must answer for each
	}
	cold, err := attempt(ctx, cases, job, suites, send)
	if cold == "" || err != nil {
		return err
	}
	if err := send(Message{Stage: job.Stages[0].Index, Again: true, Hot: cold}); err != nil {
		return err
	}
	job.Hot = nil
	_, err = attempt(ctx, cases, job, suites, send)
	return err
}

// attempt does job on the guest, without the functions that are not hot. If one
// of these was called, it returns which: then nothing that it reported counts.
func attempt(ctx context.Context, cases Cases, job Job, suites []Suite, send func(Message) error) (cold string, err error) {
	defer func() {
		v := recover()
		var call sandbox.ColdCall
		if e, ok := v.(error); ok && errors.As(e, &call) {
			cold = call.Function
		} else if v != nil {
			err = send(Message{Fault: fmt.Sprintf("%v\n%s", v, debug.Stack())})
		}
	}()
	j := &judge{cases: cases, job: job, ctx: ctx, send: send}
	return "", j.all(suites)
}

func (j *judge) all(suites []Suite) error {
	first := j.job.Stages[0].Index
	if err := j.send(Message{Phase: PhaseCompile, Stage: first}); err != nil {
		return err
	}
	program, err := j.compile(suites)
	if errors.Is(err, sandbox.ErrRefused) {
		return j.send(Message{Stage: first, Refused: err.Error()})
	}
	if err != nil {
		return j.send(Message{Fault: err.Error()})
	}
	defer program.Close(j.ctx)
	for i, seed := range j.job.Seeds {
		b := &bench{judge: j, program: program, seed: seed, turn: i}
		defer b.close()
		j.benches = append(j.benches, b)
	}
	if died, err := j.start(); died != nil || err != nil {
		return err
	}
	for _, s := range j.job.Stages {
		at := slices.IndexFunc(suites, func(suite Suite) bool { return suite.ID == s.Suite })
		if at < 0 {
			return j.send(Message{Fault: "no stage " + s.Suite})
		}
		if err := j.stage(s, suites[at]); err != nil {
			return err
		}
	}
	return nil
}

// A judge does one job.
type judge struct {
	cases   Cases
	job     Job
	ctx     context.Context
	send    func(Message) error
	benches []*bench // by seed
}

// start runs the solutions' initialisation for the first time. If it dies, one
// alone is judged all the same: each of its cases dies of it. Of several it
// must be found out first whose it is.
func (j *judge) start() (*fault.Fault, error) {
	if err := j.send(Message{Phase: PhaseStart, Stage: j.job.Stages[0].Index}); err != nil {
		return nil, err
	}
	ctx, cancel := j.limited()
	defer cancel()
	died := j.benches[0].ready(ctx, false)
	if died == nil || len(j.job.Stages) == 1 {
		return nil, nil
	}
	return died, j.send(Message{Stage: j.job.Stages[0].Index, Broken: died})
}

// limited returns the context of one run of a case.
func (j *judge) limited() (context.Context, context.CancelFunc) {
	if !j.job.Guarded {
		return j.ctx, func() {}
	}
	return context.WithTimeout(j.ctx, time.Duration(j.job.CaseMillis)*time.Millisecond)
}

func (j *judge) compile(suites []Suite) (*sandbox.Program, error) {
	wasm, err := os.ReadFile(j.job.WASM)
	if err != nil {
		return nil, fmt.Errorf("read the guest: %w", err)
	}
	var watch []string
	for _, s := range suites {
		watch = append(watch, s.Watch...)
	}
	return sandbox.Compile(j.ctx, wasm, sandbox.Config{
		Guarded: j.job.Guarded, Workers: j.job.Workers, Watch: watch, SourceRoot: SourceRoot,
		Hot: j.job.Hot,
	})
}

// batchSize is how many cases are run between two lines of a report. To announce
// each, and to wait for the slower guest after each, would take longer than most
// of them do.
const batchSize = 64

// stage runs the cases of one stage.
func (j *judge) stage(s StageJob, suite Suite) error {
	for _, b := range j.benches {
		b.enter(suite, rpc.Ref(s.Place+1))
	}
	cases := j.cases[s.Index]
	scheduled := len(cases)
	if s.Explore && suite.Explore != nil {
		cases = slices.AppendSeq(slices.Clone(cases), suite.Explore())
	}
	if err := j.send(Message{Phase: PhaseStage, Stage: s.Index, Total: len(cases)}); err != nil {
		return err
	}
	end := len(cases)
	if s.To > 0 {
		end = min(s.To, end)
	}
	out := output{judge: j, stage: s, suite: suite, shown: map[string]bool{}}
	at := s.From
	if !j.job.Guarded {
		next, results, err := j.sprint(cases[:end], at, scheduled, out.announce)
		if err != nil {
			return err
		}
		if at = next; results != nil {
			r := j.settle(results, cases[at], at, at >= scheduled)
			if ended, err := out.results([]*CaseResult{r}, at); ended || err != nil {
				return err
			}
			at++
		}
	}
	size := batchSize
	if j.job.Guarded {
		size = 1
	}
	for at < end {
		next := min(at+size, end)
		if err := out.announce(at, next); err != nil {
			return err
		}
		results := j.run(cases[at:next], at, scheduled)
		if ended, err := out.results(results, at); ended || err != nil {
			return err
		}
		at += len(results)
	}
	return j.send(Message{Phase: PhaseEnd, Stage: s.Index})
}

// An output reports the results of a stage, in the order of the cases.
type output struct {
	*judge
	stage  StageJob
	suite  Suite
	limits int             // cases that ended at the time limit
	costly int             // at any limit
	shown  map[string]bool // checks for which a case was sent in full
}

func (o *output) announce(first, next int) error {
	return o.send(Message{Phase: PhaseCase, Stage: o.stage.Index, Case: first, Next: next})
}

// results reports those of the cases from an index on, and whether the stage
// ends with them.
func (o *output) results(results []*CaseResult, from int) (ended bool, err error) {
	for _, r := range results {
		if r == nil {
			continue
		}
		r.trim(o.shown)
		if err := o.send(Message{Stage: o.stage.Index, Failed: r}); err != nil {
			return true, err
		}
		end := Message{Phase: PhaseEnd, Stage: o.stage.Index, Next: from + len(results)}
		if r.Explored && r.Findings[0].Check != o.suite.Isolation {
			return true, o.send(end) // they come by size: a longer one would say no more
		}
		if r.timedOut() {
			o.limits++
		}
		if r.costly() {
			o.costly++
		}
		if o.job.MaxLimits > 0 && (o.limits >= o.job.MaxLimits || o.costly >= maxCostly) {
			end.Stop = fmt.Sprintf("%d cases ended at a limit, so the others were not run", max(o.limits, o.costly))
			return true, o.send(end)
		}
	}
	return false, nil
}

// trim fills in the timeline, or leaves out what need not be told at length twice.
func (r *CaseResult) trim(shown map[string]bool) {
	full := r.Explored && !r.Leaks // it may be smaller than those that were shown
	for _, f := range r.Findings {
		full = full || !shown[f.Check+f.Unless]
		shown[f.Check+f.Unless] = true
	}
	if full {
		if r.steps != nil {
			r.Steps = r.steps()
			r.shorten()
		}
		return
	}
	r.Printed = ""
	for i := range r.Findings {
		r.Findings[i].Diff = nil
	}
}

// run runs cases of which the first has the index from, each under every seed.
// The result of one that passed under all is nil. The cases after one that ended
// at a limit may be left out: then there are fewer results.
//
// The first seed's guest starts afresh for each case of a schedule; the others go
// on, and start afresh only to confirm an outcome that the first did not have.
func (j *judge) run(cases []schedule.Case, from, scheduled int) []*CaseResult {
	all := make([][]*CaseResult, len(cases)) // by case, then by seed
	for i := range all {
		all[i] = make([]*CaseResult, len(j.benches))
	}
	explored := func(i int) bool { return from+i >= scheduled }
	first := func(i int) *CaseResult {
		b := j.benches[0]
		all[i][0] = b.once(cases[i], explored(i), !explored(i))
		if explored(i) {
			all[i][0] = b.confirmed(all[i][0])
		}
		return all[i][0]
	}
	others := func(i int) (worst *CaseResult) {
		for k, b := range j.benches {
			if k == 0 || !j.takes(k, from+i, explored(i)) {
				continue
			}
			if all[i][k] = b.once(cases[i], explored(i), false); all[i][k].costly() {
				worst = all[i][k]
			}
		}
		return worst
	}
	done := len(cases)
	if j.job.Guarded { // one after the other: the first may have reached its limit
		if !first(0).timedOut() {
			others(0)
		}
	} else {
		done = sideBySide(len(cases), first, others)
	}
	results := make([]*CaseResult, done)
	for i := range results {
		results[i] = j.settle(all[i], cases[i], from+i, explored(i))
	}
	return results
}

// settle makes one result of those by bench.
func (j *judge) settle(by []*CaseResult, c schedule.Case, index int, explored bool) *CaseResult {
	var results []*CaseResult
	var benches []*bench // of those that ran the case
	for k, r := range by {
		if j.takes(k, index, explored) {
			results, benches = append(results, r), append(benches, j.benches[k])
		}
	}
	confirm(results, benches, c, explored)
	r := combine(results, benches)
	if r != nil {
		r.Index = index
	}
	return r
}

// sideBySide calls both functions with 0 to n-1, each in a goroutine of its own,
// and returns how far both came: one ends the other soon if too many of its
// results were costly.
func sideBySide(n int, first, others func(i int) *CaseResult) (done int) {
	var limit atomic.Int64
	limit.Store(int64(n))
	lane := func(run func(i int) *CaseResult) {
		costly := 0
		for i := 0; i < int(limit.Load()); i++ {
			if !run(i).costly() {
				continue
			}
			if costly++; costly < maxCostly {
				continue
			}
			for now := limit.Load(); int64(i+1) < now && !limit.CompareAndSwap(now, int64(i+1)); now = limit.Load() {
			}
		}
	}
	var wait sync.WaitGroup
	var ours any // a panic is a fault of ours: it must reach Serve
	wait.Go(func() {
		defer func() { ours = recover() }()
		lane(others)
	})
	lane(first)
	wait.Wait()
	if ours != nil {
		panic(ours)
	}
	return int(limit.Load())
}

// confirm runs a case again where the later seeds' guests, which were not fresh,
// had another outcome than the first.
func confirm(results []*CaseResult, benches []*bench, c schedule.Case, explored bool) {
	for i, b := range benches[1:] {
		switch r := results[i+1]; {
		case agree(results[0], r), results[0].timedOut():
		case r == nil:
			results[i+1] = b.once(c, explored, true)
		default:
			results[i+1] = b.confirmed(r)
		}
	}
}

// maxCostly is how many cases may end at a limit, other than that of time, that
// takes long to reach.
const maxCostly = 20

func (r *CaseResult) costly() bool {
	if r == nil {
		return false
	}
	switch r.Findings[0].Kind {
	case fault.TimeLimit, fault.MemoryExhausted, fault.StackExhausted, fault.PrintedTooMuch, fault.TooManyCalls:
		return true
	}
	return false
}

func (r *CaseResult) timedOut() bool {
	return r != nil && r.Findings[0].Kind == fault.TimeLimit
}

// agree tells whether two results are of one kind, of which the first is
// confirmed on a fresh guest, so that the other need not be.
func agree(a, b *CaseResult) bool {
	if a == nil || b == nil {
		return a == b
	}
	return !a.Leaks && a.Findings[0].Check == b.Findings[0].Check
}

// combine makes one result of those under each seed.
func combine(results []*CaseResult, benches []*bench) *CaseResult {
	failed := slices.IndexFunc(results, func(r *CaseResult) bool { return r != nil })
	if failed < 0 {
		return nil
	}
	r := results[failed]
	passed := slices.Index(results, nil)
	alone := slices.IndexFunc(results, func(r *CaseResult) bool { return r != nil && !r.Leaks })
	if passed < 0 || alone < 0 || r.timedOut() {
		return r
	}
	r, failed = results[alone], alone
	f := r.Findings[0]
	f.Check, f.Kind = benches[0].suite.Deterministic, fault.Nondeterministic
	f.Problem = fmt.Sprintf("Under random seed %d the case passes; under seed %d: %s", benches[passed].seed, benches[failed].seed, f.Problem)
	r.Findings = []Finding{f}
	return r
}
