package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

const describeWidth = 80 // cells, roughly: characters are counted

// Describe says in lines of up to 80 characters what a schedule runs: its
// matrices, its scripts, and how many cases they come to; and what is told of
// them, if not all.
func Describe(f *File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", short(f.Title, describeWidth))
	if f.Disclose != Full {
		fmt.Fprintf(&b, "disclose: %s\n", f.Disclose)
	}
	for _, m := range f.matrices {
		fmt.Fprintf(&b, "\n%s: %s\n", m.id, plural(m.cases, "case"))
		writeTable(&b, m.rows)
	}
	scripts := f.Cases[len(f.Cases)-f.scripts:]
	if len(scripts) > 0 {
		fmt.Fprintf(&b, "\n%s\n", plural(len(scripts), "script"))
	}
	for _, c := range scripts {
		ops := make([]string, len(c.Script))
		for i, op := range c.Script {
			ops[i] = op.String()
		}
		fmt.Fprintf(&b, "  %s\n", short(c.ID+": "+strings.Join(ops, ", "), describeWidth-2))
	}
	fmt.Fprintf(&b, "\n%s in all\n", plural(len(f.Cases), "case"))
	return b.String()
}

// A summary is what remains of a matrix once it is expanded.
type summary struct {
	id    string
	cases int
	rows  [][2]string // key and value
}

func (m matrix) rows() [][2]string {
	var rows [][2]string
	if m.input != nil {
		rows = append(rows, [2]string{"records", m.input.text})
	}
	for _, d := range m.params {
		texts := make([]string, len(d.picks))
		for i, k := range d.picks {
			texts[i] = d.param.pickText(k)
		}
		rows = append(rows, [2]string{d.param.Name, strings.Join(texts, ", ")})
	}
	return rows
}

func writeTable(b *strings.Builder, rows [][2]string) {
	name := 0
	for _, r := range rows {
		name = max(name, len(r[0]))
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "  %s\t%s\n", r[0], short(r[1], describeWidth-4-name))
	}
	w.Flush()
}

// short cuts text to n characters.
func short(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// numbers writes a list of numbers, and consecutive ones as "0 to 6".
func numbers(ns []int) string {
	last := len(ns) - 1
	if last >= 2 && ns[last]-ns[0] == last && slices.IsSorted(ns) {
		return fmt.Sprintf("%d to %d", ns[0], ns[last])
	}
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}
