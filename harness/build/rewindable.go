package build

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// pure are packages of the standard library in which a solution can keep
// nothing that it would find again, beside in values of its own.
var pure = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "container/heap": true, "container/list": true,
	"container/ring": true, "encoding/base64": true, "encoding/binary": true, "encoding/csv": true,
	"encoding/hex": true, "encoding/json": true, "errors": true, "fmt": true, "hash/crc32": true,
	"hash/fnv": true, "io": true, "maps": true, "math": true, "math/big": true, "math/bits": true,
	"slices": true, "sort": true, "strconv": true, "strings": true, "sync": true, "sync/atomic": true,
	"unicode": true, "unicode/utf8": true,
}

// rewindable tells whether all that the code of a unit keeps between calls stands
// in memory that is reachable from the objects it hands out, so that these can be
// taken back to how they were; see package rewind. It is strict: of what it
// does not know it says no.
func (u unit) rewindable() bool {
	solution := false
	for _, s := range u.sources {
		file, err := parser.ParseFile(token.NewFileSet(), s.name, s.text, parser.SkipObjectResolution)
		if err != nil || !importsPure(s.imports) {
			return false
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if ok && g.Tok == token.VAR && !blank(g) {
				return false
			}
			solution = solution || ok && g.Tok == token.TYPE && emptySolution(g)
		}
		if startsGoroutines(file) {
			return false
		}
	}
	return solution
}

// importsPure leaves the packages of units, which are asked themselves.
func importsPure(imports []string) bool {
	for _, name := range imports {
		if !pure[name] && !ours(name) && !strings.HasPrefix(name, Module+"/") {
			return false
		}
	}
	return true
}

// blank tells whether all the variables declared are named _.
func blank(g *ast.GenDecl) bool {
	for _, spec := range g.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			if name.Name != "_" {
				return false
			}
		}
	}
	return true
}

// emptySolution tells whether a type Solution without fields is declared: one
// with fields could keep something between the objects it makes.
func emptySolution(g *ast.GenDecl) bool {
	for _, spec := range g.Specs {
		t := spec.(*ast.TypeSpec)
		if s, ok := t.Type.(*ast.StructType); ok && t.Name.Name == "Solution" && len(s.Fields.List) == 0 {
			return true
		}
	}
	return false
}

// startsGoroutines tells whether a file may start one, by a go statement or by a
// method such as [sync.WaitGroup.Go].
func startsGoroutines(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Go"
		}
		return !found
	})
	return found
}
