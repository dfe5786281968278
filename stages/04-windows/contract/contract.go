// Package contract is what stage 04 asks of a solution: windows over event
// time, tumbling, sliding and session, and operators that aggregate in them.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
//
// Times, offsets and numeric watermarks lie within ±2^61 and sizes, slides and
// gaps within 1 to 2^61, so that no bound of a window overflows. Lateness may be
// any int64 from 0 on. A watermark may also be stream.MaxWatermark or the least
// int64.
package contract

import "github.com/flk-byo/de/stages/stream"

// A Window is the event times from Start up to, but without, End, in
// milliseconds: Flink's TimeWindow. The last time in it is End-1. Windows are
// values, and never empty: Start < End.
type Window struct {
	Start, End int64
}

// A Result is what one window of one key amounts to when it fires: the sum and
// the count of the values of all records that are in it by then. A sum wraps
// around as int64 does.
type Result struct {
	Key        string
	Window     Window
	Sum, Count int64
}

// An Assigner tells which windows a time belongs to, as Flink's WindowAssigner.
type Assigner interface {
	// Assign returns the windows that contain t, each once, in any order; none
	// if there are none. It depends on t only. The slice is the caller's.
	Assign(t int64) []Window
}

// An Operator aggregates records in windows, for each key separately, as
// Flink's WindowOperator with its EventTimeTrigger. It has a watermark, which is
// the least int64 until the first Advance.
//
// The life of a window of one key, with the operator's lateness:
//
//   - The first record in it begins it.
//   - When the watermark reaches End-1, it fires: Advance returns its totals.
//   - Until the watermark reaches End-1+lateness, it stays. A record for it that
//     comes now fires it again at once: Process returns the new totals. That
//     holds as well for a record that is its first.
//   - From then on it is gone, and its totals with it; it takes no record any
//     more. If End-1+lateness is more than an int64 can hold, the largest int64
//     takes its place: stream.MaxWatermark ends every window.
//
// Results are returned in the order of End, then Start, then Key, where keys
// compare byte by byte, as Go's < does. A returned slice is the caller's, to
// change and to keep; nil and empty are the same.
type Operator interface {
	// Process takes r into each of its windows that is not gone, and returns
	// the results of those among them that the watermark has reached End-1 of.
	//
	// A record that has windows, all of them gone, is late: it counts nowhere,
	// and Late tells of it. With some gone and some not, it counts in those
	// that are not, and is not late. A record without any window, as falls
	// between sliding windows with gaps, is dropped: it is not late either,
	// whatever the watermark.
	Process(r stream.Record) []Result

	// Advance moves the watermark on to w and returns the results of all
	// windows that it reaches End-1 of by that. A watermark that is not above
	// the one before changes nothing and returns nothing. A window may fire
	// and be gone by one Advance: it is in the results.
	Advance(w stream.Watermark) []Result

	// Late returns all late records so far, in the order of their arrival. The
	// slice is the caller's.
	Late() []stream.Record
}

// A Stage is a solution of stage 04. Assigners and operators share nothing.
type Stage interface {
	// Tumbling returns an assigner of windows that follow one another: those
	// from offset+k*size up to offset+(k+1)*size, for all whole k, negative
	// ones too. The offset may be negative, and beyond the size. Each time is
	// in exactly one window.
	Tumbling(size, offset int64) Assigner

	// Sliding returns an assigner of windows that overlap: those from
	// offset+k*slide up to offset+k*slide+size, for all whole k. The slide need
	// not divide the size. If it is larger than the size, there are gaps, and a
	// time in one has no window.
	Sliding(size, slide, offset int64) Assigner

	// NewWindowOperator returns an operator whose windows are those that a
	// assigns to the time of a record. The assigner may be one of yours or
	// anybody's: all that is known of its windows is what Assigner says. How
	// often it is asked is up to you.
	NewWindowOperator(a Assigner, lateness int64) Operator

	// NewSessionOperator returns an operator of session windows, which Flink
	// calls EventTimeSessionWindows. A record of time t begins as a window
	// [t, t+gap) of its own. It merges with all windows of its key that it
	// touches or overlaps and that are not gone: two windows touch if one
	// begins where the other ends. The merged window spans them all, with the
	// totals of all.
	//
	// The merged window decides what becomes of the record: it is late only if
	// that one is gone. If its End-1 is reached by the watermark, it fires at
	// once. If not, it fires when it is, even if parts of it have fired before.
	// A window that is gone merges no more.
	NewSessionOperator(gap, lateness int64) Operator
}
