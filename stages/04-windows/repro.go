package windows

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

// repro writes a case as a plain test: the steps of its plan, in the manner that
// the finding is of, each with what it must return.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	p := planned(c)
	w := &writer{plan: p, manner: plain}
	w.reading.Change = f.Fault != nil || f.Check == isolation || f.Check == deterministic
	if strings.HasPrefix(f.Problem, withOwnAssigner) {
		w.manner = modest
	}
	w.own = w.own || len(p.operators) == 0
	w.Add("var s Solution")
	w.helpers()
	w.Rounds(gocode.Times(f.Check, deterministic, isolation), w.steps)
	if w.reading.Change {
		w.Block(intactCode)
	}
	imports := []string{"cmp", "math", "slices", gocode.Stages + "04-windows/contract", gocode.Stream}
	return grading.Repro{Imports: imports, Body: w.String(), Decls: w.decls}
}

// A writer writes the test of one plan, in one manner.
type writer struct {
	gocode.Text
	manner
	decls string
	plan  *plan

	assigners int // made so far
	late      map[int]int
}

// helpers writes what compares answers, as far as there are such answers.
func (w *writer) helpers() {
	does := func(ops ...string) bool {
		return slices.ContainsFunc(w.plan.steps, func(s step) bool { return slices.Contains(ops, s.op.Name) })
	}
	if w.reading.Change {
		w.Block(changesCode)
	}
	if does(opRecord, opAdvance) {
		w.Block(w.kept(returnsCode, "contract.Result", `Key: "written by the caller", Sum: changes`))
		w.Block(w.kept(lateCode, "stream.Record", `Key: "written by the caller", Value: changes`))
	}
	if does(opAssign) {
		w.Block(w.kept(assignsCode, "contract.Window", "Start: -123_456_789, End: changes"))
	}
	if !w.own && does(opTumbling, opSliding, opCustom) {
		w.decls = assignerType
	}
}

// kept completes code that looks at a slice: if slices are changed, its owner
// writes that into this one.
func (w *writer) kept(code, of, fields string) string {
	const place = "// The slice is kept.\n"
	if !w.reading.Change {
		return strings.Replace(code, place, "", 1)
	}
	return strings.Replace(code, place, fmt.Sprintf(changeCode, of, fields), 1)
}

// steps writes each step once.
func (w *writer) steps() {
	w.late, w.assigners = map[int]int{}, 0
	var made []string
	operators := 0
	for i, s := range w.plan.steps {
		if s.op.Name != opUse {
			w.Block(fmt.Sprintf("// %d. %s", i+1, s.action()))
		}
		switch s.op.Name {
		case opTumbling, opSliding, opCustom:
			w.assigners++
			made = append(made, w.assigner())
			w.Add("%s := %s", w.assigner(), w.choice(s.op))
		case opOperator:
			made = append(made, operatorName(operators))
			w.Add("%s := s.NewWindowOperator(%s, %s)", operatorName(operators), w.assigner(), mark(s.op.Args[0]))
			operators++
		case opSession:
			made = append(made, operatorName(operators))
			w.Add("%s := s.NewSessionOperator(%d, %s)", operatorName(operators), s.op.Args[0], mark(s.op.Args[1]))
			operators++
		case opAssign:
			w.Add("assigns(%s.Assign(%d), %s)", w.assigner(), s.op.Args[0], windowsCode(s.windows))
		case opRecord:
			w.Add("returns(%s.Process(%s), %s)", operatorName(s.operator), gocode.Record(s.record), resultsCode(s.answer.results))
			w.tellsLate(s)
		case opAdvance:
			w.Add("returns(%s.Advance(%s), %s)", operatorName(s.operator), mark(s.op.Args[0]), resultsCode(s.answer.results))
			w.tellsLate(s)
		}
	}
	w.Unused(made...)
}

func (w *writer) assigner() string { return fmt.Sprintf("assigner%d", w.assigners) }

func operatorName(index int) string { return fmt.Sprintf("operator%d", index+1) }

// choice makes an assigner: the solution's, or one of the caller's.
func (w *writer) choice(op schedule.Op) string {
	switch {
	case w.own && op.Name != opCustom:
		return "s." + call(op.Name, op.Args)
	case op.Name == opTumbling:
		return fmt.Sprintf("reproEvery(%d, %d, %d)", op.Args[0], op.Args[0], op.Args[1])
	case op.Name == opSliding:
		return fmt.Sprintf("reproEvery(%d, %d, %d)", op.Args[0], op.Args[1], op.Args[2])
	}
	w.decls = assignerType + "\n" + shapeCodes[op.Args[0]]
	return "reproAssigner(reproShape)"
}

// tellsLate writes what Late must return after a step, where it is asked.
func (w *writer) tellsLate(s step) {
	name := operatorName(s.operator)
	variable := fmt.Sprintf("late%d", s.operator+1)
	told := w.late[s.operator]
	if s.at == 0 {
		w.Add("%s := %s", variable, gocode.Records(s.answer.late))
	} else {
		for _, r := range s.answer.late[told:] {
			w.Add("%s = append(%s, %s)", variable, variable, gocode.Record(r))
		}
	}
	w.late[s.operator] = len(s.answer.late)
	if w.reading.Late || s.at == len(w.plan.operators[s.operator].events)-1 {
		w.Add("tellsLate(%s.Late(), %s)", name, variable)
	}
}

// mark is a watermark or a lateness.
func mark(w int64) string {
	switch w {
	case math.MaxInt64:
		return "math.MaxInt64"
	case math.MinInt64:
		return "math.MinInt64"
	}
	return fmt.Sprint(w)
}

func resultsCode(rs []contract.Result) string {
	return gocode.List("[]contract.Result", rs, func(r contract.Result) string {
		return fmt.Sprintf("{Key: %q, Window: contract.Window%s, Sum: %d, Count: %d}", r.Key, windowCode(r.Window), r.Sum, r.Count)
	})
}

func windowsCode(ws []contract.Window) string {
	return gocode.List("[]contract.Window", ws, windowCode)
}

func windowCode(w contract.Window) string { return fmt.Sprintf("{Start: %d, End: %d}", w.Start, w.End) }
