package strict

import (
	"strings"
	"unicode"
)

const excerptWidth = 70 // cells

// excerpt returns a line, or the part of it around the column, as it can be
// printed in a terminal, and the cells to the left of the column in it.
func excerpt(line string, column int) (text string, caret int) {
	runes := []rune(line)
	at := min(column-1, len(runes))
	from, to := max(0, at-2*excerptWidth), min(len(runes), at+2*excerptWidth)
	before, after := clean(string(runes[from:at])), clean(string(runes[at:to]))
	cut := from > 0
	if width(before) > excerptWidth*2/3 && width(before)+width(after) > excerptWidth {
		before, cut = last(before, excerptWidth/2), true
	}
	if cut {
		before = "…" + before
	}
	if room := excerptWidth - width(before); to < len(runes) || width(after) > room {
		after = first(after, room-1) + "…"
	}
	return before + after, width(before)
}

// clean makes text fit for a terminal: what has no glyph of its own, and could
// move the cursor or turn the direction of the text, is replaced.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		default:
			return unicode.ReplacementChar
		}
	}, text)
}

// first returns as many leading characters as fit into the cells, last as many
// at the end.
func first(text string, cells int) string {
	for i, r := range text {
		if cells -= runeWidth(r); cells < 0 {
			return text[:i]
		}
	}
	return text
}

func last(text string, cells int) string {
	excess := width(text) - cells
	for i, r := range text {
		if excess <= 0 {
			return text[i:]
		}
		excess -= runeWidth(r)
	}
	return ""
}

// width returns how many cells of a terminal printable text takes.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wide holds the blocks that terminals draw two cells wide (Unicode, annex 11),
// coarsely: it only places carets.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul initials
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1}, // radicals, CJK punctuation
		{Lo: 0x3041, Hi: 0x4dbf, Stride: 1}, // kana … ideographs
		{Lo: 0x4e00, Hi: 0xa4cf, Stride: 1}, // ideographs, Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, // compatibility ideographs
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, // vertical forms
		{Lo: 0xff01, Hi: 0xff60, Stride: 1}, // full-width forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // pictographs
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // ideographs
	},
}
