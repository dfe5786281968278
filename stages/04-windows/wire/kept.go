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
	a := Answer{Results: o.results.read(results, how.Change, contract.Result{Key: overwritten})}
	if how.Late {
		a.Late = o.late.read(o.operator.Late(), how.Change, stream.Record{Key: overwritten})
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
	return a.windows.read(a.assigner.Assign(t), change, contract.Window{Start: -overwrittenTime, End: overwrittenTime})
}

// KeptIntact is [Assigner.KeptIntact].
func (a *AssignerOwner) KeptIntact() bool { return a.windows.intact() }

// What an owner writes into its slices.
const (
	overwritten     = "overwritten by the slice's owner"
	overwrittenTime = 123_456_789_123
)

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
	mark   T
}

// read returns what items hold, and overwrites and keeps them if asked to.
func (k *kept[T]) read(items []T, change bool, mark T) []T {
	items = bounded(items)
	if !change || len(items) == 0 {
		return items
	}
	seen := slices.Clone(items)
	for i := range items {
		items[i] = mark
	}
	if len(k.slices) < maxKept {
		k.slices, k.mark = append(k.slices, items[:min(len(items), maxKeptLength)]), mark
	}
	return seen
}

// intact tells whether all of them still hold the mark.
func (k *kept[T]) intact() bool {
	for _, items := range k.slices {
		if slices.ContainsFunc(items, func(item T) bool { return item != k.mark }) {
			return false
		}
	}
	return true
}
