// Package contract is what stage 03 asks of a solution: a generator that tells
// how far event time has come in one stream of records, and a merger that
// tells how far it has come in several streams together.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// A Generator makes the watermarks of one stream whose records come out of
// order, but only by so much. It is Flink's BoundedOutOfOrdernessWatermarks,
// asked after every record instead of every 200 ms.
type Generator interface {
	// Observe takes note of the next record, and returns a watermark and true
	// if there is one to tell. Where it returns false, the watermark beside it
	// means nothing.
	//
	// The watermark is the largest Time seen so far - maxDelay - 1, in
	// milliseconds: a record that is as late as maxDelay allows has a Time one
	// above it, and is not late. Where that would be less than math.MinInt64,
	// it is math.MinInt64, as in Flink. Key and Value don't matter.
	//
	// It is told only when it is larger than the last one told. The first
	// record always tells one.
	Observe(r stream.Record) (stream.Watermark, bool)
}

// A Merger makes one watermark of those of several channels. Channels are
// numbered from 0. Each is active at first; it may become idle, and active
// again, and finally finished. It is what Flink does in CombinedWatermarkStatus
// and, with more refinements, in StatusWatermarkValve.
//
// The merged watermark is the minimum over the active channels. There is none
// as long as one of these has not reported, by an Update, in its life; nor
// where no channel is active. When all channels are finished, it is
// [stream.MaxWatermark].
//
// Each method returns the merged watermark and true if it is larger than the
// last one told, or the first. If not, there is nothing to tell: it returns
// false, and the watermark beside it means nothing. So what is told never goes
// backwards, nothing is told twice, and stream.MaxWatermark at most once.
type Merger interface {
	// Update says that channel ch has come to watermark w. An idle channel is
	// active from then on.
	//
	// A channel does not go backwards: its watermark is the largest it was ever
	// given, before or after it was idle. A lower w counts as a report, and
	// ends idleness, but lowers nothing. Any w is a watermark like others, also
	// math.MinInt64 and stream.MaxWatermark; neither stands for "none yet" or
	// "finished".
	//
	// The watermark of a channel that was idle may be behind the merged one.
	// Then there is nothing to tell until it has caught up.
	Update(ch int, w stream.Watermark) (stream.Watermark, bool)

	// Idle says that nothing is to be expected of channel ch for now: it does
	// not hold the others back. It may be idle already, or not have reported.
	Idle(ch int) (stream.Watermark, bool)

	// Finish says that channel ch has ended, idle or not: it does not hold the
	// others back. Whatever is called for a finished channel has no effect.
	Finish(ch int) (stream.Watermark, bool)
}

// A Stage is a solution of stage 03.
type Stage interface {
	// BoundedOutOfOrderness returns a new generator for a stream in which a
	// record comes at most maxDelay >= 0 milliseconds of event time after one
	// with a larger Time. Generators share nothing.
	BoundedOutOfOrderness(maxDelay int64) Generator

	// NewMerger returns a new merger of channels >= 1 channels. Mergers share
	// nothing.
	NewMerger(channels int) Merger
}
