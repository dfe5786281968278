package report

import (
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// A row of a table has cells, or is a heading over all columns.
type row struct {
	mark    string         // in the margin, one column wide
	cells   []string       // clean
	note    string         // clean; on a line of its own, below the cells
	heading string         // clean
	style   lipgloss.Style // of the mark, the first cell or the heading
}

const (
	gap     = 2 // columns between two cells
	margin  = 2 // columns for the mark
	maxCell = 8 // lines of one cell
)

// table writes rows in aligned columns under a header, which may be nil. Where
// they are too wide together, the widest is made narrower and its cells
// wrapped. Columns without text go.
func (p *page) table(indent int, header []string, rows []row) {
	rows = withoutEmpty(rows, header)
	widths := fitted(rows, p.width-indent)
	for _, r := range rows {
		if r.heading != "" {
			for _, line := range wrap(r.heading, p.width-indent) {
				p.line(indent-margin, r.style, line)
			}
			continue
		}
		p.row(indent, widths, r)
		for _, line := range wrap(r.note, p.width-indent-2*margin) {
			p.line(indent+margin, p.style.faint, line)
		}
	}
}

func (p *page) row(indent int, widths []int, r row) {
	cells := make([][]string, len(r.cells))
	columns := make([]int, len(r.cells)) // where each begins
	height := 1
	for i, cell := range r.cells {
		width := widths[i]
		if i == len(r.cells)-1 {
			width = p.width - indent - columns[i]
		} else {
			columns[i+1] = columns[i] + width + gap
		}
		cells[i] = short(wrap(cell, width), maxCell, width)
		height = max(height, len(cells[i]))
	}
	for k := range height {
		line, end := p.mark(indent, r, k), 0
		for i, lines := range cells {
			if k < len(lines) {
				line += strings.Repeat(" ", columns[i]-end) + p.cell(i, r).Render(lines[k])
				end = columns[i] + lipgloss.Width(lines[k])
			}
		}
		p.WriteString(line + "\n")
	}
}

// short bounds the lines that one text takes.
func short(lines []string, most, width int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], wrap("... more with --format json", width)...)
}

// mark returns what stands before the first column in line k of a row.
func (p *page) mark(indent int, r row, k int) string {
	if r.mark == "" || k > 0 {
		return strings.Repeat(" ", indent)
	}
	return strings.Repeat(" ", indent-margin) + r.style.Render(r.mark) + " "
}

func (p *page) cell(i int, r row) lipgloss.Style {
	if i == 0 {
		return r.style
	}
	return p.style.plain
}

// fitted returns the widths of the columns, such that they fit into width.
func fitted(rows []row, width int) []int {
	widths := natural(rows)
	for widest(widths) > 1 && total(widths) > width {
		widths[slices.Index(widths, widest(widths))]--
	}
	return widths
}

// natural returns how wide each column is of itself. The last cell of a row
// that lacks some columns may reach over them, and so does not count.
func natural(rows []row) []int {
	columns := 0
	for _, r := range rows {
		columns = max(columns, len(r.cells))
	}
	widths := make([]int, columns)
	for _, r := range rows {
		for i, cell := range r.cells {
			if i < len(r.cells)-1 || i == columns-1 {
				widths[i] = max(widths[i], lipgloss.Width(cell))
			}
		}
	}
	return widths
}

func widest(widths []int) int {
	if len(widths) == 0 {
		return 0
	}
	return slices.Max(widths)
}

func total(widths []int) int {
	sum := gap * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// withoutEmpty returns header and rows without the columns that no row has text in.
func withoutEmpty(rows []row, header []string) []row {
	used := map[int]bool{}
	for _, r := range rows {
		for i, cell := range r.cells {
			used[i] = used[i] || cell != ""
		}
	}
	if header != nil {
		rows = append([]row{{cells: header}}, rows...)
	}
	kept := slices.Clone(rows)
	for n := range kept {
		kept[n].cells = nil
		for i, cell := range rows[n].cells {
			if used[i] {
				kept[n].cells = append(kept[n].cells, cell)
			}
		}
	}
	return kept
}
