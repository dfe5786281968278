package build

import (
	"bytes"
	"fmt"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of the sources of one package.
const (
	maxFiles     = 200
	MaxFileBytes = 1 << 20 // of one file
	maxBytes     = 4 << 20
	maxEntries   = 5_000 // of a folder, whatever their kind
)

// A Diagnostic is one complaint about a solution's source.
type Diagnostic struct {
	File         string // relative to the guest's root, e.g. "08-transactional-sink/sink.go"
	Line, Column int    // from 1; 0 where the complaint is about the whole
	Message      string
}

func (d Diagnostic) folder() string {
	folder, _, _ := strings.Cut(d.File, "/")
	return folder
}

func (d Diagnostic) String() string {
	switch {
	case d.Line == 0:
		return d.File + ": " + d.Message
	case d.Column == 0:
		return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
	default:
		return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Message)
	}
}

// A source is one file to be compiled.
type source struct {
	name        string
	text        []byte
	imports     []string // paths, as far as the file can be parsed
	packageName string   // likewise
}

// collect reads the Go files of p that are to be compiled, and complains of
// what would not be safe or fair to compile. An error means that the folder
// can't be read.
func collect(p Package, allowed func(importPath string) bool) ([]source, []Diagnostic, error) {
	entries, err := fs.ReadDir(p.Files, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", p.Folder, err)
	}
	if len(entries) > maxEntries {
		return nil, []Diagnostic{{File: p.Folder, Message: fmt.Sprintf("the folder has more than %d entries; keep only your Go files in it", maxEntries)}}, nil
	}
	var sources []source
	var found []Diagnostic
	total, left := 0, false
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !IsSource(name) {
			continue
		}
		file := path.Join(p.Folder, name)
		text, problem, err := readSource(p.Files, entry, maxBytes-total)
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", file, err)
		}
		if problem == "" && len(sources) == maxFiles {
			problem = fmt.Sprintf("the package has more than %d Go files", maxFiles)
		}
		if problem != "" {
			return nil, append(found, Diagnostic{File: file, Message: problem}), nil
		}
		if !compiled(name, text) {
			left = true
			continue
		}
		total += len(text)
		if p.Rewrite != nil {
			if text, err = p.Rewrite(name, text); err != nil {
				return nil, nil, fmt.Errorf("rewrite %s: %w", file, err)
			}
		}
		s := source{name: name, text: text}
		found = append(found, s.inspect(file, allowed)...)
		sources = append(sources, s)
	}
	switch {
	case len(sources) > 0:
	case left:
		found = append(found, Diagnostic{File: p.Folder, Message: "no Go file is left to compile: a //go:build line, or a name such as x_windows.go, excludes each (solutions are built for GOOS=wasip1, GOARCH=wasm)"})
	default:
		found = append(found, Diagnostic{File: p.Folder, Message: "there is no Go file in this folder"})
	}
	return sources, found, nil
}

// IsSource tells whether a file of that name is a part of a solution: not a
// test, and none that Go leaves out by its first character.
func IsSource(name string) bool {
	return path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

// Unfit says why a Go file of that name and kind is not taken, whatever is in
// it. It is empty for one that is.
func Unfit(name string, mode fs.FileMode) string {
	switch {
	case !safeName(name):
		return "the file's name has other characters than letters, digits, '_', '-' and '.'"
	case !mode.IsRegular():
		return "it is not a regular file; links and devices are not followed"
	default:
		return ""
	}
}

// compiled tells whether Go takes the file into a guest, by its name and its
// build tags. What it leaves out is nobody's business.
func compiled(name string, text []byte) bool {
	context := build.Context{
		GOOS: "wasip1", GOARCH: "wasm", Compiler: "gc", ReleaseTags: build.Default.ReleaseTags,
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}
	match, err := context.MatchFile(".", name)
	return match || err != nil // of a file that can't be read the compiler says why
}

// readSource reads one file of at most room bytes, or says what is wrong with it.
func readSource(files fs.FS, entry fs.DirEntry, room int) ([]byte, string, error) {
	name := entry.Name()
	if problem := Unfit(name, entry.Type()); problem != "" {
		return nil, problem, nil
	}
	info, err := entry.Info()
	if err != nil {
		return nil, "", err
	}
	if info.Size() > MaxFileBytes || info.Size() > int64(room) {
		return nil, fmt.Sprintf("the sources are too large: at most %d KiB a file, %d KiB a package", MaxFileBytes>>10, maxBytes>>10), nil
	}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, "", err
	}
	if len(text) > MaxFileBytes {
		return nil, "the file grew while it was read", nil
	}
	return text, "", nil
}

func safeName(name string) bool {
	return strings.IndexFunc(name, func(c rune) bool {
		return c > 127 || !(c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}) < 0
}

// inspect fills in what a file imports, and complains of imports and directives
// that a solution may not have.
func (s *source) inspect(file string, allowed func(string) bool) []Diagnostic {
	if !utf8.Valid(s.text) {
		return []Diagnostic{{File: file, Message: "the file is not UTF-8 text"}}
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path.Base(file), s.text, parser.ImportsOnly)
	if err != nil {
		return nil // the compiler says it better
	}
	s.packageName = parsed.Name.Name
	var found []Diagnostic
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		s.imports = append(s.imports, name)
		if err != nil || allowed(name) {
			continue
		}
		why := reason(name)
		if own := Module + "/" + path.Base(name); strings.Contains(name, "/") && allowed(own) { // in a module of another name
			why = fmt.Sprintf("your own stages are in the module %s, so import %q", Module, own)
		}
		at := files.Position(spec.Path.Pos())
		found = append(found, Diagnostic{file, at.Line, at.Column, fmt.Sprintf("import %q is not allowed here: %s", name, why)})
	}
	return append(found, directives(file, s.text)...)
}

// directives complains of comments that change how the file is compiled. Their
// place is told without regard to //line, which is one of them.
func directives(file string, text []byte) []Diagnostic {
	var found []Diagnostic
	files := token.NewFileSet()
	var s scanner.Scanner
	f := files.AddFile(file, -1, len(text))
	s.Init(f, text, nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return found
		}
		at := files.PositionFor(pos, false)
		if tok != token.COMMENT || !directive(literal, at.Column) {
			continue
		}
		word, _, _ := strings.Cut(literal, " ")
		found = append(found, Diagnostic{file, at.Line, at.Column, fmt.Sprintf("the directive %.40q is not allowed here: remove it", word)})
	}
}

// harmless directives are those that editors and generators leave behind.
var harmless = []string{"//go:build", "//go:fix", "//go:generate", "//go:noinline"}

func directive(comment string, column int) bool {
	if column == 1 && strings.HasPrefix(comment, "//line ") || strings.HasPrefix(comment, "/*line ") {
		return true
	}
	if !strings.HasPrefix(comment, "//go:") {
		return false
	}
	word, _, _ := strings.Cut(comment, " ")
	return !slices.Contains(harmless, word)
}
