// Package strict reads YAML files that people write by hand, and tells them
// everything that is wrong with one at once: each error with its place, the
// line, a caret and a next step. It takes a plain subset of YAML: maps, lists,
// text, whole numbers, hundredths; no anchors, aliases, merge keys or tags, whose
// expansion no limit on the file's size would bound.
//
// It decodes nothing into structs: a caller walks the [Document] through [Value]
// and asks of each place what it expects there. What is not as asked is recorded
// in the document, and the walk goes on; [Document.Err] then has it all. Only
// this package knows the YAML library. Start reading at [Parse].
package strict

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Limits bound one file. Zero fields mean the defaults.
type Limits struct {
	Bytes int // default 1 MiB
	Depth int // of nesting; default 20
	Nodes int // maps, lists, keys and values together; default 200,000
}

func (l Limits) orDefaults() Limits {
	return Limits{
		Bytes: cmp.Or(l.Bytes, 1<<20),
		Depth: cmp.Or(l.Depth, 20),
		Nodes: cmp.Or(l.Nodes, 200_000),
	}
}

// A Document is one file, and the errors found in it so far.
type Document struct {
	name   string
	lines  []string // without their ends
	limits Limits
	errs   Errors
	root   *yaml.Node // nil if the file can't be read
	closed map[*yaml.Node]bool
}

// Parse reads a file. The name is only for messages. A file that is no YAML at
// all, or more of it than limits allow, has an absent root and its errors.
func Parse(name string, src []byte, limits Limits) *Document {
	d := &Document{name: clean(name), limits: limits.orDefaults(), closed: map[*yaml.Node]bool{}}
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // Windows editors write it
	if len(src) > d.limits.Bytes {
		d.report(1, 1, fmt.Sprintf("the file has %d bytes, more than the %d allowed; split it", len(src), d.limits.Bytes))
		return d
	}
	d.lines = strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	if !d.checkText(src) {
		return d
	}
	root, second, err := decode(src)
	switch {
	case err != nil:
		d.reportSyntax(src, err)
	case root == nil || root.Kind == yaml.ScalarNode && root.Tag == "!!null":
		d.report(1, 1, "the file is empty; it must hold keys and values, as in \"title: …\"")
	default:
		d.root = root
		d.checkTree()
	}
	if second != nil {
		d.report(second.Line, second.Column, "a second document begins here; remove the \"---\", or put it into a file of its own")
	}
	return d
}

// decode returns the content of the first document, nil if there is none, and
// the second document. The library has been seen to panic on broken input.
func decode(src []byte) (root, second *yaml.Node, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("yaml: %v", v)
		}
	}()
	var first, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	if err := decoder.Decode(&first); err == io.EOF {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	switch err := decoder.Decode(&next); {
	case err == io.EOF:
		return first.Content[0], nil, nil
	case err != nil:
		return nil, nil, err
	}
	return first.Content[0], &next, nil
}

// Root returns the value that is the whole file.
func (d *Document) Root() Value {
	return Value{doc: d, node: d.root, name: "the file"}
}

// Include takes over the errors of another file that this one names.
func (d *Document) Include(other *Document) {
	for _, e := range other.errs {
		d.add(e)
	}
}

// Err returns all that was found wrong, as [Errors] in the order of the file,
// or nil.
func (d *Document) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	errs := slices.Clone(d.errs)
	slices.SortStableFunc(errs, func(a, b Error) int {
		return cmp.Or(
			cmp.Compare(btoi(a.File != d.name), btoi(b.File != d.name)),
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column))
	})
	return errs
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// report records an error. Lines and columns, which count characters, are from
// 1; what lies outside the file is moved to its nearest place.
func (d *Document) report(line, column int, message string) {
	line = max(1, min(line, len(d.lines)))
	e := Error{File: d.name, Line: line, Column: max(1, column), Message: message}
	if line <= len(d.lines) {
		e.Column = min(e.Column, len([]rune(d.lines[line-1]))+1)
		e.Excerpt, e.Caret = excerpt(d.lines[line-1], e.Column)
	}
	d.add(e)
}

func (d *Document) add(e Error) {
	if len(d.errs) < maxErrors {
		d.errs = append(d.errs, e)
	}
}
