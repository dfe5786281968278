package grading

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/flk-byo/de/harness/fault"
)

// ReproMark is how the file of a [Repro] begins: one that does not was written
// by somebody else.
const ReproMark = "// Written by de repro"

// An AboutRepro is what the file of a [Repro] says of it.
type AboutRepro struct {
	Package string // of the solution, as in its package clause
	Folder  string // of the solution in a workspace; empty if it is elsewhere
	Case    string // its ID
	Check   Check
	Finding Finding
}

// ReproCommand is what runs the test of a finding in a folder, as the go command
// has it; empty for the working directory.
func ReproCommand(f Finding, folder string) string {
	words := []string{"go test -run TestRepro"}
	if endless(f.Kind) {
		words = append(words, "-timeout 10s")
	}
	if folder != "" {
		words = append(words, folder)
	}
	return strings.Join(words, " ")
}

// ShowsInPlainGo tells whether plain Go can show that a solution fails so: it
// neither forbids to read the clock, nor limits memory and printing.
func (f Finding) ShowsInPlainGo() bool {
	return f.Kind != fault.Slept && f.Kind != fault.PrintedTooMuch && f.Kind != fault.MemoryExhausted
}

// endless tells whether a solution that failed so may not come to an end.
func endless(k fault.Kind) bool {
	return k == fault.Deadlock || k == fault.TimeLimit || k == fault.TooManyCalls
}

// File returns the repro as a Go file. Imports and declarations that it does not
// need are left out.
func (r Repro) File(about AboutRepro) ([]byte, error) {
	src, err := r.file(about)
	if err != nil {
		return nil, fmt.Errorf("the plain test of %s: %w", about.Case, err)
	}
	return src, nil
}

func (r Repro) file(about AboutRepro) ([]byte, error) {
	test := fmt.Sprintf("func TestRepro%s(t *testing.T) {\n%s\n}", camel(about.Check.Name), strings.Trim(r.Body, "\n"))
	body, err := needed("package p\n\n" + test + "\n\n" + r.Decls)
	if err != nil {
		return nil, err
	}
	used, err := usedNames("package p\n" + body)
	if err != nil {
		return nil, err
	}
	imports := importDecl(append(slices.Clone(r.Imports), "testing"), used)
	return format.Source(fmt.Appendf(nil, "%s\npackage %s\n\n%s\n%s", about.header(), about.Package, imports, body))
}

// header is the comment at the top of the file.
func (a AboutRepro) header() string {
	var b strings.Builder
	b.WriteString(ReproMark + ": one case that this package fails, as a plain Go test. It\n" +
		"// needs nothing of de. Delete it when you like; the next de repro replaces it.\n//\n")
	for _, row := range [][2]string{{"case", a.Case}, {"check", a.Check.Name}, {"rule", a.Check.Rule}, {"seen", a.Finding.Problem}} {
		writeRow(&b, row[0], row[1])
	}
	where, folder := "the folder of the workspace", "./"+a.Folder
	if a.Folder == "" {
		where, folder = "this folder", ""
	}
	fmt.Fprintf(&b, "//\n// Run it in %s; breakpoints work:\n//\n//\t%s\n", where, ReproCommand(a.Finding, folder))
	if endless(a.Finding.Kind) {
		b.WriteString("//\n// The code may never come to its end: -timeout sees to that.\n")
	} else {
		b.WriteString("//\n// If it passes now and then, chance has a hand in it: add -count=100.\n")
	}
	return b.String()
}

// writeRow writes a name and a text, in lines of up to 80 columns. What a solution
// may have said stays in the comment.
func writeRow(b *strings.Builder, name, text string) {
	const width = 74 // in bytes, for the tab is 8 columns
	line := fmt.Sprintf("//\t%-6s", name)
	for i, word := range strings.Fields(strings.Map(printable, text)) {
		if i > 0 && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = "//\t      "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

func printable(r rune) rune {
	if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
		return unicode.ReplacementChar
	}
	return r
}

// camel makes a name of Go out of that of a check: "eos-output", "EosOutput".
func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(part[:min(1, len(part))]) + part[min(1, len(part)):])
	}
	return b.String()
}

// usedNames returns the names in src that something is selected from, packages
// among them.
func usedNames(src string) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok {
				used[name.Name] = true
			}
		}
		return true
	})
	return used, nil
}

// importDecl imports those of the packages that are used, the standard library's
// first.
func importDecl(paths []string, used map[string]bool) string {
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(strings.Count(a, ".")-strings.Count(b, "."), strings.Compare(a, b))
	})
	var b strings.Builder
	b.WriteString("import (\n")
	foreign := false
	for _, p := range slices.Compact(paths) {
		if !used[path.Base(p)] {
			continue
		}
		if strings.Contains(p, ".") && !foreign {
			foreign = true
			b.WriteString("\n")
		}
		b.WriteString("\t" + strconv.Quote(p) + "\n")
	}
	return b.String() + ")\n"
}

// ReproDecls returns what the named Go files declare, and what they import, for
// a [Repro]. The files are ours: it panics if they can't be read.
func ReproDecls(files fs.FS, names ...string) (decls string, imports []string) {
	var all bytes.Buffer
	for _, name := range names {
		src, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			panic(err)
		}
		end := file.Name.End()
		if n := len(file.Decls); n > 0 {
			end = file.Decls[n-1].End()
		}
		all.Write(src[end-1:])
		all.WriteString("\n")
		for _, spec := range file.Imports {
			imports = append(imports, strings.Trim(spec.Path.Value, `"`))
		}
	}
	return all.String(), imports
}
