package grading

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/harness/schedule"
)

// previewed is how many of a stage's cases are tried in a preview: most faults
// show in one of them.
const previewed = 64

// preview runs the first cases of the job's first stage in the interpreter, which
// loads at once, while the compiler is at work. The first that fails is told as
// news, and counts for nothing: the case will be run again like all others. It
// ends when the returned function is called.
func (j *judge) preview(wasm []byte, suites []Suite) (stop func()) {
	s := j.job.Stages[0]
	at := slices.IndexFunc(suites, func(suite Suite) bool { return suite.ID == s.Suite })
	if !j.job.Preview || at < 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(j.ctx)
	cases := j.cases[s.Index]
	cases = slices.Concat(s.Suspects, inTurn(cases, suites[at].CheckOf, previewed))
	go func() {
		defer func() { _ = recover() }() // whatever it is, it comes again where it counts
		if r := j.firstFailing(ctx, wasm, suites[at], s, cases); r != nil && ctx.Err() == nil {
			_ = j.send(Message{Stage: s.Index, News: fmt.Sprintf("%s, %s", r.Findings[0].Check, r.Findings[0].Kind)}) // where the parent is gone, nobody asks
		}
	}()
	return cancel
}

// inTurn returns up to n of the cases, which are sorted by size: one of each check's,
// then a second of each, and so on, those of a check in an order in which the first
// few lie far apart and begin with a large one, which shows more than a small one.
// The largest quarter is left out, since the interpreter is slow.
func inTurn(cases []schedule.Case, checkOf func(schedule.Case) string, n int) []schedule.Case {
	var checks []string
	of := map[string][]schedule.Case{}
	for _, c := range cases {
		check := checkOf(c)
		if of[check] == nil {
			checks = append(checks, check)
		}
		of[check] = append(of[check], c)
	}
	var rounds [][]schedule.Case
	for _, check := range checks {
		own := of[check]
		own = own[:len(own)-len(own)/4]
		for round, at := range farApart(len(own)) {
			if round == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[round] = append(rounds[round], own[len(own)-1-at])
		}
	}
	all := slices.Concat(rounds...)
	return all[:min(len(all), n)]
}

// farApart returns the numbers below n in the order of their reversed bits: 0, then
// about a half of n, a quarter, three quarters, and so on.
func farApart(n int) []int {
	var all []int
	width := bits.Len(uint(max(n, 1) - 1))
	for i := range 1 << width {
		if at := int(bits.Reverse(uint(i)) >> (bits.UintSize - width)); at < n {
			all = append(all, at)
		}
	}
	return all
}

// firstFailing returns the result of the first case that fails, each alone.
func (j *judge) firstFailing(ctx context.Context, wasm []byte, suite Suite, s StageJob, cases []schedule.Case) *CaseResult {
	own := &judge{job: j.job, ctx: ctx, write: func(Message) error { return nil }}
	own.job.Guarded = true // so that ctx can end it
	program, err := sandbox.Compile(ctx, wasm, sandbox.Config{Interpret: true, Guarded: true, Watch: suite.Watch, SourceRoot: SourceRoot, Hot: j.job.Hot})
	if err != nil {
		return nil
	}
	defer program.Close(context.Background())
	b := &bench{judge: own, program: program, seed: j.job.Seeds[0]}
	defer b.close()
	b.enter(suite, s)
	for _, c := range cases {
		if ctx.Err() != nil {
			return nil
		}
		if r := b.once(c, false, true); r != nil && !r.costly() {
			return r
		}
	}
	return nil
}
