package wire

import (
	"slices"

	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	"github.com/flk-byo/de/stages/stream"
)

// An Injector calls InjectBarriers as an owner who overwrites the slices it is
// given, appends to them, and keeps the last.
type Injector struct{ last kept }

// Inject calls s.InjectBarriers.
func (i *Injector) Inject(s contract.Stage, rs []stream.Record, every int) Injection {
	output := s.InjectBarriers(rs, every)
	in := Injection{Output: slices.Clone(output[:min(len(output), maxElements)]), Input: rs, Intact: i.last.intact()}
	i.last = overwrite(output, 0)
	return in
}

// Changed is an aligner whose caller overwrites every slice that it is given,
// appends to it, and keeps it. It keeps the barriers that it hands over, too.
type Changed struct {
	contract.Aligner
	kept     []kept
	barriers []*stream.Barrier
	ids      []stream.CheckpointID // of barriers, when they were handed over
}

// Receive is the aligner's.
func (c *Changed) Receive(ch int, e stream.Element) []stream.Element {
	if e.Barrier != nil && len(c.barriers) < maxBarriers {
		c.barriers, c.ids = append(c.barriers, e.Barrier), append(c.ids, e.Barrier.ID)
	}
	return c.change(c.Aligner.Receive(ch, e))
}

// Finish is the aligner's.
func (c *Changed) Finish(ch int) []stream.Element {
	return c.change(c.Aligner.Finish(ch))
}

// Intact tells whether the slices still hold what was written into them, and
// whether the barriers are what they were.
func (c *Changed) Intact() (slicesAre, barriersAre bool) {
	slicesAre = !slices.ContainsFunc(c.kept, func(k kept) bool { return !k.intact() })
	barriersAre = slices.EqualFunc(c.barriers, c.ids, func(b *stream.Barrier, id stream.CheckpointID) bool { return b.ID == id })
	return slicesAre, barriersAre
}

// Bounds of how many slices and barriers are kept.
const (
	maxKept     = 100
	maxBarriers = 300
)

// change returns a copy of out, and changes out.
func (c *Changed) change(out []stream.Element) []stream.Element {
	seen := slices.Clone(out[:min(len(out), maxElements)])
	k := overwrite(out, int64(len(c.kept)))
	if len(c.kept) < maxKept && len(k.slice) > 0 {
		c.kept = append(c.kept, k)
	}
	return seen
}

// A kept slice is one that its owner keeps, and what it was left with.
type kept struct {
	slice, copy []stream.Element
}

func (k kept) intact() bool { return slices.Equal(k.slice, k.copy) }

const (
	overwritten = "overwritten by the slice's owner"
	appended    = 4 // how many elements the owner appends, if there is room for them
)

// overwrite writes into es, and into the room behind it as append does, what no
// other slice holds. An empty slice is nothing to own.
func overwrite(es []stream.Element, number int64) kept {
	if len(es) == 0 {
		return kept{}
	}
	es = es[:min(len(es)+appended, cap(es))]
	for i := range es {
		es[i] = stream.Element{Record: stream.Record{Key: overwritten, Value: number}}
	}
	return kept{es, slices.Clone(es)}
}
