package operators

import (
	"fmt"
	"math"

	"github.com/flk-byo/de/stages/stream"
)

// A function is one that cases hand to Map, Filter or FlatMap, or that an
// operator of the caller's own has inside. The host holds it, so a solution
// can neither look into it nor call it unseen.
type function struct {
	word string
	doc  string // a phrase, in the brief and in messages

	// start returns the function with nothing remembered yet. What it returns
	// for a record is what a map makes of it, or a flat-map emits; a filter
	// returns the record itself or nothing.
	start func() func(r stream.Record) []stream.Record

	remembers bool // whether it may return something else for the same record
	emits     int  // records it returns for one, at most
}

var mapFunctions = []function{
	{"inc", "adds 1 to the value", each(func(r stream.Record) stream.Record { r.Value++; return r }), false, 1},
	{"double", "doubles the value", each(func(r stream.Record) stream.Record { r.Value *= 2; return r }), false, 1},
	{"negate", "turns the sign of value and time", each(func(r stream.Record) stream.Record { r.Value, r.Time = -r.Value, -r.Time; return r }), false, 1},
	{"rekey", "puts x- before the key", each(func(r stream.Record) stream.Record { r.Key = "x-" + r.Key; return r }), false, 1},
	{"same", "returns the record as it is", each(func(r stream.Record) stream.Record { return r }), false, 1},
	{"zero", "returns the zero record, always", each(func(stream.Record) stream.Record { return stream.Record{} }), false, 1},
	{"number", "puts the count of its calls into the value", counting(func(n int64, r stream.Record) []stream.Record { r.Value = n; return []stream.Record{r} }), true, 1},
	{"previous", "returns the record of its call before, at first the zero record", previous, true, 1},
}

var filterFunctions = []function{
	{"even", "keeps even values", kept(func(r stream.Record) bool { return r.Value%2 == 0 }), false, 1},
	{"odd", "keeps odd values", kept(func(r stream.Record) bool { return r.Value%2 != 0 }), false, 1},
	{"positive", "keeps values above 0", kept(func(r stream.Record) bool { return r.Value > 0 }), false, 1},
	{"hot", "keeps the key hot", kept(func(r stream.Record) bool { return r.Key == "hot" }), false, 1},
	{"all", "keeps all", kept(func(stream.Record) bool { return true }), false, 1},
	{"none", "keeps none", kept(func(stream.Record) bool { return false }), false, 1},
	{"second", "keeps the record of every second call", counting(func(n int64, r stream.Record) []stream.Record { return some(r, n%2 == 0) }), true, 1},
	{"start", "keeps the records of its first two calls", counting(func(n int64, r stream.Record) []stream.Record { return some(r, n <= 2) }), true, 1},
}

var flatMapFunctions = []function{
	{"itself", "emits the record itself", kept(func(stream.Record) bool { return true }), false, 1},
	{"twice", "emits the record twice", stateless(func(r stream.Record) []stream.Record { return []stream.Record{r, r} }), false, 2},
	{"nothing", "emits nothing", kept(func(stream.Record) bool { return false }), false, 1},
	{"split", "emits 0 to 3 records, numbered, as many as the value modulo 4", stateless(split), false, 3},
	{"around", "emits value-1, value and value+1", stateless(around), false, 3},
	{"pairs", "emits nothing, then this record and the one before, in turn", pairs, true, 2},
	{"growing", "emits the record 0, 1, 2, 3, 0, 1 ... times, call by call", counting(growing), true, 3},
	{"seven", "emits the record seven times, each with a value one larger", stateless(times(7)), false, 7},
	{"seventy", "emits the record seventy times, each with a value one larger", stateless(times(70)), false, 70},
}

// owns are what operators of the caller's own do.
var ownOperators = []function{
	{"tap", "emits the record as it is", kept(func(stream.Record) bool { return true }), false, 1},
	{"echo", "emits the record and its negative", stateless(func(r stream.Record) []stream.Record {
		return []stream.Record{r, {Key: r.Key, Value: -r.Value, Time: r.Time}}
	}), false, 2},
	{"hole", "emits nothing", kept(func(stream.Record) bool { return false }), false, 1},
	{"skip", "emits the record at every second call", counting(func(n int64, r stream.Record) []stream.Record { return some(r, n%2 == 0) }), true, 1},
}

// A body is a function at work.
type body = func(r stream.Record) []stream.Record

func stateless(f body) func() body { return func() body { return f } }

func each(f func(stream.Record) stream.Record) func() body {
	return stateless(func(r stream.Record) []stream.Record { return []stream.Record{f(r)} })
}

func kept(keep func(stream.Record) bool) func() body {
	return stateless(func(r stream.Record) []stream.Record { return some(r, keep(r)) })
}

func some(r stream.Record, keep bool) []stream.Record {
	if !keep {
		return nil
	}
	return []stream.Record{r}
}

func counting(f func(n int64, r stream.Record) []stream.Record) func() body {
	return func() body {
		n := int64(0)
		return func(r stream.Record) []stream.Record {
			n++
			return f(n, r)
		}
	}
}

func previous() body {
	var before stream.Record
	return func(r stream.Record) []stream.Record {
		last := before
		before = r
		return []stream.Record{last}
	}
}

func pairs() body {
	var held []stream.Record
	return func(r stream.Record) []stream.Record {
		if held == nil {
			held = []stream.Record{r}
			return nil
		}
		pair := append(held, r)
		held = nil
		return pair
	}
}

func split(r stream.Record) []stream.Record {
	var parts []stream.Record
	for i := range (r.Value%4 + 4) % 4 {
		parts = append(parts, stream.Record{Key: fmt.Sprintf("%s.%d", r.Key, i+1), Value: r.Value, Time: r.Time + i})
	}
	return parts
}

func around(r stream.Record) []stream.Record {
	var all []stream.Record
	for d := int64(-1); d <= 1; d++ {
		all = append(all, stream.Record{Key: r.Key, Value: r.Value + d, Time: r.Time})
	}
	return all
}

func growing(n int64, r stream.Record) []stream.Record {
	var all []stream.Record
	for range (n - 1) % 4 {
		all = append(all, r)
	}
	return all
}

func times(n int) body {
	return func(r stream.Record) []stream.Record {
		var all []stream.Record
		for range n {
			all = append(all, r)
			r.Value++
		}
		return all
	}
}

// The values that "process least" and "process most" stand for.
const (
	least = math.MinInt64
	most  = math.MaxInt64
)
