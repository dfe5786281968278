package grading

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
)

// parted sets two runs of the case of r side by side, under the first seed and
// another, if they part.
func (j *judge) parted(r *CaseResult) []string {
	first, others := j.benches[0], j.benches[1:]
	if r.bench != nil {
		others = []*bench{r.bench}
	}
	steps := first.traced(r.Case)
	for _, b := range others {
		other := b.traced(r.Case)
		if steps == nil || other == nil {
			continue
		}
		if lines := apart(steps, other, [2]uint64{first.seed, b.seed}); lines != nil {
			return lines
		}
	}
	return nil
}

// traced runs c on a fresh guest and returns what was done in it; nil where that
// is not told.
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
// part, by what was done or by what came of it, as [Finding.Apart] has them. It
// returns nil if they never do.
func apart(one, other []Step, seeds [2]uint64) []string {
	at := 0
	for at < len(one) && at < len(other) && cameTo(one, at) == cameTo(other, at) {
		at++
	}
	if at == len(one) && at == len(other) {
		return nil
	}
	var lines []string
	for i := max(0, at-aroundApart); i < at; i++ {
		lines = append(lines, fmt.Sprintf("  step %d, both: %s", i+1, did(one, i)))
	}
	tell := did
	if did(one, at) == did(other, at) {
		tell = cameTo
	}
	lines = append(lines, fromThere("-", one, at, seeds[0], tell)...)
	return append(lines, fromThere("+", other, at, seeds[1], tell)...)
}

// fromThere tells what a run did from where it parted on.
func fromThere(mark string, steps []Step, at int, seed uint64, tell func([]Step, int) string) []string {
	var lines []string
	for i := at; i == at || i < len(steps) && i <= at+aroundApart; i++ {
		lines = append(lines, fmt.Sprintf("%s step %d, seed %d: %s", mark, i+1, seed, tell(steps, i)))
	}
	return lines
}

func did(steps []Step, i int) string {
	if i >= len(steps) {
		return "nothing more"
	}
	return steps[i].Object + ", " + steps[i].Action
}

// cameTo is what a step did and what came of it.
func cameTo(steps []Step, i int) string {
	if i >= len(steps) {
		return did(steps, i)
	}
	text := did(steps, i)
	for _, more := range []string{steps[i].State, steps[i].Note} {
		if more != "" {
			text += "; " + more
		}
	}
	return text
}
