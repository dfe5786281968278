package build

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
)

// pure are packages of the standard library in which a solution can keep
// nothing that it would find again, beside in values of its own, unless it
// assigns to their variables. Tables that others could write to are not among
// them, as in unicode and hash/crc32.
var pure = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "container/heap": true, "container/list": true,
	"container/ring": true, "encoding/base64": true, "encoding/binary": true, "encoding/csv": true,
	"encoding/hex": true, "encoding/json": true, "errors": true, "fmt": true,
	"hash/fnv": true, "io": true, "maps": true, "math": true, "math/big": true, "math/bits": true,
	"slices": true, "sort": true, "strconv": true, "strings": true, "sync": true, "sync/atomic": true,
	"unicode/utf8": true,
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
		if startsGoroutines(file) || assignsToImported(file) {
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

// assignsToImported tells whether a file may assign to a variable of a package
// that it imports, such as io.EOF, or takes the address of one.
func assignsToImported(file *ast.File) bool {
	packages := map[string]bool{}
	for _, spec := range file.Imports {
		name := path.Base(strings.Trim(spec.Path.Value, `"`))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			return true // then its variables look like one's own
		}
		packages[name] = true
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		for _, target := range targets(n) {
			found = found || packages[ofPackage(target)]
		}
		return !found
	})
	return found
}

// targets are what a node assigns to, or takes the address of.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	}
	return nil
}

// ofPackage is the name before the dot of the outermost p.X in an expression
// such as (*p.X)[i].f; p need not be a package.
func ofPackage(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return ofPackage(e.X)
	case *ast.StarExpr:
		return ofPackage(e.X)
	case *ast.IndexExpr:
		return ofPackage(e.X)
	case *ast.SliceExpr:
		return ofPackage(e.X)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return x.Name
		}
		return ofPackage(e.X)
	}
	return ""
}
