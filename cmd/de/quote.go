package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

// quote adds to the findings of a report the lines of the solutions that they
// are about, where these are known. The places are as in the guest.
func (s *selection) quote(r *grading.Report) {
	for i, stage := range r.Stages {
		if stage.Failure == nil {
			continue
		}
		for k := range stage.Failure.Finding {
			f := &stage.Failure.Finding[k]
			if f.Kind == fault.Slept {
				f.Where = s.clockCall(i, f.Problem)
			} else if f.Fault != nil {
				f.Where = f.Fault.Where
			}
			f.Source = s.line(f.Where)
		}
	}
}

// maxLine bounds what is quoted of a line, in bytes.
const maxLine = 200

// line is the text of a place, "folder/file.go:line" in the guest.
func (s *selection) line(place string) string {
	file, number, _ := strings.Cut(place, ":")
	n, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	src := s.read(file)
	for ; n > 1 && len(src) > 0; n-- {
		_, src, _ = bytes.Cut(src, []byte("\n"))
	}
	text, _, _ := bytes.Cut(src, []byte("\n"))
	text = bytes.TrimSpace(text)
	return strings.ToValidUTF8(string(text[:min(len(text), maxLine)]), "")
}

// read returns a file of the solutions, by its name in the guest; nothing if
// there is none.
func (s *selection) read(file string) []byte {
	folder, name, _ := strings.Cut(file, "/")
	for _, p := range s.packages() {
		if p.Folder != folder {
			continue
		}
		src, err := fs.ReadFile(p.Files, name)
		if err == nil && p.Rewrite != nil {
			src, err = p.Rewrite(name, src)
		}
		if err == nil {
			return src
		}
	}
	return nil
}

// clockCall is the place of the first call in a stage's solution of the function
// of package time that a problem names; empty if there is none.
func (s *selection) clockCall(stage int, problem string) string {
	p := s.stages[stage].Package
	names, err := fs.Glob(p.Files, "*.go")
	if err != nil {
		return ""
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, s.read(p.Folder+"/"+name), parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		if at := callOfTime(file, problem); at.IsValid() {
			return fmt.Sprintf("%s/%s:%d", p.Folder, name, set.Position(at).Line)
		}
	}
	return ""
}

// callOfTime finds the first use of a function of package time that a text
// names, as in "time.Sleep".
func callOfTime(file *ast.File, text string) (at token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || at.IsValid() {
			return !at.IsValid()
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == "time" && strings.Contains(text, "time."+selector.Sel.Name+".") {
			at = selector.Pos()
		}
		return true
	})
	return at
}
