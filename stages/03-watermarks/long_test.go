package watermarks

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/03-watermarks/contract"
	reference "github.com/flk-byo/de/stages/03-watermarks/reference"
	"github.com/flk-byo/de/stages/stream"
)

// longCases are the long scripts as cases.
func longCases() []schedule.Case {
	var all []schedule.Case
	for seed := range uint64(longScripts) {
		script := long(seed + 1)
		all = append(all, schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script})
	}
	return all
}

// A long script could stand in a schedule, and is the same whenever it is made.
func TestLongScripts(t *testing.T) {
	for i, c := range longCases() {
		if again := long(uint64(i + 1)); !reflect.DeepEqual(again, c.Script) {
			t.Errorf("seed %d gives two scripts", i+1)
		}
		if len(c.Script) < 100 || len(c.Script) > 400 {
			t.Errorf("seed %d gives %d operations", i+1, len(c.Script))
		}
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Errorf("seed %d: %v", i+1, err)
		}
		if got := broken(Native(reference.Solution{}).Run(c)); got != nil {
			t.Errorf("seed %d: the reference breaks %v", i+1, got)
		}
	}
}

// What is left of a long script when some of it is removed is defined by the
// contract, or refused: that is how a failing one is made shorter.
func TestPartsOfLongScripts(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 3))
	s, passed := Native(reference.Solution{}), 0
	for _, c := range longCases() {
		for share := 2; share <= 20; share += 3 {
			part := c
			part.Script = slices.DeleteFunc(slices.Clone(c.Script), func(schedule.Op) bool { return chance.IntN(share) == 0 })
			if len(part.Script) == 0 || !spec.Allows(part.Script) {
				continue
			}
			passed++
			if o := s.Run(part); len(o.Findings) > 0 {
				t.Errorf("%v: %+v", part.Script, o.Findings[0])
			}
		}
	}
	if passed < 10 {
		t.Errorf("only %d parts are allowed", passed)
	}
}

// The long scripts get to where the explored ones do not.
func TestLongScriptsReach(t *testing.T) {
	told, wide, objects, resting := 0, 0, 0, 0
	for _, c := range longCases() {
		p := planOf(c)
		objects = max(objects, len(p.objects))
		tells := make([]int, len(p.objects))
		for _, c := range p.calls {
			if !c.want.told {
				continue
			}
			tells[c.object]++
			told = max(told, tells[c.object])
			wide = max(wide, int(p.objects[c.object].made.Args[0]))
		}
		for _, o := range p.objects {
			resting += o.rests()
		}
	}
	if told < 200 || wide <= 64 || objects < maxObjects || resting < 10 {
		t.Errorf("%d watermarks are told by one object, of %d channels, one of %d; %d times 3 channels are finished and the others idle",
			told, wide, objects, resting)
	}
}

// rests counts after how many calls exactly three channels of a merger are
// finished, and all others idle.
func (o object) rests() int {
	n := 0
	for i := range o.calls {
		if o.generator() {
			break
		}
		all := o.standings(o.calls[:i+1])
		finished := slices.DeleteFunc(slices.Clone(all), func(s standing) bool { return !s.finished })
		if len(finished) == 3 && len(all) > 3 && !slices.ContainsFunc(all, standing.active) {
			n++
		}
	}
	return n
}

// What goes wrong only late, or only in the large, is found.
func TestLongScriptsTell(t *testing.T) {
	for name, wrong := range map[string]contract.Stage{
		"channels beyond 64 are taken for others":     altered{merger: func(m contract.Merger, _ int) contract.Merger { return modulo{m} }},
		"three finished are taken for all":            altered{merger: func(m contract.Merger, channels int) contract.Merger { return &hasty{Merger: m, channels: channels} }},
		"a merger does not tell a 100th watermark":    altered{merger: func(m contract.Merger, _ int) contract.Merger { return &tired{Merger: m, last: 100} }},
		"a generator does not tell a 200th watermark": altered{generator: func(g contract.Generator) contract.Generator { return &tired{Generator: g, last: 200} }},
	} {
		found := 0
		for _, c := range longCases() {
			found += len(Native(wrong).Run(c).Findings)
		}
		if found == 0 {
			t.Errorf("%s, and no script tells", name)
		}
		for c := range sequences() {
			if o := Native(wrong).Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %s tells, which is not long", name, c.ID)
				break
			}
		}
	}
}

// An altered solution is the reference, but for its mergers or generators.
type altered struct {
	reference.Solution
	merger    func(m contract.Merger, channels int) contract.Merger
	generator func(g contract.Generator) contract.Generator
}

func (a altered) NewMerger(channels int) contract.Merger {
	if m := a.Solution.NewMerger(channels); a.merger != nil {
		return a.merger(m, channels)
	} else {
		return m
	}
}

func (a altered) BoundedOutOfOrderness(maxDelay int64) contract.Generator {
	if g := a.Solution.BoundedOutOfOrderness(maxDelay); a.generator != nil {
		return a.generator(g)
	} else {
		return g
	}
}

type modulo struct{ contract.Merger }

func (m modulo) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	return m.Merger.Update(ch%64, w)
}

type hasty struct {
	contract.Merger
	channels       int
	idle, finished [maxChannels]bool
}

func (m *hasty) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	m.idle[ch] = false
	return m.Merger.Update(ch, w)
}

func (m *hasty) Idle(ch int) (stream.Watermark, bool) {
	m.idle[ch] = true
	return m.orEnd(m.Merger.Idle(ch))
}

func (m *hasty) Finish(ch int) (stream.Watermark, bool) {
	m.finished[ch] = true
	return m.orEnd(m.Merger.Finish(ch))
}

func (m *hasty) orEnd(w stream.Watermark, told bool) (stream.Watermark, bool) {
	finished, resting := 0, 0
	for ch := range m.channels {
		if m.finished[ch] {
			finished++
		} else if m.idle[ch] {
			resting++
		}
	}
	if finished == 3 && resting > 0 && finished+resting == m.channels {
		return stream.MaxWatermark, true
	}
	return w, told
}

type tired struct {
	contract.Merger
	contract.Generator
	told, last int
}

func (t *tired) Observe(r stream.Record) (stream.Watermark, bool) {
	return t.tell(t.Generator.Observe(r))
}

func (t *tired) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	return t.tell(t.Merger.Update(ch, w))
}

func (t *tired) tell(w stream.Watermark, told bool) (stream.Watermark, bool) {
	if told {
		t.told++
	}
	return w, told && t.told != t.last
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
