package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/flk-byo/de/grading"
)

// A page is text that grows line by line and never past its width.
type page struct {
	strings.Builder
	width int
	whole bool // nothing is left out
	flags []string
	hints map[string]int
	style styles
}

type styles struct {
	title, good, bad, unsure, faint, plain lipgloss.Style
}

func newPage(o Options) *page {
	width := o.Width
	if width == 0 {
		width = defaultWidth
	}
	return &page{width: max(width, minWidth), flags: o.Flags, hints: o.Hints, style: newStyles(o.Color)}
}

// newStyles fixes the colour profile: a renderer left to itself would ask the
// environment and the terminal.
func newStyles(color bool) styles {
	profile := termenv.Ascii
	if color {
		profile = termenv.ANSI
	}
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(profile))
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(true)
	return styles{
		title:  r.NewStyle().Bold(true),
		good:   r.NewStyle().Bold(true).Foreground(lipgloss.Color("2")),
		bad:    r.NewStyle().Bold(true).Foreground(lipgloss.Color("1")),
		unsure: r.NewStyle().Bold(true).Foreground(lipgloss.Color("3")),
		faint:  r.NewStyle().Faint(true),
		plain:  r.NewStyle(),
	}
}

func (p *page) of(v grading.Verdict) lipgloss.Style {
	switch v {
	case grading.Pass:
		return p.style.good
	case grading.Fail:
		return p.style.bad
	default:
		return p.style.unsure
	}
}

func (p *page) blank() { p.WriteByte('\n') }

// line writes one line, which must fit.
func (p *page) line(indent int, style lipgloss.Style, s string) {
	s = strings.TrimRight(s, " ")
	if s != "" {
		p.WriteString(strings.Repeat(" ", indent))
		p.WriteString(style.Render(s))
	}
	p.blank()
}

// section begins a new part of the page. The title is ours.
func (p *page) section(title string) {
	p.blank()
	for _, line := range wrap(title, p.width) {
		p.line(0, p.style.title, line)
	}
}

// prose writes a sentence or more.
func (p *page) prose(s string) { p.entry("  ", s) }

// lines writes text whose lines matter, such as a compiler's.
func (p *page) lines(indent int, s string) {
	for _, line := range split(s) {
		p.wrapped(indent, p.style.plain, line)
	}
}

// wrapped writes one clean line; what does not fit goes on below, further in.
func (p *page) wrapped(indent int, style lipgloss.Style, line string) {
	first, rest := cut(line, p.width-indent)
	p.line(indent, style, first)
	for _, next := range wrap(rest, p.width-indent-2) {
		p.line(indent+2, style, next)
	}
}

// entry writes a clean label of ours in the first column and a text beside it.
func (p *page) entry(label, s string) {
	indent := lipgloss.Width(label)
	for i, line := range wrap(clean(s), p.width-indent) {
		if i == 0 {
			p.WriteString(label)
			p.line(0, p.style.plain, line)
		} else {
			p.line(indent, p.style.plain, line)
		}
	}
}

// wrap breaks a clean line into lines of at most width columns. Spaces inside
// a line stay as they are. An empty line gives none.
func wrap(s string, width int) []string {
	var lines []string
	for s != "" {
		var line string
		line, s = cut(s, width)
		lines = append(lines, line)
	}
	return lines
}

// cut parts a clean line in two, the first of which fits into width columns.
func cut(s string, width int) (first, rest string) {
	end := fit(s, width)
	if end == len(s) {
		return s, ""
	}
	end = breakpoint(s, end)
	return strings.TrimRight(s[:end], " "), strings.TrimLeft(s[end:], " ")
}

// breakpoint returns where to break s, at end or before: between columns, which
// stand two spaces apart, else at a space, else after a comma or slash, else at
// end. The time of a record, as in "a=1 @5", stays with it if it can.
func breakpoint(s string, end int) int {
	indent := len(s) - len(strings.TrimLeft(s, " "))
	early := max(indent, end/3) // a break before it would waste the line
	window := s[:min(end+1, len(s))]
	if i := strings.LastIndex(window, "  "); i > indent {
		return i
	}
	space := strings.LastIndexByte(window, ' ')
	for i := space; i > early; i = strings.LastIndexByte(s[:i], ' ') {
		if !strings.HasPrefix(s[i:], " @") {
			return i
		}
	}
	if space > early {
		return space
	}
	if i := strings.LastIndexAny(s[:end], ",/"); i > early {
		return i + 1
	}
	return end
}

// fit returns the length in bytes of the longest start of s that fits into
// width columns, and of at least one character.
func fit(s string, width int) int {
	end := 0
	for end < len(s) {
		_, size := utf8.DecodeRuneInString(s[end:])
		if end > 0 && lipgloss.Width(s[:end+size]) > width {
			break
		}
		end += size
	}
	return end
}
