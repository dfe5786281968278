package watermarks

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// wrong is the finding that call i was not answered as it should be. Only the
// first in a run is judged: what follows may well come of it.
func (r *run) wrong(i int) *grading.Finding {
	c := r.plan.calls[i]
	o := r.plan.objects[c.object]
	check, reason := o.broken(c, r.seen[i])
	found := &grading.Finding{Check: check, Kind: fault.WrongOutput, Step: i, Unless: unless(check)}
	found.Problem = fmt.Sprintf("At call %d, %s, %s %s instead of %s: %s.",
		i+1, c.op, r.plan.article(c.object), r.seen[i].words("tells"), c.want.words("telling"), reason)
	return found
}

// unless is the check without which the given one says little.
func unless(check string) string {
	switch check {
	case delay, minimum:
		return ""
	case progress, underflow:
		return delay
	default:
		return minimum
	}
}

// broken names the rule that o broke when call c was answered by seen, and says
// what the right answer comes of.
func (o object) broken(c call, seen answer) (check, because string) {
	if o.generator() {
		return o.brokenGenerator(c, seen)
	}
	return o.brokenMerger(c, seen)
}

func (o object) brokenGenerator(c call, seen answer) (check, because string) {
	late, times := o.made.Args[0], o.times()[:c.nth+1]
	largest, newest := slices.Max(times), times[c.nth]
	if _, inRange := bound(newest, late); !inRange {
		because = fmt.Sprintf("%s - %s - 1 would be less than math.MinInt64, so it is math.MinInt64", paren(millis(newest)), paren(millis(late)))
		if !c.want.told {
			because += ", and that is no advance"
		}
		return underflow, because
	}
	switch {
	case seen.told && c.want.told:
		return delay, fmt.Sprintf("the largest time so far is %s, and %s - %s - 1 = %s",
			millis(largest), paren(millis(largest)), paren(millis(late)), number(c.want.watermark))
	case c.nth == 0:
		return progress, "the first record always tells a watermark"
	case c.want.told:
		return progress, fmt.Sprintf("the largest time is now %s, so the watermark has advanced", millis(largest))
	default:
		return progress, fmt.Sprintf("the largest time is still %s, so nothing has advanced", millis(largest))
	}
}

// brokenMerger goes by what has happened so far: the broken rule is the one about
// the rarest of it, since the others can be seen without.
func (o object) brokenMerger(c call, seen answer) (check, because string) {
	history := o.calls[:c.nth+1]
	all := o.standings(history)
	has := func(f func(standing) bool) bool { return slices.ContainsFunc(all, f) }
	last, begun := o.lastTold(c.nth)
	because = o.reason(history)
	switch {
	case !has(func(s standing) bool { return !s.finished }):
		return end, because
	case !has(standing.active) && !has(func(s standing) bool { return s.finished }):
		return allIdle, because
	case seen.told && begun && seen.watermark <= last:
		return neverBack, number(last) + " was told before"
	case has(func(s standing) bool { return s.finished }):
		return finish, because
	case has(func(s standing) bool { return s.resumed }):
		return resume, because
	case has(func(s standing) bool { return s.idle }):
		return idle, because
	case has(func(s standing) bool { return s.lowered }):
		return neverBack, because
	case has(standing.silent):
		return firstReport, because
	default:
		return minimum, because
	}
}

// lastTold is what a merger should have told before its n-th call.
func (o object) lastTold(n int) (w stream.Watermark, begun bool) {
	for _, a := range o.answers()[:n] {
		if a.told {
			w, begun = a.watermark, true
		}
	}
	return w, begun
}

func (o object) standings(history []schedule.Op) []standing {
	return standings(int(o.made.Args[0]), history)
}

// purpose is the check that call c is there for: what is broken if the solution
// does not come back from it.
func (o object) purpose(c call) string {
	if c.nth < 0 && o.generator() {
		return delay
	}
	if c.nth < 0 {
		return minimum
	}
	if o.generator() {
		if _, inRange := bound(o.times()[c.nth], o.made.Args[0]); !inRange {
			return underflow
		}
		return delay
	}
	all := o.standings(o.calls[:c.nth+1])
	for _, rule := range []struct {
		check string
		seen  func(standing) bool
	}{
		{finish, func(s standing) bool { return s.finished }},
		{resume, func(s standing) bool { return s.resumed }},
		{idle, func(s standing) bool { return s.idle }},
	} {
		if slices.ContainsFunc(all, rule.seen) {
			return rule.check
		}
	}
	return minimum
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	p := planOf(c)
	if len(p.objects) > 1 {
		return isolation
	}
	return p.objects[0].purpose(p.calls[len(p.calls)-1])
}
