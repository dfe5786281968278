package schedule_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/strict"
	"github.com/flk-byo/de/stages/stream"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite it with -update):\n%s", path, got)
	}
}

var streams = fstest.MapFS{
	"streams/orders.yaml": {Data: []byte("records: [a, {key: b, value: 2, time: -3}]\n")},
	"streams/broken.yaml": {Data: []byte("records:\n  - {key: b, valeu: 2}\n  - 7\n")},
}

func load(t *testing.T, cases string) (*schedule.File, error) {
	t.Helper()
	return schedule.Load("test.yaml", []byte("stage: FLK-BYO/08\ntitle: a test\n"+cases), sinkSpec, streams)
}

func mustLoad(t *testing.T, cases string) *schedule.File {
	t.Helper()
	f, err := load(t, cases)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func ids(cases []schedule.Case) []string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestLoadReportsEverything(t *testing.T) {
	paths, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no bad schedules: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := schedule.Load(filepath.Base(path), src, sinkSpec, streams)
			var errs strict.Errors
			if f != nil || !errors.As(err, &errs) {
				t.Fatalf("Load = %v, %v; want strict.Errors", f, err)
			}
			var b strings.Builder
			for _, e := range errs { // all of them, not only those that are shown
				fmt.Fprintln(&b, e)
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".golden", b.String())
		})
	}
}

func TestExpansion(t *testing.T) {
	tests := []struct {
		name, cases string
		want        []string
	}{
		{
			"single values",
			"cases: [{name: x, records: {count: 7}, barrier_every: 2, crash_after: 5, commit_lag: 1}]",
			[]string{"08/x/every=2,crash=5,lag=1"},
		},
		{
			"the last parameter changes fastest",
			"cases: [{name: x, records: {count: 7}, barrier_every: [3, 1], crash_after: none, commit_lag: [0, 1]}]",
			[]string{
				"08/x/every=3,crash=none,lag=0", "08/x/every=3,crash=none,lag=1",
				"08/x/every=1,crash=none,lag=0", "08/x/every=1,crash=none,lag=1",
			},
		},
		{
			"a list of counts is a dimension, and words depend on it",
			"cases: [{name: x, records: {count: [1, 0]}, barrier_every: every, crash_after: 0, commit_lag: 0}]",
			[]string{"08/x/n=1,every=1,crash=0,lag=0", "08/x/n=1,every=2,crash=0,lag=0", "08/x/n=0,every=1,crash=0,lag=0"},
		},
		{
			"a list of one count too",
			"cases: [{name: x, records: {count: [1]}, barrier_every: 1, crash_after: 0, commit_lag: 0}]",
			[]string{"08/x/n=1,every=1,crash=0,lag=0"},
		},
		{
			"what two words and a number have in common comes once",
			"cases: [{name: x, records: {count: 0}, barrier_every: 1, crash_after: [1, none, every, 9], commit_lag: 0}]",
			[]string{"08/x/every=1,crash=1,lag=0", "08/x/every=1,crash=none,lag=0", "08/x/every=1,crash=0,lag=0", "08/x/every=1,crash=9,lag=0"},
		},
		{
			"scripts come last",
			"scripts: [{name: 'It is — Done, twice!', ops: [write -1, abort_open]}]\ncases: [{name: x, records: {count: 0}, barrier_every: 1, crash_after: none, commit_lag: 0}]",
			[]string{"08/x/every=1,crash=none,lag=0", "08/script/it-is-done-twice"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := ids(mustLoad(t, test.cases).Cases); !slices.Equal(got, test.want) {
				t.Errorf("IDs\n%q, want\n%q", got, test.want)
			}
		})
	}
}

func TestDefaultsAndStagesWithoutRecords(t *testing.T) {
	spec := schedule.Spec{
		Stage:     "03",
		NoRecords: true,
		Params:    []schedule.Param{{Name: "channels", Short: "channels", Doc: "inputs", Min: 1, Max: 9, Default: []int{1, 2}}},
	}
	f, err := schedule.Load("x.yaml", []byte("stage: FLK-BYO/03\ntitle: x\ncases: [{name: x}]\n"), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(f.Cases), []string{"03/x/channels=1", "03/x/channels=2"}; !slices.Equal(got, want) {
		t.Errorf("IDs %q, want %q", got, want)
	}
}

func TestRecords(t *testing.T) {
	a, b := stream.Record{Key: "a", Value: 1, Time: 1}, stream.Record{Key: "b", Value: 2, Time: 2}
	tests := []struct {
		name, records string
		want          []stream.Record
	}{
		{"no records", "{count: 0}", nil},
		{"all different", "{count: 2}", []stream.Record{a, b}},
		{"two different", "{count: 5, distinct: 2}", []stream.Record{a, b, a, b, a}},
		{"all equal", "{count: 3, distinct: 1}", []stream.Record{a, a, a}},
		{"keys", "{values: [a, '', a]}", []stream.Record{{Key: "a", Value: 1}, {Value: 1}, {Key: "a", Value: 1}}},
		{"maps", "{values: [{key: x, value: -2, time: -3}, {key: y}]}", []stream.Record{{Key: "x", Value: -2, Time: -3}, {Key: "y", Value: 1}}},
		{"a file", "{file: streams/orders.yaml}", []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2, Time: -3}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := mustLoad(t, "cases: [{name: x, records: "+test.records+", barrier_every: 1, crash_after: none, commit_lag: 0}]")
			if got := f.Cases[0].Records; !slices.Equal(got, test.want) {
				t.Errorf("records %v, want %v", got, test.want)
			}
		})
	}
}

func TestMadeUpKeysNeverRepeat(t *testing.T) {
	f := mustLoad(t, "cases: [{name: x, records: {count: 10000}, barrier_every: 1, crash_after: none, commit_lag: 0}]")
	keys := map[string]bool{}
	for _, r := range f.Cases[0].Records {
		keys[r.Key] = true
	}
	if len(keys) != 10000 || !keys["z"] || !keys["a1"] {
		t.Errorf("%d different keys, want 10000 with z and a1 among them", len(keys))
	}
}

func TestParams(t *testing.T) {
	c := mustLoad(t, "cases: [{name: x, records: {count: 1}, barrier_every: 4, crash_after: none, commit_lag: 2}]").Cases[0]
	if every, crash, lag := c.Param("barrier_every"), c.Param("crash_after"), c.Param("commit_lag"); every != 4 || crash != -1 || lag != 2 {
		t.Errorf("params %d, %d, %d; want 4, -1, 2", every, crash, lag)
	}
}

func TestLimits(t *testing.T) {
	with := func(limits schedule.Limits) schedule.Spec {
		spec := sinkSpec
		spec.Limits = limits
		return spec
	}
	matrix := "stage: FLK-BYO/08\ntitle: x\ncases: [{name: x, records: {count: 4}, barrier_every: [1, 2], crash_after: [0, 1], commit_lag: [0, 1]}]\n"
	script := "stage: FLK-BYO/08\ntitle: x\nscripts: [{name: x, ops: [write 1, write 2, write 3]}, {name: y, ops: [write 1]}]\n"
	manyRecords := "stage: FLK-BYO/08\ntitle: x\ncases:\n"
	for i := range 101 {
		manyRecords += fmt.Sprintf("  - {name: x%d, records: {count: 10}, barrier_every: 1, crash_after: none, commit_lag: 0}\n", i)
	}
	tests := []struct {
		name, src    string
		fits, breaks schedule.Limits
		problem      string
	}{
		{"cases", matrix, schedule.Limits{Cases: 8}, schedule.Limits{Cases: 7}, "more than 7 cases"},
		{"scripts", script, schedule.Limits{Cases: 2}, schedule.Limits{Cases: 1}, "more than 1 cases"},
		{"records", matrix, schedule.Limits{Records: 4}, schedule.Limits{Records: 3}, "count must be 0 to 3"},
		{"records altogether", manyRecords, schedule.Limits{Records: 11}, schedule.Limits{Records: 10}, "more than 1000 records"},
		{"operations", script, schedule.Limits{Ops: 3}, schedule.Limits{Ops: 2}, "3 operations, more than the 2 allowed"},
		{"bytes", script, schedule.Limits{Bytes: len(script)}, schedule.Limits{Bytes: len(script) - 1}, "bytes, more than"},
		{"depth", matrix, schedule.Limits{Depth: 5}, schedule.Limits{Depth: 4}, "more than 4 lists and maps inside one another"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := schedule.Load("x.yaml", []byte(test.src), with(test.fits), nil); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			_, err := schedule.Load("x.yaml", []byte(test.src), with(test.breaks), nil)
			if err == nil || !strings.Contains(err.Error(), test.problem) {
				t.Errorf("past the limit: %v, want %q", err, test.problem)
			}
		})
	}
}

func TestStageOf(t *testing.T) {
	tests := []struct{ name, src, want, problem string }{
		{"the rest may be wrong", "stage: FLK-BYO/03\nnonsense: [1]\n", "03", ""},
		{"missing", "title: x\n", "", `the key "stage" is missing`},
		{"of another course", "stage: X/03\n", "", `found "X/03"`},
		{"no map", "[a]\n", "", "missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := schedule.StageOf("x.yaml", []byte(test.src))
			if got != test.want || (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
				t.Errorf("StageOf = %q, %v; want %q, %q", got, err, test.want, test.problem)
			}
		})
	}
}

func TestFixtures(t *testing.T) {
	want := map[string]int{
		"schedules/08/grid.yaml":  540,
		"schedules/08/lags.yaml":  146,
		"schedules/08/large.yaml": 36,
		"schedules/08/sink.yaml":  58,
	}
	seen := map[string]string{}
	for _, path := range fixtures.Schedules("08") {
		t.Run(path, func(t *testing.T) {
			src, err := fixtures.Files.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := schedule.Load(path, src, sinkSpec, fixtures.Files)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Cases) != want[path] {
				t.Errorf("%d cases, want %d", len(f.Cases), want[path])
			}
			for _, c := range f.Cases {
				if other, ok := seen[c.ID]; ok {
					t.Errorf("case %s is in %s too", c.ID, other)
				}
				seen[c.ID] = path
			}
			golden(t, "testdata/describe-"+strings.TrimSuffix(filepath.Base(path), ".yaml")+".golden", schedule.Describe(f))
		})
	}
	if len(fixtures.Schedules("08")) != len(want) {
		t.Errorf("schedules %q, want those of %v", fixtures.Schedules("08"), want)
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, path := range fixtures.Schedules("08") {
		src, err := fixtures.Files.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(src)))
			cases := 0
			for b.Loop() {
				f, err := schedule.Load(path, src, sinkSpec, fixtures.Files)
				if err != nil {
					b.Fatal(err)
				}
				cases = len(f.Cases)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cases), "ns/case")
		})
	}
}

func TestFind(t *testing.T) {
	cases := mustLoad(t, "cases: [{name: distinct, records: {count: 3}, barrier_every: [1, 2], crash_after: every, commit_lag: [0, 1]}]").Cases
	c, err := schedule.Find(cases, "08/distinct/every=2,crash=none,lag=1")
	if err != nil || c.Param("barrier_every") != 2 {
		t.Errorf("Find = %v, %v; want the case", c, err)
	}
	tests := []struct{ name, id, want string }{
		{"near", "08/distinct/every=2,crash=3,lag=2", "there is no case \"08/distinct/every=2,crash=3,lag=2\"; did you mean one of these?\n" +
			"  08/distinct/every=2,crash=3,lag=0\n  08/distinct/every=2,crash=3,lag=1\n  08/distinct/every=1,crash=3,lag=0"},
		{"far", "x", "there is no case \"x\"; \"de schedule show\" lists them"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := schedule.Find(cases, test.id); err == nil || err.Error() != test.want {
				t.Errorf("Find: %v, want %s", err, test.want)
			}
		})
	}
}

func TestSequenceIDs(t *testing.T) {
	op := func(name string, args ...int64) schedule.Op { return schedule.Op{Name: name, Args: args} }
	script := []schedule.Op{op("write", -1<<63), op("write", 1<<63-1), op("pre_commit", 1<<62), op("abort_open"), op("sink", 2), op("write", -5), op("change")}
	id := schedule.SequenceID("08", script)
	c, err := schedule.ParseSequence(id, sinkSpec)
	if err != nil || c.ID != id || schedule.SequenceID("08", c.Script) != id || len(c.Script) != len(script) {
		t.Errorf("ParseSequence(%q) = %v, %v", id, c, err)
	}
	tests := []struct{ name, id, problem string }{
		{"another stage", "07/sequence/write-1", "must begin with"},
		{"empty", "08/sequence/", "operation 1: unknown operation"},
		{"unknown operation", "08/sequence/write-1,comit-1", `operation 2: unknown operation "comit"; did you mean "commit"?`},
		{"argument missing", "08/sequence/write-", "takes 1 argument"},
		{"one too many", "08/sequence/commit-1-2", "takes 1 argument"},
		{"out of range", "08/sequence/commit-0", "id of commit must be 1 to 4611686018427387904"},
		{"not canonical", "08/sequence/commit-01", "id of commit"},
		{"not written like this", "08/sequence/abort_open-", "copy it from there"},
		{"refused as a whole", "08/sequence/pre_commit-1,pre_commit-1", "operation 2: pre_commit 1 comes twice"},
		{"too long", "08/sequence/change" + strings.Repeat(",change", 1000), "1001 operations"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := schedule.ParseSequence(test.id, sinkSpec); err == nil || !strings.Contains(err.Error(), test.problem) {
				t.Errorf("ParseSequence: %v, want %q", err, test.problem)
			}
		})
	}
}
