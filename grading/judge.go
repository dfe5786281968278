package grading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/harness/worker"
)

// SourceRoot is how the paths of a solution's files begin in stack traces.
const SourceRoot = "flkbyo/"

// Serve is a child's work: it does job and reports through send. The error is
// one of sending; all else is reported.
func Serve(ctx context.Context, cases Cases, job Job, suites []Suite, send func(Message) error) error {
	if job.Guarded {
		job.Hot, job.Preview = nil, false // it is for cases that went wrong, of which the guest must answer for each
	}
	cold, err := attempt(ctx, cases, job, suites, send)
	if cold == "" || err != nil {
		return err
	}
	if err := send(Message{Stage: job.Stages[0].Index, Again: true, Hot: cold}); err != nil {
		return err
	}
	job.Hot, job.Preview = nil, false
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
	j := &judge{cases: cases, job: job, ctx: ctx, write: send}
	return "", j.all(suites)
}

func (j *judge) all(suites []Suite) error {
	first := j.job.Stages[0].Index
	if err := j.send(Message{Phase: PhaseCompile, Stage: first}); err != nil {
		return err
	}
	wasm, err := j.guest()
	if err != nil {
		return j.send(Message{Fault: err.Error()})
	}
	endPreview := j.preview(wasm, suites)
	program, err := j.compile(wasm, suites)
	endPreview()
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
	benches []*bench // by seed

	sending sync.Mutex
	write   func(Message) error
}

func (j *judge) send(m Message) error {
	j.sending.Lock()
	defer j.sending.Unlock()
	return j.write(m)
}

// start runs the solutions' initialisation for the first time. If it dies, one
// alone is judged all the same: each of its cases dies of it. Of several it
// must be found out first whose it is.
func (j *judge) start() (*fault.Fault, error) {
	if err := j.send(Message{Phase: PhaseStart, Stage: j.job.Stages[0].Index}); err != nil {
		return nil, err
	}
	ctx, cancel := j.limitedFor("the initialisation of its packages")
	defer cancel()
	died := j.benches[0].ready(ctx, false)
	if died == nil || len(j.job.Stages) == 1 {
		return nil, nil
	}
	return died, j.send(Message{Stage: j.job.Stages[0].Index, Broken: died})
}

// lookEvery is how often a solution that might hang is looked at.
const lookEvery = 100 * time.Millisecond

// limited returns the context of one run of a case. Where guarded, it ends when
// the solution has used up a time of the processor without returning and without
// calling anything. One that is slow goes on for as long as the budget lasts: it
// may be right.
func (j *judge) limited() (context.Context, context.CancelFunc) { return j.limitedFor("it") }

// limitedFor is [judge.limited] for what is said to run on.
func (j *judge) limitedFor(what string) (context.Context, context.CancelFunc) {
	if !j.job.Guarded {
		return j.ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(j.ctx)
	ctx, pulse := sandbox.WithPulse(ctx)
	go func() {
		if limit := time.Duration(j.job.CaseMillis) * time.Millisecond; j.hangs(ctx, pulse, limit) {
			cancel(fmt.Errorf("%s ran for %v without an end and without a call", what, limit))
		}
	}()
	return ctx, func() { cancel(nil) }
}

// hangs waits until ctx ends, or else the guest has hung for the limit.
func (j *judge) hangs(ctx context.Context, pulse *sandbox.Pulse, limit time.Duration) bool {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for beat, told := worker.Used(), time.Now(); ; {
		select {
		case <-ctx.Done():
			return false
		case now := <-look.C:
			if now.Sub(told) > time.Second {
				told = now
				_ = j.send(Message{Stage: j.job.Stages[0].Index}) // still here; where the parent is gone, nobody asks
			}
		}
		used := worker.Used()
		if pulse.Felt() {
			beat = used
		}
		if used-beat >= limit {
			return true
		}
	}
}

// guest returns the guest's bytes.
func (j *judge) guest() ([]byte, error) {
	if j.job.Guest != nil {
		return j.job.Guest, nil
	}
	wasm, err := os.ReadFile(j.job.WASM)
	if err != nil {
		return nil, fmt.Errorf("read the guest: %w", err)
	}
	return wasm, nil
}

func (j *judge) compile(wasm []byte, suites []Suite) (*sandbox.Program, error) {
	var watch []string
	for _, s := range suites {
		watch = append(watch, s.Watch...)
	}
	return sandbox.Compile(j.ctx, wasm, sandbox.Config{
		Guarded: j.job.Guarded, Workers: j.job.Workers, Watch: watch, SourceRoot: SourceRoot,
		Hot: j.job.Hot, Places: j.job.Explain,
	})
}
