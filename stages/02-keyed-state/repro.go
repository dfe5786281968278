package keyedstate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// repro writes a case as a plain test: a script step by step, a stream record
// by record. What a state must hold is worked out by the model, what must come
// of a record by the oracle.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	w := &writer{
		change: f.Fault != nil || slices.Contains([]string{isolation, snapshot, deterministic}, f.Check),
		late:   strings.Contains(f.Problem, rarely.words()),
	}
	if c.Script != nil {
		w.script(c.Script, gocode.Times(f.Check, deterministic, isolation))
	} else {
		w.reduction(c, gocode.Times(f.Check, deterministic, isolation))
	}
	imports := []string{"fmt", "maps", "slices", gocode.Stages + "02-keyed-state/contract", gocode.Stream}
	return grading.Repro{Imports: imports, Body: w.String(), Decls: w.decls}
}

// A writer writes the test of one case.
type writer struct {
	gocode.Text
	decls  string
	change bool // who looks changes what is returned
	late   bool // what is wrong shows only to one who looks at the end
}

// lookers writes what looks at states. A map is changed only with changeMaps.
func (w *writer) lookers(changeMaps bool) {
	code := lookCode
	if w.change {
		w.Block(keptCode)
		code = strings.Replace(code, "// Who looks only looks.\n", changeKeysCode, 1)
	}
	if w.change && changeMaps {
		w.Block(keptMapsCode)
		code = strings.Replace(code, "// Who looks takes no map.\n", changeMapCode, 1)
	}
	code = strings.Replace(code, "// Who looks only looks.\n", "", 1)
	w.Block(strings.Replace(code, "// Who looks takes no map.\n", "", 1))
}

// intact writes that what was changed by who looked is as that one left it.
func (w *writer) intact(changeMaps bool) {
	if w.change {
		w.Block(intactCode)
	}
	if w.change && changeMaps {
		w.Block(intactMapsCode)
	}
}

// folding writes what the use of operators over a function is judged by.
func (w *writer) folding(used bool) {
	if used {
		w.Block(foldCode)
	} else {
		w.Block("var calls [][2]int64 // of f")
	}
}

// define writes the function that an operator folds by.
func (w *writer) define(variable string, f function) {
	w.Add("%s := func(acc, v int64) int64 {\ncalls = append(calls, [2]int64{acc, v})\nreturn %s\n}", variable, codes[f.name])
}

// called writes what f must have been called with for a record, and emitted
// what must have come of it.
func (w *writer) called(r stream.Record, a answer) {
	if a.first {
		w.Add("called() // it is the first of its key")
		return
	}
	w.Add("called([2]int64{%d, %d})", a.acc, r.Value)
}

func (w *writer) emitted(r stream.Record, a answer) {
	r.Value = a.result
	w.Add("emits(%s)", gocode.Record(r))
}

// reduction writes a case with records.
func (w *writer) reduction(c schedule.Case, times int) {
	p := parametersOf(c)
	ours, none := p.state == stateOurs, p.start(len(c.Records)) == len(c.Records)
	w.Add("var s Solution")
	switch {
	case !ours:
		w.lookers(false)
	case !none:
		w.Block(holdsCode)
	}
	if ours {
		w.decls = stateType
	}
	w.folding(!none)
	w.define("f", p.function)
	w.Rounds(times, func() { w.records(c, p) })
	if !ours {
		w.intact(false)
	}
}

// records writes what happens to each record of a case.
func (w *writer) records(c schedule.Case, p parameters) {
	start, own := p.start(len(c.Records)), p.state != stateOurs
	before := make([]*model, p.stateOf(1)+1)
	for i := range before {
		before[i] = &model{}
	}
	for i, r := range c.Records[:start] {
		m := before[p.stateOf(i)]
		if m.Put(r.Key, oracle(c.Records, i, p).result); p.forgets(i) {
			m.Delete(r.Key)
		}
	}
	if own {
		w.Block("// First a look after each record, then only at the end.")
		w.Add("for _, looks := range []bool{true, false} {")
	}
	w.Add("")
	for i, m := range before {
		w.begin(i+1, m, p.state)
	}
	for i := range p.operatorOf(1) + 1 {
		name := fmt.Sprintf("op%d", i+1)
		w.Add("%s := s.Reduce(state%d, f)", name, p.stateOf(i)+1)
		if last := len(c.Records) - 1; start > last || i != p.operatorOf(last) && (start == last) {
			w.Add("_ = %s // it gets no record", name)
		}
	}
	for i := start; i < len(c.Records); i++ {
		w.record(c.Records, i, p)
	}
	if own {
		w.Block("// All that there is.")
		for i := range before {
			w.Add("look(state%d, %s, want%d)", i+1, gocode.Strings(keysOfRecords(c.Records)), i+1)
		}
		w.Add("}")
	}
}

func keysOfRecords(records []stream.Record) []string {
	keys := map[string]bool{}
	for _, r := range records {
		keys[r.Key] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

// begin writes a state, and what it must hold.
func (w *writer) begin(number int, m *model, whose int) {
	switch whose {
	case stateOurs:
		w.Add("state%d := reproState{} // not one of yours", number)
	case stateOwn:
		w.Add("state%d := s.NewState()", number)
	default:
		w.Add("state%d := s.NewState()\nstate%d.Restore(%s)", number, number, gocode.State(m.Snapshot()))
	}
	w.Add("want%d := %s", number, gocode.State(m.Snapshot()))
	if whose == stateOurs {
		w.Add("_ = want%d", number)
	}
}

// record writes what happens to the i-th record.
func (w *writer) record(records []stream.Record, i int, p parameters) {
	r, a, at := records[i], oracle(records, i, p), p.stateOf(i)+1
	w.Block(fmt.Sprintf("// Record %d of %d.", i+1, len(records)))
	w.Add("process(op%d, %s)", p.operatorOf(i)+1, gocode.Record(r))
	w.called(r, a)
	w.Add("want%d[%q] = %d", at, r.Key, a.result)
	for k := range p.stateOf(1) + 1 {
		n := (p.stateOf(i)+k)%(p.stateOf(1)+1) + 1
		switch {
		case p.state == stateOurs:
			w.Add("holds(state%d, want%d)", n, n)
		case i < lookEvery || i%lookEvery == 0:
			w.Add("if looks {\nlook(state%d, []string{%q}, want%d)\n}", n, r.Key, n)
		}
	}
	w.emitted(r, a)
	if p.forgets(i) {
		w.Add("state%d.Delete(%q) // its owner does\ndelete(want%d, %q)", at, r.Key, at, r.Key)
	}
}
