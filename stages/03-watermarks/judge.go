package watermarks

import (
	"fmt"
	"math"
	"slices"
	"strconv"

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
	found.Problem = fmt.Sprintf("At call %d, %s, the %s %s instead of %s: %s.",
		i+1, c.op, r.plan.name(c.object), r.seen[i].words("tells"), c.want.words("telling"), reason)
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

// words say what was told.
func (a answer) words(tells string) string {
	if !a.told {
		return tells + " nothing"
	}
	return tells + " " + number(a.watermark)
}

// number shows a watermark, the least and the largest by their names.
func number(w stream.Watermark) string {
	switch w {
	case math.MinInt64:
		return "math.MinInt64"
	case stream.MaxWatermark:
		return "stream.MaxWatermark"
	}
	return strconv.FormatInt(int64(w), 10)
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
	largest := slices.Max(times)
	if _, inRange := bound(largest, late); !inRange {
		because = fmt.Sprintf("%d - %d - 1 is less than math.MinInt64, so that is the watermark", largest, late)
		if !c.want.told {
			because += ", and has been told"
		}
		return underflow, because
	}
	switch {
	case seen.told && c.want.told:
		return delay, fmt.Sprintf("the largest time so far is %d, and %d - %d - 1 = %d", largest, largest, late, c.want.watermark)
	case c.nth == 0:
		return progress, "the first record always tells a watermark"
	case c.want.told:
		return progress, fmt.Sprintf("with the largest time now at %d the watermark has advanced", largest)
	default:
		return progress, fmt.Sprintf("the largest time is still %d, so nothing has advanced", largest)
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

// reason says what the right answer after a history comes of.
func (o object) reason(history []schedule.Op) string {
	now := merged(int(o.made.Args[0]), history)
	last, begun := o.lastTold(len(history) - 1)
	all := o.standings(history)
	slow := slices.IndexFunc(all, func(s standing) bool { return s.active() && (s.silent() || s.watermark == now.watermark) })
	switch {
	case slow < 0 && now.told && begun && last == stream.MaxWatermark:
		return "every channel is finished, but that has been told"
	case slow < 0 && now.told:
		return "every channel is finished"
	case slow < 0:
		return "no channel is active, " + idleWords(all)
	case !now.told:
		return fmt.Sprintf("channel %d is active and has not reported", slices.IndexFunc(all, standing.silent))
	case begun && now.watermark == last:
		return fmt.Sprintf("channel %d is still at %s, which has been told", slow, number(last))
	case begun && now.watermark < last:
		return fmt.Sprintf("channel %d is at %s, behind what was told", slow, number(now.watermark))
	default:
		return fmt.Sprintf("the slowest active channel is %d, at %s", slow, number(now.watermark))
	}
}

// idleWords say how it is that no channel is active.
func idleWords(all []standing) string {
	if slices.ContainsFunc(all, func(s standing) bool { return s.finished }) {
		return "but not all are finished"
	}
	return "all are idle"
}

func (o object) standings(history []schedule.Op) []standing {
	all := make([]standing, o.made.Args[0])
	for ch := range all {
		all[ch] = standingOf(ch, history)
	}
	return all
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
		if _, inRange := bound(slices.Max(o.times()[:c.nth+1]), o.made.Args[0]); !inRange {
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
