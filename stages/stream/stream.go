// Package stream is the vocabulary that every stage of the course shares: the
// record and the marks that travel with it. It imports nothing, so that a
// learner's package, the reference and the harness all speak of the same types.
//
// The names are Apache Flink's.
package stream

import "math"

// A Record is one element of a stream. Records are values: two records with
// equal fields are equal, and a stream may well hold the same record twice.
type Record struct {
	Key   string // what the stream is partitioned by; any bytes, may be empty
	Value int64  // the payload
	Time  int64  // event time in milliseconds; may be negative
}

// A CheckpointID names one checkpoint of a job. IDs are positive.
type CheckpointID int64

// A Watermark of time t promises that no record with Time <= t follows.
type Watermark int64

// MaxWatermark is the watermark of a stream that has ended.
const MaxWatermark Watermark = math.MaxInt64

// A Barrier separates the records that belong to checkpoint ID from those after it.
type Barrier struct {
	ID CheckpointID
}

// An Element is what flows through a channel: a record, or, where Barrier is
// not nil, a barrier (and Record is then the zero value).
type Element struct {
	Record  Record
	Barrier *Barrier
}

// NotImplemented is the value that a skeleton's method panics with, so that the
// harness can tell work not begun from work gone wrong. The text names the
// method, as in "Solution.RunExactlyOnceSink".
func NotImplemented(method string) error {
	return notImplemented(method)
}

type notImplemented string

func (m notImplemented) Error() string { return NotImplementedText + string(m) }

// NotImplementedText is how the message of a NotImplemented error begins.
const NotImplementedText = "not implemented yet: "
