package mutant

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"strings"
)

// NewImporter returns an importer that finds packages whose paths begin with
// prefix in files, without their tests, and all others in Go's own sources.
func NewImporter(prefix string, files fs.FS) types.Importer {
	fset := token.NewFileSet()
	return &courseImporter{
		prefix: prefix, files: files, fset: fset, done: map[string]*types.Package{},
		standard: importer.ForCompiler(fset, "source", nil),
	}
}

type courseImporter struct {
	prefix   string
	files    fs.FS
	fset     *token.FileSet
	done     map[string]*types.Package
	standard types.Importer
}

func (c *courseImporter) Import(name string) (*types.Package, error) {
	dir, ok := strings.CutPrefix(name, c.prefix)
	if !ok {
		return c.standard.Import(name)
	}
	if c.done[name] != nil {
		return c.done[name], nil
	}
	sources, err := fs.Glob(c.files, path.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var parsed []*ast.File
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(c.files, source)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(c.fset, source, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	config := types.Config{Importer: c}
	pkg, err := config.Check(name, c.fset, parsed, nil)
	if err != nil {
		return nil, err
	}
	c.done[name] = pkg
	return pkg, nil
}
