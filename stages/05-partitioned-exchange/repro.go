package partitionedexchange

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
)

// repro writes a case as a plain test: the calls of a script, each with the
// right answer, or those of an exchange or a rescaling with what must come of
// them.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	w := &writer{check: f.Check, owner: f.Check == isolation || f.Check == deterministic || f.Fault != nil}
	w.Add("var s Solution")
	switch {
	case c.Script != nil:
		w.script(c.Script)
	case checkOf(c) == partition:
		w.exchange(c)
	default:
		w.rescaling(c)
	}
	return grading.Repro{Imports: []string{"maps", "slices", gocode.Stream}, Body: w.String()}
}

// A writer writes the test of one case.
type writer struct {
	gocode.Text
	check string // that it is about
	owner bool   // who is given slices or maps writes into them
}

// rounds is how often a test must do it all for the finding to show.
func (w *writer) rounds() int {
	switch w.check {
	case deterministic:
		return gocode.Chance
	case isolation:
		return gocode.Again
	default:
		return 1
	}
}

// script writes the calls of a script.
func (w *writer) script(script []schedule.Op) {
	var calls []schedule.Op
	ranges := false
	for _, op := range script {
		calls = append(calls, expand(op)...)
	}
	for _, op := range calls {
		ranges = ranges || op.Name == opGroups
	}
	w.Block(isCode)
	if ranges {
		w.Add("var lo, hi int")
	}
	w.Rounds(w.rounds(), func() {
		for _, op := range calls {
			w.call(op)
		}
	})
}

const isCode = `is := func(got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("it returns %d instead of %d", got, want)
	}
}`

func (w *writer) call(op schedule.Op) {
	a := op.Args
	switch op.Name {
	case opGroup:
		w.group(keyOf(a[0]), int(a[1]))
		if w.check == deterministic && a[1] < contract.MaxParallelism {
			w.Add("\n// With few groups chance may hit the right one.")
			w.group(keyOf(a[0]), contract.MaxParallelism)
		}
	case opSubtask:
		w.Add("\nis(s.%s, %d) // %d*%d/%d", written(op), ownerOf(int(a[0]), int(a[1]), int(a[2])), a[0], a[2], a[1])
	default:
		lo, hi := rangeOf(int(a[0]), int(a[1]), int(a[2]))
		w.Add("\nlo, hi = s.%s // %s\nis(lo, %d)\nis(hi, %d)", written(op), span(lo, hi), lo, hi)
	}
}

func (w *writer) group(key string, groups int) {
	w.Add("\nis(s.KeyGroup(%q, %d), %d) // %d mod %d", key, groups, groupOf(key, groups), hashOf(key), groups)
}

// exchange writes a case whose records are dealt out.
func (w *writer) exchange(c schedule.Case) {
	groups, subtasks, _ := sizes(c)
	w.Add("records := %s", gocode.Records(c.Records))
	w.Block("// What each subtask must get.")
	w.Add("want := make([][]stream.Record, %d)", subtasks)
	for i, part := range (keyspace{groups, subtasks}).parts(c.Records) {
		if len(part) > 0 {
			w.Add("want[%d] = %s", i, gocode.Records(part))
		}
	}
	if w.owner {
		w.Block(ownerCode)
	}
	if w.check == isolation {
		w.Block("// Something else is dealt out before.")
		w.Add("s.Partition([]stream.Record{{Key: \"another key\"}}, %d, %d)", groups, subtasks)
	}
	w.Rounds(w.rounds(), func() {
		w.Block(fmt.Sprintf(partitionCode, groups, subtasks))
		if w.owner {
			w.Block(ownSlicesCode)
		}
	})
	if w.owner {
		w.Block(intactCode)
	}
}

// rescaling writes a case whose state is dealt out to other subtasks, and back.
func (w *writer) rescaling(c schedule.Case) {
	groups, subtasks, rescaled := sizes(c)
	w.state("old", subtasks, keyspace{groups, subtasks}.state(c.Records))
	w.Add("for i := 0; i < len(old); i += 2 { // the others are nil, where they hold nothing")
	w.Add("if old[i] == nil {\nold[i] = map[string]int64{}\n}\n}")
	w.Block("// What each new subtask must hold.")
	w.state("new", rescaled, keyspace{groups, rescaled}.state(c.Records))
	if w.owner {
		w.Block(ownerCode)
	}
	w.Block(cloneCode)
	w.Add("%s", w.rescaleCode(groups))
	if w.check == isolation {
		w.Block("// Something else is dealt out before.")
		w.Add("s.Rescale([]map[string]int64{{\"another key\": 7}}, %d, %d)", groups, rescaled)
	}
	w.Rounds(w.rounds(), func() {
		w.Add("\ngot := rescale(old, %d, new)", rescaled)
		w.Add("rescale(got, %d, old) // and back", subtasks)
	})
	if w.owner {
		w.Block(intactCode)
	}
}

// state writes what subtasks hold.
func (w *writer) state(name string, subtasks int, state []map[string]int64) {
	w.Add("%s := make([]map[string]int64, %d)", name, subtasks)
	for i, m := range state {
		if len(m) > 0 {
			w.Add("%s[%d] = %s", name, i, gocode.State(m))
		}
	}
}

func (w *writer) rescaleCode(groups int) string {
	own := ""
	if w.owner {
		own = ownMapsCode
	}
	return fmt.Sprintf(rescaleCode, groups, own)
}
