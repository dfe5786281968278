package build

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// allowed is what a solution beside which 01-operators is built may import.
func allowed(name string) bool {
	return allowedStandard(name) || ours(name) || name == Module+"/01-operators"
}

func TestImports(t *testing.T) {
	tests := []struct{ name, want string }{ // the reason; empty: allowed
		{"fmt", ""}, {"sort", ""}, {"sync", ""}, {"sync/atomic", ""}, {"reflect", ""}, {"container/list", ""},
		{"math", ""}, {"math/rand/v2", ""}, {"time", ""}, {"iter", ""}, {"encoding/json", ""}, {"hash/fnv", ""}, {"crypto/sha256", ""},
		{"flkbyo/01-operators", ""}, {deModule + "/stages/stream", ""}, {deModule + "/stages/01-operators/contract", ""},
		{"unsafe", "it can reach memory that is not yours to see"},
		{"C", "solutions are pure Go"},
		{"net", "there is no network in the sandbox"},
		{"net/http", "there is no network in the sandbox"},
		{"os/exec", "there are no other processes in the sandbox"},
		{"embed", "a solution is its Go files and nothing else"},
		{"syscall", "there is no operating system in the sandbox"},
		{"plugin", "there is nothing to load in the sandbox"},
		{"testing", "tests belong in files that end in _test.go"},
		{"internal/abi", "it is not among the standard packages that a solution can use"},
		{"crypto/internal/boring", "it is not among the standard packages that a solution can use"},
		{"mathematics", "it is not among the standard packages that a solution can use"},
		{"flkbyo/02-keyed-state", "a stage is the Go files of its own folder, as one package; folders below it are not compiled, nor are stages that come later"},
		{"github.com/ada/homework/01-operators", `your own stages are in the module flkbyo, so import "flkbyo/01-operators"`},
		{"mine/01-operators", `your own stages are in the module flkbyo, so import "flkbyo/01-operators"`},
		{"github.com/google/go-cmp/cmp", "use the standard library, the contract and your own earlier stages"},
		{deModule + "/harness/shim", "use the standard library, the contract and your own earlier stages"},
		{deModule + "/stages/01-operators/reference", "use the standard library, the contract and your own earlier stages"},
		{deModule + "/stages/01-operators/contract/more", "use the standard library, the contract and your own earlier stages"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []Diagnostic
			if test.want != "" {
				want = []Diagnostic{{"01/a.go", 3, 10, fmt.Sprintf("import %q is not allowed here: %s", test.name, test.want)}}
			}
			s := source{text: []byte("package a\n\nimport _ \"" + test.name + "\"\n")}
			got := s.inspect("01/a.go", allowed)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("says %v, want %v", got, want)
			}
		})
	}
}

func TestDirectives(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // place and directive; empty: allowed
	}{
		{"none", "// go is a language\nvar x int // line by line\n", ""},
		{"build tag", "//go:build linux\n", ""},
		{"generate", "//go:generate stringer\n", ""},
		{"no inlining", "//go:noinline\nfunc f() {}\n", ""},
		{"in a text", "var x = `\n//go:linkname f g\n`\n", ""},
		{"line in the middle of a line", "var x int //line by line\n", ""},
		{"linkname", "//go:linkname f g\n", "3:1 //go:linkname"},
		{"embed", "//go:embed *\nvar x string\n", "3:1 //go:embed"},
		{"import from the host", "//go:wasmimport de call\nfunc f()\n", "3:1 //go:wasmimport"},
		{"export to the host", "//go:wasmexport f\nfunc f() {}\n", "3:1 //go:wasmexport"},
		{"no escape", "\t//go:noescape\nfunc f()\n", "3:2 //go:noescape"},
		{"no split", "//go:nosplit\nfunc f() {}\n", "3:1 //go:nosplit"},
		{"line", "//line /etc/passwd:1\n", "3:1 //line"},
		{"line, the other way", "var x /*line a.go:9*/ int\n", "3:7 /*line"},
		{"after a line directive", "/*line a.go:90*/\n//go:linkname f g\n", "3:1 /*line, 4:1 //go:linkname"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			s := source{text: []byte("package a\n\n" + test.text)}
			for _, d := range s.inspect("01/a.go", allowed) {
				var word string
				if _, err := fmt.Sscanf(d.Message, "the directive %q is not allowed here: remove it", &word); err != nil || d.File != "01/a.go" {
					t.Errorf("says %v", d)
				}
				got = append(got, fmt.Sprintf("%d:%d %s", d.Line, d.Column, word))
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("finds %v, want %s", got, test.want)
			}
		})
	}
}

func TestCollect(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	many := func(n int, suffix string) fstest.MapFS {
		m := fstest.MapFS{}
		for i := range n {
			m[fmt.Sprintf("f%d%s", i, suffix)] = file("package a\n")
		}
		return m
	}
	large := strings.Repeat("/", MaxFileBytes)
	tests := []struct {
		name  string
		files fstest.MapFS
		kept  int
		want  string
	}{
		{"one", fstest.MapFS{"a.go": file("package a\n")}, 1, ""},
		{"others beside it", fstest.MapFS{"a.go": file("package a\n"), "b.s": file(""), "go.mod": file(""), "c.c": file(""), "README": file(""), "x y.txt": file("")}, 1, ""},
		{"a broken test", fstest.MapFS{"a.go": file("package a\n"), "a_test.go": file("\xff")}, 1, ""},
		{"hidden", fstest.MapFS{"a.go": file("package a\n"), ".b.go": file("\xff"), "_c.go": file("\xff")}, 1, ""},
		{"a folder named like a file", fstest.MapFS{"a.go": file("package a\n"), "b.go/c.go": file("\xff")}, 1, ""},
		{"a file that does not parse", fstest.MapFS{"a.go": file("pakage a\n")}, 1, ""},
		{"as many as there may be", many(maxFiles, ".go"), maxFiles, ""},
		{"as large as it may be", fstest.MapFS{"a.go": file(large)}, 1, ""},
		{"nothing", fstest.MapFS{}, 0, "01: there is no Go file in this folder"},
		{"only tests", fstest.MapFS{"a_test.go": file("package a\n")}, 0, "01: there is no Go file in this folder"},
		{"a link", fstest.MapFS{"a.go": &fstest.MapFile{Data: []byte("b.go"), Mode: fs.ModeSymlink}}, 0, "01/a.go: it is not a regular file; links and devices are not followed"},
		{"a device", fstest.MapFS{"a.go": &fstest.MapFile{Mode: fs.ModeDevice}}, 0, "01/a.go: it is not a regular file; links and devices are not followed"},
		{"too large", fstest.MapFS{"a.go": file(large + "/")}, 0, "01/a.go: the sources are too large: at most 1024 KiB a file, 4096 KiB a package"},
		{"too large together", fstest.MapFS{"a.go": file(large), "b.go": file(large), "c.go": file(large), "d.go": file(large), "e.go": file("/")}, 0, "01/e.go: the sources are too large: at most 1024 KiB a file, 4096 KiB a package"},
		{"too many", many(maxFiles+1, ".go"), 0, "01/f99.go: the package has more than 200 Go files"},
		{"too much of anything", many(maxEntries+1, ".txt"), 0, "01: the folder has more than 5000 entries; keep only your Go files in it"},
		{"a space in the name", fstest.MapFS{"a b.go": file("package a\n")}, 0, "01/a b.go: the file's name has other characters than letters, digits, '_', '-' and '.'"},
		{"a letter that is not ASCII", fstest.MapFS{"ä.go": file("package a\n")}, 0, "01/ä.go: the file's name has other characters than letters, digits, '_', '-' and '.'"},
		{"an option as a name", fstest.MapFS{"-o=x.go": file("package a\n")}, 0, "01/-o=x.go: the file's name has other characters than letters, digits, '_', '-' and '.'"},
		{"Latin 1", fstest.MapFS{"a.go": file("package a // \xe9\n")}, 1, "01/a.go: the file is not UTF-8 text"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sources, found, err := collect(Package{Folder: "01", Files: test.files}, allowed)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, d := range found {
				said = append(said, d.String())
			}
			if got := strings.Join(said, "\n"); got != test.want {
				t.Errorf("says %s\nwant %s", got, test.want)
			}
			if len(sources) != test.kept {
				t.Errorf("%d files are to be compiled, want %d", len(sources), test.kept)
			}
		})
	}
}

func TestCollectNoFolder(t *testing.T) {
	if _, _, err := collect(Package{Folder: "01", Files: os.DirFS(filepath.Join(t.TempDir(), "gone"))}, allowed); err == nil {
		t.Error("a folder that is not there can be read")
	}
}

func TestMainSource(t *testing.T) {
	packages := []Package{
		{Folder: "01-operators", Stage: "01-operators"},
		{Folder: "08-transactional-sink", Stage: "08-transactional-sink"},
		{Folder: "solution-x", Stage: "08-transactional-sink"},
	}
	got := mainSource(packages)
	const golden = "testdata/main.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("main.go is\n%s\nwant\n%s", got, want)
	}
	for i, line := range strings.Split(got, "\n") {
		about := -1
		for k := range packages {
			if strings.Contains(line, fmt.Sprintf("solution%d", k)) || strings.Contains(line, fmt.Sprintf("wire%d", k)) {
				about = k
			}
		}
		if at := solutionAt(i+1, len(packages)); at != about {
			t.Errorf("line %d is said to be about solution %d, but is about %d: %s", i+1, at, about, line)
		}
	}
}

func TestParseDiagnostic(t *testing.T) {
	tests := []struct {
		name, line string
		want       Diagnostic
		ok         bool
	}{
		{"line and column", "01/a.go:3:9: undefined: x", Diagnostic{"01/a.go", 3, 9, "undefined: x"}, true},
		{"line only", "01/a.go:3: undefined: x", Diagnostic{"01/a.go", 3, 0, "undefined: x"}, true},
		{"from here", "./a.go:3:9: bad", Diagnostic{"a.go", 3, 9, "bad"}, true},
		{"a package", "# flkbyo/01", Diagnostic{}, false},
		{"more of the one before", "\thave f()", Diagnostic{}, false},
		{"no place", "01/a.go: bad", Diagnostic{}, false},
		{"no line", "01/a.go:x:9: bad", Diagnostic{}, false},
		{"line 0", "01/a.go:0: bad", Diagnostic{}, false},
		{"a sentence", "look at 01/a.go:3:9: there", Diagnostic{}, false},
		{"nothing", "", Diagnostic{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := parseDiagnostic(test.line); got != test.want || ok != test.ok {
				t.Errorf("reads %+v, %v; want %+v, %v", got, ok, test.want, test.ok)
			}
		})
	}
}
