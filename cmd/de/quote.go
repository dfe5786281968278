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
			switch {
			case f.Kind == fault.Slept:
				if all := s.uses(i, func(name string) bool { return strings.Contains(f.Problem, name+".") }); len(all) > 0 {
					f.Where = all[0]
				}
			case f.Kind == fault.Exited:
				if all := s.uses(i, ends); len(all) == 1 { // of several it is not known which
					f.Where = all[0]
				}
			case f.Fault != nil:
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

// uses are the places in a stage's solution where functions of packages are used
// whose names, such as "time.Sleep", are wanted.
func (s *selection) uses(stage int, wanted func(name string) bool) (places []string) {
	p := s.stages[stage].Package
	names, err := fs.Glob(p.Files, "*.go")
	if err != nil {
		return nil
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
		for _, at := range usesIn(file, wanted) {
			places = append(places, fmt.Sprintf("%s/%s:%d", p.Folder, name, set.Position(at).Line))
		}
	}
	return places
}

func usesIn(file *ast.File, wanted func(name string) bool) (all []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && wanted(x.Name+"."+selector.Sel.Name) {
			all = append(all, selector.Pos())
		}
		return true
	})
	return all
}

// ends tells whether a function ends the process, or the goroutine that calls it.
func ends(name string) bool {
	switch name {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "runtime.Goexit":
		return true
	}
	return false
}
