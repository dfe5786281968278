package grading

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flk-byo/de/harness/fault"
)

const decls = `
// reproX is called.
func reproX(string) { (&reproSink{}).close() }

// reproY is not.
func reproY() {}

type reproSink struct{}

func (s *reproSink) close() {}
func (s *reproSink) open()  {}
func (s reproSink) Write()  {}

var reproZ = strings.X
`

// A file has all that Go wants, brings along what it needs, and says what it is about.
func TestReproFile(t *testing.T) {
	about := AboutRepro{
		Package: "sink", Folder: "08-sink", Case: "08/case",
		Check:   Check{Name: "eos-output", Rule: "Every record comes out once."},
		Finding: Finding{Check: "eos-output", Problem: "It said\nbroken\r\n}\x00 lines."},
	}
	r := Repro{Imports: []string{"strings", "example.org/x/stream", "fmt"}, Body: "reproX(fmt.Sprint(stream.X))", Decls: decls}
	got, err := r.File(about)
	if err != nil {
		t.Fatal(err)
	}
	const want = `// Written by de repro: one case that this package fails, as a plain Go test. It
// needs nothing of de. Delete it when you like; the next de repro replaces it.
//
//	case   08/case
//	check  eos-output
//	rule   Every record comes out once.
//	seen   It said broken }` + "\uFFFD" + ` lines.
//
// Run it in the folder of the workspace; breakpoints work:
//
//	go test -run TestRepro ./08-sink
//
// If it passes now and then, chance has a hand in it: add -count=100.

package sink

import (
	"fmt"
	"testing"

	"example.org/x/stream"
)

func TestReproEosOutput(t *testing.T) {
	reproX(fmt.Sprint(stream.X))
}

// reproX is called.
func reproX(string) { (&reproSink{}).close() }

type reproSink struct{}

func (s *reproSink) close() {}

func (s reproSink) Write() {}
`
	if string(got) != want {
		t.Errorf("the file is\n%s", got)
	}
}

// Where the code may have no end, the command has a limit of time.
func TestReproFileOfEndless(t *testing.T) {
	for kind, limited := range map[fault.Kind]bool{fault.Deadlock: true, fault.TimeLimit: true, fault.Panic: false} {
		about := AboutRepro{Package: "p", Finding: Finding{Kind: kind}}
		got, err := Repro{Body: "_ = t"}.File(about)
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(got), "TestRepro -timeout 10s\n"); has != limited {
			t.Errorf("%s: with a limit: %t\n%s", kind, has, got)
		}
	}
}

func TestReproFileOfBrokenSource(t *testing.T) {
	if _, err := (Repro{Body: "if {"}).File(AboutRepro{Package: "p", Case: "01/x"}); err == nil || !strings.Contains(err.Error(), "01/x") {
		t.Errorf("the error is %v", err)
	}
}

func TestReproDecls(t *testing.T) {
	files := fstest.MapFS{
		"a.go": {Data: []byte("// Package p is left out.\npackage p\n\nimport \"fmt\"\n\n// A is kept.\nvar A = fmt.Sprint()\n")},
		"b.go": {Data: []byte("package p\n\nvar B = 1\n")},
	}
	decls, imports := ReproDecls(files, "b.go", "a.go")
	if want := "\n\nvar B = 1\n\n\n\n// A is kept.\nvar A = fmt.Sprint()\n\n"; decls != want || len(imports) != 1 || imports[0] != "fmt" {
		t.Errorf("%q, importing %v", decls, imports)
	}
}
