package rubric_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/harness/strict"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

const head = "course: FLK-BYO\nstages:\n"

func load(t *testing.T, src string) rubric.Rubric {
	t.Helper()
	r, err := rubric.Load("x.yaml", []byte(src), suites)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLoad(t *testing.T) {
	tests := []struct {
		name, src string
		want      []rubric.Stage
	}{
		{"points alone are shared equally", `  "02": {points: 60}`, []rubric.Stage{
			{ID: "02", Points: 6000, Checks: []rubric.Check{{"output", 2000}, {"sums", 2000}, {"leaks", 2000}}},
		}},
		{"what is left over goes to the first", `  "02": {points: 0.5}`, []rubric.Stage{
			{ID: "02", Points: 50, Checks: []rubric.Check{{"output", 17}, {"sums", 17}, {"leaks", 16}}},
		}},
		{"the others share the rest", `  "02": {points: 10.01, gate: sums, checks: {sums: 5}}`, []rubric.Stage{
			{ID: "02", Points: 1001, Gate: "sums", Checks: []rubric.Check{{"output", 251}, {"sums", 500}, {"leaks", 250}}},
		}},
		{"one check may have it all", `  "02": {points: 1, checks: {leaks: 1}}`, []rubric.Stage{
			{ID: "02", Points: 100, Checks: []rubric.Check{{"output", 0}, {"sums", 0}, {"leaks", 100}}},
		}},
		{"all checks are named", `  "02": {points: 3, checks: {leaks: 0, sums: 1.5, output: 1.5}}`, []rubric.Stage{
			{ID: "02", Points: 300, Checks: []rubric.Check{{"output", 150}, {"sums", 150}, {"leaks", 0}}},
		}},
		{"keys without quotes, in any order", "  02: {points: 1, checks: {output: 1}}\n  01: {points: 3, regression: weigh}", []rubric.Stage{
			{ID: "01", Points: 300, Regression: rubric.Weigh, Checks: []rubric.Check{{"order", 100}, {"chance", 100}, {"reading", 100}}},
			{ID: "02", Points: 100, Checks: []rubric.Check{{"output", 100}, {"sums", 0}, {"leaks", 0}}},
		}},
		{"regressions without points", "  01: {regression: gate}\n  02: {points: 1, regression: weigh}", []rubric.Stage{
			{ID: "01", Regression: rubric.Gate, Checks: []rubric.Check{{"order", 0}, {"chance", 0}, {"reading", 0}}},
			{ID: "02", Points: 100, Regression: rubric.Weigh, Checks: []rubric.Check{{"output", 34}, {"sums", 33}, {"leaks", 33}}},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := load(t, head+test.src)
			if want := (rubric.Rubric{Course: "FLK-BYO", Stages: test.want}); !reflect.DeepEqual(got, want) {
				t.Errorf("loaded %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	tests := []struct{ name, src string }{
		{"another-course", "course: FLK-BYX\nstages: {02: {points: 1}}\n"},
		{"keys-missing", "total: 10\n"},
		{"unknown-stage", head + "  03: {points: 1}\n"},
		{"unknown-key", head + "  02: {pionts: 1}\n"},
		{"unknown-check", head + "  02: {points: 9, checks: {outptu: 1}}\n"},
		{"unknown-regression", head + "  01: {points: 9, regression: wiegh}\n"},
		{"no-points", head + "  02: {gate: output}\n"},
		{"zero-points", head + "  02: {points: 0}\n"},
		{"too-many-points", head + "  02: {points: 10000.01}\n"},
		{"three-decimals", head + "  02: {points: 1.125, checks: {sums: 0.001}}\n"},
		{"odd-numbers", head + "  01: {points: -1, regression: weigh}\n  02: {points: '60', checks: {sums: 1e1, leaks: .5, output: many}}\n"},
		{"checks-exceed", head + "  02: {points: 10, checks: {output: 6, sums: 4.01}}\n"},
		{"checks-fall-short", head + "  02: {points: 10, checks: {output: 6, sums: 3, leaks: 0.99}}\n"},
		{"total-too-large", "course: FLK-BYO\ntotal: 20000.01\nstages: {02: {points: 9}}\n"},
		{"total-differs", "course: FLK-BYO\ntotal: 100\nstages: {02: {points: 99.5}}\n"},
		{"nothing-has-points", head + "  01: {regression: report}\n"},
		{"no-stages", "course: FLK-BYO\nstages: {}\n"},
		{"gate-with-points", head + "  01: {points: 5, regression: gate}\n  02: {points: 1}\n"},
		{"regression-by-check", head + "  01: {points: 5, regression: weigh, gate: order, checks: {order: 1}}\n"},
		{"a-stage-twice", head + "  02: {points: 1}\n  02: {points: 2}\n"},
		{"wrong-kinds", "course: [FLK-BYO]\ntotal: {}\nstages:\n  01: 5\n  02: {points: [1], gate: 2, checks: [output]}\n"},
		{"no-yaml", "stages: [\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := rubric.Load("x.yaml", []byte(test.src), suites)
			var errs strict.Errors
			if !errors.As(err, &errs) || r.Stages != nil {
				t.Fatalf("loaded %+v, %v; want errors with a place", r, err)
			}
			golden(t, filepath.Join("testdata", test.name+".golden"), err.Error()+"\n")
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("says\n%s\nwant\n%s", got, want)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(head + "  01: {points: 9.99, regression: weigh}\n  02: {points: 10, gate: sums, checks: {output: 6}}\n"))
	f.Add([]byte(head + "  01: {regression: gate}\n  02: {points: 10, checks: {output: 6, sums: 4.01}}\n"))
	f.Add([]byte("course: FLK-BYO\ntotal: 1e3\nstages: {02: {points: '5', checks: {leaks: 0}}}\n"))
	f.Add([]byte(head + "  01: {points: 10000, regression: weigh}\n  02: {points: 10000}\n"))
	f.Add([]byte(rubric.Default(suites).YAML()))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := rubric.Load("x.yaml", src, suites)
		var errs strict.Errors
		switch {
		case errors.As(err, &errs):
			checkPlaces(t, src, errs)
		case err != nil:
			t.Errorf("an error without a place: %v", err)
		default:
			checkRubric(t, r)
		}
	})
}

func checkPlaces(t *testing.T, src []byte, errs strict.Errors) {
	lines := strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
	for _, e := range errs {
		if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1 {
			t.Errorf("an error outside the file: %v", e)
		}
	}
}

// checkRubric demands that the points of the checks are those of the stage, and
// that the rubric comes back from its text.
func checkRubric(t *testing.T, r rubric.Rubric) {
	t.Helper()
	for _, s := range r.Stages {
		left := s.Points
		for _, c := range s.Checks {
			left -= c.Points
			if c.Points < 0 {
				t.Errorf("check %s of stage %s has %v points", c.Name, s.ID, c.Points)
			}
		}
		if left != 0 {
			t.Errorf("of the %v points of stage %s %v are no check's", s.Points, s.ID, left)
		}
	}
	again, err := rubric.Load("again.yaml", []byte(r.YAML()), suites)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, r.YAML())
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("comes back as %+v\nand was %+v", again, r)
	}
}

func TestDefault(t *testing.T) {
	r := rubric.Default(suites)
	checkRubric(t, r)
	golden(t, filepath.Join("testdata", "default.yaml"), r.YAML())
	if r.Of() != 100*rubric.Whole {
		t.Errorf("comes to %v, want 100", r.Of())
	}
}

func TestHash(t *testing.T) {
	hash := func(stages string) string { return load(t, head+stages).Hash() }
	plain := hash(`  "02": {points: 6}`)
	if same := hash("  # another way to say it\n  02: {points: 6.00, checks: {sums: 2}}"); same != plain {
		t.Errorf("one rubric has the hashes %s and %s", same, plain)
	}
	for _, other := range []string{
		`  "02": {points: 7}`,
		`  "02": {points: 6, gate: output}`,
		`  "02": {points: 6, checks: {sums: 2.01}}`,
		`  "02": {points: 6, regression: weigh}`,
		"  01: {regression: gate}\n  02: {points: 6}",
		"  01: {regression: report}\n  02: {points: 6}",
	} {
		if hash(other) == plain {
			t.Errorf("the same hash with%s", other)
		}
	}
}
