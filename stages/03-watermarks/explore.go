package watermarks

import (
	"iter"
	"slices"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
)

// The bounds of exploration, by count of channels, from 1: how many calls of a
// new merger are tried, and how many of one whose channels have each reported,
// one after the other; and how many records of a stream.
var (
	lengths      = []int{3, 4, 3}
	afterReports = []int{2, 3, 1}
)

const streamLength = 3

// boundText says so in the report of a pass.
const boundText = "every sequence of up to 3 calls of a merger of 1 or 3 channels, and up to 4 of one of 2; up to 4 and 5 where it begins with a report of each channel; and every stream of up to 3 records, over a few times"

// What a sequence is made of.
var (
	delays     = []int64{0, 2}
	times      = []int64{-1, 0, 2}
	watermarks = []int64{1, 2}
)

// sequences yields a case for every sequence within the bounds, the shorter
// first.
func sequences() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		longest := 1 + len(lengths) + slices.Max(lengths)
		for script := range explore.Sequences(longest, nextOps) {
			if len(script) > 1 && !yield(schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script}) {
				return
			}
		}
	}
}

// What a script can begin with, and by channel what can be called then: the
// updates in order, idle, finish.
var (
	beginnings = append(each(opMaxDelay, delays), each(opChannels, upTo(len(lengths)))...)
	records    = each(opObserve, times)
	calls      = callsByChannel()
)

func each(op string, args []int64) []schedule.Op {
	var ops []schedule.Op
	for _, a := range args {
		ops = append(ops, spec.Op(op, a))
	}
	return ops
}

func upTo(n int) []int64 {
	var all []int64
	for i := range n {
		all = append(all, int64(i+1))
	}
	return all
}

func callsByChannel() [][]schedule.Op {
	all := make([][]schedule.Op, len(lengths))
	for ch := range all {
		for _, w := range watermarks {
			all[ch] = append(all[ch], spec.Op(opUpdate, int64(ch), w))
		}
		all[ch] = append(all[ch], spec.Op(opIdle, int64(ch)), spec.Op(opFinish, int64(ch)))
	}
	return all
}

// nextOps is what can be done after a script.
func nextOps(script []schedule.Op) []schedule.Op {
	switch {
	case len(script) == 0:
		return beginnings
	case script[0].Name == opMaxDelay && len(script) <= streamLength:
		return records
	case script[0].Name == opChannels:
		return nextCalls(int(script[0].Args[0]), script[1:])
	default:
		return nil
	}
}

// nextCalls are the updates, an idle and a finish of each channel. Of channels
// that stand alike only the first is called, and of updates that don't raise its
// watermark it gets only one. What has no effect is left to the schedules: to
// idle twice, and to call what is finished.
func nextCalls(channels int, history []schedule.Op) []schedule.Op {
	if len(history) >= limit(channels, history) {
		return nil
	}
	var ops []schedule.Op
	var alike []standing
	for ch, s := range standings(channels, history) {
		if s.finished || slices.Contains(alike, s) {
			continue
		}
		alike = append(alike, s)
		for i, op := range calls[ch] {
			raises := !s.reported || op.Name == opUpdate && op.Args[1] > int64(s.watermark)
			if op.Name == opFinish || op.Name == opIdle && !s.idle || op.Name == opUpdate && (i == 0 || raises) {
				ops = append(ops, op)
			}
		}
	}
	return ops
}

// limit is how long a sequence that begins as history does can become.
func limit(channels int, history []schedule.Op) int {
	for i, op := range history[:min(channels, len(history))] {
		if op.Name != opUpdate || op.Args[0] != int64(i) {
			return lengths[channels-1]
		}
	}
	return max(lengths[channels-1], channels+afterReports[channels-1])
}
