// Package wire carries the contract of stage 07 over [rpc]: for each interface
// one stub, which calls an object of the other side, and one dispatcher, which
// serves an object of this side. Host and guest both use both.
package wire

import (
	"maps"
	"math"
	"slices"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

const stageRun uint32 = 1

const (
	storeSave uint32 = iota + 1
	storeLatest
)

// A Result is what a run gave back: its output, and the input as it was found
// afterwards.
type Result struct {
	Output     map[string]int64
	Input      []stream.Record
	KeptIntact bool // the map that the run before returned holds what its owner made of it
}

// Stage is a solution on the other side.
type Stage struct{ rpc.Object }

// RunExactlyOnceState runs the solution's job; see [Stage.Run].
func (s Stage) RunExactlyOnceState(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) map[string]int64 {
	return s.Run(store, rs, barrierEvery, crashAfter).Output
}

// Run runs the solution's job with a store of this side.
func (s Stage) Run(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) Result {
	c := s.Begin(stageRun)
	c.Ref(ExportStore(s.Peer, store))
	c.Records(rs)
	c.Int(barrierEvery)
	c.Int(crashAfter)
	d := c.Do()
	result := Result{Output: sums(&d), Input: d.Records(), KeptIntact: d.Bool()}
	d.End()
	return result
}

// ExportStage serves the solution s.
func ExportStage(p *rpc.Peer, s contract.Stage) rpc.Ref {
	var last Kept
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		if method != stageRun {
			panic(rpc.Breach{Problem: "unknown method of a stage"})
		}
		store := Store{rpc.Object{Peer: p, Ref: args.Ref()}}
		rs := args.Records()
		every, crash := args.Int(), args.Int()
		args.End()
		output := s.RunExactlyOnceState(store, rs, every, crash)
		putSums(reply, output)
		intact := last.Next(output)
		reply.Records(rs)
		reply.Bool(intact)
	})
}

// Store is a checkpoint store on the other side.
type Store struct{ rpc.Object }

func (s Store) Save(c contract.Checkpoint) {
	call := s.Begin(storeSave)
	putCheckpoint(&call.Encoder, c)
	call.Do()
}

func (s Store) Latest() (contract.Checkpoint, bool) {
	d := s.Begin(storeLatest).Do()
	found := d.Bool()
	c := checkpoint(&d)
	d.End()
	return c, found
}

// ExportStore serves the store s.
func ExportStore(p *rpc.Peer, s contract.CheckpointStore) rpc.Ref {
	return p.Export(func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case storeSave:
			c := checkpoint(args)
			args.End()
			s.Save(c)
		case storeLatest:
			args.End()
			c, found := s.Latest()
			reply.Bool(found)
			putCheckpoint(reply, c)
		default:
			panic(rpc.Breach{Problem: "unknown method of a checkpoint store"})
		}
	})
}

func putCheckpoint(e *rpc.Encoder, c contract.Checkpoint) {
	e.Int64(int64(c.ID))
	e.Int64(int64(c.Offset))
	putSums(e, c.State)
}

func checkpoint(d *rpc.Decoder) contract.Checkpoint {
	id, offset := d.Int64(), d.Int64()
	return contract.Checkpoint{
		ID:     stream.CheckpointID(id),
		Offset: int(min(max(offset, math.MinInt32), math.MaxInt32)), // what is beyond is wrong as well
		State:  sums(d),
	}
}

// maxKeys is how many keys of a map cross the line: twice as many as a case can
// have. What is larger is wrong, and its start shows that as well.
const maxKeys = 20_000

// putSums appends a map, sorted: what goes in must not depend on map order.
func putSums(e *rpc.Encoder, m map[string]int64) {
	keys := slices.Sorted(maps.Keys(m))
	keys = keys[:min(len(keys), maxKeys)]
	e.Len(len(keys))
	for _, key := range keys {
		e.String(key)
		e.Int64(m[key])
	}
}

const minSum = 2 // bytes of the shortest entry: empty key, one-byte number

// sums reads a map, never nil.
func sums(d *rpc.Decoder) map[string]int64 {
	n := d.Len(minSum)
	m := make(map[string]int64, n)
	for range n {
		key := d.String()
		m[key] = d.Int64()
	}
	return m
}

// A Kept is a map that its owner keeps, and what it made of it.
type Kept struct{ given, made map[string]int64 }

// Next tells whether the map that was kept so far is as its owner left it, and
// keeps m in its place. The owner overwrites it, so that a later run shows if the
// solution has a hold of it.
func (k *Kept) Next(m map[string]int64) bool {
	intact := maps.Equal(k.given, k.made)
	if m != nil {
		clear(m)
		m["overwritten by the map's owner"] = 1
	}
	k.given, k.made = m, maps.Clone(m)
	return intact
}
