package report

import (
	"github.com/charmbracelet/lipgloss"

	"github.com/flk-byo/de/grading"
)

// test is the command that tests a stage, in words.
func (p *page) test(s grading.StageReport) []string {
	words := []string{"de", "test"}
	if s.Stage != "" {
		words = append(words, s.Stage)
	}
	return append(words, p.flags...)
}

// command writes a command to be pasted into a shell. What does not fit goes on
// after a backslash, which a shell takes for one line; a word that is too long
// goes on in the first column, so that nothing comes between its parts.
func (p *page) command(words []string) {
	line := "  " + words[0]
	for _, word := range words[1:] {
		next := p.pieces(word)
		if lipgloss.Width(line+" "+next[0]) > p.width-2 {
			p.WriteString(line + " \\\n")
			line = "   "
		}
		line += " " + next[0]
		for _, piece := range next[1:] {
			p.WriteString(line + "\\\n")
			line = piece
		}
	}
	p.WriteString(line + "\n")
}

// pieces returns a word, quoted for a shell, in pieces of which each fits.
func (p *page) pieces(word string) []string {
	var pieces []string
	word = escape(word)
	for {
		end := fit(word, p.width-10)
		for end > 1 && lipgloss.Width(quote(word[:end])) > p.width-6 {
			end = fit(word, lipgloss.Width(word[:end])-1)
		}
		pieces = append(pieces, quote(word[:end]))
		if word = word[end:]; word == "" {
			return pieces
		}
	}
}
