package stages_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
)

// Whatever a stage has cases of can be written as a test, for each check but
// those that plain Go can't show.
func TestReprosAreGo(t *testing.T) {
	for _, suite := range stages.All() {
		if suite.Repro == nil {
			continue
		}
		t.Run(suite.ID, func(t *testing.T) {
			written := map[string]bool{}
			for i, c := range samples(t, suite) {
				check := suite.Checks[i%len(suite.Checks)].Name
				r := suite.Repro(c, grading.Finding{Check: check})
				checkGo(t, c.ID+", "+check, r)
				written[check] = written[check] || r.Body != ""
			}
			for _, check := range suite.Checks {
				if written[check.Name] == (check.Name == "no-sleep") {
					t.Errorf("%s is written: %t", check.Name, written[check.Name])
				}
			}
		})
	}
}

// samples are the cases of a stage's schedules, its long scripts, and some of
// those that are explored.
func samples(t *testing.T, suite grading.Suite) []schedule.Case {
	all := cases(t, suite)
	for seed := range suite.LongScripts {
		all = append(all, schedule.Case{Script: suite.Long(uint64(seed + 1))})
	}
	if suite.Explore == nil {
		return all
	}
	n := 0
	for c := range suite.Explore() {
		if n++; n < 100 || n%50 == 0 {
			all = append(all, c)
		}
	}
	return all
}

// checkGo tells whether a test is Go, and declares nothing that could be in a
// solution's way.
func checkGo(t *testing.T, name string, r grading.Repro) {
	t.Helper()
	src := "package p\n\nfunc reproBody(t *testing.T) {\n" + r.Body + "}\n\n" + r.Decls
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, src)
	}
	for _, d := range f.Decls {
		for _, declared := range names(d) {
			if !strings.HasPrefix(declared, "repro") {
				t.Errorf("%s: it declares %s", name, declared)
			}
		}
	}
}

// names are those that a declaration makes; a method makes none.
func names(d ast.Decl) []string {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv != nil {
			return nil
		}
		return []string{f.Name.Name}
	}
	var all []string
	for _, s := range d.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			all = append(all, s.Name.Name)
		case *ast.ValueSpec:
			for _, n := range s.Names {
				all = append(all, n.Name)
			}
		}
	}
	return all
}
