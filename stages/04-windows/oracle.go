package windows

import (
	"cmp"
	"math"
	"slices"

	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// The oracle is a batch computation: what an operator must return at a step is
// worked out from all that was put into it up to there. It keeps no windows.

// every returns the windows of that size, one begun at offset plus each multiple
// of slide, that contain t, the earliest first. It tries every multiple near t.
func every(size, slide, offset, t int64) []contract.Window {
	near := (t - offset) / slide // rounded towards zero: below 0 it may be one too high, never too low
	var ws []contract.Window
	for k := near + 1; ; k-- {
		start := offset + k*slide
		if start+size <= t {
			break
		}
		if start <= t {
			ws = append(ws, contract.Window{Start: start, End: start + size})
		}
	}
	slices.Reverse(ws)
	return ws
}

// An event is what was put into an operator: a record, or a watermark.
type event struct {
	record  stream.Record
	advance bool
	before  int64 // the operator's watermark until then
	after   int64 // and from then on
}

// An answer is what an operator must return at an event.
type answer struct {
	results []contract.Result
	late    []stream.Record // all so far
	check   string          // what it is about
}

// gone tells whether watermark has reached the end of w's lateness.
func gone(w contract.Window, lateness, watermark int64) bool {
	last := w.End - 1
	if watermark == math.MaxInt64 {
		return true
	}
	return watermark >= last && uint64(watermark)-uint64(last) >= uint64(lateness)
}

// passed tells whether w ends between the watermarks before and after.
func passed(w contract.Window, before, after int64) bool {
	return before < w.End-1 && w.End-1 <= after
}

// fixedAnswers returns the answers of an operator whose windows are given.
func fixedAnswers(windows func(t int64) []contract.Window, lateness int64, events []event) []answer {
	b := newBatch(windows, lateness, events)
	answers := make([]answer, len(events))
	for n := range events {
		answers[n] = b.answer(n)
	}
	return answers
}

// A batch is the whole history of an operator, and the windows of each record.
type batch struct {
	events   []event
	windows  [][]contract.Window
	lateness int64
}

func newBatch(windows func(t int64) []contract.Window, lateness int64, events []event) batch {
	b := batch{events: events, windows: make([][]contract.Window, len(events)), lateness: lateness}
	for i, e := range events {
		if !e.advance {
			b.windows[i] = windows(e.record.Time)
		}
	}
	return b
}

// answer is the one at event n.
func (b batch) answer(n int) answer {
	e := b.events[n]
	a := answer{check: firing}
	for i := range b.events[:n+1] {
		if b.late(i) {
			a.late = append(a.late, b.events[i].record)
		}
	}
	if e.advance {
		a.results = b.totals(n, func(_ string, w contract.Window) bool { return passed(w, e.before, e.after) })
		return a
	}
	a.results = b.totals(n, func(key string, w contract.Window) bool {
		return key == e.record.Key && slices.Contains(b.windows[n], w) && w.End-1 <= e.after && !gone(w, b.lateness, e.after)
	})
	switch {
	case slices.ContainsFunc(b.windows[n], func(w contract.Window) bool { return gone(w, b.lateness, e.after) }):
		a.check = lateRecords
	case len(a.results) > 0:
		a.check = lateFiring
	}
	return a
}

// late tells whether event i is a late record.
func (b batch) late(i int) bool {
	for _, w := range b.windows[i] {
		if !gone(w, b.lateness, b.events[i].before) {
			return false
		}
	}
	return len(b.windows[i]) > 0
}

// totals returns those of the chosen windows over the events up to n, in order.
func (b batch) totals(n int, chosen func(key string, w contract.Window) bool) []contract.Result {
	var all []contract.Result
	for i, e := range b.events[:n+1] {
		for _, w := range b.windows[i] {
			if !chosen(e.record.Key, w) || gone(w, b.lateness, e.before) {
				continue
			}
			at := slices.IndexFunc(all, func(r contract.Result) bool { return r.Key == e.record.Key && r.Window == w })
			if at < 0 {
				at, all = len(all), append(all, contract.Result{Key: e.record.Key, Window: w})
			}
			all[at].Sum += e.record.Value
			all[at].Count++
		}
	}
	return inOrder(all)
}

// inOrder sorts results as the contract says.
func inOrder(results []contract.Result) []contract.Result {
	slices.SortFunc(results, byOrder)
	return results
}

func byOrder(a, b contract.Result) int {
	return cmp.Or(
		cmp.Compare(a.Window.End, b.Window.End),
		cmp.Compare(a.Window.Start, b.Window.Start),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.Sum, b.Sum), // of wrong results only
		cmp.Compare(a.Count, b.Count),
	)
}
