package wire

import (
	"maps"
	"slices"
	"strconv"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
)

// A View is all that a state shows to one who looks.
type View struct {
	Values   []Value // what Get says, by key asked for
	Keys     []string
	Snapshot map[string]int64
	Steady   bool // Get says the same after Keys and Snapshot as before
}

// A Value is what Get returns.
type Value struct {
	Value   int64
	Present bool
}

func look(s contract.State, asked []string) View {
	v := View{Values: values(s, asked)}
	v.Keys, v.Snapshot = s.Keys(), s.Snapshot()
	v.Steady = slices.Equal(v.Values, values(s, asked))
	return v
}

func values(s contract.State, asked []string) []Value {
	all := make([]Value, len(asked))
	for i, key := range asked {
		all[i].Value, all[i].Present = s.Get(key)
	}
	return all
}

// kept are slices and maps that their owner keeps, and what they held when it
// was done with them.
type kept struct {
	slices, sliceCopies [][]string
	maps, mapCopies     []map[string]int64
}

// How that begins which the owner of a slice of keys writes into it, and the key
// that the owner of a snapshot adds to it.
const (
	OverwrittenKey = "overwritten by the slice's owner"
	AddedKey       = "added by the snapshot's owner"
)

// maxKept bounds how many slices and maps are kept.
const maxKept = 50

// overwriteKeys writes into a slice of keys what no other holds, and keeps it.
func (k *kept) overwriteKeys(keys []string) {
	for i := range keys {
		keys[i] = OverwrittenKey + " " + strconv.Itoa(len(k.slices)+1)
	}
	if len(k.slices) < maxKept {
		k.slices, k.sliceCopies = append(k.slices, keys), append(k.sliceCopies, slices.Clone(keys))
	}
}

// overwriteMap writes into a snapshot what no other holds, and keeps it.
func (k *kept) overwriteMap(snapshot map[string]int64) {
	for key, value := range snapshot {
		snapshot[key] = ^value
	}
	if snapshot != nil {
		snapshot[AddedKey] = int64(len(k.maps))
	}
	if len(k.maps) < maxKept {
		k.maps, k.mapCopies = append(k.maps, snapshot), append(k.mapCopies, maps.Clone(snapshot))
	}
}

// intact tells whether all of them still hold what they held.
func (k *kept) intact() (slicesIntact, mapsIntact bool) {
	return slices.EqualFunc(k.slices, k.sliceCopies, slices.Equal[[]string]),
		slices.EqualFunc(k.maps, k.mapCopies, maps.Equal[map[string]int64, map[string]int64])
}

const (
	mapSet uint32 = iota + 1
	mapRemove
	mapContents
)

// Map is a snapshot in the hands of its owner, on the other side.
type Map struct{ rpc.Object }

// Set has the owner set an entry.
func (m Map) Set(key string, value int64) {
	c := m.Begin(mapSet)
	c.String(key)
	c.Int64(value)
	c.Do()
}

// Remove has the owner remove an entry.
func (m Map) Remove(key string) {
	c := m.Begin(mapRemove)
	c.String(key)
	c.Do()
}

// Contents returns what the map holds.
func (m Map) Contents() map[string]int64 {
	d := m.Begin(mapContents).Do()
	return entries(&d)
}

// A held map is one that its owner keeps; of an empty state it may be nil.
type held struct{ entries map[string]int64 }

func exportMap(p *rpc.Peer, m map[string]int64) rpc.Ref {
	h := &held{m}
	return p.ExportAs(h, func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case mapSet:
			key, value := args.String(), args.Int64()
			args.End()
			if h.entries == nil {
				h.entries = map[string]int64{}
			}
			h.entries[key] = value
		case mapRemove:
			key := args.String()
			args.End()
			delete(h.entries, key)
		case mapContents:
			args.End()
			putEntries(reply, h.entries)
		default:
			panic(rpc.Breach{Problem: "unknown method of a map"})
		}
	})
}

func mapOf(p *rpc.Peer, ref rpc.Ref) map[string]int64 {
	own, _ := p.Own(ref)
	h, ok := own.(*held)
	if !ok {
		panic(rpc.Breach{Problem: "an object that is no map was handed back as one"})
	}
	return h.entries
}
