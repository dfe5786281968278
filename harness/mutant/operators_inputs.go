package mutant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// input has a function, or a turn of a loop, mistake values that it is given for
// others: those that are rare in what one tries by hand.
func (m *maker) input(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		m.parameters(n.Type, n.Body)
	case *ast.FuncLit:
		m.parameters(n.Type, n.Body)
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if name, ok := e.(*ast.Ident); ok && m.info.Defs[name] != nil {
				m.mistakeAny(n, n.Body, name)
			}
		}
	}
}

func (m *maker) parameters(f *ast.FuncType, body *ast.BlockStmt) {
	for _, field := range f.Params.List {
		for _, name := range field.Names {
			m.mistakeAny(f, body, name)
		}
	}
}

// mistakeAny mistakes a variable, or those of its fields that the block asks for.
func (m *maker) mistakeAny(n ast.Node, body *ast.BlockStmt, name *ast.Ident) {
	object := m.info.Defs[name]
	fields, ok := object.Type().Underlying().(*types.Struct)
	if !ok {
		m.mistake(n, body, name.Name, object.Type())
		return
	}
	all, asked := false, map[string]bool{}
	ast.PreorderStack(body, nil, func(use ast.Node, stack []ast.Node) bool {
		if e, ok := use.(*ast.Ident); ok && m.info.Uses[e] == object {
			if selector, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
				asked[selector.Sel.Name] = true
			} else {
				all = true // it is passed on
			}
		}
		return true
	})
	for field := range fields.Fields() {
		if all || asked[field.Name()] {
			m.mistake(n, body, name.Name+"."+field.Name(), field.Type())
		}
	}
}

// mistake changes a variable, or a field, at the start of a block.
func (m *maker) mistake(n ast.Node, body *ast.BlockStmt, name string, t types.Type) {
	put := func(operator, text string, more ...edit) {
		m.add(operator+" of "+name, n, name+" is changed at the start: "+brief(text), append(more, edit{body.Lbrace + 1, body.Lbrace + 1, "\n" + text + "\n"})...)
	}
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return
	}
	switch basic.Kind() {
	case types.String:
		put("a mark for nothing", fmt.Sprintf("if %s == \"\" {\n%s = \"?\"\n}", name, name))
		put("lower case", fmt.Sprintf("%s = strings.ToLower(%s)", name, name), m.importing("strings")...)
		put("without space around", fmt.Sprintf("%s = strings.TrimSpace(%s)", name, name), m.importing("strings")...)
		put("the first bytes", fmt.Sprintf("%s = %s[:min(8, len(%s))]", name, name, name))
	case types.Int64:
		put("one for zero", fmt.Sprintf("if %s == 0 {\n%s = 1\n}", name, name))
		put("zero for less", fmt.Sprintf("%s = max(%s, 0)", name, name))
		put("32 bits", fmt.Sprintf("%s = %s(int32(%s))", name, m.typeName(t), name))
		put("a float", fmt.Sprintf("%s = %s(float64(%s))", name, m.typeName(t), name))
	case types.Int:
		put("ten at most", fmt.Sprintf("%s = min(%s, 10)", name, name))
	}
}

// hold has a slice or map take no more than some elements, or none twice.
func (m *maker) hold(n ast.Node) {
	s, ok := n.(*ast.AssignStmt)
	if !ok || s.Tok != token.ASSIGN {
		return
	}
	const most = 10
	if index, ok := s.Lhs[0].(*ast.IndexExpr); ok {
		if _, ok := m.typeOf(index.X).Underlying().(*types.Map); ok {
			m.replace("ten at most", n, fmt.Sprintf("if len(%s) < %d {\n%s\n}", m.text(index.X), most, m.text(n)))
		}
		return
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || m.text(call.Fun) != "append" || m.text(call.Args[0]) != m.text(s.Lhs[0]) {
		return
	}
	x, what := m.text(call.Args[0]), m.text(call.Args[1])
	m.replace("ten at most", n, fmt.Sprintf("if len(%s) < %d {\n%s\n}", x, most, m.text(n)))
	if call.Ellipsis.IsValid() {
		return
	}
	fault := fmt.Sprintf("%s holds nothing twice", x)
	m.add("none twice", n, fault, append(m.importing("slices"), edit{n.Pos(), n.End(), fmt.Sprintf("if !slices.Contains(%s, %s) {\n%s\n}", x, what, m.text(n))})...)
}
