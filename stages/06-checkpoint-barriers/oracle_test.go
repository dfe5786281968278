package checkpointbarriers

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// written reads a history: "0:a" is a record of key a on channel 0, "0:|1|"
// barrier 1 on it, "0:end" its end.
func written(t *testing.T, text string) []arrival {
	t.Helper()
	var as []arrival
	for word := range strings.FieldsSeq(text) {
		channel, what, _ := strings.Cut(word, ":")
		a := arrival{aligner: 1, channel: number(t, channel)}
		if what == "end" {
			a.end = true
		} else {
			a.item = itemsOf(t, what)[0]
		}
		as = append(as, a)
	}
	return as
}

func itemsOf(t *testing.T, text string) []item {
	t.Helper()
	var is []item
	for word := range strings.FieldsSeq(text) {
		if id, ok := strings.CutPrefix(word, "|"); ok {
			id, key, _ := strings.Cut(id, "|")
			i := barrier(stream.CheckpointID(number(t, id)))
			i.record.Key = strings.TrimPrefix(key, "+")
			is = append(is, i)
		} else {
			is = append(is, item{record: stream.Record{Key: word}})
		}
	}
	return is
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func key(r stream.Record) string { return r.Key }

// shown is what goes downstream by arrival, "/" between them.
func shown(out [][]item) string {
	words := make([]string, len(out))
	for i, is := range out {
		words[i] = strings.Trim(list(is, key), "[]")
	}
	return strings.Join(words, "/")
}

// The histories that the brief draws, and the situations that Flink's tests of
// its barrier handling try, worked by hand.
var worked = []struct {
	name     string
	channels int
	arrivals string
	want     string
}{
	{"brief: three channels", 3,
		"0:a1 0:|1| 0:a2 1:b1 1:|1| 1:|2| 0:a3 1:b2 2:c1 2:|1| 0:|2| 2:|2|",
		"a1///b1/////c1/|1| a2 a3//|2| b2"},
	{"brief: given up", 2, "0:|1| 0:a1 1:|2| 1:b1 0:|1| 0:a2 0:|2|", "//a1///a2/|2| b1"},
	{"brief: an end in its turn", 2, "0:|1| 0:a1 0:end 1:|2|", "///a1 |2|"},
	{"one channel, no barriers", 1, "0:a 0:b 0:end", "a/b/"},
	{"one channel, barriers", 1, "0:a 0:|1| 0:b 0:|2| 0:|3| 0:end", "a/|1|/b/|2|/|3|/"},
	{"one channel, barriers lost", 1, "0:|1| 0:a 0:|4| 0:b 0:|7|", "|1|/a/|4|/b/|7|"},
	{"several channels, no barriers", 4, "2:a 1:b 0:c 3:d 1:end 0:end 2:end 3:end", "a/b/c/d////"},
	{"several channels, ended after their barriers", 2, "0:|1| 0:a 1:|1| 0:end 1:b 1:end", "//|1| a//b/"},
	{"a barrier lost on one channel", 3, "1:|1| 0:|1| 0:a 2:|2| 1:b 2:c 1:|2| 0:d 0:|2|", "///a/b///d/|2| c"},
	{"a barrier lost on all", 2, "0:|1| 1:|1| 0:|3| 0:a 1:|3|", "/|1|///|3| a"},
	{"the given up one's barriers come late", 3, "0:|3| 2:|5| 1:|3| 1:a 1:|4| 0:|4| 0:b 0:|5| 1:|5|", "///a///b//|5|"},
	{"begun, given up among what waits", 3, "0:|1| 0:|2| 1:|1| 0:a 1:|3| 1:b 2:|1|", "//////|1| a"},
	{"the end of a channel completes", 3, "0:|2| 1:|2| 0:a 2:end", "///|2| a"},
	{"the end of a channel that was in the way before", 2, "1:end 0:a 0:|1| 0:|2|", "/a/|1|/|2|"},
	{"ends among what waits complete the next", 3, "0:|1| 0:|2| 1:|1| 1:end 0:a 2:end", "/////|1| |2| a"},
	{"all end", 2, "0:|1| 0:a 0:end 1:end", "///|1| a"},
	{"the newer one first, then what waits", 3, "0:|1| 0:|2| 0:a 1:|1| 1:b 2:|3|", "/////a b"},
	{"repeated while held back", 2, "0:|1| 0:|1| 0:a 1:|1|", "///|1| a"},
}

func TestOracle(t *testing.T) {
	for _, test := range worked {
		t.Run(test.name, func(t *testing.T) {
			if got := shown(oracle(test.channels, written(t, test.arrivals)).out); got != test.want {
				t.Errorf("%s\n gives %q\n want  %q", test.arrivals, got, test.want)
			}
		})
	}
}

func TestInjected(t *testing.T) {
	for _, test := range []struct {
		records string
		every   int
		want    string
	}{
		{"", 1, ""},
		{"a", 1, "a |1|"},
		{"a", 2, "a"},
		{"a b c d e", 1, "a |1| b |2| c |3| d |4| e |5|"},
		{"a b c d e", 2, "a b |1| c d |2| e"},
		{"a b c d e", 5, "a b c d e |1|"},
		{"a b c d e", 6, "a b c d e"},
	} {
		var rs []stream.Record
		for _, i := range itemsOf(t, test.records) {
			rs = append(rs, i.record)
		}
		if got := injected(rs, test.every); !slices.Equal(got, itemsOf(t, test.want)) {
			t.Errorf("%s every %d: %s, want %s", test.records, test.every, list(got, key), test.want)
		}
	}
}

// plans yields the histories of all explored cases, and of some long streams.
func plans(yield func(plan)) {
	for c := range sequences() {
		yield(planOf(c))
	}
	for seed := range 40 {
		for kind := nothing; kind <= everything; kind++ {
			yield(dealt(streamed(50, 1+seed%3, 1+seed%6, seed, kind)))
		}
	}
}

// streamed is a case with channels.
func streamed(n, every, chs, seed, kind int) schedule.Case {
	return schedule.Case{
		ID:      "06/test",
		Records: schedule.Seeded(uint64(seed), n),
		Params: []schedule.Setting{
			{Name: barrierEvery, Value: every}, {Name: channels, Value: chs},
			{Name: order, Value: seed}, {Name: trouble, Value: kind},
		},
	}
}

// What comes later changes nothing of what went downstream before: the answer
// to a part of a history is a part of the answer.
func TestOracleIsCausal(t *testing.T) {
	plans(func(p plan) {
		all := oracle(p.channels, p.arrivals)
		for n := range p.arrivals {
			part := oracle(p.channels, p.arrivals[:n])
			for i := range n {
				if !slices.Equal(part.out[i], all.out[i]) {
					t.Fatalf("after %d arrivals, arrival %d gives %v, else %v", n, i, part.out[i], all.out[i])
				}
			}
		}
	})
}

// The invariant, by its definition: before barrier n are exactly the records
// before it on each channel, each channel's in order; and all that is neither
// out nor a barrier waits behind a barrier of its channel.
func TestOracleCutsConsistently(t *testing.T) {
	plans(func(p plan) {
		a := oracle(p.channels, p.arrivals)
		out := slices.Concat(a.out...)
		for at, i := range out {
			if i.mark && !slices.Equal(sorted(out[:at]), sorted(before(p, i.barrier))) {
				t.Fatalf("barrier %d is no consistent cut of %v: %v", i.barrier, p.arrivals, out)
			}
		}
		waiting := 0
		for _, i := range a.waiting {
			if !a.delivered[p.arrivals[i].channel] {
				t.Fatalf("arrival %d waits without need in %v", i, p.arrivals)
			}
			if !p.arrivals[i].end && !p.arrivals[i].item.mark {
				waiting++
			}
		}
		if n := len(records(out)); n+waiting != len(records(itemsOfPlan(p))) {
			t.Fatalf("of %d records %d are out and %d wait", len(records(itemsOfPlan(p))), n, waiting)
		}
	})
}

// before are the items before barrier id on each channel.
func before(p plan, id stream.CheckpointID) []item {
	var is []item
	for ch := range p.channels {
		for _, a := range p.arrivals {
			if a.channel != ch || a.end {
				continue
			}
			if a.item.barrier == id {
				break
			}
			is = append(is, a.item)
		}
	}
	return is
}

func itemsOfPlan(p plan) []item {
	var is []item
	for _, a := range p.arrivals {
		if !a.end {
			is = append(is, a.item)
		}
	}
	return is
}

func records(is []item) []stream.Record {
	var rs []stream.Record
	for _, i := range is {
		if !i.mark {
			rs = append(rs, i.record)
		}
	}
	return rs
}

// sorted are the records among is, as text, in order.
func sorted(is []item) []string {
	var texts []string
	for _, r := range records(is) {
		texts = append(texts, r.Key+" "+strconv.FormatInt(r.Value, 10)+" "+strconv.FormatInt(r.Time, 10))
	}
	slices.Sort(texts)
	return texts
}
