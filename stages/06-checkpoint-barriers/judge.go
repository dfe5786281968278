package checkpointbarriers

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// judgeInjection compares what InjectBarriers returned with the oracle.
func judgeInjection(c schedule.Case, got []item) *grading.Finding {
	want := injected(c.Records, c.Param(barrierEvery))
	if slices.Equal(want, got) {
		return nil
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	label := labels(c.Records)
	seen, should := "nothing", "nothing"
	if at < len(got) {
		seen = got[at].text(label)
	}
	if at < len(want) {
		should = want[at].text(label)
	}
	f := grading.Broken(injection, -1, "Of %s with a barrier after every %d, element %d is %s instead of %s.",
		count(len(c.Records), "record"), c.Param(barrierEvery), at+1, seen, should)
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
	check, reason := s.ordinary(now)
	switch special := blame(s.channels, s.history, check); special {
	case newerBarrier:
		check, reason = special, s.cancelled(now)
	case lateBarrier:
		check, reason = special, s.dropped(now)
	case finishedChannel:
		check, reason = special, s.over(now)
	}
	f := grading.Broken(check, s.number-1, "Arrival %d, %s: downstream goes %s instead of %s; %s.",
		s.number, s.last().text(s.label), list(s.got, s.label), list(s.want, s.label), reason)
	f.Kind = fault.WrongOutput
	f.Diff = compared(s.want, s.got, s.label)
	if check != consistentCut {
		f.Unless = consistentCut
	}
	return f
}

func (s step) last() arrival { return s.history[len(s.history)-1] }

// ordinary tells which of the basic rules is broken, and how.
func (s step) ordinary(now answer) (check, reason string) {
	if now.aligning != 0 && slices.Contains(s.got, barrier(now.aligning)) {
		return consistentCut, fmt.Sprintf("barrier %d is not yet delivered by %s", now.aligning, channelList(now.missing(s.channels)))
	}
	for _, i := range now.waiting {
		if a := s.history[i]; !a.end && occurrences(s.got, a.item) > occurrences(s.want, a.item) {
			return consistentCut, fmt.Sprintf("channel %d is held back until %s delivered barrier %d",
				a.channel, channelList(now.missing(s.channels)), now.aligning)
		}
	}
	if at := slices.IndexFunc(s.want, func(i item) bool { return i.mark }); at >= 0 {
		id := s.want[at].barrier
		switch seen := slices.Index(s.got, s.want[at]); {
		case seen < 0:
			return noStall, fmt.Sprintf("all channels have delivered barrier %d", id)
		case seen > at && !slices.Equal(s.got[:at], s.want[:at]):
			return consistentCut, fmt.Sprintf("what barrier %d holds back is behind it", id)
		case seen > at:
			return consistentCut, fmt.Sprintf("on its channel %s is behind barrier %d", s.got[at].text(s.label), id)
		}
	}
	if a := s.last(); !slices.Contains(s.got, a.item) && slices.Contains(s.want, a.item) {
		return noStall, fmt.Sprintf("channel %d is not held back", a.channel)
	}
	return release, "behind the barrier goes all that it held back, by arrival, and nothing twice"
}

// cancelled tells of the alignment that was given up last.
func (s step) cancelled(now answer) string {
	last := now.givenUp[len(now.givenUp)-1]
	return fmt.Sprintf("barrier %d was given up for %s", last.id, s.history[last.by].text(s.label))
}

// dropped tells of the barrier that was dropped last.
func (s step) dropped(now answer) string {
	last := now.late[len(now.late)-1]
	return fmt.Sprintf("%s was late, and is dropped", s.history[last].text(s.label))
}

// over tells of channels that have ended, or are about to.
func (s step) over(now answer) string {
	for _, i := range now.waiting {
		if a := s.history[i]; a.end {
			return fmt.Sprintf("%s waits behind what the channel holds back", a.text(s.label))
		}
	}
	var ended []int
	for ch := range s.channels {
		if now.ended[ch] {
			ended = append(ended, ch)
		}
	}
	return channelList(ended) + " ended, and none is waited for that has"
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

func occurrences(is []item, i item) int {
	n := 0
	for _, other := range is {
		if other == i {
			n++
		}
	}
	return n
}
