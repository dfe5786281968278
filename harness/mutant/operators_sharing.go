package mutant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// shareFields makes package-level variables of fields: once so that whoever sets
// the field anew sets it for all, and once so that the first value stays.
func (m *maker) shareFields() {
	ast.Inspect(m.file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range fields.Fields.List {
			for _, name := range field.Names {
				m.shareField(spec, name)
			}
		}
		return false
	})
}

func (m *maker) shareField(spec *ast.TypeSpec, field *ast.Ident) {
	object := m.info.Defs[field]
	const shared = "shared"
	declared := edit{m.file.FileEnd, m.file.FileEnd, "\n\nvar " + shared + " " + m.typeName(object.Type()) + "\n"}
	uses := []edit{declared}
	ast.Inspect(m.file, func(n ast.Node) bool {
		e, ok := n.(*ast.SelectorExpr)
		if ok && m.info.Uses[e.Sel] == object {
			uses = append(uses, edit{e.Pos(), e.End(), shared})
			return false
		}
		return true
	})
	if len(uses) == 1 {
		return
	}
	fault := fmt.Sprintf("all %s share one %s", spec.Name.Name, field.Name)
	name := func(operator string) string { return spec.Name.Name + "." + field.Name + " / " + operator }
	resetting := m.sharedLiterals(object, shared+" = %s")
	m.changes = append(m.changes, change{name("shared"), fault + ", which each new one sets", append(resetting, uses...)})
	if m.zero(object.Type()) != "nil" {
		return
	}
	if keeping := m.sharedLiterals(object, "if "+shared+" == nil {\n"+shared+" = %s\n}"); len(keeping) > 0 {
		m.changes = append(m.changes, change{name("shared for good"), fault + ", which the first one sets", append(keeping, uses...)})
	}
}

// sharedLiterals are the edits by which a field is set apart from the literals
// that set it.
func (m *maker) sharedLiterals(field types.Object, set string) []edit {
	var edits []edit
	ast.PreorderStack(m.file, nil, func(n ast.Node, stack []ast.Node) bool {
		keyed, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := keyed.Key.(*ast.Ident); !ok || m.info.Uses[key] != field {
			return true
		}
		literal := stack[len(stack)-1].(*ast.CompositeLit)
		var whole ast.Expr = literal
		t := m.typeName(m.typeOf(literal))
		if pointer, ok := stack[len(stack)-2].(*ast.UnaryExpr); ok && pointer.Op == token.AND {
			whole, t = pointer, "*"+t
		}
		end := keyed.End()
		for i, element := range literal.Elts {
			if element == ast.Expr(keyed) && i+1 < len(literal.Elts) {
				end = literal.Elts[i+1].Pos()
			}
		}
		before := fmt.Sprintf("func() %s {\n"+set+"\nreturn ", t, m.text(keyed.Value))
		edits = append(edits, edit{whole.Pos(), whole.Pos(), before}, edit{keyed.Pos(), end, ""}, edit{whole.End(), whole.End(), "\n}()"})
		return true
	})
	return edits
}

// keep makes package-level variables of local ones, which keep what they held
// from call to call.
func (m *maker) keep(n ast.Node) {
	if len(m.stack) != 2 { // of a function, its body
		return
	}
	var name *ast.Ident
	var set string
	switch n := n.(type) {
	case *ast.DeclStmt:
		decl, ok := n.Decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			return
		}
		name = decl.Specs[0].(*ast.ValueSpec).Names[0]
	case *ast.AssignStmt:
		defined, ok := n.Lhs[0].(*ast.Ident)
		if !ok || n.Tok != token.DEFINE || len(n.Lhs) != 1 {
			return
		}
		name = defined
		zero := m.zero(m.typeOf(name))
		switch value := m.text(n.Rhs[0]); {
		case value == zero:
		case zero == "nil":
			set = fmt.Sprintf("if kept == nil {\nkept = %s\n}", value)
		default:
			return
		}
	default:
		return
	}
	object := m.info.Defs[name]
	edits := []edit{
		{n.Pos(), n.End(), set},
		{m.file.FileEnd, m.file.FileEnd, "\n\nvar kept " + m.typeName(object.Type()) + "\n"},
	}
	ast.Inspect(m.stack[0], func(use ast.Node) bool {
		if e, ok := use.(*ast.Ident); ok && m.info.Uses[e] == object {
			edits = append(edits, edit{e.Pos(), e.End(), "kept"})
		}
		return true
	})
	m.add("kept between calls", n, name.Name+" is kept from call to call", edits...)
}
