package windows

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/04-windows/contract"
	reference "github.com/flk-byo/de/stages/04-windows/reference"
	"github.com/flk-byo/de/stages/stream"
)

// A twisted solution is the reference, but for what it is told to do otherwise.
type twisted struct {
	reference.Solution
	assign  func(windows []contract.Window) []contract.Window
	process func(o contract.Operator, r stream.Record, rs []contract.Result) []contract.Result
	advance func(rs []contract.Result) []contract.Result
	late    func(rs []stream.Record) []stream.Record
}

type twistedAssigner struct {
	contract.Assigner
	assign func([]contract.Window) []contract.Window
}

func (a twistedAssigner) Assign(t int64) []contract.Window { return a.assign(a.Assigner.Assign(t)) }

type twistedOperator struct {
	contract.Operator
	twisted
}

func (o twistedOperator) Process(r stream.Record) []contract.Result {
	rs := o.Operator.Process(r)
	if o.process != nil {
		return o.process(o.Operator, r, rs)
	}
	return rs
}

func (o twistedOperator) Advance(w stream.Watermark) []contract.Result {
	rs := o.Operator.Advance(w)
	if o.advance != nil {
		return o.advance(rs)
	}
	return rs
}

func (o twistedOperator) Late() []stream.Record {
	rs := o.Operator.Late()
	if o.late != nil {
		return o.late(rs)
	}
	return rs
}

func (s twisted) Tumbling(size, offset int64) contract.Assigner {
	return s.Sliding(size, size, offset)
}

func (s twisted) Sliding(size, slide, offset int64) contract.Assigner {
	if s.assign == nil {
		return s.Solution.Sliding(size, slide, offset)
	}
	return twistedAssigner{s.Solution.Sliding(size, slide, offset), s.assign}
}

func (s twisted) NewWindowOperator(a contract.Assigner, lateness int64) contract.Operator {
	return twistedOperator{s.Solution.NewWindowOperator(a, lateness), s}
}

func (s twisted) NewSessionOperator(gap, lateness int64) contract.Operator {
	return twistedOperator{s.Solution.NewSessionOperator(gap, lateness), s}
}

// Each check is tripped by one solution, and by nothing else it does.
func TestJudge(t *testing.T) {
	twice := func(ws []contract.Window) []contract.Window { return append(ws, ws...) }
	backwards := func(ws []contract.Window) []contract.Window { slices.Reverse(ws); return ws }
	nothing := func([]contract.Result) []contract.Result { return nil }
	double := func(rs []contract.Result) []contract.Result { return append(rs, rs...) }
	reversed := func(rs []contract.Result) []contract.Result { slices.Reverse(rs); return rs }
	silent := func(contract.Operator, stream.Record, []contract.Result) []contract.Result { return nil }
	dies := func(contract.Operator, stream.Record, []contract.Result) []contract.Result { panic("no") }
	shared := make([]stream.Record, 0, 10)
	sharing := func(rs []stream.Record) []stream.Record {
		shared = append(shared[:0], rs...)
		return shared
	}
	const keys2 = "tumbling 10 0, operator 0, record b 1 3, record a 2 3, advance 9"
	const again = "tumbling 10 0, operator 5, advance 9, record a 1 3"
	const late = "tumbling 10 0, operator 0, advance 9, record a 1 3"
	tests := []struct {
		name   string
		s      twisted
		script string
		want   string // the check, and the one it is blocked by
	}{
		{"right", twisted{}, keys2, ""},
		{"windows in any order", twisted{assign: backwards}, "sliding 10 5 0, assign 7", ""},
		{"windows in any order, for an operator", twisted{assign: backwards}, "sliding 10 5 0, operator 9, advance 16, record a 1 7", ""},
		{"nil for nothing", twisted{process: silent}, keys2, ""},
		{"a tumbling window twice", twisted{assign: twice}, "tumbling 10 0, assign 7", tumbling},
		{"no tumbling window", twisted{assign: func([]contract.Window) []contract.Window { return nil }}, "tumbling 10 0, assign 7", tumbling},
		{"a sliding window twice", twisted{assign: twice}, "sliding 10 5 0, assign 7", sliding},
		{"an operator with wrong windows of its own", twisted{assign: func([]contract.Window) []contract.Window { return nil }}, "tumbling 10 0, operator 0, record a 1 3, advance 9", firing + " unless tumbling"},
		{"nothing fires", twisted{advance: nothing}, keys2, firing},
		{"all fires twice", twisted{advance: double}, keys2, firing},
		{"a panic", twisted{process: dies}, keys2, firing},
		{"no second firing", twisted{process: silent}, again, lateFiring},
		{"a panic at a late record", twisted{process: dies}, again, lateFiring},
		{"a late record is not told", twisted{late: func([]stream.Record) []stream.Record { return nil }}, late, lateRecords},
		{"late records are told twice", twisted{late: func(rs []stream.Record) []stream.Record { return append(rs, rs...) }}, late, lateRecords},
		{"a session does not fire", twisted{advance: nothing}, "session 10 0, record a 1 3, advance 12", sessions},
		{"a late record of sessions is not told", twisted{late: func([]stream.Record) []stream.Record { return nil }}, "session 10 0, advance 12, record a 1 3", sessions},
		{"results in another order", twisted{advance: reversed}, keys2, order},
		{"results in another order, of one", twisted{advance: reversed}, "tumbling 10 0, operator 0, record a 1 3, advance 9", ""},
		{"a slice used again", twisted{late: sharing}, late + ", record b 1 4, record b 2 5", isolation},
		{"wrong among several operators", twisted{advance: nothing}, "tumbling 10 0, operator 0, operator 0, use 1, record a 1 3, advance 9", isolation + " unless firing"},
	}
	for _, test := range tests {
		o := Native(test.s).Run(script(t, test.script))
		var got []string
		for _, f := range o.Findings {
			word := f.Check
			if f.Unless != "" {
				word += " unless " + f.Unless
			}
			got = append(got, word)
			if f.Step >= len(o.Steps()) {
				t.Errorf("%s: step %d is not in the timeline", test.name, f.Step)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: breaks %v, want %q: %+v", test.name, got, test.want, o.Findings)
		}
	}
}

// An operator that keeps its state in a variable of the package is right once.
func TestSecondRun(t *testing.T) {
	var records []stream.Record
	s := twisted{late: func(rs []stream.Record) []stream.Record {
		records = append(records, rs...)
		return slices.Clone(records)
	}}
	c := script(t, "tumbling 10 0, operator 0, advance 9, record a 1 3")
	o := Native(s).Run(c)
	if len(o.Findings) != 1 || o.Findings[0].Check != isolation || o.Findings[0].Unless != lateRecords {
		t.Errorf("%+v", o.Findings)
	}
}

func TestClock(t *testing.T) {
	s := Native(reference.Solution{}).(subject)
	s.watched = func(function string) bool { return function == "time.Now" }
	o := s.Run(script(t, "tumbling 10 0, operator 0, advance 9"))
	if len(o.Findings) != 1 || o.Findings[0].Check != noSleep {
		t.Errorf("%+v", o.Findings)
	}
}

func TestCheckScript(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"no windows", "operator 0", "no windows yet"},
		{"no operator", "tumbling 10 0, record a 1 3", "no operator yet"},
		{"no operator to use", "session 10 0, use 2", "no operator 2"},
		{"ours asked", "custom fan, assign 3", "assigner of the solution's"},
		{"too many windows", "sliding 101 1 0, assign 3", "more than 100 windows"},
	}
	for _, test := range tests {
		c := parse(t, test.script)
		if _, got := checkScript(c); !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// An asker is the reference, but for operators that ask their assigner so many
// times for each record.
type asker struct {
	reference.Solution
	times int
}

func (s asker) NewWindowOperator(a contract.Assigner, lateness int64) contract.Operator {
	o := s.Solution.NewWindowOperator(a, lateness)
	asking := func(_ contract.Operator, r stream.Record, rs []contract.Result) []contract.Result {
		for range s.times {
			a.Assign(r.Time)
		}
		return rs
	}
	return twistedOperator{o, twisted{process: asking}}
}

// An assigner may be asked often, but not without an end.
func TestEndlessAskingEnds(t *testing.T) {
	const ops = "tumbling 10 0, operator 0, record a 1 3"
	if o := Native(asker{times: 1000}).Run(script(t, ops)); len(o.Findings) > 0 {
		t.Errorf("asked a thousand times: %+v", o.Findings)
	}
	o := Native(asker{times: math.MaxInt}).Run(script(t, ops))
	if len(o.Findings) != 1 || o.Findings[0].Fault == nil || o.Findings[0].Fault.Kind != fault.TooManyCalls {
		t.Errorf("asked without an end: %+v", o.Findings)
	}
}
