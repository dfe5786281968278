package grading

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// needed returns the declarations of a Go file, without its package clause, that
// the first of them needs, in their order. Methods that are exported come with
// their type, since an interface may ask for them.
func needed(src string) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	n := needs{kept: map[ast.Decl]bool{}, names: map[string]bool{}}
	n.keep(file.Decls[0])
	for more := true; more; {
		more = false
		for _, d := range file.Decls {
			if !n.kept[d] && n.wants(d) {
				n.keep(d)
				more = true
			}
		}
	}
	var b strings.Builder
	for _, d := range file.Decls {
		if n.kept[d] {
			b.WriteString(src[set.Position(start(d)).Offset:set.Position(d.End()).Offset] + "\n\n")
		}
	}
	return b.String(), nil
}

// needs are declarations that are kept, and all names in them.
type needs struct {
	kept  map[ast.Decl]bool
	names map[string]bool
}

func (n *needs) keep(d ast.Decl) {
	n.kept[d] = true
	ast.Inspect(d, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok {
			n.names[name.Name] = true
		}
		return true
	})
}

// wants tells whether what is kept needs d.
func (n *needs) wants(d ast.Decl) bool {
	if f, ok := d.(*ast.FuncDecl); ok {
		return (n.names[f.Name.Name] || f.Recv != nil && f.Name.IsExported()) && (f.Recv == nil || n.names[receiver(f)])
	}
	for _, s := range d.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if n.names[s.Name.Name] {
				return true
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if n.names[name.Name] {
					return true
				}
			}
		}
	}
	return false
}

// receiver is the type that a method is of.
func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// start is where a declaration begins, its comment included.
func start(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}
