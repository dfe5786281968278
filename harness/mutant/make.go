package mutant

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Made are the mutants of one file that a machine made: each is the file with
// one small change, by one of the operators.
type Made struct {
	Mutants  []MadeMutant
	Rejected []string // names of those that do not compile
	Same     []string // names of those whose code is that of another, or of the file itself
}

// A MadeMutant is one file with a change that may make it wrong. Whether it does
// is for a judge to say: some are as right as the file that they come from.
type MadeMutant struct {
	Name  string // function, operator, and the code concerned; stable, and unique in its file
	Fault string // what was changed, in words
	Src   []byte // the file; a loop in it that does not end panics with [Endless]
}

// Make returns the mutants of a file that is a package by itself, of which name
// is for messages. What it imports is found by imports; see [NewImporter].
func Make(name string, src []byte, imports types.Importer) (Made, error) {
	m, err := newMaker(name, src, imports)
	if err != nil {
		return Made{}, fmt.Errorf("make mutants of %s: %w", name, err)
	}
	m.visit()
	var made Made
	taken := map[string]int{} // how often a name was given
	seen := map[string]bool{string(src): true}
	for _, c := range m.changes {
		if taken[c.name]++; taken[c.name] > 1 {
			c.name = fmt.Sprintf("%s (%d)", c.name, taken[c.name])
		}
		mutated, err := m.apply(c.edits)
		switch {
		case err != nil:
			made.Rejected = append(made.Rejected, c.name)
			continue
		case seen[string(mutated)]:
			made.Same = append(made.Same, c.name)
			continue
		}
		seen[string(mutated)] = true
		bounded, err := bound(mutated)
		if err != nil {
			return Made{}, fmt.Errorf("make mutants of %s: %s: %w", name, c.name, err)
		}
		made.Mutants = append(made.Mutants, MadeMutant{Name: c.name, Fault: c.fault, Src: bounded})
	}
	return made, nil
}

// A maker makes the mutants of one file.
type maker struct {
	name    string
	src     []byte
	imports types.Importer
	fset    *token.FileSet
	file    *ast.File
	pkg     *types.Package
	info    *types.Info

	function string     // that is being visited, e.g. "sink.Write"
	stack    []ast.Node // around the node that is being visited, outermost first
	changes  []change
}

// A change is a mutant to be.
type change struct {
	name, fault string
	edits       []edit
}

// An edit puts text in the place of what stands from pos to end.
type edit struct {
	pos, end token.Pos
	text     string
}

func newMaker(name string, src []byte, imports types.Importer) (*maker, error) {
	m := &maker{name: name, src: src, imports: imports, fset: token.NewFileSet()}
	m.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{},
	}
	var err error
	if m.file, err = parser.ParseFile(m.fset, name, src, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	config := types.Config{Importer: imports}
	m.pkg, err = config.Check("p", m.fset, []*ast.File{m.file}, m.info)
	return m, err
}

// visit has every operator look at every node of every function.
func (m *maker) visit() {
	for _, decl := range m.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		m.function = functionName(f)
		ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
			m.stack = stack
			for _, operator := range operators {
				operator(m, n)
			}
			return true
		})
	}
	m.function = "package"
	m.shareFields()
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	return of.(*ast.Ident).Name + "." + f.Name.Name
}

// add takes down a change that operator makes to what stands at n.
func (m *maker) add(operator string, n ast.Node, fault string, edits ...edit) {
	m.changes = append(m.changes, change{
		name:  fmt.Sprintf("%s / %s / %s", m.function, operator, m.context(n)),
		fault: fmt.Sprintf("in %s, %s", m.function, fault),
		edits: edits,
	})
}

// replace takes down that text stands in the place of n.
func (m *maker) replace(operator string, n ast.Node, text string) {
	fault := fmt.Sprintf("%s became %s", m.short(n), brief(text))
	m.add(operator, n, fault, edit{n.Pos(), n.End(), text})
}

// text is the code of n.
func (m *maker) text(n ast.Node) string { return m.between(n.Pos(), n.End()) }

func (m *maker) between(pos, end token.Pos) string {
	return string(m.src[m.offset(pos):m.offset(end)])
}

func (m *maker) offset(pos token.Pos) int { return m.fset.Position(pos).Offset }

// short is the code of n for people, up to where a block begins.
func (m *maker) short(n ast.Node) string {
	end := n.End()
	switch n := n.(type) {
	case *ast.IfStmt:
		end = n.Body.Lbrace
	case *ast.ForStmt:
		end = n.Body.Lbrace
	case *ast.RangeStmt:
		end = n.Body.Lbrace
	case *ast.SwitchStmt:
		end = n.Body.Lbrace
	case *ast.CaseClause:
		end = n.Colon
	case *ast.FuncDecl:
		end = n.Type.End()
	}
	return brief(m.between(n.Pos(), end))
}

// brief is code in one line, cut if it is long.
func brief(code string) string {
	const most = 70
	code = strings.Join(strings.Fields(code), " ")
	if runes := []rune(code); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return code
}

// context is the code of n and, where that is but a word, of the statement that
// it is in.
func (m *maker) context(n ast.Node) string {
	own := m.short(n)
	if strings.ContainsAny(own, " (") {
		return own
	}
	for _, around := range slices.Backward(m.stack) {
		switch around.(type) {
		case *ast.BlockStmt:
		case ast.Stmt, *ast.FuncDecl:
			return own + " in " + m.short(around)
		}
	}
	return own
}

// apply returns the file with the edits made, formatted, or the reason why it
// does not compile.
func (m *maker) apply(edits []edit) ([]byte, error) {
	edits = slices.SortedStableFunc(slices.Values(edits), func(a, b edit) int { return cmp.Compare(a.pos, b.pos) })
	var out bytes.Buffer
	at := m.file.FileStart
	for _, e := range edits {
		if e.pos < at {
			return nil, fmt.Errorf("edits overlap")
		}
		out.WriteString(m.between(at, e.pos))
		out.WriteString(e.text)
		at = e.end
	}
	out.WriteString(m.between(at, m.file.FileEnd))
	return compiled(m.name, out.Bytes(), m.imports)
}

// compiled returns a file formatted, and without imports and variables that are
// not used, which only the compiler minds.
func compiled(name string, src []byte, imports types.Importer) ([]byte, error) {
	const rounds = 5 // of repairs
	for range rounds {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		var problems []types.Error
		config := types.Config{Importer: imports, Error: func(err error) { problems = append(problems, err.(types.Error)) }}
		if _, err = config.Check("p", fset, []*ast.File{file}, nil); err == nil {
			return format.Source(src)
		}
		repaired, ok := repair(fset, file, src, problems[0])
		if !ok {
			return nil, err
		}
		src = repaired
	}
	return nil, fmt.Errorf("%s has too many unused names", name)
}

// repair removes an unused import, or uses a variable.
func repair(fset *token.FileSet, file *ast.File, src []byte, problem types.Error) ([]byte, bool) {
	for _, spec := range file.Imports {
		if problem.Soft && spec.Pos() == problem.Pos {
			return splice(src, fset.Position(spec.Pos()).Offset, len(spec.Path.Value)+fset.Position(spec.Path.Pos()).Offset-fset.Position(spec.Pos()).Offset, ""), true
		}
	}
	unused, ok := strings.CutPrefix(problem.Msg, "declared and not used: ")
	if !ok {
		return nil, false
	}
	at := token.NoPos // of the use
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || problem.Pos < n.Pos() || n.End() <= problem.Pos {
			return false
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			at = n.Body.Lbrace + 1
		case *ast.BlockStmt, *ast.CaseClause:
			at = token.NoPos
		case *ast.AssignStmt, *ast.DeclStmt:
			if at == token.NoPos {
				at = n.End()
			}
		case *ast.IfStmt:
			at = n.Body.Lbrace + 1
		}
		return true
	})
	if at == token.NoPos {
		return nil, false
	}
	return splice(src, fset.Position(at).Offset, 0, "\n_ = "+unused+"\n"), true
}

// splice puts text in the place of n bytes of src.
func splice(src []byte, at, n int, text string) []byte {
	return slices.Concat(src[:at], []byte(text), src[at+n:])
}
