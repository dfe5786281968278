package keyedstate

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

func named(name string) function {
	return functions[slices.IndexFunc(functions, func(f function) bool { return f.name == name })]
}

// values makes records of one key, with times that rise.
func values(key string, vs ...int64) []stream.Record {
	var rs []stream.Record
	for i, v := range vs {
		rs = append(rs, stream.Record{Key: key, Value: v, Time: int64(i)})
	}
	return rs
}

// Worked by hand. Those of Flink's own are the facts of its documentation and
// tests, told in our words.
func TestOracle(t *testing.T) {
	mixed := []stream.Record{{Key: "a", Value: 5}, {Key: "b", Value: 3}, {Key: "a", Value: 5}, {Key: "a", Value: 2}, {Key: "b", Value: 1}}
	tests := []struct {
		name    string
		records []stream.Record
		p       parameters
		want    []int64
		firsts  []int // which records are the first of their key
	}{
		{"nothing", nil, parameters{function: named("sum")}, nil, nil},
		// The test of Flink's StreamGroupedReduceOperator: 1 1 2 2 3, keyed by
		// themselves and added up.
		{"flink's reduce operator", []stream.Record{
			{Key: "1", Value: 1}, {Key: "1", Value: 1}, {Key: "2", Value: 2}, {Key: "2", Value: 2}, {Key: "3", Value: 3},
		}, parameters{function: named("sum")}, []int64{1, 2, 2, 4, 3}, []int{0, 2, 4}},
		// The rolling fold of the documentation: of 1, 2, 3 … the partial sums.
		{"partial sums", values("a", 1, 2, 3, 4), parameters{function: named("sum")}, []int64{1, 3, 6, 10}, []int{0}},
		{"the run of the brief", mixed, parameters{function: named("minus")}, []int64{5, 3, 0, -2, 2}, []int{0, 1}},
		{"order matters", values("a", 1, 2, 3), parameters{function: named("mix")}, []int64{1, 33, 1026}, []int{0}},
		{"largest of negatives", values("a", -3, -8, -1), parameters{function: named("max")}, []int64{-3, -3, -1}, []int{0}},
		{"wrap around", values("a", 9223372036854775807, 1), parameters{function: named("sum")}, []int64{9223372036854775807, -9223372036854775808}, []int{0}},
		{"forgotten after every second", values("a", 1, 2, 3, 4, 5), parameters{function: named("sum"), forget: 2}, []int64{1, 3, 3, 7, 5}, []int{0, 2, 4}},
		{"forgotten after every second, of two keys", mixed, parameters{function: named("sum"), forget: 2}, []int64{5, 3, 10, 12, 1}, []int{0, 1, 4}},
		{"shared by two operators", values("a", 1, 2, 3, 4), parameters{function: named("sum"), operators: shared}, []int64{1, 3, 6, 10}, []int{0}},
		{"two operators apart", values("a", 1, 2, 3, 4), parameters{function: named("sum"), operators: apart}, []int64{1, 2, 4, 6}, []int{0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []int64
			var firsts []int
			for i := range test.records {
				a := oracle(test.records, i, test.p)
				got = append(got, a.result)
				if a.first {
					firsts = append(firsts, i)
				}
			}
			if !slices.Equal(got, test.want) || !slices.Equal(firsts, test.firsts) {
				t.Errorf("results %v, firsts %v; want %v, %v", got, firsts, test.want, test.firsts)
			}
		})
	}
}

// A model does what the contract says of a state, by hand-worked scripts.
func TestModel(t *testing.T) {
	m := &model{}
	expect := func(want string) {
		t.Helper()
		if m.String() != want {
			t.Errorf("the model holds %s, want %s", m, want)
		}
	}
	expect("{}")
	m.Put("b", 0)
	m.Put("a", 1)
	m.Put("B", 2)
	m.Put("", 3)
	expect(`{"": 3, B: 2, a: 1, b: 0}`)
	m.Put("a", 5)
	m.Delete("B")
	m.Delete("absent")
	before := m.clone()
	snapshot := m.Snapshot()
	m.Put("a", 6)
	m.Delete("b")
	expect(`{"": 3, a: 6}`)
	if value, ok := m.Get("b"); value != 0 || ok {
		t.Errorf("b is %d, %t", value, ok)
	}
	m.Restore(snapshot)
	expect(`{"": 3, a: 5, b: 0}`)
	if !before.equal(m) || !m.holds(snapshot) || m.holds(nil) || !slices.Equal(m.Keys(), []string{"", "a", "b"}) {
		t.Error("a restored model is not what it was")
	}
	m.Restore(nil)
	expect("{}")
}
