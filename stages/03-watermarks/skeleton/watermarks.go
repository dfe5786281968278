// Package watermarks is your stage 03: a generator that tells how far event
// time has come in one stream, and a merger that tells it for several.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time:
// the generator first, then the merger. After each, in the workspace's folder:
//
//	go test ./03-watermarks   # a few plain tests, yours to extend
//	de test                   # the judge: many streams, every short sequence of calls
package watermarks

import (
	"github.com/flk-byo/de/stages/03-watermarks/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must be remembered belongs to one generator, or to one merger.
type Solution struct{}

var _ contract.Stage = Solution{}

// BoundedOutOfOrderness returns a generator that has seen nothing yet. No two
// generators may share anything.
func (Solution) BoundedOutOfOrderness(maxDelay int64) contract.Generator {
	return &generator{}
}

// NewMerger returns a merger of so many channels, of which none has reported
// yet. No two mergers may share anything.
func (Solution) NewMerger(channels int) contract.Merger {
	return &merger{}
}

// A generator makes the watermarks of one stream.
type generator struct {
	// What must it remember of the records so far? Surely not all of them.
}

// Observe takes note of the next record, and returns a watermark and true if
// there is one to tell.
//
// A record with this Time may still come: which is the smallest? A watermark
// of t says that nothing with Time <= t follows. And how do you know that
// nothing has been told yet, if times may be negative?
func (g *generator) Observe(r stream.Record) (stream.Watermark, bool) {
	panic(stream.NotImplemented("Generator.Observe"))
}

// A merger makes one watermark of those of several channels.
type merger struct {
	// What is there to know about each channel? And what about the merged
	// watermark, besides?
}

// Update says that channel ch has come to watermark w.
//
// Which channels have a say in the merged watermark now? What if one of them
// has never said anything?
func (m *merger) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	panic(stream.NotImplemented("Merger.Update"))
}

// Idle says that nothing is to be expected of channel ch for now.
//
// Was it the one that all the others waited for? Then there is something to
// tell at once. And what is the minimum over no channels at all?
func (m *merger) Idle(ch int) (stream.Watermark, bool) {
	panic(stream.NotImplemented("Merger.Idle"))
}

// Finish says that channel ch has ended.
//
// How does a finished channel differ from an idle one? Section "The merger" of
// STAGE.md has a run drawn step by step.
func (m *merger) Finish(ch int) (stream.Watermark, bool) {
	panic(stream.NotImplemented("Merger.Finish"))
}
