package grading

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/harness/schedule"
)

// A bench holds the guest that cases run on under one seed.
type bench struct {
	*judge
	program *sandbox.Program
	seed    uint64
	turn    int               // index of the seed
	guest   *sandbox.Instance // nil until needed
	broken  *fault.Fault      // the packages' initialisation fails, always

	suite  Suite // of the stage whose cases are run
	root   rpc.Ref
	folder string // of its solution
	rewind bool   // see [Guest.Rewind]
	stale  bool   // the guest has run cases of another stage

	cameUp map[string]bool // situations of the stage
}

// enter turns to the cases of another stage.
func (b *bench) enter(suite Suite, s StageJob) {
	b.suite, b.root, b.folder, b.rewind, b.stale, b.cameUp = suite, rpc.Ref(s.Place+1), s.Folder, s.Rewind, true, map[string]bool{}
}

// maxPrinted bounds what is kept of a solution's printing, in bytes.
const maxPrinted = 4 << 10

// thoroughly runs a case under the first seed, so that what it shows, it shows
// alone: on a fresh guest, or, where cases are many or the solution keeps nothing
// beside its objects, on one that goes on, and again if it fails.
func (b *bench) thoroughly(c schedule.Case, explored bool) *CaseResult {
	if !explored && !b.rewind {
		return b.once(c, false, true)
	}
	return b.confirmed(b.once(c, explored, false))
}

// confirmed runs a case that failed on a guest that may not have been fresh
// again on one that is: what fails only after others leaks.
func (b *bench) confirmed(r *CaseResult) *CaseResult {
	if r == nil {
		return nil
	}
	if alone := b.once(r.Case, r.Explored, true); alone != nil {
		return alone
	}
	if r.excused() {
		return nil
	}
	r.leaks(b.suite)
	return r
}

// excused tells of a case that is right alone whether what went wrong after
// others is the guest's doing. One that goes on has less memory left, since that
// never shrinks. And one in whose goroutines calls of the host and of the guest
// are nested in each other many times over can break down with a trap that Go
// code without package unsafe, which none may have, does not bring about.
func (r *CaseResult) excused() bool {
	f := r.Findings[0]
	return f.Kind == fault.MemoryExhausted || f.Fault != nil && f.Fault.Trap
}

// leaks makes a result one of a case that is right alone, but not after others.
func (r *CaseResult) leaks(suite Suite) {
	r.Leaks = true
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Check, f.Kind = suite.Isolation, fault.RuleBroken
		f.Problem = "Alone the case passes; after others in the same process it does not, so state is kept between runs (or chance decides): " + f.Problem
	}
}

// once runs c once and returns nil if it passed.
func (b *bench) once(c schedule.Case, explored, fresh bool) *CaseResult {
	ctx, cancel := b.limited()
	defer cancel()
	result := &CaseResult{Case: c, Explored: explored}
	if died := b.ready(ctx, fresh); died != nil {
		result.Findings = []Finding{Died(b.suite.CheckOf(c), died, -1)}
		return result
	}
	turn := b.turn
	if fresh {
		turn = 0 // it must stand for itself
	}
	g := b.bound(ctx, turn)
	g.Explored = explored && !fresh
	outcome := b.suite.Bind(g).Run(c)
	if b.job.Observe && outcome.Situations != nil {
		for _, name := range outcome.Situations() {
			b.cameUp[name] = true
		}
	}
	if len(outcome.Findings) == 0 {
		return nil
	}
	result.Findings, result.steps, result.unsafe = outcome.Findings, outcome.Steps, outcome.Unsafe
	printed := b.guest.Output()
	if result.Findings[0].Fault != nil {
		printed = fault.Printed(printed)
	}
	result.Printed = printed[:min(len(printed), maxPrinted)]
	return result
}

// bound is the guest as a stage gets it.
func (b *bench) bound(ctx context.Context, turn int) Guest {
	return Guest{
		Solution: rpc.Object{Peer: b.guest.Peer, Ref: b.root},
		Watched: func(function string) bool {
			return b.guest.Watched(function) || b.guest.WatchedAtStart(b.folder, function)
		},
		Place:  b.guest.Place,
		Turn:   turn,
		Rewind: b.rewind,
		Restart: func() rpc.Object {
			if died := b.ready(ctx, true); died != nil {
				panic(died)
			}
			return rpc.Object{Peer: b.guest.Peer, Ref: b.root}
		},
	}
}

// maxSteps bounds the timeline of a case. What a solution does without end is
// told by its start and its end.
const maxSteps = 1000

func (r *CaseResult) shorten() {
	over := len(r.Steps) - maxSteps
	if over <= 0 {
		return
	}
	const half = maxSteps / 2
	gap := Step{Object: "...", Action: fmt.Sprintf("%d steps left out", over)}
	r.Steps = slices.Concat(r.Steps[:half], []Step{gap}, r.Steps[len(r.Steps)-half:])
	place := func(step int) int {
		switch {
		case step >= half+over:
			return step - over + 1
		case step >= half:
			return half
		}
		return step
	}
	for i := range r.Findings {
		r.Findings[i].Step = place(r.Findings[i].Step)
	}
	r.Unsafe = place(r.Unsafe)
}

// ready sees to a guest that can be called: a fresh one, or the one there is.
func (b *bench) ready(ctx context.Context, fresh bool) *fault.Fault {
	if b.broken != nil {
		return b.broken
	}
	if b.guest != nil && (fresh || b.stale || b.guest.Dead()) {
		b.stale = false
		if !b.guest.Reset() {
			b.close()
		}
	}
	if b.guest != nil {
		b.guest.Continue(ctx)
		return nil
	}
	guest, err := b.program.Start(ctx, b.seed)
	if errors.As(err, &b.broken) {
		return b.broken
	}
	if err != nil {
		panic(fmt.Errorf("start a guest: %w", err))
	}
	b.guest, b.stale = guest, false
	return nil
}

func (b *bench) close() {
	if b.guest != nil {
		b.guest.Close() // its memory goes with the process in any case
		b.guest = nil
	}
}
