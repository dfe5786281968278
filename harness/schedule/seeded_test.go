package schedule_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flk-byo/de/harness/schedule"
)

// A seeded stream has what a stream can have, whatever the seed.
func TestSeeded(t *testing.T) {
	for seed := range uint64(5) {
		rs := schedule.Seeded(seed, 300)
		if !slices.Equal(rs, schedule.Seeded(seed, 300)) || !slices.Equal(rs[:40], schedule.Seeded(seed, 40)) {
			t.Errorf("seed %d: another call returns other records", seed)
		}
		if slices.Equal(rs[:5], schedule.Seeded(seed+1, 5)) {
			t.Errorf("seeds %d and %d are one stream", seed, seed+1)
		}
		keys, values := map[string]int{}, map[int64]bool{}
		times := map[int64]bool{}
		var late, ties, again, negative bool
		for i, r := range rs {
			again = again || slices.Contains(rs[:i], r)
			ties = ties || times[r.Time] && !slices.Contains(rs[:i], r)
			late = late || i > 0 && r.Time < rs[i-1].Time
			negative = negative || r.Time < 0
			keys[r.Key]++
			values[r.Value], times[r.Time] = true, true
			if !utf8.ValidString(r.Key) {
				t.Errorf("key %q is no text", r.Key)
			}
		}
		if !late || !ties || !again || !negative || keys[""] == 0 || keys["日本"] == 0 || keys["hot"] < 90 || !values[math.MinInt64] || !values[math.MaxInt64] {
			t.Errorf("seed %d: late %v, ties %v, again %v, negative %v, keys %v", seed, late, ties, again, negative, keys)
		}
	}
}

func TestSeededInSchedule(t *testing.T) {
	cases := mustLoad(t, "cases: [{name: x, records: {count: [3, 9], seed: 7}, barrier_every: 1, crash_after: none, commit_lag: 0}]").Cases
	if len(cases) != 2 || !slices.Equal(cases[1].Records, schedule.Seeded(7, 9)) || !slices.Equal(cases[0].Records, cases[1].Records[:3]) {
		t.Errorf("cases %v", cases)
	}
}

var wordSpec = schedule.Spec{Stage: "02", NoRecords: true, Ops: []schedule.OpSpec{
	{Name: "put", Doc: "store a value", Args: []schedule.ArgSpec{
		{Name: "key", Min: 0, Max: -1, Words: map[string]int64{"a": 1, "empty": 0}},
		{Name: "value", Min: -9, Max: 9, Words: map[string]int64{"max": math.MaxInt64}},
	}},
}}

func TestWordsOfScripts(t *testing.T) {
	f, err := schedule.Load("x.yaml", []byte("stage: FLK-BYO/02\ntitle: x\nscripts: [{name: x, ops: [put a -3, put empty max]}]\n"), wordSpec, nil)
	if err != nil {
		t.Fatal(err)
	}
	script := f.Cases[0].Script
	want := []schedule.Op{wordSpec.Op("put", 1, -3), wordSpec.Op("put", 0, math.MaxInt64)}
	for i, op := range script {
		if op.String() != want[i].String() || !slices.Equal(op.Args, want[i].Args) {
			t.Errorf("operation %d is %+v, want %+v", i, op, want[i])
		}
	}
	id := schedule.SequenceID("02", script)
	if id != "02/sequence/put-a--3,put-empty-max" {
		t.Errorf("the ID is %s", id)
	}
	if c, err := schedule.ParseSequence(id, wordSpec); err != nil || c.Script[0].String() != "put a -3" {
		t.Errorf("%s is read as %v, %v", id, c.Script, err)
	}
	for text, want := range map[string]string{
		"put 1 0":  "test.yaml:3:27: key of put must be one of a, empty; found \"1\"",
		"put a 10": "test.yaml:3:27: value of put must be -9 to 9, max; found \"10\"",
	} {
		_, err := schedule.Load("test.yaml", []byte("stage: FLK-BYO/02\ntitle: x\nscripts: [{name: x, ops: ["+text+"]}]\n"), wordSpec, nil)
		if err == nil || !slices.Contains([]string{want}, firstLine(err.Error())) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// A parameter can be of words only.
func TestWordsOfParameters(t *testing.T) {
	spec := schedule.Spec{Stage: "02", NoRecords: true, Params: []schedule.Param{
		{Name: "window", Short: "window", Doc: "what windows there are", Min: 0, Max: -1, Values: map[string]int{"tumbling": 0, "sliding": 1}},
	}}
	load := func(windows string) (*schedule.File, error) {
		return schedule.Load("x.yaml", []byte("stage: FLK-BYO/02\ntitle: x\ncases: [{name: x, window: "+windows+"}]\n"), spec, nil)
	}
	f, err := load("[sliding, tumbling]")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(f.Cases), []string{"02/x/window=sliding", "02/x/window=tumbling"}; !slices.Equal(got, want) || f.Cases[0].Param("window") != 1 {
		t.Errorf("cases %v, want %v", f.Cases, want)
	}
	for windows, want := range map[string]string{
		"0":       "x.yaml:3:27: window must be \"sliding\" or \"tumbling\"; found 0",
		"sliging": "x.yaml:3:27: window must be \"sliding\" or \"tumbling\"; found \"sliging\"; did you",
	} {
		if _, err := load(windows); err == nil || firstLine(err.Error()) != want {
			t.Errorf("%s: %v\nwant %s", windows, err, want)
		}
	}
}
