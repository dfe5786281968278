package build_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/build"
)

// byGo tells whether the go command built the guest.
func byGo(r build.Result) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(r.WASM), "src", "go.mod"))
	return err == nil
}

// The second guest is built without the go command, and is the same.
func TestDirectIsTheSame(t *testing.T) {
	c := config(t)
	firsts := 0
	c.First = func() { firsts++ }
	earlier := build.Package{Folder: "01-other", Stage: folder, Files: solution("a.go", reference(t)).Files}
	later := solution("sink.go", strings.Replace(reference(t), "\"slices\"\n", "\"slices\"\n\tearlier \"flkbyo/01-other\"\n", 1)+"\nvar _ = earlier.Solution{}\n")
	first, second := guest(t, c, later, earlier), guest(t, c, later, earlier)
	if !byGo(first) || byGo(second) {
		t.Fatalf("built by the go command: first %v, second %v; want only the first", byGo(first), byGo(second))
	}
	if firsts != 1 {
		t.Errorf("%d builds were the first, want one", firsts)
	}
	a, errA := os.ReadFile(first.WASM)
	b, errB := os.ReadFile(second.WASM)
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(code(t, a), code(t, b)) {
		t.Error("the code differs")
	}
}

// A guest of the same sources is not built again; one that was damaged, or of
// other sources, is.
func TestStoredGuests(t *testing.T) {
	c := config(t)
	read := func(packages ...build.Package) string {
		t.Helper()
		r := guest(t, c, packages...)
		text, err := os.ReadFile(r.WASM)
		if err != nil {
			t.Fatal(err, said(r))
		}
		return string(text)
	}
	stored := func() []string {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(c.Cache, "compiled", "*.wasm"))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	good := solution("sink.go", reference(t))
	read(good)
	want := read(good)
	if len(stored()) != 1 || read(good) != want {
		t.Errorf("stored are %v; or the guest differs", stored())
	}
	if err := os.WriteFile(stored()[0], []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	if read(good) != want || len(stored()) != 1 || read(good) != want {
		t.Error("a damaged guest is used")
	}
	other := build.Package{Folder: "01-other", Stage: folder, Files: good.Files}
	if read(other) == want || read(other, good) == read(good, other) {
		t.Error("another guest is taken for it")
	}
	for i := range 12 {
		read(solution("sink.go", reference(t), "more.go", "package sink\n\nvar x = "+strings.Repeat("1", i+1)+"\n"))
	}
	if len(stored()) > 10 {
		t.Errorf("%d guests are stored", len(stored()))
	}
}

// code is the code section of a WASM module.
func code(t *testing.T, wasm []byte) []byte {
	t.Helper()
	for rest := wasm[8:]; len(rest) > 0; {
		id, size, n := rest[0], 0, 1
		for shift := 0; ; shift += 7 {
			size |= int(rest[n]&0x7f) << shift
			n++
			if rest[n-1] < 0x80 {
				break
			}
		}
		if id == 10 {
			return rest[n : n+size]
		}
		rest = rest[n+size:]
	}
	t.Fatal("no code section")
	return nil
}

// What the go command knew is not trusted: where it is gone or does not suffice,
// the go command builds again.
func TestDirectGivesWay(t *testing.T) {
	c := config(t)
	good := solution("sink.go", reference(t))
	if !byGo(guest(t, c, good)) || byGo(guest(t, c, good)) {
		t.Fatal("the second is not built directly")
	}
	more := solution("sink.go", reference(t), "more.go", "package sink\n\nimport \"container/ring\"\n\nvar _ = ring.New\n")
	if !byGo(guest(t, c, more)) || byGo(guest(t, c, more)) || byGo(guest(t, c, good)) {
		t.Error("a package that it did not know is not learnt")
	}
	if got := said(guest(t, c, solution("sink.go", reference(t), "more.go", "package sink\n\nvar x int = true\n"))); got != "08-transactional-sink/more.go:3:13: cannot use true (untyped bool constant) as int value in variable declaration" {
		t.Errorf("of an error it says %s", got)
	}
	for name, damage := range map[string]func(string) error{
		"removed":   os.Remove,
		"cut short": func(name string) error { return os.Truncate(name, 9) },
		"emptied":   func(name string) error { return os.Truncate(name, 0) },
	} {
		paths, err := filepath.Glob(filepath.Join(c.Cache, "known-*.json"))
		if err != nil || len(paths) != 1 {
			t.Fatal(paths, err)
		}
		if err := damage(paths[0]); err != nil {
			t.Fatal(err)
		}
		if !byGo(guest(t, c, good)) || byGo(guest(t, c, good)) {
			t.Errorf("%s: it is not learnt anew", name)
		}
		archives, err := fs.Glob(os.DirFS(c.Cache), "compiled/*")
		if err != nil || len(archives) == 0 {
			t.Fatal(archives, err)
		}
		for _, archive := range archives {
			if err := damage(filepath.Join(c.Cache, archive)); err != nil {
				t.Fatal(err)
			}
		}
		if r := guest(t, c, good); r.WASM == "" {
			t.Errorf("compiled solutions %s: %s", name, said(r))
		}
	}
}
