package partitionedexchange

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	"github.com/flk-byo/de/stages/stream"
)

var situations = slices.Concat(
	keySigns.Situations(), ownerSigns.Situations(), exchangeSigns.Situations(), rescaleSigns.Situations())

// situations returns the names of those that came up in a case.
func (t *trial) situations(c schedule.Case) []string {
	switch {
	case c.Script != nil:
		return called(c.Script, t.at+1)
	case checkOf(c) == partition:
		groups, subtasks, _ := sizes(c)
		k := keyspace{groups, subtasks}
		return exchangeSigns.In(exchange{keyspace: k, records: c.Records, want: k.parts(c.Records)})
	}
	groups, subtasks, rescaled := sizes(c)
	before, after := keyspace{groups, subtasks}, keyspace{groups, rescaled}
	calls := []transfer{transferred(before, after, c.Records)}
	if len(t.found) == 0 {
		calls = append(calls, transferred(after, before, c.Records))
	}
	return rescaleSigns.During(slices.Values(calls))
}

// called returns the names of the situations that come up in the first n calls of
// a script.
func called(script []schedule.Op, n int) []string {
	var calls []schedule.Op
	for _, op := range script {
		calls = append(calls, expand(op)...)
	}
	var keys []keyCall
	var owners []ownerCall
	for _, call := range calls[:n] {
		if call.Name == opGroup {
			keys = append(keys, keyCall{keyOf(call.Args[0]), int(call.Args[1])})
		} else {
			owners = append(owners, newOwnerCall(call))
		}
	}
	return slices.Concat(keySigns.During(slices.Values(keys)), ownerSigns.During(slices.Values(owners)))
}

// A keyCall is a call of KeyGroup.
type keyCall struct {
	key    string
	groups int
}

var keySigns = grading.Signs[keyCall]{
	{"empty-key", "The group of the empty key is asked for.", func(c keyCall) bool { return c.key == "" && c.groups > 1 }},
	{"hash-with-its-top-bit-set", "A hash would give another group if it were taken as signed.", func(c keyCall) bool {
		return int(int32(hashOf(c.key)))%c.groups != groupOf(c.key, c.groups)
	}},
	{"hash-without-an-absolute-value", "A hash is -2^31 if it is taken as signed.", func(c keyCall) bool {
		return int32(hashOf(c.key)) == math.MinInt32 && c.groups&(c.groups-1) != 0
	}},
	{"key-of-bytes-from-128", "A key has a byte of 128 or more.", func(c keyCall) bool {
		return strings.ContainsFunc(c.key, func(r rune) bool { return r >= utf8.RuneSelf }) && c.groups > 1
	}},
	{"key-that-is-no-utf-8", "A key is no UTF-8.", func(c keyCall) bool { return !utf8.ValidString(c.key) && c.groups > 1 }},
	{"key-with-blanks-around", "A key begins or ends with a blank.", func(c keyCall) bool {
		return strings.Trim(c.key, " ") != c.key && c.groups > 1
	}},
	{"key-beyond-64-bytes", "A key is longer than 64 bytes.", func(c keyCall) bool { return len(c.key) > 64 && c.groups > 1 }},
	{"one-group", "There is one key group.", func(c keyCall) bool { return c.groups == 1 }},
	{"groups-that-are-no-power-of-two", "The number of key groups is no power of two, and the group is not what a mask would give.", func(c keyCall) bool {
		return int(hashOf(c.key))&(c.groups-1) != groupOf(c.key, c.groups)
	}},
	{"most-groups", "There are as many key groups as there can be.", func(c keyCall) bool { return c.groups == contract.MaxParallelism }},
}

// An ownerCall is a call of Subtask or Groups: of a group or of a subtask.
type ownerCall struct {
	op               string
	at               int
	groups, subtasks int
	lo, hi           int // what Groups must return
}

var ownerSigns = grading.Signs[ownerCall]{
	{"first-group-of-a-subtask", "A group's owner is another than that of the group before, and the subtasks do not divide the groups.", func(c ownerCall) bool {
		return c.op == opSubtask && c.groups%c.subtasks > 0 && c.at > 0 && c.owner(c.at-1) < c.owner(c.at)
	}},
	{"last-group-of-a-subtask", "A group's owner is another than that of the group behind it, and the subtasks do not divide the groups.", func(c ownerCall) bool {
		return c.op == opSubtask && c.groups%c.subtasks > 0 && c.at < c.groups-1 && c.owner(c.at) < c.owner(c.at+1)
	}},
	{"one-subtask", "There is one subtask for several groups.", func(c ownerCall) bool { return c.subtasks == 1 && c.groups > 1 }},
	{"as-many-subtasks-as-groups", "There are as many subtasks as groups, and several.", func(c ownerCall) bool {
		return c.subtasks == c.groups && c.groups > 1
	}},
	{"product-beyond-16-bits", "The product of a group and the number of subtasks does not fit 16 bits.", func(c ownerCall) bool {
		return c.op == opSubtask && c.at*c.subtasks > math.MaxUint16
	}},
	{"owner-that-a-float-misses", "A group's owner is not what a factor that is a float64 gives.", func(c ownerCall) bool {
		return c.op == opSubtask && int(float64(c.at)*(float64(c.subtasks)/float64(c.groups))) != c.owner(c.at)
	}},
	{"range-that-is-smaller", "A subtask owns fewer groups than another.", func(c ownerCall) bool {
		return c.op == opGroups && (c.hi-c.lo)*c.subtasks < c.groups
	}},
	{"range-that-is-larger", "A subtask owns more groups than another, and is not the last.", func(c ownerCall) bool {
		return c.op == opGroups && (c.hi-c.lo)*c.subtasks > c.groups && c.hi < c.groups
	}},
	{"range-that-a-float-misses", "The end of a subtask's range is not what a factor that is a float64 gives.", func(c ownerCall) bool {
		return c.op == opGroups && int(math.Ceil(float64(c.at+1)*(float64(c.groups)/float64(c.subtasks)))) != c.hi
	}},
}

func newOwnerCall(op schedule.Op) ownerCall {
	c := ownerCall{op: op.Name, at: int(op.Args[0]), groups: int(op.Args[1]), subtasks: int(op.Args[2])}
	if c.op == opGroups {
		c.lo, c.hi = rangeOf(c.at, c.groups, c.subtasks)
	}
	return c
}

func (c ownerCall) owner(group int) int { return ownerOf(group, c.groups, c.subtasks) }

var exchangeSigns = grading.Signs[exchange]{
	{"no-records", "There are no records to deal out.", func(e exchange) bool { return len(e.records) == 0 }},
	{"all-to-one-subtask", "There is one subtask, so that all records go to it.", func(e exchange) bool {
		return e.subtasks == 1 && len(e.records) > 0
	}},
	{"subtask-without-records", "There are records, and a subtask that gets none.", func(e exchange) bool {
		return len(e.records) > 0 && slices.ContainsFunc(e.want, func(part []stream.Record) bool { return len(part) == 0 })
	}},
	{"owner-by-group-alone", "A record's owner is not its hash modulo the number of subtasks.", func(e exchange) bool {
		return slices.ContainsFunc(e.records, func(r stream.Record) bool { return int(hashOf(r.Key))%e.subtasks != e.owner(r.Key) })
	}},
	{"two-keys-of-one-group", "Two of several keys are of one group.", func(e exchange) bool {
		return e.groups > 1 && e.pairs(func(r, s stream.Record) bool { return r.Key != s.Key && e.group(r.Key) == e.group(s.Key) })
	}},
	{"keys-in-turns", "Between two records of one key comes one of another that goes to the same subtask.", func(e exchange) bool {
		return slices.ContainsFunc(e.want, inTurns)
	}},
	{"equal-records", "The same record comes twice.", func(e exchange) bool {
		return e.pairs(func(r, s stream.Record) bool { return r == s })
	}},
	{"times-out-of-order", "A subtask gets a record whose time is before that of the one before it.", func(e exchange) bool {
		return e.neighbours(func(r, s stream.Record) bool { return r.Time > s.Time })
	}},
	{"keys-out-of-order", "A subtask gets a record whose key sorts before that of the one before it.", func(e exchange) bool {
		return e.neighbours(func(r, s stream.Record) bool { return r.Key > s.Key })
	}},
	{"more-than-twelve-for-a-subtask", "A subtask, one of several, gets more than twelve records.", func(e exchange) bool {
		return e.subtasks > 1 && slices.ContainsFunc(e.want, func(part []stream.Record) bool { return len(part) > 12 })
	}},
	{"record-without-a-key", "A record has the empty key.", func(e exchange) bool {
		return slices.ContainsFunc(e.records, func(r stream.Record) bool { return r.Key == "" })
	}},
	{"record-before-time-0", "A record has a negative time.", func(e exchange) bool {
		return slices.ContainsFunc(e.records, func(r stream.Record) bool { return r.Time < 0 })
	}},
}

// pairs tells whether a record and a later one are like that.
func (e exchange) pairs(like func(r, s stream.Record) bool) bool {
	for i, r := range e.records {
		if slices.ContainsFunc(e.records[i+1:], func(s stream.Record) bool { return like(r, s) }) {
			return true
		}
	}
	return false
}

// neighbours tells whether a record and the next for the same subtask are.
func (e exchange) neighbours(like func(r, s stream.Record) bool) bool {
	for _, part := range e.want {
		for i := 1; i < len(part); i++ {
			if like(part[i-1], part[i]) {
				return true
			}
		}
	}
	return false
}

// inTurns tells whether the records of a key do not stand together.
func inTurns(part []stream.Record) bool {
	over := map[string]bool{}
	for i, r := range part {
		if over[r.Key] {
			return true
		}
		if i+1 < len(part) && part[i+1].Key != r.Key {
			over[r.Key] = true
		}
	}
	return false
}
