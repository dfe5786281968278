package wire

import "github.com/flk-byo/de/harness/rpc"

const (
	// maxEntries is how many keys or entries cross the line: twice as many as a
	// case can have. What holds more is wrong, and a part shows that as well.
	maxEntries = 20_000
	minEntry   = 2 // bytes of the shortest: empty key, a one-byte number
)

func putKeys(e *rpc.Encoder, keys []string) {
	keys = keys[:min(len(keys), maxEntries)]
	e.Len(len(keys))
	for _, key := range keys {
		e.String(key)
	}
}

// keys reads a list of keys, which ends the message.
func keys(d *rpc.Decoder) []string {
	list := keyList(d)
	d.End()
	return list
}

func keyList(d *rpc.Decoder) []string {
	list := make([]string, d.Len(1))
	for i := range list {
		list[i] = d.String()
	}
	return list
}

func putEntries(e *rpc.Encoder, m map[string]int64) {
	n := min(len(m), maxEntries)
	e.Len(n)
	for key, value := range m {
		if n--; n < 0 {
			return
		}
		e.String(key)
		e.Int64(value)
	}
}

// entries reads a map, which ends the message. It is never nil.
func entries(d *rpc.Decoder) map[string]int64 {
	n := d.Len(minEntry)
	m := make(map[string]int64, n)
	for range n {
		key := d.String()
		m[key] = d.Int64()
	}
	d.End()
	return m
}

func putView(e *rpc.Encoder, v View) {
	e.Len(len(v.Values))
	for _, value := range v.Values {
		e.Int64(value.Value)
		e.Bool(value.Present)
	}
	putKeys(e, v.Keys)
	e.Bool(v.Steady)
	putEntries(e, v.Snapshot)
}

func view(d *rpc.Decoder) View {
	v := View{Values: make([]Value, d.Len(minEntry))}
	for i := range v.Values {
		v.Values[i] = Value{d.Int64(), d.Bool()}
	}
	v.Keys, v.Steady, v.Snapshot = keyList(d), d.Bool(), entries(d)
	return v
}
