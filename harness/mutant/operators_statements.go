package mutant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// statements leaves statements out, does them twice, and exchanges neighbours.
func (m *maker) statements(n ast.Node) {
	var list []ast.Stmt
	switch n := n.(type) {
	case *ast.BlockStmt:
		list = n.List
	case *ast.CaseClause:
		list = n.Body
	}
	for i, s := range list {
		if _, ok := s.(*ast.CaseClause); ok {
			return // cases sees to it
		}
		if !m.ending(list, i) {
			m.add("left out", s, m.short(s)+" is left out", edit{s.Pos(), s.End(), ""})
		}
		if m.twice(s) {
			m.add("done twice", s, m.short(s)+" is done twice", edit{s.End(), s.End(), "\n" + m.text(s)})
		}
		if i+1 < len(list) && !m.ending(list, i+1) {
			next := list[i+1]
			fault := fmt.Sprintf("%s comes after %s", m.short(s), m.short(next))
			m.add("after the next", s, fault, edit{s.Pos(), s.End(), m.text(next)}, edit{next.Pos(), next.End(), m.text(s)})
		}
	}
	m.moveOut(n, list)
}

// ending tells whether a statement is the last and leaves, so that without it
// the function would not compile, or do the same.
func (m *maker) ending(list []ast.Stmt, i int) bool {
	_, ok := list[i].(*ast.ReturnStmt)
	return ok && len(m.stack) <= 1
}

// twice tells whether a statement may be another if it is done twice.
func (m *maker) twice(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			return true
		}
		_, calls := s.Rhs[0].(*ast.CallExpr)
		return calls && s.Tok == token.ASSIGN
	}
	return false
}

// moveOut has the last statement of a block come after it.
func (m *maker) moveOut(n ast.Node, list []ast.Stmt) {
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	if _, ok := last.(*ast.ReturnStmt); ok {
		return
	}
	switch around := m.parent().(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.IfStmt:
		if s, ok := around.(*ast.IfStmt); ok && (s.Else != nil || n != ast.Node(s.Body)) {
			return
		}
		fault := fmt.Sprintf("%s comes after %s, not in it", m.short(last), m.short(around))
		m.add("moved out", last, fault, edit{last.Pos(), last.End(), ""}, edit{around.End(), around.End(), "\n" + m.text(last)})
	}
}

// assign empties a slice or map in place instead of letting it go, and has an
// assignment make a variable of its own, or the other way round.
func (m *maker) assign(n ast.Node) {
	s, ok := n.(*ast.AssignStmt)
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	x, y := m.text(s.Lhs[0]), m.text(s.Rhs[0])
	switch s.Tok {
	case token.DEFINE:
		m.replace("no variable of its own", n, x+" = "+y)
		if zero := m.zero(m.typeOf(s.Lhs[0])); zero != "" && zero != y && zero != "nil" {
			m.replace("empty", n, x+" := "+m.typeName(m.typeOf(s.Lhs[0]))+"("+zero+")")
		}
		return
	case token.ASSIGN:
		if _, ok := s.Lhs[0].(*ast.Ident); ok {
			m.replace("a variable of its own", n, x+" := "+y)
		}
	default:
		return
	}
	literal, isLiteral := s.Rhs[0].(*ast.CompositeLit)
	switch m.typeOf(s.Lhs[0]).Underlying().(type) {
	case *types.Slice:
		if y == "nil" {
			m.replace("emptied in place", n, x+" = "+x+"[:0]")
		}
	case *types.Map:
		if isLiteral && len(literal.Elts) == 0 {
			m.replace("emptied in place", n, "clear("+x+")")
		}
	}
}

// leave takes other ways to leave a turn, a loop or a function.
func (m *maker) leave(n ast.Node) {
	switch n := n.(type) {
	case *ast.BranchStmt:
		switch n.Tok {
		case token.CONTINUE:
			m.replace("break for continue", n, "break")
		case token.BREAK:
			m.replace("continue for break", n, "continue")
		}
	case *ast.ReturnStmt:
		if m.inLoop() {
			m.replace("break for return", n, "break")
			m.replace("continue for return", n, "continue")
		}
	}
}

func (m *maker) inLoop() bool {
	for _, around := range m.stack {
		switch around.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// loop cuts loops short, and has them go the other way.
func (m *maker) loop(n ast.Node) {
	var body *ast.BlockStmt
	switch n := n.(type) {
	case *ast.ForStmt:
		body = n.Body
	case *ast.RangeStmt:
		body = n.Body
		m.rangeOver(n)
	default:
		return
	}
	m.add("not at all", n, m.short(n)+" goes round not at all", edit{body.Lbrace + 1, body.Lbrace + 1, "\nbreak\n"})
	m.add("once", n, m.short(n)+" goes round once", edit{body.Rbrace, body.Rbrace, "\nbreak\n"})
}

// rangeOver has a loop leave out an element, or go backwards.
func (m *maker) rangeOver(n *ast.RangeStmt) {
	if _, ok := m.typeOf(n.X).Underlying().(*types.Slice); !ok {
		return
	}
	x := m.text(n.X)
	put := func(operator, fault, text string, more ...edit) {
		m.add(operator, n, m.short(n)+" "+fault, append(more, edit{n.X.Pos(), n.X.End(), text})...)
	}
	if !strings.Contains(x, "(") {
		put("first left out", "leaves out the first", fmt.Sprintf("%s[min(1, len(%s)):]", x, x))
		put("last left out", "leaves out the last", fmt.Sprintf("%s[:max(1, len(%s))-1]", x, x))
	}
	put("backwards", "goes backwards", "slices.Backward("+x+")", m.importing("slices")...)
}

// importing is the edit that imports a package, if need be.
func (m *maker) importing(path string) []edit {
	for _, spec := range m.file.Imports {
		if spec.Path.Value == `"`+path+`"` {
			return nil
		}
	}
	return []edit{{m.file.Name.End(), m.file.Name.End(), "\n\nimport \"" + path + "\"\n"}}
}

// cases exchanges neighbours among the cases of a switch.
func (m *maker) cases(n ast.Node) {
	s, ok := n.(*ast.SwitchStmt)
	if !ok {
		return
	}
	for i := 0; i+1 < len(s.Body.List); i++ {
		a, b := s.Body.List[i].(*ast.CaseClause), s.Body.List[i+1].(*ast.CaseClause)
		if a.List == nil || b.List == nil {
			continue // the default comes last wherever it stands
		}
		fault := fmt.Sprintf("%s comes after %s", m.short(a), m.short(b))
		m.add("after the next", a, fault, edit{a.Pos(), a.End(), m.text(b) + "\n"}, edit{b.Pos(), b.End(), m.text(a)})
	}
}
