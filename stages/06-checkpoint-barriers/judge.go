package checkpointbarriers

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// judgeInjection compares what InjectBarriers returned with the oracle. That the
// second opinion differs is a fault of ours, and a panic.
func judgeInjection(c schedule.Case, got []item) *grading.Finding {
	want := injected(c.Records, c.Param(barrierEvery))
	right := slices.Equal(want, got)
	if rightlyInjected(c.Records, c.Param(barrierEvery), got) != right {
		panic(fmt.Sprintf("of %s every %d the oracle makes %+v, and the second opinion differs on %+v",
			grading.Plural(len(c.Records), "record"), c.Param(barrierEvery), want, got))
	}
	if right {
		return nil
	}
	label := labels(c.Records)
	rest, _ := fromDifference(want, got)
	at := len(want) - len(rest)
	f := grading.Broken(injection, -1, "Of %s with a barrier after every %d, element %d is %s instead of %s.",
		grading.Plural(len(c.Records), "record"), c.Param(barrierEvery), at+1, textAt(got, at, label), textAt(want, at, label))
	f.Kind = fault.WrongOutput
	f.Diff = compared(want, got, label)
	return f
}

// A step is one arrival, with what must come of it and what came.
type step struct {
	plan
	number  int       // of the arrival among all, from 1
	history []arrival // of its aligner, up to it
	want    []item
	got     []item
}

// judge returns a finding unless what came is what must come.
func (s step) judge() *grading.Finding {
	if slices.Equal(s.want, s.got) {
		return nil
	}
	now := oracle(s.channels, s.history)
	ordinary, reason := s.ordinary(now)
	check := blame(s.channels, s.history, ordinary)
	switch check {
	case newerBarrier:
		reason = s.cancelled(now)
	case lateBarrier:
		reason = s.dropped(now)
	case finishedChannel:
		reason = s.over(now)
	}
	f := grading.Broken(check, s.number-1, "Arrival %d, %s: downstream goes %s instead of %s; %s.",
		s.number, s.last().text(s.label), list(s.got, s.label), list(s.want, s.label), reason)
	f.Kind = fault.WrongOutput
	f.Diff = compared(s.want, s.got, s.label)
	switch { // what may be at fault instead has cases of its own
	case check == ordinary:
	case check != newerBarrier && len(now.givenUp)+len(now.skips) > 0:
		f.Unless = newerBarrier
	case check != lateBarrier && len(now.late) > 0:
		f.Unless = lateBarrier
	default:
		f.Unless = ordinary
	}
	return f
}

func (s step) last() arrival { return s.history[len(s.history)-1] }

// ordinary tells which of the basic rules is broken, by the first place at which
// what came departs from what must come, and how.
func (s step) ordinary(now answer) (check, reason string) {
	want, got := fromDifference(s.want, s.got)
	switch {
	case slices.ContainsFunc(got, func(i item) bool { return i.mark && i.record != stream.Record{} }):
		return release, "the element of a barrier has no record"
	case len(got) > 0 && now.aligning != 0 && got[0] == barrier(now.aligning):
		return consistentCut, fmt.Sprintf("%s did not deliver barrier %d", channelList(now.missing(s.channels)), now.aligning)
	case len(want) == 0:
		return s.tooMuch(now, got[0])
	case want[0].mark && len(got) == 0:
		return noStall, fmt.Sprintf("all channels have delivered barrier %d", want[0].barrier)
	case want[0].mark:
		return consistentCut, fmt.Sprintf("barrier %d goes before all that it held back", want[0].barrier)
	case want[0] == s.last().item && !slices.Contains(got, want[0]):
		return noStall, fmt.Sprintf("channel %d is not held back", s.last().channel)
	}
	return release, "what was held back follows the barrier at once, by arrival"
}

// tooMuch tells of an item that came behind all that must come.
func (s step) tooMuch(now answer, extra item) (check, reason string) {
	for _, i := range now.waiting {
		if a := s.history[i]; !a.end && a.item == extra {
			return consistentCut, fmt.Sprintf("channel %d is held back until %s delivered barrier %d",
				a.channel, channelList(now.missing(s.channels)), now.aligning)
		}
	}
	return release, "each element goes downstream once"
}

// fromDifference cuts off what both lists begin with.
func fromDifference(want, got []item) (w, g []item) {
	for len(want) > 0 && len(got) > 0 && want[0] == got[0] {
		want, got = want[1:], got[1:]
	}
	return want, got
}

// cancelled tells of the alignment that was given up last, or of the last
// barrier that skipped an ID.
func (s step) cancelled(now answer) string {
	if len(now.givenUp) == 0 {
		skips := now.skips[len(now.skips)-1]
		return fmt.Sprintf("%s skips an ID, and is aligned like any other", s.history[skips].text(s.label))
	}
	last := now.givenUp[len(now.givenUp)-1]
	return fmt.Sprintf("barrier %d was given up for %s", last.id, s.history[last.by].text(s.label))
}

// dropped tells of the barrier that was dropped last.
func (s step) dropped(now answer) string {
	last := now.late[len(now.late)-1]
	return fmt.Sprintf("%s was late, and is dropped", s.history[last].text(s.label))
}

// over tells of the end that waits or waited, or of the channels that ended.
func (s step) over(now answer) string {
	before := oracle(s.channels, s.history[:len(s.history)-1])
	for _, i := range before.waiting {
		if a := s.history[i]; a.end {
			return fmt.Sprintf("%s comes behind what the channel holds back", a.text(s.label))
		}
	}
	var ended []int
	for ch := range s.channels {
		if now.ended[ch] {
			ended = append(ended, ch)
		}
	}
	if len(ended) == 0 {
		return fmt.Sprintf("%s comes behind what the channel holds back", s.last().text(s.label))
	}
	return fmt.Sprintf("no alignment waits for %s, which ended", channelList(ended))
}

// missing are the channels that an alignment waits for.
func (a answer) missing(channels int) []int {
	var missing []int
	for ch := range channels {
		if !a.delivered[ch] && !a.ended[ch] {
			missing = append(missing, ch)
		}
	}
	return missing
}
