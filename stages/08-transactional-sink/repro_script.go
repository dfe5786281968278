package transactionalsink

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// reproOfScript carries out the script as its owner did by whom the rule was
// broken.
func reproOfScript(c schedule.Case, f grading.Finding) grading.Repro {
	s := scriptRepro{how: readingOf(f), script: c.Script}
	if f.Check == sinkModel && f.Step >= 0 && f.Step < len(s.script) {
		s.script = s.script[:f.Step+1] // it is wrong by then
	}
	s.Add("solution := new(Solution)")
	switch {
	case f.Check == deterministic:
		s.Add("for range 1000 { // chance decides, so it is tried again and again")
		s.steps()
		s.Add("if t.Failed() {\nbreak\n}\n}")
	case strings.Contains(f.Problem, notAsNew):
		s.how = changing
		s.Add("for range 100 { // again and again with new sinks, which share nothing with the first")
		s.steps()
		s.Add("}")
	default:
		s.steps()
	}
	r := grading.Repro{Body: s.String()}
	r.Decls, r.Imports = plainDecls()
	return r
}

// readingOf tells how the output was read when the rule was broken.
func readingOf(f grading.Finding) reading {
	switch {
	case strings.Contains(f.Problem, rarely.words()):
		return rarely
	case strings.Contains(f.Problem, changing.words()), strings.Contains(f.Problem, "its caller overwrote"), f.Kind == fault.Panic:
		return changing
	}
	return always
}

// A scriptRepro is a test of sinks, as it is written.
type scriptRepro struct {
	gocode.Text
	how    reading
	script []schedule.Op
	models map[int]*model // by number of sink
	now    int
}

// keeps tells whether slices are overwritten, and kept.
func (s *scriptRepro) keeps() bool { return s.how == changing || s.has(opChange) }

func (s *scriptRepro) has(op string) bool {
	return slices.ContainsFunc(s.script, func(o schedule.Op) bool { return o.Name == op })
}

// steps adds the operations of the script, and what the sinks must show.
func (s *scriptRepro) steps() {
	s.models = map[int]*model{}
	if s.keeps() {
		s.Add("var kept reproKept // slices that the sinks return, overwritten by their owner")
	}
	s.use(1)
	for i, op := range s.script {
		s.step(op)
		if s.how != rarely || i == len(s.script)-1 {
			s.reads()
		}
	}
	if s.how == changing {
		s.Add("\n// Nobody but their owner writes to the slices.\nkept.intact(t)")
	}
}

// use goes on with a sink, a new one if there is none of that number.
func (s *scriptRepro) use(n int) {
	s.now = n
	if s.models[n] == nil {
		s.models[n] = newModel()
		s.Add("%s := solution.NewTransactionalSink()", s.name(n))
	}
}

func (s *scriptRepro) name(n int) string {
	if s.has(opSink) {
		return fmt.Sprintf("sink%d", n)
	}
	return "sink"
}

// step adds one operation.
func (s *scriptRepro) step(op schedule.Op) {
	if op.Name == opSink {
		s.use(int(op.Args[0]))
		return
	}
	m := s.models[s.now]
	before := len(m.visible)
	apply(m, op)
	call := ""
	switch op.Name {
	case opWrite:
		call = fmt.Sprintf("Write(reproRecord(%d))", op.Args[0])
	case opPreCommit:
		call = fmt.Sprintf("PreCommit(%d)", op.Args[0])
	case opCommit:
		call = fmt.Sprintf("Commit(%d)", op.Args[0])
		if len(m.visible) == before {
			call += " // makes nothing visible"
		}
	case opAbort:
		call = fmt.Sprintf("Abort(%d)", op.Args[0])
	case opAbortOpen:
		call = "AbortOpen()"
	case opChange:
		s.Add("kept.shows(t, %s%s)", s.name(s.now), values(m.visible))
		return
	}
	s.Add("%s.%s", s.name(s.now), call)
}

// reads adds what each sink must show.
func (s *scriptRepro) reads() {
	shows := "reproShows(t, "
	if s.how == changing {
		shows = "kept.shows(t, "
	}
	for n := 1; n <= maxSinks; n++ {
		if m := s.models[n]; m != nil {
			s.Add("%s%s%s)", shows, s.name(n), values(m.visible))
		}
	}
}

// values are the values of records, as arguments.
func values(rs []stream.Record) string {
	var b strings.Builder
	for _, r := range rs {
		fmt.Fprintf(&b, ", %d", r.Value)
	}
	return b.String()
}
