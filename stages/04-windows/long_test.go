package windows

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/04-windows/contract"
	reference "github.com/flk-byo/de/stages/04-windows/reference"
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
		if len(c.Script) < 100 || len(c.Script) > 300 {
			t.Errorf("seed %d gives %d operations", i+1, len(c.Script))
		}
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Errorf("seed %d: %v", i+1, err)
		}
		expectPass(t, Native(reference.Solution{}), c)
		if one := i < ofOneOperator; one == planned(c).several() {
			t.Errorf("seed %d is there for %s", i+1, checkOf(c))
		}
	}
}

// What is left of a long script when some of it is removed is defined by the
// contract, or refused: that is how a failing one is made shorter.
func TestPartsOfLongScripts(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 4))
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
	fired, late, again, merged, operators := 0, 0, 0, 0, 0
	for _, c := range longCases() {
		p := planned(c)
		operators = max(operators, len(p.operators))
		for _, s := range p.steps {
			late = max(late, len(s.answer.late))
			if s.op.Name == opAdvance {
				fired = max(fired, len(s.answer.results))
			} else if len(s.answer.results) > 0 {
				again++
			}
			for _, r := range s.answer.results {
				if s.answer.check == sessions {
					merged = max(merged, int(r.Count))
				}
			}
		}
	}
	if fired <= 30 || late <= 30 || again < 100 || merged < 8 || operators < 4 {
		t.Errorf("up to %d windows fire at once, %d records are late, %d times a late record fires, a session has up to %d records, and there are up to %d operators",
			fired, late, again, merged, operators)
	}
}

// What goes wrong only late, or only in the large, is found, and mostly by the
// check that it breaks.
func TestLongScriptsTell(t *testing.T) {
	for name, test := range map[string]struct {
		weak  weakOperator
		check string
	}{
		"keys are ordered by their letters":              {weakOperator{letters: true}, order},
		"a record of five windows, one alive, is lost":   {weakOperator{loses: func(windows, live, _ int) bool { return windows >= 5 && live == 1 }}, lateRecords},
		"of more than 64 keys the others are lost":       {weakOperator{loses: func(_, _, keys int) bool { return keys > 64 }}, firing},
		"no more than 30 late records are kept":          {weakOperator{keeps: 30}, lateRecords},
		"no more than 32 results are returned by a call": {weakOperator{returns: 32}, firing},
	} {
		s := Native(weakStage{weak: test.weak})
		found := map[string]int{}
		for _, c := range longCases()[:ofOneOperator] {
			for _, f := range s.Run(c).Findings {
				found[f.Check]++
			}
		}
		if found[test.check] == 0 {
			t.Errorf("%s: the long scripts break %v, not %s", name, found, test.check)
		}
		for c := range sequences() {
			if o := s.Run(c); len(o.Findings) > 0 {
				t.Errorf("%s: %s tells, which is not long", name, c.ID)
				break
			}
		}
	}
}

type weakStage struct {
	reference.Solution
	weak weakOperator
}

func (s weakStage) NewWindowOperator(a contract.Assigner, lateness int64) contract.Operator {
	weak := s.weak
	weak.Operator, weak.assigner, weak.lateness = s.Solution.NewWindowOperator(a, lateness), a, lateness
	weak.watermark, weak.keys = -farthest, map[string]bool{}
	return &weak
}

// A weakOperator is the reference's, but for what is set.
type weakOperator struct {
	loses   func(windows, live, keys int) bool // a record, by how many there are by then
	letters bool                               // compares keys letter by letter
	keeps   int                                // late records
	returns int                                // results

	contract.Operator
	assigner  contract.Assigner
	lateness  int64
	watermark int64
	keys      map[string]bool
}

func (o *weakOperator) Process(r stream.Record) []contract.Result {
	o.keys[r.Key] = true
	windows := o.assigner.Assign(r.Time)
	live := 0
	for _, w := range windows {
		if !gone(w, o.lateness, o.watermark) {
			live++
		}
	}
	if o.loses != nil && o.loses(len(windows), live, len(o.keys)) {
		return nil
	}
	return o.results(o.Operator.Process(r))
}

func (o *weakOperator) Advance(w stream.Watermark) []contract.Result {
	o.watermark = max(o.watermark, int64(w))
	return o.results(o.Operator.Advance(w))
}

func (o *weakOperator) results(rs []contract.Result) []contract.Result {
	if o.letters {
		slices.SortFunc(rs, func(a, b contract.Result) int {
			return cmp.Or(cmp.Compare(a.Window.End, b.Window.End), cmp.Compare(a.Window.Start, b.Window.Start),
				slices.Compare([]rune(a.Key), []rune(b.Key)))
		})
	}
	if o.returns > 0 {
		rs = rs[:min(len(rs), o.returns)]
	}
	return rs
}

func (o *weakOperator) Late() []stream.Record {
	rs := o.Operator.Late()
	if o.keeps > 0 {
		rs = rs[:min(len(rs), o.keeps)]
	}
	return rs
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
