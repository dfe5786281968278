// Package contract is what stage 06 asks of a solution: to put checkpoint
// barriers into a stream, and to align them where several channels meet, so
// that what passed before barrier n is one consistent cut through all channels.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// An Aligner is the input of an operator that reads several channels, as
// Flink's SingleCheckpointBarrierHandler with aligned checkpoints. Elements
// arrive one at a time; each call returns, in order, what goes downstream
// because of it.
//
// These are the rules. An element is handled once it has its turn:
//
//   - A record goes downstream.
//   - The first barrier n, of whichever channel, begins the alignment of n if n
//     is greater than every barrier that was begun before. The channels that
//     delivered n are held back from then on: what arrives on them waits.
//   - Once every channel has delivered n or is finished, barrier n goes
//     downstream, once, and no channel is held back any more.
//   - A newer barrier m > n, on a channel that is not held back, cancels the
//     alignment of n: n is given up and never goes downstream, no channel is
//     held back for it any more, and the alignment of m begins, with that
//     channel, before what waited has its turn. Barriers may get lost, so m may
//     be any greater ID.
//   - A late barrier is dropped, and holds nothing back: one that is less than
//     the newest that was begun, or equal to it once it is complete.
//   - The end of a channel finishes it.
//
// An arrival has its turn at once if its channel is not held back. What waits
// is handled by these same rules when its channel is held back no more, as if
// it arrived then: by arrival, over all channels, the longest waiting first.
// So while some of it is handled, a barrier among it can hold its channel back
// again, or complete or cancel an alignment; what of that channel follows waits
// on. The turn is always that of the longest waiting element whose channel is
// not held back. Nothing waits longer than that, and when a call returns, all
// that is left waits behind a barrier of its own channel.
//
// So a channel never overtakes itself, nothing but barriers is ever dropped,
// and the elements before barrier n downstream are exactly those before n on
// each channel, or all of a channel's that finished without n.
//
// Barriers are compared by ID. A Barrier is never changed once it is made, so
// elements may share one.
type Aligner interface {
	// Receive takes the next element of channel ch, 0 <= ch < channels, which
	// is not finished, and returns what goes downstream now: the slice is the
	// caller's, to keep, change and append to. Nil and empty are the same. The
	// ID of a barrier is positive.
	Receive(ch int, e stream.Element) []stream.Element

	// Finish tells that channel ch ends: nothing follows on it, and no second
	// Finish. The end waits in its turn like an element: if ch is held back, it
	// comes behind all that waits there. From then on ch counts as having
	// delivered every barrier, so that Finish, too, can complete an alignment.
	// It returns what goes downstream now, as Receive does.
	Finish(ch int) []stream.Element
}

// A Stage is a solution of stage 06.
type Stage interface {
	// InjectBarriers returns the elements of a source: the records rs in
	// order, with barrier 1, 2, ... after every `every` of them, so that
	// barrier k stands right after record k*every. There is none before the
	// first record, and none after a rest of fewer than `every`. every >= 1.
	// In Flink the checkpoint coordinator makes sources do this, by time.
	//
	// A record's element has no barrier, a barrier's the zero record. rs is
	// only lent: it must not be changed. The returned slice is the caller's,
	// to change and append to.
	InjectBarriers(rs []stream.Record, every int) []stream.Element

	// NewAligner returns an aligner of channels 0 to channels-1, channels >= 1,
	// to which nothing has arrived yet. Aligners share nothing.
	NewAligner(channels int) Aligner
}
