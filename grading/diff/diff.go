// Package diff says in stable lines how the records that were seen depart from
// those that were expected. It compares with go-cmp, and is the only package
// that does, but prints through a reporter of its own: cmp.Diff's text changes
// on purpose, and its edit script for slices is picked at random. So lists are
// compared as maps, by count or by index. Start reading at [Multiset].
package diff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/flk-byo/de/stages/stream"
)

// MaxLines bounds a difference. Past it there is one more line, which says how
// many were left out.
const MaxLines = 200

// Multiset compares without regard to order: one line for each record that was
// not seen as often as expected, sorted by record. It returns nil where there
// is no difference.
func Multiset(want, got []stream.Record) []string {
	var rows []row
	wants, gots := counts(want), counts(got)
	for _, r := range different(wants, gots, compareRecords) {
		rows = append(rows, countRow(r, wants[r], gots[r]))
	}
	return lines(rows)
}

func counts(records []stream.Record) map[stream.Record]int {
	n := map[stream.Record]int{}
	for _, r := range records {
		n[r]++
	}
	return n
}

func countRow(r stream.Record, want, got int) row {
	mark, word := "+", "duplicated"
	switch {
	case got < want:
		mark, word = "-", "lost"
	case want == 0:
		word = "never in the input"
	}
	return row{mark + " " + Record(r), fmt.Sprintf("expected %d, seen %d: %s", want, got, word)}
}

// List compares in order: one line for each position that holds another record
// than expected, counted from 0. What both lists begin and end with alike is
// left aside, so one record lost or added in the middle is one line. It returns
// nil where there is no difference.
func List(want, got []stream.Record) []string {
	start, end := common(want, got)
	wants := indexed(want[:len(want)-end], start)
	gots := indexed(got[:len(got)-end], start)
	var rows []row
	for _, i := range different(wants, gots, func(a, b int) int { return a - b }) {
		rows = append(rows, indexRow(i, wants, gots))
	}
	all := lines(rows)
	if len(all) > 0 && Multiset(want, got) == nil {
		all = append([]string{"the records are right, their order is not"}, all...)
	}
	return all
}

// common returns how many records both lists begin with, and how many of the
// rest they end with.
func common(a, b []stream.Record) (start, end int) {
	n := min(len(a), len(b))
	for start < n && a[start] == b[start] {
		start++
	}
	for end < n-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start, end
}

func indexed(records []stream.Record, start int) map[int]stream.Record {
	m := map[int]stream.Record{}
	for i := start; i < len(records); i++ {
		m[i] = records[i]
	}
	return m
}

func indexRow(i int, wants, gots map[int]stream.Record) row {
	mark, want, got := "!", "nothing", "nothing"
	if r, ok := wants[i]; ok {
		want = Record(r)
	} else {
		mark = "+"
	}
	if r, ok := gots[i]; ok {
		got = Record(r)
	} else {
		mark = "-"
	}
	return row{fmt.Sprintf("%s at %d", mark, i), "expected " + want, "seen " + got}
}

// different returns the keys under which two maps differ, in the given order.
func different[K comparable, V any](want, got map[K]V, order func(a, b K) int) []K {
	var c collector[K]
	cmp.Equal(want, got, cmp.Reporter(&c))
	slices.SortFunc(c.keys, order)
	return c.keys
}

// A collector is a [cmp.Reporter] that keeps the map keys of unequal values.
type collector[K comparable] struct {
	path cmp.Path
	keys []K
}

func (c *collector[K]) PushStep(s cmp.PathStep) { c.path = append(c.path, s) }
func (c *collector[K]) PopStep()                { c.path = c.path[:len(c.path)-1] }

func (c *collector[K]) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	for _, step := range c.path {
		index, ok := step.(cmp.MapIndex)
		if !ok {
			continue
		}
		key := index.Key().Interface().(K)
		if len(c.keys) == 0 || c.keys[len(c.keys)-1] != key { // one key, two fields
			c.keys = append(c.keys, key)
		}
		return
	}
}

// A row is one line in columns.
type row []string

// lines aligns the columns of rows and bounds their number.
func lines(rows []row) []string {
	left := len(rows) - MaxLines
	if left > 0 {
		rows = rows[:MaxLines]
	}
	var widths []int
	for _, r := range rows {
		widths = append(widths, make([]int, max(0, len(r)-len(widths)))...)
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var all []string
	for _, r := range rows {
		var b strings.Builder
		for i, cell := range r[:len(r)-1] {
			fmt.Fprintf(&b, "%-*s   ", widths[i], cell)
		}
		all = append(all, b.String()+r[len(r)-1])
	}
	if left > 0 {
		all = append(all, fmt.Sprintf("... and %d more", left))
	}
	return all
}
