package strict

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// checkText reports what can't be in the file whatever its structure, and
// whether there was nothing.
func (d *Document) checkText(src []byte) bool {
	valid := utf8.Valid(src)
	for i, line := range d.lines {
		column, problem := textProblem(line)
		if problem == "" {
			continue
		}
		d.report(i+1, column, problem)
		if !valid {
			break // a picture or the like: one line says it
		}
	}
	return len(d.errs) == 0
}

func textProblem(line string) (column int, problem string) {
	if line != "" && line[0] == '\t' && strings.TrimSpace(line) != "" {
		return 1, "a tab at the start of the line; indent with spaces"
	}
	column = 0
	for i, r := range line {
		column++
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(line[i:], "\ufffd"):
			return column, "this is not UTF-8; save the file as UTF-8 text"
		case r < ' ' && r != '\t', 0x7f <= r && r < 0xa0, // control characters
			r == 0x2028, r == 0x2029, // line ends to YAML, but to few editors
			r == 0xfeff, r == 0xfffe, r == 0xffff:
			return column, fmt.Sprintf("the character %U can't be in this file; remove it", r)
		}
	}
	return 0, ""
}

// reportSyntax reports an error of the YAML library.
func (d *Document) reportSyntax(src []byte, err error) {
	match := libraryError.FindStringSubmatch(err.Error())
	named, _ := strconv.Atoi(match[1])
	message, opener := plainSyntax(match[2])
	var line int
	switch opener {
	case "":
		line = d.brokenLine(src, named, err)
	case quotes:
		line = d.openingLine(named, opener)
	default:
		line = d.openingLine(named+1, opener) // of a bracket, the library counts lines from 0
	}
	text := d.lines[line-1]
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		d.report(line, tab+1, "a tab in the indentation; indent with spaces")
		return
	}
	d.report(line, len(indent)+1, message)
}

var libraryError = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)`)

// plainSyntax says in other words what the YAML library says. The opener is the
// character after which something is not closed; it may be empty.
func plainSyntax(its string) (message, opener string) {
	for _, p := range plainer {
		if strings.Contains(its, p.its) {
			return p.ours, p.opener
		}
	}
	return "this is not YAML (" + clean(its) + "); check quotes, brackets and indentation here", ""
}

// openingLine finds the line with what is not closed. The library names it, or,
// if it is the first line, the one in which it gave up.
func (d *Document) openingLine(named int, opener string) int {
	line := max(1, min(named, len(d.lines)))
	for line > 1 && !strings.ContainsAny(d.lines[line-1], opener) {
		line--
	}
	return line
}

// maxSearched is the size of a file, in bytes, that is quickly read again and again.
const maxSearched = 100_000

// brokenLine finds the place of an error. The line that the library names is
// often that of the enclosing list or map; better is the last line of the
// shortest beginning of the file that is broken in the same way.
func (d *Document) brokenLine(src []byte, named int, err error) int {
	if len(src) > maxSearched {
		return max(1, min(named, len(d.lines)))
	}
	ends := []int{0}
	for i, b := range src {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	ends = append(ends, len(src))
	line := sort.Search(len(d.lines), func(n int) bool {
		_, _, e := decode(src[:ends[n]])
		return e != nil && e.Error() == err.Error()
	})
	return max(1, line)
}

const quotes = `"'`

var plainer = []struct{ its, ours, opener string }{
	{"did not find expected key", "this line does not belong to what stands above it; check its indentation, and that quotes and brackets above are closed", ""},
	{"did not find expected '-' indicator", "this line is no item of the list above it; begin it with \"- \", or check its indentation", ""},
	{"did not find expected ',' or ']'", "the list that a \"[\" opens here goes wrong; check its commas, and that it ends with \"]\"", "["},
	{"did not find expected ',' or '}'", "the map that a \"{\" opens here goes wrong; check its commas, and that it ends with \"}\"", "{"},
	{"found unexpected end of stream", "a quote that is opened here is never closed; close it", quotes},
	{"mapping values are not allowed", "a \": \" where no key can be; check the indentation, and put quotes around text that has \": \" in it", ""},
	{"could not find expected ':'", "a key without \": \" after it; add it, or check the indentation", ""},
	{"block sequence entries are not allowed", "a \"- \" where no list item can be; begin the list on a line of its own", ""},
	{"found character that cannot start any token", "text can't begin with this character; put quotes around it", ""},
	{"found unknown escape character", "an unknown escape after \"\\\"; double the \"\\\", or use single quotes", ""},
	{"did not find expected node content", "a value is missing here; check the commas, and that every bracket is closed", ""},
	{"exceeded max depth", "far too many lists and maps inside one another; check the brackets", ""},
	{"unknown anchor", aliasProblem, ""},
}

const aliasProblem = "an alias (\"*name\") is not allowed; write the value out"

// checkTree reports what this package does not take of YAML, and closes those
// places to the walk. A tree past the limits is dropped.
func (d *Document) checkTree() {
	nodes := 0
	if !d.checkNode(d.root, 1, &nodes) {
		d.root = nil
	}
}

func (d *Document) checkNode(n *yaml.Node, depth int, nodes *int) bool {
	if *nodes++; *nodes > d.limits.Nodes {
		d.report(n.Line, n.Column, fmt.Sprintf("the file has more than %d values; split it", d.limits.Nodes))
		return false
	}
	if depth > d.limits.Depth {
		d.report(n.Line, n.Column, fmt.Sprintf("more than %d lists and maps inside one another; no file needs that many, so check the brackets", d.limits.Depth))
		return false
	}
	d.checkPlain(n)
	if n.Kind == yaml.MappingNode {
		d.checkKeys(n)
	}
	for _, c := range n.Content {
		if !d.checkNode(c, depth+1, nodes) {
			return false
		}
	}
	return true
}

func (d *Document) checkPlain(n *yaml.Node) {
	refuse := func(problem string) {
		d.report(n.Line, n.Column, problem)
		d.closed[n] = true
	}
	switch {
	case n.Kind == yaml.AliasNode:
		refuse(aliasProblem)
	case n.Anchor != "":
		refuse("an anchor (\"&" + n.Anchor + "\") is not allowed; remove it")
	case n.Style&yaml.TaggedStyle != 0:
		refuse("a tag (" + show(n.Tag) + ") is not allowed; remove it")
	}
}

func (d *Document) checkKeys(n *yaml.Node) {
	first := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind == yaml.AliasNode:
		case key.Kind != yaml.ScalarNode:
			d.report(key.Line, key.Column, "a key must be plain text; a list or a map can't be one")
			d.closed[key] = true
		case key.Tag == "!!merge":
			d.report(key.Line, key.Column, "a merge key (\"<<\") is not allowed; write the keys out")
			d.closed[key] = true
		case first[key.Value] != 0:
			d.report(key.Line, key.Column, fmt.Sprintf("the key %s is already in line %d; remove one of the two", show(key.Value), first[key.Value]))
			d.closed[key] = true
		default:
			first[key.Value] = key.Line
		}
	}
}
