package mutant_test

import (
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/strict"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

const good = `stage: FLK-BYO/08
mutants:
  - name: loses-the-last
    fault: the last record is never committed
    check: eos-output
    shortest: one record
    edits:
      - find: commit(n)
        replace: commit(n-1)
      - file: sink.go
        find: |
          open = nil
        replace: ""
  - {name: second, fault: f, check: c, shortest: s, edits: [{find: a, replace: b}]}
`

func TestLoad(t *testing.T) {
	got, err := mutant.Load("08.yaml", []byte(good), "FLK-BYO/08", "job.go")
	if err != nil {
		t.Fatal(err)
	}
	want := []mutant.Mutant{
		{
			Name: "loses-the-last", Fault: "the last record is never committed", Check: "eos-output", Shortest: "one record",
			Edits: []mutant.Edit{
				{File: "job.go", Find: "commit(n)", Replace: "commit(n-1)"},
				{File: "sink.go", Find: "open = nil\n", Replace: ""},
			},
		},
		{Name: "second", Fault: "f", Check: "c", Shortest: "s", Edits: []mutant.Edit{{File: "job.go", Find: "a", Replace: "b"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("loaded %+v\nwant %+v", got, want)
	}
}

func TestLoadErrors(t *testing.T) {
	item := "  - {name: x, fault: f, check: c, shortest: s, edits: [{find: a, replace: b}]}\n"
	tests := []struct{ name, src string }{
		{"another-stage", "stage: FLK-BYO/07\nmutants:\n" + item},
		{"no-stage", "mutants:\n" + item},
		{"no-mutants", "stage: FLK-BYO/08\n"},
		{"a-name-twice", "stage: FLK-BYO/08\nmutants:\n" + item + item},
		{"fields-missing", "stage: FLK-BYO/08\nmutants:\n  - {fault: f}\n  - {fault: f}\n"},
		{"unknown-field", "stage: FLK-BYO/08\nmutants:\n  - {name: x, falt: f, check: c, shortest: s, edits: []}\n"},
		{"wrong-kinds", "stage: FLK-BYO/08\nmutants:\n  - {name: 7, fault: [f], check: c, shortest: s, edits: {find: a}}\n"},
		{"edit-without-replace", "stage: FLK-BYO/08\nmutants:\n  - {name: x, fault: f, check: c, shortest: s, edits: [{find: a}]}\n"},
		{"no-yaml", "stage: [\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			mutants, err := mutant.Load("08.yaml", []byte(test.src), "FLK-BYO/08", "job.go")
			var errs strict.Errors
			if !errors.As(err, &errs) || mutants != nil {
				t.Fatalf("loaded %v, %v; want errors with a place", mutants, err)
			}
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.MkdirAll("testdata", 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, readErr := os.ReadFile(golden)
			if readErr != nil {
				t.Fatal(readErr)
			}
			if got := err.Error() + "\n"; got != string(want) {
				t.Errorf("says\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestApply(t *testing.T) {
	files := map[string]string{"a.go": "one two two three", "b.go": "one"}
	edit := func(file, find, replace string) mutant.Edit {
		return mutant.Edit{File: file, Find: find, Replace: replace}
	}
	tests := []struct {
		name    string
		edits   []mutant.Edit
		want    string // of a.go
		problem string
	}{
		{"nothing", nil, "one two two three", ""},
		{"once", []mutant.Edit{edit("a.go", "three", "four")}, "one two two four", ""},
		{"one after the other", []mutant.Edit{edit("a.go", "three", "four"), edit("a.go", "four", "five")}, "one two two five", ""},
		{"to nothing", []mutant.Edit{edit("a.go", " three", "")}, "one two two", ""},
		{"another file", []mutant.Edit{edit("b.go", "one", "x")}, "one two two three", ""},
		{"nowhere", []mutant.Edit{edit("a.go", "six", "")}, "", "mutant m: what it replaces stands 0 times in a.go instead of once:\nsix"},
		{"twice", []mutant.Edit{edit("a.go", "two", "")}, "", "mutant m: what it replaces stands 2 times in a.go instead of once:\ntwo"},
		{"only in another file", []mutant.Edit{edit("b.go", "two", "")}, "", "mutant m: what it replaces stands 0 times in b.go instead of once:\ntwo"},
		{"no such file", []mutant.Edit{edit("c.go", "one", "")}, "", "mutant m: there is no file c.go"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := maps.Clone(files)
			got, err := mutant.Mutant{Name: "m", Edits: test.edits}.Apply(files)
			switch {
			case test.problem != "":
				if err == nil || err.Error() != test.problem {
					t.Errorf("error %v, want %s", err, test.problem)
				}
			case err != nil:
				t.Error(err)
			case got["a.go"] != test.want || len(got) != len(files):
				t.Errorf("became %q, want %q", got["a.go"], test.want)
			}
			if !maps.Equal(files, before) {
				t.Errorf("the files it was given became %q", files)
			}
		})
	}
}
