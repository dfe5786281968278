package mutant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// exchangeArguments swaps two neighbours of the same type: arguments, or values
// that are returned.
func (m *maker) exchangeArguments(n ast.Node) {
	var list []ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		list = n.Args
	case *ast.ReturnStmt:
		list = n.Results
	}
	for i := 0; i+1 < len(list); i++ {
		a, b := list[i], list[i+1]
		if !types.Identical(m.typeOf(a), m.typeOf(b)) || m.text(a) == m.text(b) {
			continue
		}
		fault := fmt.Sprintf("%s and %s are exchanged in %s", m.short(a), m.short(b), m.short(n))
		m.add("exchanged", n, fault, edit{a.Pos(), a.End(), m.text(b)}, edit{b.Pos(), b.End(), m.text(a)})
	}
}

// emptyArguments passes or returns nothing in the place of something, and leaves
// out what need not be there.
func (m *maker) emptyArguments(n ast.Node) {
	var list []ast.Expr
	switch n := n.(type) {
	case *ast.ReturnStmt:
		list = n.Results
	case *ast.CallExpr:
		if m.info.Types[n.Fun].IsType() || m.info.Types[n.Fun].IsBuiltin() {
			return
		}
		list = n.Args
		signature, ok := m.typeOf(n.Fun).(*types.Signature)
		if !ok || !signature.Variadic() || n.Ellipsis.IsValid() {
			break
		}
		for i := signature.Params().Len() - 1; i < len(list); i++ {
			m.leaveOut(n, list, i)
		}
	}
	for _, e := range list {
		if zero := m.zero(m.typeOf(e)); zero != "" && zero != m.text(e) {
			m.add("empty", n, fmt.Sprintf("%s became %s in %s", m.short(e), zero, m.short(n)), edit{e.Pos(), e.End(), zero})
		}
	}
}

// leaveOut removes one of a list of expressions.
func (m *maker) leaveOut(n ast.Node, list []ast.Expr, i int) {
	pos, end := list[i].Pos(), list[i].End()
	if i+1 < len(list) {
		end = list[i+1].Pos()
	} else if i > 0 {
		pos = list[i-1].End()
	}
	m.add("left out", list[i], fmt.Sprintf("%s is left out of %s", m.short(list[i]), m.short(n)), edit{pos, end, ""})
}

// zero is the zero value of a type, or nothing for a function or an interface,
// which nobody would leave empty.
func (m *maker) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsNumeric != 0:
			return "0"
		case u.Info()&types.IsString != 0:
			return `""`
		}
	case *types.Slice, *types.Map, *types.Pointer:
		return "nil"
	case *types.Struct:
		return m.typeName(t) + "{}"
	}
	return ""
}

// passThrough takes an argument for the result of a call, so that what was
// copied, sorted or combined is not.
func (m *maker) passThrough(n ast.Node) {
	call, ok := m.value(n).(*ast.CallExpr)
	if !ok || m.info.Types[call.Fun].IsType() {
		return
	}
	for _, argument := range call.Args {
		if types.Identical(types.Default(m.typeOf(argument)), m.typeOf(call)) {
			m.replace("argument for call", n, m.text(argument))
		}
	}
}

// replaceCall takes another function for some that have a like, and appends in
// other ways.
func (m *maker) replaceCall(n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	name := m.text(call.Fun)
	if other := likes[name]; other != "" {
		m.replace(other+" for "+name, n, other+strings.TrimPrefix(m.text(n), name))
	}
	if name != "append" || len(call.Args) != 2 {
		return
	}
	to, what := m.text(call.Args[0]), m.text(call.Args[1])
	t := m.typeName(m.typeOf(call))
	if call.Ellipsis.IsValid() {
		m.replace("in front", n, fmt.Sprintf("append(append(%s{}, %s...), %s...)", t, what, to))
		return
	}
	m.replace("in front", n, fmt.Sprintf("append(%s{%s}, %s...)", t, what, to))
	m.replace("last one twice", n, fmt.Sprintf("append(%s, %s, %s)", to, what, what))
	m.replace("alone", n, fmt.Sprintf("%s{%s}", t, what))
}

var likes = map[string]string{"min": "max", "max": "min", "slices.Sorted": "slices.Collect"}

// otherField takes another field of the same struct and type.
func (m *maker) otherField(n ast.Node) {
	e, ok := n.(*ast.SelectorExpr)
	if !ok || m.info.Selections[e] == nil || m.info.Selections[e].Kind() != types.FieldVal {
		return
	}
	of := m.typeOf(e.X)
	if pointer, ok := of.Underlying().(*types.Pointer); ok {
		of = pointer.Elem()
	}
	fields, ok := of.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range fields.Fields() {
		if field.Name() != e.Sel.Name && types.Identical(field.Type(), m.typeOf(e)) {
			m.replace(field.Name()+" for "+e.Sel.Name, n, m.text(e.X)+"."+field.Name())
		}
	}
}

// otherVariable takes another variable of the same type that is in scope.
func (m *maker) otherVariable(n ast.Node) {
	e, ok := m.value(n).(*ast.Ident)
	if !ok {
		return
	}
	own, ok := m.info.Uses[e].(*types.Var)
	if !ok {
		return
	}
	outermost := m.info.Scopes[m.stack[0].(*ast.FuncDecl).Type]
	seen := map[string]bool{}
	for scope := m.pkg.Scope().Innermost(e.Pos()); scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() { // sorted
			other, ok := scope.Lookup(name).(*types.Var)
			if ok && !seen[name] && other != own && other.Pos() < e.Pos() && types.Identical(other.Type(), own.Type()) {
				m.replace(name+" for "+e.Name, n, name)
			}
			seen[name] = true
		}
		if scope == outermost {
			return
		}
	}
}

// literalFields leaves fields out of a struct, and exchanges those of one type.
func (m *maker) literalFields(n ast.Node) {
	literal, ok := n.(*ast.CompositeLit)
	if !ok {
		return
	}
	if _, ok := m.typeOf(literal).Underlying().(*types.Struct); !ok {
		return
	}
	var values []ast.Expr
	for i, element := range literal.Elts {
		if keyed, ok := element.(*ast.KeyValueExpr); ok {
			values = append(values, keyed.Value)
			m.leaveOut(n, literal.Elts, i)
			continue
		}
		values = append(values, element)
		if zero := m.zero(m.typeOf(element)); zero != "" {
			m.add("empty", element, fmt.Sprintf("%s became %s in %s", m.short(element), zero, m.short(n)), edit{element.Pos(), element.End(), zero})
		}
	}
	for i, a := range values {
		for _, b := range values[i+1:] {
			if types.Identical(m.typeOf(a), m.typeOf(b)) && m.text(a) != m.text(b) {
				fault := fmt.Sprintf("%s and %s are exchanged in %s", m.short(a), m.short(b), m.short(n))
				m.add("exchanged", n, fault, edit{a.Pos(), a.End(), m.text(b)}, edit{b.Pos(), b.End(), m.text(a)})
			}
		}
	}
}

// cut takes all of a slice for a part.
func (m *maker) cut(n ast.Node) {
	if e, ok := n.(*ast.SliceExpr); ok {
		m.replace("whole slice", n, m.text(e.X))
	}
}

// receive has a method change a copy of its receiver.
func (m *maker) receive(n ast.Node) {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv == nil {
		return
	}
	if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		m.add("value receiver", n, "the receiver is a copy", edit{star.Pos(), star.End(), m.text(star.X)})
	}
}

// pointAt has a variable be a copy of what it should point at.
func (m *maker) pointAt(n ast.Node) {
	e, ok := m.value(n).(*ast.UnaryExpr)
	if !ok || e.Op != token.AND {
		return
	}
	if _, ok := e.X.(*ast.CompositeLit); !ok {
		m.replace("a copy", n, m.text(e.X))
	}
}
