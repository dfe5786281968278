package keyedstate

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	reference "github.com/flk-byo/de/stages/02-keyed-state/reference"
	"github.com/flk-byo/de/stages/stream"
)

// A solution is put together of the reference and what a test has of its own.
type solution struct {
	newState func() contract.State
	reduce   func(s contract.State, f func(acc, v int64) int64) contract.Operator
}

func (s solution) NewState() contract.State {
	if s.newState != nil {
		return s.newState()
	}
	return reference.Solution{}.NewState()
}

func (s solution) Reduce(state contract.State, f func(acc, v int64) int64) contract.Operator {
	if s.reduce != nil {
		return s.reduce(state, f)
	}
	return reference.Solution{}.Reduce(state, f)
}

type process func(stream.Record, func(stream.Record))

func (p process) Process(r stream.Record, emit func(stream.Record)) { p(r, emit) }

// stateOf returns a solution whose states are the reference's but for what the
// test changes.
func stateOf(change func(contract.State) contract.State) solution {
	return solution{newState: func() contract.State { return change(reference.Solution{}.NewState()) }}
}

type getsZero struct{ contract.State }

func (s getsZero) Get(key string) (int64, bool) {
	v, _ := s.State.Get(key)
	return v, v != 0
}

type liveSnapshot struct {
	contract.State
	shown map[string]int64
}

func (s *liveSnapshot) Snapshot() map[string]int64 {
	clear(s.shown)
	maps.Copy(s.shown, s.State.Snapshot())
	return s.shown
}

type merges struct{ contract.State }

func (s merges) Restore(snapshot map[string]int64) {
	for key, value := range snapshot {
		s.Put(key, value)
	}
}

type keepsKeys struct {
	contract.State
	keys []string
}

func (s *keepsKeys) Keys() []string {
	s.keys = append(s.keys[:0], s.State.Keys()...)
	return s.keys
}

// script reads operations as schedules have them.
func script(t *testing.T, text string) schedule.Case {
	t.Helper()
	id := schedule.SequenceID(spec.Stage, nil) + strings.ReplaceAll(strings.ReplaceAll(text, ", ", ","), " ", "-")
	c, err := schedule.ParseSequence(id, spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func reduce(f func(acc, v int64) int64, records ...stream.Record) schedule.Case {
	i := slices.IndexFunc(functions, func(g function) bool { return g.apply(7, 2) == f(7, 2) && g.apply(2, 7) == f(2, 7) })
	return reductionCase(records, i, stateOurs, 0, one)
}

func minus(acc, v int64) int64 { return acc - v }

// Each check is tripped by one mistake, which trips nothing else in the case, and
// the reference passes the case.
func TestJudge(t *testing.T) {
	two := []stream.Record{{Key: "a", Value: 3, Time: 2}, {Key: "a", Value: 5, Time: 1}}
	all := contract.State(nil) // shared by all states of one test
	tests := []struct {
		check    string
		name     string
		solution solution
		c        schedule.Case
	}{
		{stateModel, "zero is absent", stateOf(func(s contract.State) contract.State { return getsZero{s} }), script(t, "put a 0")},
		{snapshot, "the same map each time", stateOf(func(s contract.State) contract.State { return &liveSnapshot{s, map[string]int64{}} }), script(t, "snapshot 1, put a 1")},
		{restore, "merged", stateOf(func(s contract.State) contract.State { return merges{s} }), script(t, "put a 1, restore_nil")},
		{isolation, "one state for all", stateOf(func(s contract.State) contract.State {
			if all == nil {
				all = s
			}
			return all
		}), script(t, "put a 1, state 2")},
		{isolation, "a slice of keys used again", stateOf(func(s contract.State) contract.State { return &keepsKeys{State: s} }), script(t, "put a 1, put a 2")},
		{reduceState, "nothing is put", solution{reduce: func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			return process(func(r stream.Record, emit func(stream.Record)) { emit(r) })
		}}, reduce(minus, two...)},
		{reduceState, "another key is touched", solution{reduce: func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			o := reference.Solution{}.Reduce(s, f)
			return process(func(r stream.Record, emit func(stream.Record)) {
				o.Process(r, emit)
				s.Put("records", 1)
			})
		}}, reduce(minus, two...)},
		{reduceCalls, "the value first", solution{reduce: func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			return reference.Solution{}.Reduce(s, func(acc, v int64) int64 { return f(v, acc) })
		}}, reduce(minus, two...)},
		{reduceCalls, "called once more", solution{reduce: func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			return reference.Solution{}.Reduce(s, func(acc, v int64) int64 { f(acc, v); return f(acc, v) })
		}}, reduce(minus, two...)},
		{reduceOutput, "time of the first", solution{reduce: func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			o := reference.Solution{}.Reduce(s, f)
			return process(func(r stream.Record, emit func(stream.Record)) {
				o.Process(r, func(e stream.Record) { e.Time = 2; emit(e) })
			})
		}}, reduce(minus, two...)},
		{reduceOutput, "emitted after the end", solution{reduce: func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			o := reference.Solution{}.Reduce(s, f)
			late := func() {}
			return process(func(r stream.Record, emit func(stream.Record)) {
				late()
				o.Process(r, func(e stream.Record) { late = func() { emit(e) } })
			})
		}}, reduce(minus, two...)},
	}
	for _, test := range tests {
		t.Run(test.check+"/"+test.name, func(t *testing.T) {
			expectPass(t, Native(reference.Solution{}), test.c)
			o := Native(test.solution).Run(test.c)
			if len(o.Findings) != 1 || o.Findings[0].Check != test.check {
				t.Fatalf("findings %+v, want one of %s", o.Findings, test.check)
			}
			steps := o.Steps()
			if at := o.Findings[0].Step; at < 0 || at >= len(steps) {
				t.Errorf("said to be seen at step %d of %d", at, len(steps))
			}
			t.Log(o.Findings[0].Problem)
		})
	}
}

// Reading the clock is told by the guest; here its word is enough.
func TestJudgeNoSleep(t *testing.T) {
	c := script(t, "put a 1")
	s := Native(reference.Solution{}).(subject)
	expectPass(t, s, c)
	s.watched = func(function string) bool { return function == "time.Now" }
	if o := s.Run(c); len(o.Findings) != 1 || o.Findings[0].Check != noSleep {
		t.Errorf("findings %+v", o.Findings)
	}
}

// A solution that dies is told by the check that the case is there for.
func TestJudgeDeath(t *testing.T) {
	dead := solution{reduce: func(contract.State, func(acc, v int64) int64) contract.Operator { panic("no") }}
	for _, test := range []struct {
		c    schedule.Case
		want string
	}{
		{reductionCase(nil, 0, stateOurs, 0, one), reduceOutput},
		{script(t, "reduce 1 sum"), stateModel},
	} {
		o := Native(dead).Run(test.c)
		if len(o.Findings) != 1 || o.Findings[0].Fault == nil || o.Findings[0].Check != test.want {
			t.Errorf("%s: findings %+v, want a death by %s", test.c.ID, o.Findings, test.want)
		}
	}
}

// What a solution can make the host hold is bounded.
func TestEndlessCallsEnd(t *testing.T) {
	for name, endless := range map[string]func(s contract.State, f func(acc, v int64) int64) contract.Operator{
		"state": func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			return process(func(stream.Record, func(stream.Record)) {
				for {
					s.Get("a")
				}
			})
		},
		"keys": func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			return process(func(stream.Record, func(stream.Record)) {
				for key := "a"; ; key += key {
					s.Put(key, 1)
				}
			})
		},
		"function": func(s contract.State, f func(acc, v int64) int64) contract.Operator {
			return process(func(stream.Record, func(stream.Record)) {
				for {
					f(1, 2)
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := Native(solution{reduce: endless}).Run(reduce(minus, stream.Record{Key: "a"}))
			if len(o.Findings) != 1 || o.Findings[0].Fault == nil {
				t.Errorf("findings %+v", o.Findings)
			}
		})
	}
}

// Every check's section is a heading of the brief, and the brief tells of it.
func TestHeadings(t *testing.T) {
	brief, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		if !strings.Contains(string(brief), "\n## "+check.Section+"\n") {
			t.Errorf("check %s: the brief has no heading %q", check.Name, check.Section)
		}
		if !strings.Contains(string(brief), "\n- **"+check.Name+"**: ") {
			t.Errorf("check %s: the brief does not say how it is judged", check.Name)
		}
	}
	for i, line := range strings.Split(string(brief), "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("line %d has %d columns", i+1, n)
		}
	}
}
