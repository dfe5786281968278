package encore

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/stream"
)

func TestJudge(t *testing.T) {
	a, b := stream.Record{Key: "a", Value: 1}, stream.Record{Key: "b", Value: 2}
	oracle := []stream.Record{a, a, b}
	tests := []struct {
		name string
		seen protocol.Contents
		want []string
	}{
		{"right, in another order", protocol.Contents{Rows: []stream.Record{b, a, a}}, nil},
		{"one of two equal rows", protocol.Contents{Rows: []stream.Record{a, b}}, []string{Loss}},
		{"three of two equal rows", protocol.Contents{Rows: []stream.Record{a, a, a, b}}, []string{Duplicates}},
		{"another row", protocol.Contents{Rows: []stream.Record{a, a, {Key: "b", Value: 3}}}, []string{Loss, Duplicates}},
		{"nothing", protocol.Contents{}, []string{Loss}},
		{"something left", protocol.Contents{Rows: oracle, Orphans: []string{"transaction 1-1 is prepared"}}, []string{Orphans}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range judge(oracle, test.seen) {
				got = append(got, f.Sign)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("signs %q, want %q", got, test.want)
			}
		})
	}
}

func TestOracleSumsPerKey(t *testing.T) {
	in := []stream.Record{{Key: "a", Value: 1, Time: 7}, {Key: "b", Value: 2}, {Key: "a", Value: 3, Time: 5}}
	want := []stream.Record{{Key: "a", Value: 1, Time: 7}, {Key: "b", Value: 2}, {Key: "a", Value: 4, Time: 5}}
	if got := Oracle(in); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if in[2].Value != 3 {
		t.Error("the records of the source were changed")
	}
}

func TestParseScenario(t *testing.T) {
	for _, id := range []string{"clean", "kill=12", "kill=12,3", "kill=1,2,3", "power=12", "power=12,3", "stop=5", "stop=5,9"} {
		s, err := Parse(id)
		if err != nil || s.String() != id {
			t.Errorf("Parse(%q) is %s, %v", id, s, err)
		}
	}
	for _, id := range []string{"", "kill", "kill=", "kill=0", "kill=-1", "kill=1,", "stop=1,2,3", "stop=", "clean=1", "crash=1", "kill=1e3", "power=0", "power="} {
		if s, err := Parse(id); err == nil {
			t.Errorf("Parse(%q) is %s, and no error", id, s)
		}
	}
}
