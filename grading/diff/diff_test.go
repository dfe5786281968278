package diff_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func records(keys string) []stream.Record {
	var rs []stream.Record
	for i, key := range strings.Fields(keys) {
		rs = append(rs, stream.Record{Key: key, Value: int64(i + 1), Time: int64(i + 1)})
	}
	return rs
}

func equal(keys string) []stream.Record {
	var rs []stream.Record
	for key := range strings.FieldsSeq(keys) {
		rs = append(rs, stream.Record{Key: key, Value: 1})
	}
	return rs
}

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got := strings.Join(lines, "\n") + "\n"
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
		t.Errorf("%s differs from %s; got:\n%s", name, path, got)
	}
}

func TestMultiset(t *testing.T) {
	var numbered, none []stream.Record
	for i := range 3 * diff.MaxLines / 2 {
		numbered = append(numbered, stream.Record{Key: "k", Value: int64(i), Time: int64(-i)})
	}
	tests := []struct {
		name      string
		want, got []stream.Record
	}{
		{"lost", records("a b"), records("a")},
		{"mixed", records("a b c"), slices.Concat(records("b b c"), records("b"))},
		{"equal values", equal("a a a b"), equal("a b b b")},
		{"hostile keys", none, []stream.Record{
			{Key: ""}, {Key: "a=1 @1"}, {Key: "\x1b[2J\nPASS"}, {Key: "\xff"}, {Key: "a\u202eb"}, {Key: strings.Repeat("é", 500)},
		}},
		{"too many", numbered, none},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			golden(t, "multiset-"+strings.ReplaceAll(test.name, " ", "-"), diff.Multiset(test.want, test.got))
		})
	}
}

func TestList(t *testing.T) {
	abc := records("a b c d e")
	swapped := slices.Clone(abc)
	swapped[1], swapped[2] = swapped[2], swapped[1]
	tests := []struct {
		name      string
		want, got []stream.Record
	}{
		{"lost in the middle", abc, slices.Delete(slices.Clone(abc), 1, 2)},
		{"added in the middle", abc, slices.Insert(slices.Clone(abc), 3, abc[0])},
		{"swapped", abc, swapped},
		{"another", records("long-key b"), records("x b y")},
		{"empty", abc[:1], nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			golden(t, "list-"+strings.ReplaceAll(test.name, " ", "-"), diff.List(test.want, test.got))
		})
	}
}

func TestEqual(t *testing.T) {
	ab, ba := equal("a b"), equal("b a")
	if got := diff.Multiset(ab, ba); got != nil {
		t.Errorf("the same multiset differs: %q", got)
	}
	if got := diff.List(ab, slices.Clone(ab)); got != nil {
		t.Errorf("the same list differs: %q", got)
	}
	if got := diff.List(nil, []stream.Record{}); got != nil {
		t.Errorf("two empty lists differ: %q", got)
	}
	if got := diff.List(ab, ba); got == nil {
		t.Error("another order is no difference of lists")
	}
}

// The lines must not change from one run to the next: go-cmp's own text does.
func TestStable(t *testing.T) {
	want, got := records("a b c d e f g h"), records("h g f e d c b a x y z")
	multiset, list := diff.Multiset(want, got), diff.List(want, got)
	for range 50 {
		if again := diff.Multiset(want, got); !slices.Equal(again, multiset) {
			t.Fatalf("multiset: %q, then %q", multiset, again)
		}
		if again := diff.List(want, got); !slices.Equal(again, list) {
			t.Fatalf("list: %q, then %q", list, again)
		}
	}
}

func ExampleMultiset() {
	a, b := stream.Record{Key: "a", Value: 1, Time: 1}, stream.Record{Key: "b", Value: 2, Time: -2}
	for _, line := range diff.Multiset([]stream.Record{a, b}, []stream.Record{b, b}) {
		fmt.Println(line)
	}
	// Output:
	// - a=1 @1    expected 1, seen 0: lost
	// + b=2 @-2   expected 1, seen 2: duplicated
}

func FuzzRecord(f *testing.F) {
	for _, key := range []string{"", "a", "a b", "\x00", "é", "\"", "a=1 @2, b"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		text := diff.Key(key)
		if strings.ContainsAny(text, "\n\r\x1b") {
			t.Errorf("Key(%q) = %q holds control characters", key, text)
		}
		if text != key && !strings.HasPrefix(text, `"`) {
			t.Errorf("Key(%q) = %q is neither the key nor quoted", key, text)
		}
	})
}
