package mutant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// operators are the ways to change a node. Each looks at every node, and adds
// the changes that it can make of it. That some do not compile does not matter.
var operators = []func(*maker, ast.Node){
	(*maker).decide, (*maker).compare, (*maker).connect,
	(*maker).calculate, (*maker).count, (*maker).step,
	(*maker).exchangeArguments, (*maker).emptyArguments, (*maker).passThrough, (*maker).replaceCall,
	(*maker).otherField, (*maker).otherVariable, (*maker).literalFields, (*maker).cut,
	(*maker).statements, (*maker).assign, (*maker).leave, (*maker).loop, (*maker).cases,
	(*maker).receive, (*maker).pointAt, (*maker).keep, (*maker).input, (*maker).hold,
}

// value is the node as an expression that is read, or nil.
func (m *maker) value(n ast.Node) ast.Expr {
	e, ok := n.(ast.Expr)
	if !ok || !m.info.Types[e].IsValue() {
		return nil
	}
	switch around := m.stack[len(m.stack)-1].(type) {
	case *ast.AssignStmt:
		if slices.Contains(around.Lhs, e) {
			return nil
		}
	case *ast.IncDecStmt, *ast.ParenExpr:
		return nil
	case *ast.UnaryExpr:
		if around.Op == token.AND {
			return nil
		}
	case *ast.RangeStmt:
		if e != around.X {
			return nil
		}
	case *ast.KeyValueExpr:
		if e == around.Key {
			return nil
		}
	case *ast.CallExpr:
		if e == around.Fun {
			return nil
		}
	case *ast.SelectorExpr:
		if e == ast.Expr(around.Sel) {
			return nil
		}
	}
	return e
}

func (m *maker) parent() ast.Node { return m.stack[len(m.stack)-1] }

func (m *maker) typeOf(e ast.Expr) types.Type { return m.info.TypeOf(e) }

// is tells whether an expression is of some kind of basic type.
func (m *maker) is(e ast.Expr, kind types.BasicInfo) bool {
	basic, ok := m.typeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&kind != 0
}

func (m *maker) literal(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}

// decide makes conditions the contrary, or the same whatever is the case.
func (m *maker) decide(n ast.Node) {
	e := m.value(n)
	if e == nil || !m.is(e, types.IsBoolean) {
		return
	}
	text := m.text(e)
	if m.info.Types[e].Value != nil {
		m.replace("negated", n, "!"+text)
		return
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return // what it denies is decided
	case *ast.BinaryExpr:
		if negations[e.Op] != 0 {
			m.operator("negated", e, negations[e.Op])
			break
		}
		text = "(" + text + ")"
		m.replace("negated", n, "!"+text)
	default:
		m.replace("negated", n, "!"+text)
	}
	m.replace("always true", n, "("+text+" || true)")
	m.replace("always false", n, "("+text+" && false)")
}

var negations = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// operator puts another operator into a binary expression.
func (m *maker) operator(name string, e *ast.BinaryExpr, other token.Token) {
	m.replace(name, e, m.text(e.X)+" "+other.String()+" "+m.text(e.Y))
}

// compare moves boundaries by one, or takes another relation.
func (m *maker) compare(n ast.Node) {
	e, ok := n.(*ast.BinaryExpr)
	if !ok || negations[e.Op] == 0 || !m.is(e.X, types.IsOrdered) || !m.is(e.Y, types.IsOrdered) {
		return
	}
	switch e.Op {
	case token.LSS:
		m.operator("boundary", e, token.LEQ)
		m.operator("unequal", e, token.NEQ)
	case token.LEQ:
		m.operator("boundary", e, token.LSS)
		m.operator("equal", e, token.EQL)
	case token.GTR:
		m.operator("boundary", e, token.GEQ)
		m.operator("unequal", e, token.NEQ)
	case token.GEQ:
		m.operator("boundary", e, token.GTR)
		m.operator("equal", e, token.EQL)
	case token.EQL:
		m.operator("at most", e, token.LEQ)
		m.operator("at least", e, token.GEQ)
	case token.NEQ:
		m.operator("less", e, token.LSS)
		m.operator("more", e, token.GTR)
	}
	if !m.is(e.X, types.IsInteger) {
		return
	}
	x, y := m.text(e.X), m.text(e.Y)
	if e.Op != token.LSS && e.Op != token.GEQ { // there it would be the boundary again
		m.replace("one more", e, x+" "+e.Op.String()+" "+y+" + 1")
	}
	if e.Op != token.LEQ && e.Op != token.GTR {
		m.replace("one less", e, x+" "+e.Op.String()+" "+y+" - 1")
	}
}

// connect takes "or" for "and" and the other way round.
func (m *maker) connect(n ast.Node) {
	e, ok := n.(*ast.BinaryExpr)
	switch {
	case !ok:
	case e.Op == token.LAND:
		m.operator("or for and", e, token.LOR)
	case e.Op == token.LOR:
		m.replace("and for or", e, "("+m.text(e.X)+") && ("+m.text(e.Y)+")")
	}
}

// calculate takes other operators of arithmetic, and only one of the operands.
func (m *maker) calculate(n ast.Node) {
	e, ok := n.(*ast.BinaryExpr)
	if !ok || arithmetic[e.Op] == nil || !m.is(e, types.IsInteger) {
		return
	}
	for _, other := range arithmetic[e.Op] {
		m.replace(other.String()+" for "+e.Op.String(), e, "("+m.text(e.X)+" "+other.String()+" "+m.text(e.Y)+")")
	}
	m.replace("first operand alone", e, m.text(e.X))
	m.replace("second operand alone", e, m.text(e.Y))
	if e.Op == token.SUB || e.Op == token.QUO || e.Op == token.REM {
		m.replace("operands exchanged", e, "("+m.text(e.Y)+" "+e.Op.String()+" ("+m.text(e.X)+"))")
	}
	m.narrow(e, m.text(e))
}

var arithmetic = map[token.Token][]token.Token{
	token.ADD: {token.SUB, token.OR}, token.SUB: {token.ADD}, token.MUL: {token.ADD, token.QUO}, token.QUO: {token.MUL, token.REM},
	token.REM: {token.QUO}, token.XOR: {token.OR, token.AND}, token.OR: {token.AND}, token.AND: {token.OR},
}

// narrow has a result of 64 bits pass through fewer, and through a float.
func (m *maker) narrow(e ast.Expr, text string) {
	basic, ok := m.typeOf(e).Underlying().(*types.Basic)
	if !ok || basic.Kind() != types.Int64 {
		return
	}
	m.replace("32 bits", e, fmt.Sprintf("%s(int32(%s))", m.typeName(m.typeOf(e)), text))
	m.replace("a float", e, fmt.Sprintf("%s(float64(%s))", m.typeName(m.typeOf(e)), text))
}

// typeName is a type as the file writes it.
func (m *maker) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		for _, spec := range m.file.Imports {
			if path := spec.Path.Value; path == `"`+p.Path()+`"` && spec.Name != nil {
				return spec.Name.Name
			}
		}
		return p.Name()
	})
}

// count makes numbers one more and one less.
func (m *maker) count(n ast.Node) {
	e := m.value(n)
	if e == nil || !m.is(e, types.IsInteger) {
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return // its operands are counted
	case *ast.CallExpr:
		if m.info.Types[e.Fun].IsType() {
			return // what it converts is
		}
	}
	switch around := m.parent().(type) {
	case *ast.BinaryExpr:
		if negations[around.Op] != 0 {
			return // compare sees to it
		}
		if !m.literal(e) && (m.literal(around.X) || m.literal(around.Y)) {
			return // its other operand is counted
		}
	}
	m.replace("one more", n, "("+m.text(n)+" + 1)")
	m.replace("one less", n, "("+m.text(n)+" - 1)")
}

// step takes other ways to add to a variable.
func (m *maker) step(n ast.Node) {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
		m.replace(other+" for "+n.Tok.String(), n, m.text(n.X)+other)
		m.replace("by two", n, m.text(n.X)+n.Tok.String()[:1]+"= 2")
	case *ast.AssignStmt:
		operator := n.Tok - (token.ADD_ASSIGN - token.ADD)
		if arithmetic[operator] == nil || n.Tok < token.ADD_ASSIGN {
			return
		}
		x, y := m.text(n.Lhs[0]), m.text(n.Rhs[0])
		for _, other := range arithmetic[operator] {
			m.replace(other.String()+" for "+operator.String(), n, x+" = "+x+" "+other.String()+" ("+y+")")
		}
		m.replace("= for "+n.Tok.String(), n, x+" = "+y)
		if basic, ok := m.typeOf(n.Lhs[0]).Underlying().(*types.Basic); ok && basic.Kind() == types.Int64 {
			m.replace("32 bits", n, fmt.Sprintf("%s = %s(int32(%s %s (%s)))", x, m.typeName(m.typeOf(n.Lhs[0])), x, operator, y))
			m.replace("a float", n, fmt.Sprintf("%s = %s(float64(%s %s (%s)))", x, m.typeName(m.typeOf(n.Lhs[0])), x, operator, y))
		}
	}
}
