package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxText  = 2000 // bytes that are shown of one piece of text
	maxMarks = 2    // combining marks that are shown on one letter
)

// clean returns s as one line that is safe to show. Past maxText it is only
// counted.
func clean(s string) string {
	if len(s) <= maxText {
		return escape(s)
	}
	n := maxText
	for n > maxText-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s... (%s more: see all with --format json)", escape(s[:n]), count(len(s)-n, "byte"))
}

// escape returns s with a Go escape, e.g. \x1b, for whatever is invisible, moves
// the cursor, changes the direction of writing, or piles up on one letter.
func escape(s string) string {
	var b strings.Builder
	marks := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !strconv.IsPrint(r), marks > maxMarks, unicode.Is(unicode.Variation_Selector, r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// split returns the lines of a text, each of them clean, with tabs as spaces.
func split(s string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		lines = append(lines, clean(strings.ReplaceAll(line, "\t", "    ")))
	}
	return lines
}

// count returns a number with its noun: "1 case", "3,312 cases".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

func number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// quote makes one word of s for a POSIX shell.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
