package keyedstate

// codes are what the functions return, as Go source.
var codes = map[string]string{
	"sum": "acc + v", "mix": "31*acc + v", "minus": "acc - v", "max": "max(acc, v)", "min": "min(acc, v)",
	"last": "v", "first": "acc", "count": "acc + 1", "zero": "0",
}

// stateType is a state that is not the solution's.
const stateType = `// A reproState is a state of the caller's own.
type reproState map[string]int64

func (s reproState) Get(key string) (int64, bool) {
	value, ok := s[key]
	return value, ok
}

func (s reproState) Put(key string, value int64) { s[key] = value }

func (s reproState) Delete(key string) { delete(s, key) }

func (s reproState) Keys() []string { return slices.Sorted(maps.Keys(s)) }

func (s reproState) Snapshot() map[string]int64 { return maps.Clone(s) }

func (s reproState) Restore(snapshot map[string]int64) {
	clear(s)
	maps.Copy(s, snapshot)
}
`

const holdsCode = `holds := func(state reproState, want map[string]int64) {
	t.Helper()
	if !maps.Equal(state, want) {
		t.Fatalf("the state holds %v instead of %v", map[string]int64(state), want)
	}
}`

const lookCode = `look := func(state contract.State, asked []string, want map[string]int64) {
	t.Helper()
	get := func() {
		t.Helper()
		for _, key := range asked {
			value, present := state.Get(key)
			if due, is := want[key]; value != due || present != is {
				t.Fatalf("Get(%q) returns %d, %t instead of %d, %t", key, value, present, due, is)
			}
		}
	}
	get()
	keys := state.Keys()
	if due := slices.Sorted(maps.Keys(want)); !slices.Equal(keys, due) {
		t.Fatalf("Keys returns %q instead of %q", keys, due)
	}
	taken := state.Snapshot()
	if !maps.Equal(taken, want) {
		t.Fatalf("Snapshot returns %v instead of %v", taken, want)
	}
	get()
	// Who looks only looks.
	// Who looks takes no map.
}`

const keptCode = `// Who looks overwrites the slices of keys, which are the caller's, and keeps them.
var keptKeys, keysThen [][]string`

const changeKeysCode = `for i := range keys {
		keys[i] = fmt.Sprint("overwritten by the caller ", len(keptKeys))
	}
	keptKeys, keysThen = append(keptKeys, keys), append(keysThen, slices.Clone(keys))
`

const intactCode = `for i, keys := range keptKeys {
	if !slices.Equal(keys, keysThen[i]) {
		t.Fatalf("a slice that Keys returned is the caller's, and was written to later: %q", keys)
	}
}`

const keptMapsCode = `// And so are the snapshots.
var keptMaps, mapsThen []map[string]int64`

const changeMapCode = `for key, value := range taken {
		taken[key] = ^value
	}
	if taken != nil {
		taken["added by the caller"] = int64(len(keptMaps))
	}
	keptMaps, mapsThen = append(keptMaps, taken), append(mapsThen, maps.Clone(taken))
`

const intactMapsCode = `for i, taken := range keptMaps {
	if !maps.Equal(taken, mapsThen[i]) {
		t.Fatalf("a map that Snapshot returned is the caller's, and was written to later: %v", taken)
	}
}`

const foldCode = `// f tells of its calls, and process of what is emitted.
var calls [][2]int64
var emitted []stream.Record
process := func(op contract.Operator, r stream.Record) {
	var now []stream.Record
	calls = nil
	op.Process(r, func(e stream.Record) { now = append(now, e) })
	emitted = now
}
called := func(want ...[2]int64) {
	t.Helper()
	if !slices.Equal(calls, want) {
		t.Fatalf("f is called with %v instead of %v", calls, want)
	}
}
emits := func(want stream.Record) {
	t.Helper()
	if !slices.Equal(emitted, []stream.Record{want}) {
		t.Fatalf("%+v is emitted instead of [%+v]", emitted, want)
	}
}`
