package class

import (
	"bytes"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"strconv"
)

// plainSource is a Go source without what a student changes to make it look like
// another: layout, comments, imports, and names. Those of Go itself, and of what
// is imported, stay; the others are numbered in the order in which they appear.
//
// It reads tokens and builds no tree, so it takes time linear in the source
// whatever that is, and one that does not parse has a plain form, too.
func plainSource(src []byte) []byte {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	p := plainer{names: map[string]int{}, imports: map[string]bool{}}
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return p.out.Bytes()
		}
		p.token(tok, text)
	}
}

type plainer struct {
	out     bytes.Buffer
	names   map[string]int  // the number of each
	imports map[string]bool // names of packages

	importing bool // inside of an import declaration
	depth     int  // of its parentheses
	alias     string

	held   token.Token // a comma or semicolon that is left out before what closes
	before [2]string   // the last two tokens, as they stand in the source
}

// token writes one token, or leaves it out.
func (p *plainer) token(tok token.Token, text string) {
	if tok == token.IMPORT || p.importing {
		p.imported(tok, text)
		return
	}
	closes := tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK
	if p.held != token.ILLEGAL && !closes {
		p.out.WriteString(p.held.String() + " ")
	}
	p.held = token.ILLEGAL
	switch {
	case tok == token.COMMA || tok == token.SEMICOLON:
		p.held = tok
	case tok == token.IDENT:
		p.out.WriteString(p.name(text) + " ")
	case tok.IsLiteral() || tok == token.ILLEGAL:
		p.out.WriteString(text + " ")
	default:
		p.out.WriteString(tok.String() + " ")
	}
	if text == "" || tok == token.SEMICOLON {
		text = tok.String()
	}
	p.before = [2]string{p.before[1], text}
}

// name is what stands for a name: itself, or its number.
func (p *plainer) name(text string) string {
	ofImport := p.before[1] == "." && p.imports[p.before[0]]
	if ofImport || text == "_" || types.Universe.Lookup(text) != nil {
		return text
	}
	n, ok := p.names[text]
	if !ok {
		n = len(p.names)
		p.names[text] = n
	}
	return "#" + strconv.Itoa(n)
}

// imported takes down the name of an imported package.
func (p *plainer) imported(tok token.Token, text string) {
	p.importing = true
	switch tok {
	case token.LPAREN:
		p.depth++
	case token.RPAREN:
		p.depth--
	case token.IDENT:
		p.alias = text
	case token.STRING:
		if name, err := strconv.Unquote(text); err == nil && p.alias == "" {
			p.alias = path.Base(name)
		}
		p.imports[p.alias] = true
		p.alias = ""
	case token.SEMICOLON:
		p.importing = p.depth > 0
	}
}
