package wire

import (
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
)

const (
	stateGet uint32 = iota + 1
	statePut
	stateDelete
	stateKeys
	stateSnapshot
	stateRestore
	stateLook
	stateKeptIntact
	stateSnapshotMap
	stateRestoreMap
)

// State is a state on the other side.
type State struct{ rpc.Object }

func (s State) Get(key string) (int64, bool) {
	c := s.Begin(stateGet)
	c.String(key)
	d := c.Do()
	return d.Int64(), d.Bool()
}

func (s State) Put(key string, value int64) {
	c := s.Begin(statePut)
	c.String(key)
	c.Int64(value)
	c.Do()
}

func (s State) Delete(key string) {
	c := s.Begin(stateDelete)
	c.String(key)
	c.Do()
}

func (s State) Keys() []string {
	d := s.Begin(stateKeys).Do()
	return keys(&d)
}

func (s State) Snapshot() map[string]int64 {
	d := s.Begin(stateSnapshot).Do()
	return entries(&d)
}

func (s State) Restore(snapshot map[string]int64) {
	c := s.Begin(stateRestore)
	c.Bool(snapshot == nil)
	putEntries(&c.Encoder, snapshot)
	c.Do()
}

// atOnce is how many keys one call of look asks for: a state that is slow in each
// Get must not look like one without an end.
const atOnce = 100

// Look asks for all that the state shows. The caller, on the side where the
// state lives, then overwrites what it was given, as told, and keeps it.
func (s State) Look(asked []string, changeKeys, changeMap bool) View {
	if len(asked) <= atOnce {
		return s.look(asked, changeKeys, changeMap)
	}
	first := s.look(asked[:atOnce], false, false)
	v := s.Look(asked[atOnce:], changeKeys, changeMap)
	v.Values, v.Steady = append(first.Values, v.Values...), first.Steady && v.Steady
	return v
}

func (s State) look(asked []string, changeKeys, changeMap bool) View {
	c := s.Begin(stateLook)
	c.Bool(changeKeys)
	c.Bool(changeMap)
	putKeys(&c.Encoder, asked)
	d := c.Do()
	return view(&d)
}

// KeptIntact tells whether the slices and the maps that Look changed still hold
// what it wrote into them.
func (s State) KeptIntact() (slices, maps bool) {
	d := s.Begin(stateKeptIntact).Do()
	return d.Bool(), d.Bool()
}

// SnapshotMap is Snapshot by a caller on the side where the state lives, who
// keeps the map. It also returns what the map holds.
func (s State) SnapshotMap() (Map, map[string]int64) {
	d := s.Begin(stateSnapshotMap).Do()
	m := Map{rpc.Object{Peer: s.Peer, Ref: d.Ref()}}
	return m, entries(&d)
}

// RestoreMap is Restore by a caller who keeps the map.
func (s State) RestoreMap(m Map) {
	c := s.Begin(stateRestoreMap)
	c.Ref(m.Ref)
	c.Do()
}

// ExportState serves the state s.
func ExportState(p *rpc.Peer, s contract.State) rpc.Ref {
	var k kept
	return p.ExportAs(s, func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		switch method {
		case stateLook:
			changeKeys, changeMap, asked := args.Bool(), args.Bool(), keys(args)
			v := look(s, asked)
			putView(reply, v)
			if changeKeys {
				k.overwriteKeys(v.Keys)
			}
			if changeMap {
				k.overwriteMap(v.Snapshot)
			}
		case stateKeptIntact:
			args.End()
			slices, maps := k.intact()
			reply.Bool(slices)
			reply.Bool(maps)
		case stateSnapshotMap:
			args.End()
			m := s.Snapshot()
			reply.Ref(exportMap(p, m))
			putEntries(reply, m)
		case stateRestoreMap:
			m := mapOf(p, args.Ref())
			args.End()
			s.Restore(m)
		default:
			serve(s, method, args, reply)
		}
	})
}

// serve serves the methods of the contract.
func serve(s contract.State, method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
	switch method {
	case stateGet:
		key := args.String()
		args.End()
		value, ok := s.Get(key)
		reply.Int64(value)
		reply.Bool(ok)
	case statePut:
		key, value := args.String(), args.Int64()
		args.End()
		s.Put(key, value)
	case stateDelete:
		key := args.String()
		args.End()
		s.Delete(key)
	case stateKeys:
		args.End()
		putKeys(reply, s.Keys())
	case stateSnapshot:
		args.End()
		putEntries(reply, s.Snapshot())
	case stateRestore:
		none, m := args.Bool(), entries(args)
		if none {
			m = nil
		}
		s.Restore(m)
	default:
		panic(rpc.Breach{Problem: "unknown method of a state"})
	}
}
