package mutant_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/strict"
)

// sample has something for every operator.
const sample = `package sample

import (
	"slices"

	"course/words"
)

type store struct {
	all, some []words.Word
	sums      map[string]int64
}

func newStore() *store {
	return &store{sums: map[string]int64{}}
}

func (s *store) add(w words.Word) {
	s.all = append(s.all, w)
	s.sums[w.Text] += w.Count
}

func (s *store) empty() {
	s.all = nil
	s.sums = map[string]int64{}
}

func (s *store) sorted(low, high int) []words.Word {
	var out []words.Word
	for _, w := range s.all[low:high] {
		switch {
		case w.Text == "":
			continue
		case low < 0 && high > 1:
			return nil
		}
		out = append(out, words.Word{Text: w.Text, Count: min(w.Count, 2)})
	}
	first := &s.all[low]
	first.Count--
	for i := low; i < high; i++ {
		if i%2 == 0 || !s.has(i) {
			break
		}
	}
	return slices.Clone(out)
}

func (s *store) has(i int) bool { return s.sums[s.all[i].Text] != 0 }
`

var course = fstest.MapFS{
	"words/words.go":      {Data: []byte("package words\n\ntype Word struct {\n\tText  string\n\tCount int64\n}\n")},
	"words/words_test.go": {Data: []byte("package words_test // of another name\n")},
}

func TestMake(t *testing.T) {
	imports := mutant.NewImporter("course/", course)
	made, err := mutant.Make("sample.go", []byte(sample), imports)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, m := range made.Mutants {
		fmt.Fprintf(&list, "%s\n\t%s\n", m.Name, m.Fault)
		compiles(t, m, imports)
	}
	fmt.Fprintf(&list, "rejected\n\t%s\nsame\n\t%s\n", strings.Join(made.Rejected, "\n\t"), strings.Join(made.Same, "\n\t"))
	checkGolden(t, "make.golden", list.String())
}

// compiles fails the test if a mutant does not compile, or is the sample.
func compiles(t *testing.T, m mutant.MadeMutant, imports types.Importer) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "sample.go", m.Src, 0)
	if err != nil {
		t.Fatalf("%s: %v\n%s", m.Name, err, m.Src)
	}
	config := types.Config{Importer: imports}
	if _, err := config.Check("p", fset, []*ast.File{file}, nil); err != nil {
		t.Errorf("%s: %v\n%s", m.Name, err, m.Src)
	}
	if string(m.Src) == sample {
		t.Errorf("%s: is the file itself", m.Name)
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is now\n%s", name, got)
	}
}

func TestMakeRefuses(t *testing.T) {
	tests := []struct{ name, src string }{
		{"no Go", "package"},
		{"does not compile", "package p\n\nvar x int = \"\"\n"},
		{"imports what is not there", "package p\n\nimport _ \"course/verbs\"\n"},
	}
	for _, test := range tests {
		if made, err := mutant.Make("p.go", []byte(test.src), mutant.NewImporter("course/", course)); err == nil {
			t.Errorf("%s: made %v", test.name, made)
		}
	}
}

// Each loop and recursion that is made endless panics, however deep it stands;
// one that ends is left alone.
func TestMadeLoopsEnd(t *testing.T) {
	const src = `package main

func main() {
	turns := 0
	for turns < 3 {
		for i := 0; i < 2; i++ {
			turns++
		}
	}
	down(10)
	println("done")
}

func down(n int) {
	if n > 0 {
		down(n - 1)
	}
}
`
	made, err := mutant.Make("main.go", []byte(src), importer.Default())
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]string{
		"main / always true / turns < 3": mutant.Endless,
		"main / always true / i < 2":     mutant.Endless,
		"main / boundary / turns < 3":    "done",
		"down / always true / n > 0":     mutant.Endless,
		"down / + for - / n - 1":         mutant.Endless,
		"down / unequal / n > 0":         "done",
	}
	for _, m := range made.Mutants {
		want, ok := ends[m.Name]
		if !ok {
			continue
		}
		delete(ends, m.Name)
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, m.Src, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, _ := exec.Command("go", "run", file).CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s: says %s, not %q", m.Name, out, want)
		}
	}
	if len(ends) > 0 {
		t.Errorf("not made: %v", ends)
	}
}

func TestLoadEquivalents(t *testing.T) {
	const good = `stage: FLK-BYO/08
equivalent:
  - reason: lengths are never negative
    names: ["f / unequal / len(x) > 0", 'g / unequal / len(x) > 0']
  - reason: nobody asks
    names:
      - h
`
	reasons, err := mutant.LoadEquivalents("08.yaml", []byte(good), "FLK-BYO/08")
	if err != nil {
		t.Fatal(err)
	}
	if len(reasons) != 3 || reasons["g / unequal / len(x) > 0"] != "lengths are never negative" || reasons["h"] != "nobody asks" {
		t.Errorf("loaded %q", reasons)
	}
	tests := []struct{ name, src, want string }{
		{"another stage", strings.Replace(good, "08", "07", 1), `stage must be "FLK-BYO/08" here; found "FLK-BYO/07"`},
		{"a name twice", strings.Replace(good, "- h", "- g / unequal / len(x) > 0", 1), `the name "g / unequal / len(x) > 0" is here twice; remove one`},
		{"no reason", "stage: FLK-BYO/08\nequivalent:\n  - names: [h]\n", `the key "reason" is missing; add it here`},
		{"no names", "stage: FLK-BYO/08\nequivalent:\n  - {reason: x, names: []}\n", "names is an empty list; give it an item"},
	}
	for _, test := range tests {
		reasons, err := mutant.LoadEquivalents("08.yaml", []byte(test.src), "FLK-BYO/08")
		var errs strict.Errors
		if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Message != test.want || reasons != nil {
			t.Errorf("%s: loaded %v, %v", test.name, reasons, err)
		}
	}
}
