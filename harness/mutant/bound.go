package mutant

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
)

// Endless is what a made mutant panics with where a loop, or a recursion, of it
// has no end.
const Endless = "a loop of the mutant has no end"

// More turns of a loop, and calls within calls, than in any case; and so few
// that it takes no time to get there.
const (
	maxTurns = 100_000
	maxDepth = 1_000
)

// bound returns a file in which each loop and recursion that might have no end
// counts its turns. A loop over a range ends by itself.
func bound(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	counts := 0
	var out []byte
	done := 0
	insert := func(pos token.Pos, format string, args ...any) {
		at := fset.Position(pos).Offset
		out = append(out, src[done:at]...)
		out = fmt.Appendf(out, format, args...)
		done = at
	}
	ast.Inspect(file, func(n ast.Node) bool { // in the order of the file
		switch n := n.(type) {
		case *ast.FuncDecl:
			if !recursive(n) {
				break
			}
			counts++
			insert(n.Pos(), "var depth%d int\n\n", counts)
			insert(n.Body.Lbrace+1, "\nif depth%d++; depth%d > %d {\npanic(%q)\n}\ndefer func() { depth%d-- }()\n", counts, counts, maxDepth, Endless, counts)
		case *ast.ForStmt:
			counts++
			insert(n.Pos(), "turns%d := 0\n", counts)
			insert(n.Body.Lbrace+1, "\nif turns%d++; turns%d > %d {\npanic(%q)\n}\n", counts, counts, maxTurns, Endless)
		}
		return true
	})
	return format.Source(slices.Concat(out, src[done:]))
}

// recursive tells whether a function calls itself, or a method of its name.
func recursive(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch called := call.Fun.(type) {
			case *ast.Ident:
				found = found || called.Name == f.Name.Name
			case *ast.SelectorExpr:
				found = found || called.Sel.Name == f.Name.Name
			}
		}
		return true
	})
	return found
}
