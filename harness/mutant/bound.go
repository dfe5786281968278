package mutant

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
)

// Endless is what a made mutant panics with where a loop of it has no end.
const Endless = "a loop of the mutant has no end"

// maxTurns is how often a loop goes round before it is said to have no end:
// more often than in any case, so seldom that it takes no time.
const maxTurns = 100_000

// bound returns a file in which each loop that might have no end counts its
// turns. A loop over a range ends by itself.
func bound(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var loops []*ast.ForStmt
	ast.Inspect(file, func(n ast.Node) bool {
		if loop, ok := n.(*ast.ForStmt); ok {
			loops = append(loops, loop)
		}
		return true
	})
	for i, loop := range slices.Backward(loops) { // inner ones first: what stands before keeps its place
		count := fmt.Sprintf("\nif turns%d++; turns%d > %d {\npanic(%q)\n}\n", i, i, maxTurns, Endless)
		src = splice(src, fset.Position(loop.Body.Lbrace).Offset+1, 0, count)
		src = splice(src, fset.Position(loop.Pos()).Offset, 0, fmt.Sprintf("turns%d := 0\n", i))
	}
	return format.Source(src)
}
