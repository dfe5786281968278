package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/sandbox"
	sinkreference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// speed runs the same work on one processor in the sandbox and in this process,
// over the same protocol: what differs is WebAssembly alone.
func (b *bench) speed() error {
	l, err := b.newLearner("speed")
	if err != nil {
		return err
	}
	box, err := l.newBox()
	if err != nil {
		return err
	}
	defer box.program.Close(b.ctx)
	native := func(int) (grading.Guest, error) { return nativeGuest(sinkreference.Solution{}, nil), nil }
	var operations int
	if _, err := sweep(func(int) (grading.Guest, error) {
		return nativeGuest(counted{sinkreference.Solution{}, &operations}, nil), nil
	}); err != nil {
		return err
	}
	rows := []string{"one processor\tin the sandbox\tnatively\tratio"}
	for _, work := range []struct {
		name string
		n    int
		run  func(func(int) (grading.Guest, error)) (time.Duration, error)
	}{
		{"operations on sinks, a thousand in a call", operations, sweep},
		{"calls across the line, one by one", calls, cross},
	} {
		var in, out []time.Duration
		for range min(b.runs, 3) {
			i, err := work.run(box.fresh)
			if err != nil {
				return err
			}
			o, err := work.run(native)
			if err != nil {
				return err
			}
			in, out = append(in, i), append(out, o)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%.1f", work.name,
			perSecond(work.n, median(in)), perSecond(work.n, median(out)), float64(median(in))/float64(median(out))))
	}
	b.table(rows...)
	return nil
}

func perSecond(n int, took time.Duration) string {
	return fmt.Sprintf("%.2f million/s", float64(n)/took.Seconds()/1e6)
}

// A box has a guest of the last stage.
type box struct {
	*learner
	program *sandbox.Program
	guest   *sandbox.Instance
}

func (l *learner) newBox() (*box, error) {
	built, err := l.guest(lastSuite())
	if err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(built.WASM)
	if err := errors.Join(err, built.Remove()); err != nil {
		return nil, err
	}
	program, err := sandbox.Compile(l.ctx, wasm, sandbox.Config{Workers: runtime.NumCPU()})
	return &box{learner: l, program: program}, err
}

// fresh returns the guest as it was after its start, for so many cases in one.
func (b *box) fresh(cases int) (grading.Guest, error) {
	if b.guest != nil && !b.guest.Reset() {
		b.guest.Close() // nothing is kept of it
		b.guest = nil
	}
	if b.guest == nil {
		var err error
		if b.guest, err = b.program.Start(b.ctx, 1); err != nil {
			return grading.Guest{}, err
		}
	}
	b.guest.Continue(b.ctx)
	b.guest.Allow(max(cases, 1))
	return grading.Guest{Solution: rpc.Object{Peer: b.guest.Peer, Ref: 1}, Alive: func() {}}, nil
}

// sweep runs all sequences of the last stage's sweep, each part on a fresh guest.
func sweep(fresh func(parts int) (grading.Guest, error)) (time.Duration, error) {
	s := lastSuite().Sweep(0)
	start := time.Now()
	for part, size := range s.Parts {
		g, err := fresh(size)
		if err != nil {
			return 0, err
		}
		if wrong := s.Run(g, part, s.Length); wrong != nil {
			return 0, fmt.Errorf("the reference fails %s", wrong.ID)
		}
	}
	return time.Since(start), nil
}

// calls is how many are made across the line.
const calls = 200_000

// cross calls a sink of the guest again and again.
func cross(fresh func(int) (grading.Guest, error)) (time.Duration, error) {
	g, err := fresh(0)
	if err != nil {
		return 0, err
	}
	sink := wire.Stage{Object: g.Solution}.NewTransactionalSink()
	start := time.Now()
	for i := range calls {
		if i%100 == 99 { // it must not grow for long
			sink.AbortOpen()
			continue
		}
		sink.Write(stream.Record{Key: "a", Value: int64(i)})
	}
	return time.Since(start), nil
}
