package operators

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// repro writes a case as a plain test. Its functions tell of all that happens,
// as those of a driver do, and it must be what the model says.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	w := &writer{used: map[*node]bool{}}
	all := steps(c)
	owner := f.Check == isolation && does(all, opRun)
	w.begin(all, owner)
	w.Rounds(gocode.Times(f.Check, deterministic, isolation), func() { w.steps(all) })
	if owner {
		w.Block(keptCode)
	}
	imports := []string{"fmt", "slices", gocode.Stages + "01-operators/contract", gocode.Stream}
	return grading.Repro{Imports: imports, Body: w.String(), Decls: w.decls}
}

// A writer writes the test of one case.
type writer struct {
	gocode.Text
	decls string
	used  map[*node]bool // operators that are part of a chain, or take records
}

// begin writes what stands before the steps. An owner writes into what Run
// returns.
func (w *writer) begin(all []step, owner bool) {
	w.Add("var s Solution")
	w.Block(happensCode)
	if !does(all, opMap, opFilter, opFlatMap, opOwn, opProcess) {
		w.Add("_ = happens // there is no function here that could tell")
	}
	if owner {
		w.Block(runAndChangeCode)
	} else if does(all, opRun) {
		w.Block(runCode)
	}
	if does(all, opProcess) {
		w.Block(processCode)
	}
	for _, s := range all { // Go refuses a variable that is never used
		w.used[s.node] = w.used[s.node] || s.uses()
		for _, part := range s.node.parts {
			w.used[part] = true
		}
	}
}

// does tells whether one of the operations is done.
func does(all []step, ops ...string) bool {
	return slices.ContainsFunc(all, func(s step) bool { return slices.Contains(ops, s.op.Name) })
}

// steps writes each step once, and what must come of it.
func (w *writer) steps(all []step) {
	stack, batch := bodies{}, bodies{}
	written := map[*node]bool{}
	for _, s := range all {
		if s.uses() {
			w.use(s, model(s.node, s.source, stack), oracle(s.node, s.source, batch))
		} else if !written[s.node] {
			w.make(s.node)
			written[s.node] = true
		}
	}
}

// make writes what makes an operator.
func (w *writer) make(n *node) {
	w.Block(gocode.Comment("%s", n.introduction()))
	name, equals := n.name(), ":="
	if !w.used[n] {
		name, equals = "_", "="
	}
	if n.op.Name == opChain {
		w.Add("%s %s s.Chain(%s)", name, equals, n.arguments())
		return
	}
	c := codeOf(n)
	if c.before != "" {
		w.Add("%s", c.before)
	}
	w.Add("%s %s %s {", name, equals, map[string]string{
		opMap:     "s.Map(func(r stream.Record) stream.Record",
		opFilter:  "s.Filter(func(r stream.Record) bool",
		opFlatMap: "s.FlatMap(func(r stream.Record, emit func(stream.Record))",
		opOwn:     "reproOperator(func(r stream.Record, emit func(stream.Record))",
	}[n.op.Name])
	w.Add("happens(%q, r)\n%s", n.name()+" gets", c.body)
	if n.emits() {
		w.Add("for _, e := range all {\nhappens(%q, e)\nemit(e)\n}", n.name()+" emits")
	}
	w.Add("})")
	if n.op.Name == opOwn {
		w.decls = ownType
	}
}

// use writes what uses an operator, where these events should be seen and due
// should come out.
func (w *writer) use(s step, want []event, due []stream.Record) {
	if s.op.Name == opRun {
		want = slices.DeleteFunc(want, func(e event) bool { return e.kind == out })
	}
	lines := make([]string, len(want))
	for i, e := range want {
		lines[i] = e.line()
	}
	w.Add("")
	if s.op.Name == opRun {
		w.Add("// Run %s through %s.", grading.Plural(len(s.source), "record"), s.node.name())
	} else {
		w.Add("// %s processes a record.", s.node.name())
	}
	w.Add("expected = %s", gocode.Strings(lines))
	if s.op.Name == opRun {
		w.Add("run(%s, %s, %s)", s.node.name(), gocode.Records(s.source), gocode.Records(due))
		return
	}
	w.Add("process(%s, %s)", s.node.name(), gocode.Record(s.source[0]))
}

// name is the variable of an operator.
func (n *node) name() string { return fmt.Sprintf("op%d", n.number) }

// introduction says what an operator is.
func (n *node) introduction() string {
	switch n.op.Name {
	case opChain:
		return n.name() + " is a chain."
	case opOwn:
		return fmt.Sprintf("%s is an operator of the caller's own, and %s.", n.name(), n.function.doc)
	}
	kind := strings.ReplaceAll(n.op.Name, "_", "-")
	return fmt.Sprintf("%s is a %s whose function %s.", n.name(), kind, n.function.doc)
}

func (n *node) arguments() string {
	names := make([]string, len(n.parts))
	for i, part := range n.parts {
		names[i] = part.name()
	}
	return strings.Join(names, ", ")
}

// line is an event as the test writes it.
func (e event) line() string {
	what := "output"
	switch e.kind {
	case called:
		what = e.leaf.name() + " gets"
	case emitted:
		what = e.leaf.name() + " emits"
	}
	return fmt.Sprintf("%s %q=%d @%d", what, e.record.Key, e.record.Value, e.record.Time)
}
