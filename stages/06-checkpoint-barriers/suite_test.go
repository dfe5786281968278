package checkpointbarriers

import (
	"os"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	reference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	"github.com/flk-byo/de/stages/stream"
)

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	if o := s.Run(c); len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
}

func TestReferencePassesSequences(t *testing.T) {
	s := Native(reference.Solution{})
	runs := map[int64]int{}
	last := schedule.Case{}
	for c := range sequences() {
		expectPass(t, s, c)
		runs[c.Script[0].Args[0]]++
		if last.ID != "" && compare(last, c) > 0 {
			t.Fatalf("%s comes before %s", last.ID, c.ID)
		}
		if at, problem := checkScript(c.Script); problem != "" {
			t.Fatalf("%s: operation %d: %s", c.ID, at, problem)
		}
		last = c
	}
	t.Logf("sequences by channels: %v", runs)
	if runs[1] < 20 || runs[2] < 1000 || runs[3] < 500 {
		t.Error("too few")
	}
}

func TestReferencePassesStreams(t *testing.T) {
	s := Native(reference.Solution{})
	for seed := range 200 {
		for kind := nothing; kind <= everything; kind++ {
			expectPass(t, s, streamed(60, 1+seed%4, 1+seed%7, seed, kind))
		}
	}
}

// injectionCase is a case without channels.
func injectionCase(rs []stream.Record, every int) schedule.Case {
	return schedule.Case{ID: "06/test", Records: rs, Params: []schedule.Setting{
		{Name: barrierEvery, Value: every}, {Name: channels}, {Name: order}, {Name: trouble},
	}}
}

func TestReferencePassesInjection(t *testing.T) {
	s := Native(reference.Solution{})
	for n := range 9 {
		for every := 1; every <= n+1; every++ {
			expectPass(t, s, injectionCase(schedule.Seeded(1, n), every))
		}
	}
}

// What the dealt streams are there for does happen in them.
func TestStreamsHaveTrouble(t *testing.T) {
	for kind, has := range map[int]func(answer) bool{
		nothing:    func(a answer) bool { return len(a.out) > 0 },
		lost:       func(a answer) bool { return len(a.givenUp) > 0 && len(a.skips) > 0 },
		late:       func(a answer) bool { return len(a.late) > 0 && len(a.givenUp) == 0 },
		finishing:  func(a answer) bool { return a.ended[0] && a.aligning == 0 },
		everything: func(a answer) bool { return len(a.givenUp) > 0 && len(a.late) > 0 && a.ended[0] },
	} {
		some := false
		for seed := range 20 {
			p := planOf(streamed(60, 2, 3, seed, kind))
			some = some || has(oracle(p.channels, p.arrivals))
		}
		if !some {
			t.Errorf("trouble %d never shows", kind)
		}
	}
}

// A faulty solution is the reference with one method exchanged.
type faulty struct {
	reference.Solution
	inject  func(rs []stream.Record, every int) []stream.Element
	aligner func(channels int) contract.Aligner
}

func (f faulty) InjectBarriers(rs []stream.Record, every int) []stream.Element {
	if f.inject == nil {
		return f.Solution.InjectBarriers(rs, every)
	}
	return f.inject(rs, every)
}

func (f faulty) NewAligner(channels int) contract.Aligner {
	if f.aligner == nil {
		return f.Solution.NewAligner(channels)
	}
	return f.aligner(channels)
}

// A wrapped aligner's results pass through a function.
type wrapped struct {
	contract.Aligner
	through func([]stream.Element) []stream.Element
}

func (w wrapped) Receive(ch int, e stream.Element) []stream.Element {
	return w.through(w.Aligner.Receive(ch, e))
}

func script(t *testing.T, ops ...schedule.Op) schedule.Case {
	t.Helper()
	if at, problem := checkScript(ops); problem != "" {
		t.Fatalf("operation %d: %s", at, problem)
	}
	return schedule.Case{ID: "06/script/test", Script: ops}
}

func TestIsolation(t *testing.T) {
	records := func(n int64) schedule.Case {
		return script(t, spec.Op(opChannels, 1), spec.Op(opRecord, 0), spec.Op(opRecord, 0), spec.Op(opAligner, n), spec.Op(opRecord, 0))
	}
	var buffer []stream.Element
	reused := func(es []stream.Element) []stream.Element {
		buffer = append(buffer[:0], es...)
		return buffer
	}
	var first contract.Aligner
	theOne := func(channels int) contract.Aligner {
		if first == nil {
			first = reference.Solution{}.NewAligner(channels)
		}
		return first
	}
	var answer []stream.Element
	for name, test := range map[string]struct {
		solution faulty
		c        schedule.Case
	}{
		"a slice reused": {faulty{aligner: func(channels int) contract.Aligner {
			return wrapped{reference.Solution{}.NewAligner(channels), reused}
		}}, records(1)},
		"one aligner for all": {faulty{aligner: theOne}, script(t,
			spec.Op(opChannels, 2), spec.Op(opBarrier, 0, 1), spec.Op(opAligner, 2), spec.Op(opRecord, 0))},
		"an earlier aligner's state": {faulty{aligner: theOne}, script(t,
			spec.Op(opChannels, 2), spec.Op(opBarrier, 0, 1), spec.Op(opBarrier, 1, 1))},
		"the input changed": {faulty{inject: func(rs []stream.Record, every int) []stream.Element {
			es := reference.Solution{}.InjectBarriers(rs, every)
			clear(rs)
			return es
		}}, injectionCase(letters("a b"), 2)},
		"the answer kept": {faulty{inject: func(rs []stream.Record, every int) []stream.Element {
			if answer == nil {
				answer = reference.Solution{}.InjectBarriers(rs, every)
			}
			return answer
		}}, injectionCase(letters("a b"), 2)},
	} {
		t.Run(name, func(t *testing.T) {
			first = nil
			found := Native(test.solution).Run(test.c).Findings
			if len(found) != 1 || found[0].Check != isolation {
				t.Errorf("found %+v", found)
			}
			expectPass(t, Native(reference.Solution{}), test.c)
		})
	}
}

func TestSleepAndDeath(t *testing.T) {
	c := script(t, spec.Op(opChannels, 1), spec.Op(opRecord, 0))
	slept := subject{solution: &native{Stage: reference.Solution{}}, watched: func(f string) bool { return f == "time.Now" }}
	if found := slept.Run(c).Findings; len(found) != 1 || found[0].Check != noSleep {
		t.Errorf("found %+v", found)
	}
	dies := faulty{aligner: func(int) contract.Aligner { panic(&fault.Fault{Kind: fault.Panic, Message: "no"}) }}
	found := Native(dies).Run(c).Findings
	if len(found) != 1 || found[0].Check != consistentCut || found[0].Fault == nil {
		t.Errorf("found %+v", found)
	}
}

func TestCheckScript(t *testing.T) {
	channels, record, end := spec.Op(opChannels, 2), spec.Op(opRecord, 0), spec.Op(opFinish, 0)
	for name, test := range map[string]struct {
		script []schedule.Op
		at     int // of the operation at fault, or -1
	}{
		"right":                    {[]schedule.Op{channels, record, end, spec.Op(opAligner, 2), record}, -1},
		"no channels":              {[]schedule.Op{record}, 0},
		"channels twice":           {[]schedule.Op{channels, channels}, 1},
		"a channel there is not":   {[]schedule.Op{channels, spec.Op(opRecord, 2)}, 1},
		"an element behind an end": {[]schedule.Op{channels, end, record}, 2},
		"a second end":             {[]schedule.Op{channels, end, end}, 2},
	} {
		at, problem := checkScript(test.script)
		if (problem == "") != (test.at < 0) || problem != "" && at != test.at {
			t.Errorf("%s: operation %d: %q", name, at, problem)
		}
	}
}

// The timeline tells every arrival up to the one at fault, and what came of that;
// and all of them where none is.
func TestTimeline(t *testing.T) {
	lost := faulty{aligner: func(channels int) contract.Aligner {
		return wrapped{reference.Solution{}.NewAligner(channels), func(es []stream.Element) []stream.Element { return es[:min(len(es), 1)] }}
	}}
	c := script(t, spec.Op(opChannels, 2), spec.Op(opBarrier, 0, 1), spec.Op(opRecord, 0), spec.Op(opBarrier, 1, 1), spec.Op(opRecord, 1))
	o := Native(lost).Run(c)
	if len(o.Findings) != 1 || o.Findings[0].Check != release || o.Findings[0].Step != 2 {
		t.Fatalf("found %+v", o.Findings)
	}
	steps := o.Steps()
	if len(steps) != 3 || !strings.Contains(steps[1].State, "held-back [a1]") || steps[2].State != "out [|1| a1]" {
		t.Errorf("timeline %+v", steps)
	}
	if steps[1].Note != "" || steps[2].Note != "downstream went [|1|]" {
		t.Errorf("notes %q and %q", steps[1].Note, steps[2].Note)
	}
	if steps := Native(reference.Solution{}).Run(c).Steps(); len(steps) != 4 || steps[2].Note != "" {
		t.Errorf("timeline of the reference %+v", steps)
	}
}

// Every check points at a heading of the brief.
func TestSectionsExist(t *testing.T) {
	brief, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !strings.Contains(string(brief), "\n## "+c.Section+"\n") {
			t.Errorf("%s: STAGE.md has no heading %q", c.Name, c.Section)
		}
	}
}
