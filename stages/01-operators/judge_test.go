package operators

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/01-operators/contract"
	reference "github.com/flk-byo/de/stages/01-operators/reference"
	"github.com/flk-byo/de/stages/stream"
)

// A wrong solution is the reference, but for what is set.
type wrong struct {
	reference.Solution
	mapping  func(f func(record) record) process
	flatMap  func(f process) process
	chain    func(ops []contract.Operator) process
	finish   func(source, output []record) []record
	nilChain bool
}

// A process is an operator.
type process func(r record, emit func(record))

func (p process) Process(r record, emit func(record)) { p(r, emit) }

func (w wrong) Map(f func(record) record) contract.Operator {
	if w.mapping == nil {
		return w.Solution.Map(f)
	}
	return w.mapping(f)
}

func (w wrong) FlatMap(f func(record, func(record))) contract.Operator {
	if w.flatMap == nil {
		return w.Solution.FlatMap(f)
	}
	return w.flatMap(f)
}

func (w wrong) Chain(ops ...contract.Operator) contract.Operator {
	switch {
	case w.nilChain:
		return nil
	case w.chain == nil:
		return w.Solution.Chain(ops...)
	}
	return w.chain(ops)
}

func (w wrong) Run(source []record, op contract.Operator) []record {
	output := w.Solution.Run(source, op)
	if w.finish == nil {
		return output
	}
	return w.finish(source, output)
}

func twoCalls(f func(record) record) process {
	return func(r record, emit func(record)) { f(r); emit(f(r)) }
}

func unchanged(f func(record) record) process {
	return func(r record, emit func(record)) { f(r); emit(r) }
}

func late(f func(record) record) process {
	flush := func() {}
	return func(r record, emit func(record)) {
		flush()
		result := f(r)
		flush = func() { emit(result) }
	}
}

func collecting(f process) process {
	return func(r record, emit func(record)) {
		var all []record
		f(r, func(e record) { all = append(all, e) })
		for _, e := range all {
			emit(e)
		}
	}
}

func firstOnly(ops []contract.Operator) process {
	return func(r record, emit func(record)) {
		if len(ops) == 0 {
			panic("no first operator")
		}
		ops[0].Process(r, emit)
	}
}

func shared() func(func(record) record) process {
	var newest func(record) record
	return func(f func(record) record) process {
		newest = f
		return func(r record, emit func(record)) { emit(newest(r)) }
	}
}

func buffered() func(source, output []record) []record {
	var buffer []record
	return func(_, output []record) []record {
		buffer = append(buffer[:0], output...)
		return buffer
	}
}

// What the rules allow, and what they don't: each line is one script, and the
// check that a solution breaks in it.
func TestJudge(t *testing.T) {
	tests := []struct {
		name   string
		broken wrong
		script string
		want   string // the check, or "" for none
	}{
		{"called twice", wrong{mapping: twoCalls}, "map inc, process 1", callsCheck},
		{"called twice, in a chain", wrong{mapping: twoCalls}, "map number, filter even, chain 2, run 2", callsCheck},
		{"called twice, but not here", wrong{mapping: twoCalls}, "filter even, process 2", ""},
		{"unchanged", wrong{mapping: unchanged}, "map inc, process 1", operatorsCheck},
		{"unchanged, in a chain", wrong{mapping: unchanged}, "map inc, filter even, chain 2, process 1", operatorsCheck},
		{"unchanged, as is right here", wrong{mapping: unchanged}, "map same, process 1", ""},
		{"late", wrong{mapping: late}, "map inc, process 1, process 2", operatorsCheck},
		{"first only", wrong{chain: firstOnly}, "map inc, map double, chain 2, process 1", chainCheck},
		{"first only, run", wrong{chain: firstOnly}, "map inc, filter all, chain 2, run 2", chainCheck},
		{"first of one", wrong{chain: firstOnly}, "map inc, chain 1, process 1", ""},
		{"no first one", wrong{chain: firstOnly}, "chain 0, process 1", chainCheck},
		{"nil", wrong{nilChain: true}, "chain 0, process 1", chainCheck},
		{"shortened", wrong{finish: func(_, o []record) []record { return o[:len(o)-1] }}, "map inc, run 2", runCheck},
		{"shortened, of a chain", wrong{finish: func(_, o []record) []record { return o[:len(o)-1] }}, "map inc, filter even, chain 2, run 3", runCheck},
		{"shortened, of the caller's own", wrong{finish: func(_, o []record) []record { return o[:len(o)-1] }}, "own echo, run 3", runCheck},
		{"dead in a run", wrong{finish: func(_, o []record) []record { panic("here") }}, "map inc, run 3", runCheck},
		{"collected", wrong{flatMap: collecting}, "flat_map twice, process 1", oneAtATime},
		{"collected, in a chain", wrong{flatMap: collecting}, "flat_map twice, map number, chain 2, run 1", oneAtATime},
		{"collected, where it does not show", wrong{flatMap: collecting}, "flat_map itself, process 1, run 2", ""},
		{"the source returned", wrong{finish: func(s, o []record) []record { return append(s[:0], o...) }}, "map inc, run 2", isolation},
		{"a buffer returned", wrong{finish: buffered()}, "map inc, run 2, run 2", isolation},
		{"the newest function", wrong{mapping: shared()}, "map inc, map double, chain 2, process 1", isolation},
		{"the newest function, by themselves", wrong{mapping: shared()}, "map inc, map double, process 3, swap, process 3", isolation},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := Native(test.broken).Run(caseOf(test.script))
			var got []string
			for _, f := range o.Findings {
				got = append(got, f.Check)
				if rows := o.Steps(); f.Step < 0 || f.Step >= len(rows) {
					t.Errorf("%s is said to be seen at row %d of %d", f.Check, f.Step, len(rows))
				}
				if f.Problem == "" {
					t.Error("nothing is said of the problem")
				}
			}
			var want []string
			if test.want != "" {
				want = []string{test.want}
			}
			if !slices.Equal(got, want) {
				t.Errorf("broken %v, want %v: %+v", got, want, o.Findings)
			}
		})
	}
}

// A clock that is read breaks a rule of its own.
func TestJudgeSleep(t *testing.T) {
	s := Native(reference.Solution{}).(*subject)
	s.watched = func(function string) bool { return function == "time.Now" }
	o := s.Run(caseOf("map inc, process 1"))
	if len(o.Findings) != 1 || o.Findings[0].Check != noSleep {
		t.Errorf("findings %+v, want one of %s", o.Findings, noSleep)
	}
}

// A solution can't make us hold without bound what it does.
func TestTraceIsBounded(t *testing.T) {
	tr := new(trace)
	long := stream.Record{Key: string(make([]byte, 1<<20))}
	for range 2 * maxEvents {
		tr.note(event{kind: out, record: long}, nil)
	}
	if len(tr.events) > maxBytes>>20+1 {
		t.Errorf("%d events of 1 MiB are held", len(tr.events))
	}
}

func TestCheckScript(t *testing.T) {
	for text, at := range map[string]int{
		"map inc, process 1":                         -1,
		"map number, swap, process 1":                1,
		"again, run 1":                               0,
		"run 1":                                      0,
		"map inc, chain 2, run 1":                    1,
		"map inc, chain 1":                           1,
		"map number, again, chain 2, run 1":          1,
		"map inc, map number, chain 2, again, run 1": 3,
		"flat_map around, again, again, again, again, again, again, again, again, chain 9, run 1": 10,
	} {
		ops := script(text)
		i, problem := checkScript(ops)
		if problem == "" {
			i = -1
		}
		if i != at {
			t.Errorf("%s: refused at %d (%s), want %d", text, i, problem, at)
		}
	}
}

// The smaller case is shown: of operators first, then of records.
func TestCompare(t *testing.T) {
	order := []schedule.Case{
		caseOf("map inc, run 0"), caseOf("map inc, process 1"), caseOf("map inc, run 2"),
		caseOf("map inc, chain 1, run 1"), caseOf("map inc, map inc, chain 2, run 1"),
	}
	for i := range len(order) - 1 {
		if compare(order[i], order[i+1]) >= 0 {
			t.Errorf("%v is not smaller than %v", order[i].Script, order[i+1].Script)
		}
	}
}
