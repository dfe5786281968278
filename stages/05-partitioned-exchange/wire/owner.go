package wire

import (
	"slices"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/stream"
)

// An Owned tells what came of it that the owner of a result wrote to it.
type Owned struct {
	Shared [2]int // the first two of the slices or maps that share memory; equal where none do
	Intact bool   // what the call before returned still holds what its owner wrote into it
}

func owned(d *rpc.Decoder) Owned {
	return Owned{Shared: [2]int{d.Int(), d.Int()}, Intact: d.Bool()}
}

func (o Owned) encode(e *rpc.Encoder) {
	e.Int(o.Shared[0])
	e.Int(o.Shared[1])
	e.Bool(o.Intact)
}

// An owner is a caller that makes use of its rights: it writes to all that a
// call returned, and keeps it until the next.
type owner struct {
	slices [][]stream.Record
	maps   []map[string]int64

	// The slices that these were in, each now with nothing in it.
	ofSlice [][]stream.Record
	ofMap   []map[string]int64
}

// overwritten is the key of what the owner writes; the value is the place in
// the result.
const overwritten = "overwritten by its owner"

func mark(i int) stream.Record { return stream.Record{Key: overwritten, Value: int64(i)} }

// ofSlices overwrites and appends to each slice, and looks whether another changed.
func (o *owner) ofSlices(parts [][]stream.Record) Owned {
	found := Owned{Intact: o.intact()}
	for i, part := range parts {
		for j := range part {
			part[j] = mark(i)
		}
	}
	longer := slices.Clone(parts)
	for i, part := range parts {
		if cap(part) > len(part) { // else append copies
			longer[i] = append(part, mark(i))
		}
	}
	clear(parts) // the slice of slices is the owner's too
	*o = owner{ofSlice: parts}
	for i, part := range longer {
		for _, r := range part {
			if r != mark(i) {
				found.Shared = [2]int{i, int(r.Value)}
				return found
			}
		}
	}
	o.slices = longer
	return found
}

// ofMaps replaces the contents of each map, and looks whether another changed.
func (o *owner) ofMaps(all []map[string]int64) Owned {
	found := Owned{Intact: o.intact()}
	for i, m := range all {
		if m != nil {
			clear(m)
			m[overwritten] = int64(i)
		}
	}
	kept := slices.Clone(all)
	clear(all)
	*o = owner{ofMap: all}
	for i, m := range kept {
		if m != nil && m[overwritten] != int64(i) {
			found.Shared = [2]int{i, int(m[overwritten])}
			return found
		}
	}
	o.maps = kept
	return found
}

// intact tells whether what is kept still holds what was written to it.
func (o *owner) intact() bool {
	for i, part := range o.slices {
		for _, r := range part {
			if r != mark(i) {
				return false
			}
		}
	}
	for i, m := range o.maps {
		if m != nil && (len(m) != 1 || m[overwritten] != int64(i)) {
			return false
		}
	}
	return !slices.ContainsFunc(o.ofSlice, func(part []stream.Record) bool { return part != nil }) &&
		!slices.ContainsFunc(o.ofMap, func(m map[string]int64) bool { return m != nil })
}
