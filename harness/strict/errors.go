package strict

import (
	"fmt"
	"strings"
)

const (
	maxErrors = 200 // kept of one document
	maxShown  = 20  // printed
	textWidth = 80
)

// An Error is one thing wrong with a file.
type Error struct {
	File    string
	Line    int    // from 1
	Column  int    // from 1, in characters
	Message string // what is wrong; and what to do
	Excerpt string // the line, or the part of it around the column, fit to print; may be empty
	Caret   int    // cells of a terminal to the left of the column in Excerpt
}

// Error returns the place and the message, and below them the line with a
// caret, in lines of up to 80 cells.
func (e Error) Error() string {
	var b strings.Builder
	b.WriteString(wrap(fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)))
	if strings.TrimSpace(e.Excerpt) != "" {
		number := fmt.Sprintf("%5d", e.Line)
		fmt.Fprintf(&b, "\n%s | %s\n%*s | %*s", number, e.Excerpt, len(number), "", e.Caret+1, "^")
	}
	return b.String()
}

// Errors are all the errors of a file, in its order; never none.
type Errors []Error

// Error returns the first errors one below the other, and how many more there are.
func (es Errors) Error() string {
	var b strings.Builder
	for i, e := range es[:min(len(es), maxShown)] {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(e.Error())
	}
	switch more := len(es) - maxShown; {
	case len(es) == maxErrors:
		fmt.Fprintf(&b, "\nand %d more at least", more)
	case more > 0:
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// wrap breaks text at spaces, and indents all lines but the first.
func wrap(text string) string {
	const indent = "    "
	var b strings.Builder
	cells := 0
	for i, word := range strings.Split(text, " ") {
		w := width(word)
		switch {
		case i == 0:
		case cells+1+w > textWidth:
			b.WriteString("\n" + indent)
			cells = len(indent)
		default:
			b.WriteString(" ")
			cells++
		}
		b.WriteString(word)
		cells += w
	}
	return b.String()
}
