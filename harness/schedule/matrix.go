package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/flk-byo/de/harness/strict"
)

// A matrix is one entry of cases: every combination of an input and a value of
// each parameter is a case.
type matrix struct {
	at     strict.Value
	id     string // "08/distinct"
	input  *input // nil if it has errors, or the stage has no records
	params []dimension
}

// A dimension is what a matrix says of one parameter.
type dimension struct {
	param Param
	picks []pick
}

// A pick is a value, or a word for several.
type pick struct {
	value int
	word  string // not empty: one of the param's Ranges
}

func (l *loader) readMatrix(v strict.Value) {
	keys := []string{"name"}
	if !l.spec.NoRecords {
		keys = append(keys, "records")
	}
	for _, p := range l.spec.Params {
		keys = append(keys, p.Name)
	}
	fields := v.Map(keys...)
	m := matrix{at: v, id: l.caseID(fields.Required("name"))}
	ok := true
	if !l.spec.NoRecords {
		m.input = l.readInput(fields.Required("records"))
		ok = m.input != nil
	}
	for _, p := range l.spec.Params {
		d := readDimension(p, fields)
		ok = ok && len(d.picks) > 0
		m.params = append(m.params, d)
	}
	if ok {
		l.expand(m)
	}
}

// readDimension returns a dimension without picks where it has errors.
func readDimension(p Param, fields strict.Map) dimension {
	d := dimension{param: p}
	v := fields.Optional(p.Name)
	if !v.Present() && p.Default != nil {
		for _, n := range p.Default {
			d.picks = append(d.picks, pick{value: n})
		}
		return d
	}
	items := fields.Required(p.Name).OneOrMore()
	for _, v := range items {
		k, ok := readPick(p, v)
		switch {
		case !ok:
		case slices.Contains(d.picks, k):
			v.Errorf("%s has %s twice; remove one", p.Name, p.pickText(k))
		default:
			d.picks = append(d.picks, k)
		}
	}
	if len(d.picks) < len(items) {
		d.picks = nil
	}
	return d
}

func readPick(p Param, v strict.Value) (pick, bool) {
	words := slices.Concat(slices.Sorted(maps.Keys(p.Values)), slices.Sorted(maps.Keys(p.Ranges)))
	if p.Max < p.Min {
		word, ok := v.Word(words...)
		if value, single := p.Values[word]; single {
			return pick{value: value}, ok
		}
		return pick{word: word}, ok
	}
	n, word, ok := v.IntOrWord(int64(p.Min), int64(p.Max), p.Doc, words...)
	if value, single := p.Values[word]; single {
		return pick{value: value}, ok
	}
	return pick{value: int(n), word: word}, ok
}

// expand appends the cases of m to the file.
func (l *loader) expand(m matrix) {
	before := len(l.file.Cases)
	counts := []int{0}
	if m.input != nil {
		counts = m.input.counts
	}
	for _, n := range counts {
		settings, ok := l.settings(m, n)
		if !ok || !l.fits(m, settings) {
			return
		}
		l.combine(m, n, settings)
	}
	l.file.matrices = append(l.file.matrices, summary{m.id, len(l.file.Cases) - before, m.rows()})
}

// settings returns the values of each parameter for n records, without repeats.
func (l *loader) settings(m matrix, n int) ([][]Setting, bool) {
	if l.full {
		return nil, false
	}
	all := make([][]Setting, len(m.params))
	for i, d := range m.params {
		seen := map[int]bool{}
		for _, v := range d.values(n) {
			if !d.param.allows(v) {
				m.at.Errorf("%s of %s reaches %d with %s, beyond %d to %d; list numbers instead",
					d.param.Name, m.id, v, plural(n, "record"), d.param.Min, d.param.Max)
				return nil, false
			}
			if !seen[v] {
				seen[v] = true
				all[i] = append(all[i], Setting{d.param.Name, v, d.param.text(v)})
			}
		}
	}
	return all, true
}

func (d dimension) values(n int) []int {
	var values []int
	for _, k := range d.picks {
		if k.word != "" {
			values = append(values, d.param.Ranges[k.word](n)...)
		} else {
			values = append(values, k.value)
		}
	}
	return values
}

func (p Param) allows(value int) bool {
	return p.Min <= value && value <= p.Max || p.word(value) != ""
}

// text returns a value as it stands in IDs and messages.
func (p Param) text(value int) string {
	if w := p.word(value); w != "" {
		return w
	}
	return strconv.Itoa(value)
}

func (p Param) word(value int) string {
	for _, w := range slices.Sorted(maps.Keys(p.Values)) {
		if p.Values[w] == value {
			return w
		}
	}
	return ""
}

func (p Param) pickText(k pick) string {
	if k.word != "" {
		return k.word
	}
	return p.text(k.value)
}

// fits reports whether the file may have all combinations of the settings too.
func (l *loader) fits(m matrix, settings [][]Setting) bool {
	room := l.limits.Cases - len(l.file.Cases)
	for _, s := range settings {
		if len(s) > 0 {
			room /= len(s)
		}
	}
	if room < 1 {
		m.at.Errorf("with %s the file has more than %d cases; list fewer values, or split it", m.id, l.limits.Cases)
		l.full = true
	}
	return !l.full
}

// combine appends a case for each combination of the settings; those of the last
// parameter change fastest.
func (l *loader) combine(m matrix, n int, settings [][]Setting) {
	total := 1
	for _, s := range settings {
		total *= len(s)
	}
	for i := range total {
		l.file.Cases = append(l.file.Cases, m.combination(i, n, settings))
	}
}

func (m matrix) combination(i, n int, settings [][]Setting) Case {
	c := Case{ID: m.id, Params: make([]Setting, len(settings))}
	for j, s := range slices.Backward(settings) {
		c.Params[j] = s[i%len(s)]
		i /= len(s)
	}
	var parts []string
	if m.input != nil {
		c.Records = m.input.first(n)
		if m.input.listed {
			parts = append(parts, fmt.Sprintf("n=%d", n))
		}
	}
	for j, s := range c.Params {
		parts = append(parts, m.params[j].param.Short+"="+s.Text)
	}
	if len(parts) > 0 {
		c.ID += "/" + strings.Join(parts, ",")
	}
	return c
}
