package wire

import (
	"slices"

	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A Reading is how a caller treats the slices that an operator returns.
type Reading struct {
	Late   bool // asks for the late records too, after each call
	Change bool // overwrites each slice, as its owner may, and keeps it
}

// An Answer is what an operator returned in one step.
type Answer struct {
	Results []contract.Result
	Late    []stream.Record // only if asked for
}

// An OperatorOwner calls an operator of this side, and owns what it returns.
type OperatorOwner struct {
	operator contract.Operator
	results  kept[contract.Result]
	late     kept[stream.Record]
}

// OwnOperator returns an owner of what o returns.
func OwnOperator(o contract.Operator) *OperatorOwner { return &OperatorOwner{operator: o} }

// ProcessAs is [Operator.ProcessAs].
func (o *OperatorOwner) ProcessAs(r stream.Record, how Reading) Answer {
	return o.read(o.operator.Process(r), how)
}

// AdvanceAs is [Operator.AdvanceAs].
func (o *OperatorOwner) AdvanceAs(w stream.Watermark, how Reading) Answer {
	return o.read(o.operator.Advance(w), how)
}

func (o *OperatorOwner) read(results []contract.Result, how Reading) Answer {
	a := Answer{Results: o.results.read(results, how.Change, markedResult)}
	if how.Late {
		a.Late = o.late.read(o.operator.Late(), how.Change, markedRecord)
	}
	return a
}

// KeptIntact is [Operator.KeptIntact].
func (o *OperatorOwner) KeptIntact() bool { return o.results.intact() && o.late.intact() }

// An AssignerOwner calls an assigner of this side, and owns what it returns.
type AssignerOwner struct {
	assigner contract.Assigner
	windows  kept[contract.Window]
}

// OwnAssigner returns an owner of what a returns.
func OwnAssigner(a contract.Assigner) *AssignerOwner { return &AssignerOwner{assigner: a} }

// Assign is [Assigner.Assign].
func (a *AssignerOwner) Assign(t int64) []contract.Window { return a.assigner.Assign(t) }

// AssignAs is [Assigner.AssignAs].
func (a *AssignerOwner) AssignAs(t int64, change bool) []contract.Window {
	return a.windows.read(a.assigner.Assign(t), change, markedWindow)
}

// KeptIntact is [Assigner.KeptIntact].
func (a *AssignerOwner) KeptIntact() bool { return a.windows.intact() }

// What an owner writes into its n-th slice.
const (
	mark     = "overwritten by the slice's owner"
	markTime = -123_456_789_123
)

func markedResult(n int) contract.Result { return contract.Result{Key: mark, Sum: int64(n)} }
func markedRecord(n int) stream.Record   { return stream.Record{Key: mark, Value: int64(n)} }
func markedWindow(n int) contract.Window {
	return contract.Window{Start: markTime, End: int64(n)}
}

// Marked tells whether an answer holds what an owner wrote into its slice.
func (a Answer) Marked() bool {
	return slices.ContainsFunc(a.Results, func(r contract.Result) bool { return r.Key == mark || MarkedWindow(r.Window) }) ||
		slices.ContainsFunc(a.Late, func(r stream.Record) bool { return r.Key == mark })
}

// MarkedWindow tells whether w is what an owner wrote into its slice.
func MarkedWindow(w contract.Window) bool { return w.Start == markTime }

// maxItems is how many items of a result cross the line, more than a case can
// have. What is longer is wrong, and its start shows that as well.
const maxItems = 20_000

func bounded[T any](items []T) []T { return items[:min(len(items), maxItems)] }

// maxKept bounds how many slices are kept, and how long they are.
const (
	maxKept       = 100
	maxKeptLength = 100
)

// kept are slices that their owner overwrote and keeps.
type kept[T comparable] struct {
	slices [][]T
	marks  []T
}

// read returns what items hold, and overwrites and keeps them if asked to.
func (k *kept[T]) read(items []T, change bool, mark func(n int) T) []T {
	items = bounded(items)
	if !change || len(items) == 0 {
		return items
	}
	seen := slices.Clone(items)
	m := mark(len(k.slices))
	for i := range items {
		items[i] = m
	}
	if len(k.slices) < maxKept {
		k.slices, k.marks = append(k.slices, items[:min(len(items), maxKeptLength)]), append(k.marks, m)
	}
	return seen
}

// intact tells whether all of them still hold their marks.
func (k *kept[T]) intact() bool {
	for i, items := range k.slices {
		if slices.ContainsFunc(items, func(item T) bool { return item != k.marks[i] }) {
			return false
		}
	}
	return true
}
