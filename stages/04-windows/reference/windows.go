// Package windows is the model answer of stage 04.
package windows

import (
	"cmp"
	"math"
	"slices"

	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 04.
type Solution struct{}

var _ contract.Stage = Solution{}

// Tumbling returns windows that follow one another.
func (s Solution) Tumbling(size, offset int64) contract.Assigner {
	return s.Sliding(size, size, offset)
}

// Sliding returns windows of one size, of which one begins every slide.
func (Solution) Sliding(size, slide, offset int64) contract.Assigner {
	return sliding{size, slide, offset}
}

type sliding struct {
	size, slide, offset int64
}

// Assign begins with the last window that starts at t or before.
func (s sliding) Assign(t int64) []contract.Window {
	var windows []contract.Window
	for start := t - floorMod(t-s.offset, s.slide); start > t-s.size; start -= s.slide {
		windows = append(windows, contract.Window{Start: start, End: start + s.size})
	}
	return windows
}

// floorMod is a modulo b in 0 to b-1, for a negative a too.
func floorMod(a, b int64) int64 {
	return (a%b + b) % b
}

// NewWindowOperator returns an operator over the windows of a.
func (Solution) NewWindowOperator(a contract.Assigner, lateness int64) contract.Operator {
	o := newOperator(lateness)
	o.assign = func(r stream.Record) []contract.Window { return a.Assign(r.Time) }
	return o
}

// NewSessionOperator returns an operator over sessions.
func (Solution) NewSessionOperator(gap, lateness int64) contract.Operator {
	o := newOperator(lateness)
	o.assign = func(r stream.Record) []contract.Window {
		return []contract.Window{o.merge(r.Key, contract.Window{Start: r.Time, End: r.Time + gap})}
	}
	return o
}

type operator struct {
	assign    func(r stream.Record) []contract.Window
	lateness  int64
	watermark int64
	panes     map[pane]contract.Result // of all windows that have records and are not gone
	late      []stream.Record
}

// A pane is one window of one key.
type pane struct {
	key    string
	window contract.Window
}

func newOperator(lateness int64) *operator {
	return &operator{lateness: lateness, watermark: math.MinInt64, panes: map[pane]contract.Result{}}
}

func (o *operator) Process(r stream.Record) []contract.Result {
	var due []contract.Result
	windows := o.assign(r)
	for _, w := range windows {
		if o.gone(w) {
			continue
		}
		result := o.add(pane{r.Key, w}, r.Value, 1)
		if w.End-1 <= o.watermark {
			due = append(due, result)
		}
	}
	if len(windows) > 0 && !slices.ContainsFunc(windows, o.live) {
		o.late = append(o.late, r)
	}
	return ordered(due)
}

func (o *operator) Advance(w stream.Watermark) []contract.Result {
	before := o.watermark
	o.watermark = max(before, int64(w))
	var due []contract.Result
	for p, result := range o.panes {
		if last := p.window.End - 1; before < last && last <= o.watermark {
			due = append(due, result)
		}
		if o.gone(p.window) {
			delete(o.panes, p)
		}
	}
	return ordered(due)
}

func (o *operator) Late() []stream.Record {
	return slices.Clone(o.late)
}

// gone tells whether the watermark has reached the end of w's lateness.
func (o *operator) gone(w contract.Window) bool {
	last := w.End - 1
	end := last + o.lateness
	if end < last {
		end = math.MaxInt64
	}
	return end <= o.watermark
}

func (o *operator) live(w contract.Window) bool { return !o.gone(w) }

func (o *operator) add(p pane, sum, count int64) contract.Result {
	total := o.panes[p]
	total.Key, total.Window = p.key, p.window
	total.Sum += sum
	total.Count += count
	o.panes[p] = total
	return total
}

// merge makes one window of w and of all that it touches, and returns it.
func (o *operator) merge(key string, w contract.Window) contract.Window {
	merged, sum, count := w, int64(0), int64(0)
	for p, total := range o.panes {
		if p.key != key || p.window.Start > w.End || w.Start > p.window.End {
			continue
		}
		merged.Start = min(merged.Start, p.window.Start)
		merged.End = max(merged.End, p.window.End)
		sum += total.Sum
		count += total.Count
		delete(o.panes, p)
	}
	if count > 0 {
		o.add(pane{key, merged}, sum, count)
	}
	return merged
}

func ordered(results []contract.Result) []contract.Result {
	slices.SortFunc(results, func(a, b contract.Result) int {
		return cmp.Or(
			cmp.Compare(a.Window.End, b.Window.End),
			cmp.Compare(a.Window.Start, b.Window.Start),
			cmp.Compare(a.Key, b.Key),
		)
	})
	return results
}
