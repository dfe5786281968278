// Package wire carries the contract of stage 05 over [rpc]: one stub, which
// calls a solution on the other side, and one dispatcher, which serves one of
// this side. What a caller may do with its slices and maps, the dispatcher does,
// and tells what came of it; see owner.go.
package wire

import (
	"maps"
	"slices"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	"github.com/flk-byo/de/stages/stream"
)

const (
	stageKeyGroup uint32 = iota + 1
	stageSubtask
	stageGroups
	stagePartition
	stageRescale
)

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

// KeyGroup is the contract's.
func (s Stage) KeyGroup(key string, maxParallelism int) int {
	c := s.Begin(stageKeyGroup)
	c.String(key)
	c.Int(maxParallelism)
	return result(c)
}

// Subtask is the contract's.
func (s Stage) Subtask(group, maxParallelism, parallelism int) int {
	c := s.Begin(stageSubtask)
	c.Int(group)
	c.Int(maxParallelism)
	c.Int(parallelism)
	return result(c)
}

// Groups is the contract's.
func (s Stage) Groups(subtask, maxParallelism, parallelism int) (lo, hi int) {
	c := s.Begin(stageGroups)
	c.Int(subtask)
	c.Int(maxParallelism)
	c.Int(parallelism)
	d := c.Do()
	lo, hi = int(d.Int64()), int(d.Int64())
	d.End()
	return lo, hi
}

// Partition is the contract's; see [Stage.Deal].
func (s Stage) Partition(rs []stream.Record, maxParallelism, parallelism int) [][]stream.Record {
	return s.Deal(rs, maxParallelism, parallelism).Parts
}

// Rescale is the contract's; see [Stage.Scale].
func (s Stage) Rescale(state []map[string]int64, maxParallelism, parallelism int) []map[string]int64 {
	return s.Scale(state, maxParallelism, parallelism).Scaled
}

// A Dealt is what Partition gave back, and what became of it and of its input
// when its owner wrote to all of it.
type Dealt struct {
	Count int               // how many slices it returned
	Parts [][]stream.Record // the first of them, or all
	Input []stream.Record   // as it was found afterwards
	Owned Owned
}

// Deal calls Partition.
func (s Stage) Deal(rs []stream.Record, maxParallelism, parallelism int) Dealt {
	c := s.Begin(stagePartition)
	c.Records(rs)
	c.Int(maxParallelism)
	c.Int(parallelism)
	d := c.Do()
	dealt := Dealt{Count: int(d.Int64()), Parts: make([][]stream.Record, d.Len(1))}
	for i := range dealt.Parts {
		dealt.Parts[i] = d.Records()
	}
	dealt.Owned = owned(&d)
	dealt.Input = d.Records()
	d.End()
	return dealt
}

// A Scaled is what Rescale gave back, and what became of it and of its input
// when its owner wrote to all of it.
type Scaled struct {
	Count  int                // how many maps it returned
	Scaled []map[string]int64 // the first of them, or all
	Input  []map[string]int64 // as it was found afterwards
	Owned  Owned
}

// Scale calls Rescale.
func (s Stage) Scale(state []map[string]int64, maxParallelism, parallelism int) Scaled {
	c := s.Begin(stageRescale)
	encodeMaps(&c.Encoder, state)
	c.Int(maxParallelism)
	c.Int(parallelism)
	d := c.Do()
	scaled := Scaled{Count: int(d.Int64()), Scaled: decodeMaps(&d), Owned: owned(&d), Input: decodeMaps(&d)}
	d.End()
	return scaled
}

// result makes the call c, whose result is one number. That it is any number
// is for the judge to see, so it is not read as a count.
func result(c *rpc.Call) int {
	d := c.Do()
	n := int(d.Int64())
	d.End()
	return n
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	var owner owner
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stageKeyGroup:
			key, maxParallelism := args.String(), args.Int()
			args.End()
			reply.Int(s.KeyGroup(key, maxParallelism))
		case stageSubtask:
			reply.Int(s.Subtask(three(args)))
		case stageGroups:
			lo, hi := s.Groups(three(args))
			reply.Int(lo)
			reply.Int(hi)
		case stagePartition:
			rs := args.Records()
			maxParallelism, parallelism := args.Int(), args.Int()
			args.End()
			parts := s.Partition(rs, maxParallelism, parallelism)
			encodeParts(reply, parts)
			owner.ofSlices(parts).encode(reply) // before the input, so that it shows if they share memory
			reply.Records(rs)
		case stageRescale:
			state := decodeMaps(args)
			maxParallelism, parallelism := args.Int(), args.Int()
			args.End()
			scaled := s.Rescale(state, maxParallelism, parallelism)
			reply.Int(len(scaled))
			encodeMaps(reply, scaled)
			owner.ofMaps(scaled).encode(reply)
			encodeMaps(reply, state)
		default:
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
	})
}

func three(args *rpc.Decoder) (a, b, c int) {
	a, b, c = args.Int(), args.Int(), args.Int()
	args.End()
	return a, b, c
}

// encodeParts appends how many slices there are, and as many as there is room for.
func encodeParts(e *rpc.Encoder, parts [][]stream.Record) {
	e.Int(len(parts))
	parts = parts[:min(len(parts), contract.MaxParallelism)]
	e.Len(len(parts))
	left := room(maxBytes)
	for _, part := range parts {
		n := 0
		for n < len(part) && left.take(part[n].Key) {
			n++
		}
		e.Records(part[:n])
	}
}

// encodeMaps appends maps, each nil or with sorted entries, as many as there is
// room for. Sorted, since the order in which a map was filled may show in its use.
func encodeMaps(e *rpc.Encoder, all []map[string]int64) {
	all = all[:min(len(all), contract.MaxParallelism)]
	e.Len(len(all))
	left := room(maxBytes)
	for _, m := range all {
		e.Bool(m != nil)
		if m == nil {
			continue
		}
		keys := slices.Sorted(maps.Keys(m))
		n := 0
		for n < len(keys) && left.take(keys[n]) {
			n++
		}
		e.Len(n)
		for _, key := range keys[:n] {
			e.String(key)
			e.Int64(m[key])
		}
	}
}

// maxBytes bounds, roughly, what crosses the line of one result: more than a
// right one can have. What is longer is wrong, and its start shows that as well.
const maxBytes = rpc.MaxMessage / 3

// A room is how many bytes are left.
type room int

// take takes what a record or an entry of a map takes at most, if there is room.
func (r *room) take(key string) bool {
	const numbers = 30
	*r -= room(len(key) + numbers)
	return *r >= 0
}

func decodeMaps(d *rpc.Decoder) []map[string]int64 {
	all := make([]map[string]int64, d.Len(1))
	for i := range all {
		if !d.Bool() {
			continue
		}
		n := d.Len(2)
		all[i] = make(map[string]int64, n)
		for range n {
			key := d.String()
			all[i][key] = d.Int64()
		}
	}
	return all
}
