package grading

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
)

// parted sets two runs of a case side by side, under the first seed and another,
// if they part.
func (j *judge) parted(c schedule.Case) []string {
	first := j.benches[0]
	steps := first.traced(c)
	for _, b := range j.benches[1:] {
		if lines := apart(steps, b.traced(c), [2]uint64{first.seed, b.seed}); lines != nil {
			return lines
		}
	}
	return nil
}

// traced runs c on a fresh guest and returns what was done in it.
func (b *bench) traced(c schedule.Case) []Step {
	ctx, cancel := b.limited()
	defer cancel()
	if died := b.ready(ctx, true); died != nil {
		return nil
	}
	outcome := b.suite.Bind(b.bound(ctx, 0)).Run(c)
	if outcome.Steps == nil {
		return nil
	}
	return outcome.Steps()
}

// aroundApart is how many steps are shown before two runs part, and after.
const aroundApart = 3

// apart puts two runs of a case under two seeds side by side where they first
// part, as [Finding.Apart] has them. It returns nil if they never do.
func apart(one, other []Step, seeds [2]uint64) []string {
	at := 0
	for at < len(one) && at < len(other) && did(one, at) == did(other, at) {
		at++
	}
	if at == len(one) && at == len(other) {
		return nil
	}
	var lines []string
	for i := max(0, at-aroundApart); i < at; i++ {
		lines = append(lines, fmt.Sprintf("  step %d, both: %s", i+1, did(one, i)))
	}
	for i := at; i <= at+aroundApart; i++ {
		if i < len(one) || i == at {
			lines = append(lines, fmt.Sprintf("- step %d, seed %d: %s", i+1, seeds[0], did(one, i)))
		}
	}
	for i := at; i <= at+aroundApart; i++ {
		if i < len(other) || i == at {
			lines = append(lines, fmt.Sprintf("+ step %d, seed %d: %s", i+1, seeds[1], did(other, i)))
		}
	}
	return lines
}

func did(steps []Step, i int) string {
	if i >= len(steps) {
		return "nothing more"
	}
	return steps[i].Object + ", " + steps[i].Action
}
