package watermarks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// repro writes a case as a plain test: the calls of its plan, each with the
// answer that is right.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	w := &writer{plan: planOf(c)}
	w.Add("var s Solution")
	w.tellers()
	w.Rounds(gocode.Times(f.Check, deterministic, isolation), func() {
		for _, c := range w.plan.calls {
			w.call(c)
		}
	})
	return grading.Repro{Imports: []string{"math", gocode.Stream}, Body: w.String()}
}

// A writer writes the test of one plan.
type writer struct {
	gocode.Text
	plan *plan
}

// tellers writes what compares answers, as far as there are such answers.
func (w *writer) tellers() {
	has := func(told bool) bool {
		return slices.ContainsFunc(w.plan.calls, func(c call) bool { return c.nth >= 0 && c.want.told == told })
	}
	if !has(true) && !has(false) {
		return
	}
	w.Block("// What the call at hand returned.\nvar told stream.Watermark\nvar ok bool")
	if has(true) {
		w.Add("%s", tellsCode)
	}
	if has(false) {
		w.Add("%s", nothingCode)
	}
}

const tellsCode = `tells := func(want stream.Watermark) {
	t.Helper()
	if !ok {
		t.Fatalf("it tells nothing instead of %d", want)
	} else if told != want {
		t.Fatalf("it tells %d instead of %d", told, want)
	}
}`

const nothingCode = `tellsNothing := func() {
	t.Helper()
	if ok {
		t.Fatalf("it tells %d instead of nothing", told)
	}
}`

// call writes one step, and why its answer is right.
func (w *writer) call(c call) {
	o := w.plan.objects[c.object]
	name := strings.ReplaceAll(w.plan.name(c.object), " ", "")
	if c.nth < 0 {
		w.Add("\n%s := s.%s", name, c.making())
		if len(o.calls) == 0 {
			w.Add("_ = %s // it is not called", name)
		}
		return
	}
	w.Add("\n// %s\ntold, ok = %s.%s", o.because(c), name, c.calling())
	if c.want.told {
		w.Add("tells(%s)", number(c.want.watermark))
	} else {
		w.Add("tellsNothing()")
	}
}

func (c call) making() string {
	if c.op.Name == opMaxDelay {
		return fmt.Sprintf("BoundedOutOfOrderness(%s)", millis(c.op.Args[0]))
	}
	return fmt.Sprintf("NewMerger(%d)", c.op.Args[0])
}

func (c call) calling() string {
	switch c.op.Name {
	case opObserve:
		return fmt.Sprintf("Observe(%s)", gocode.Record(c.record))
	case opUpdate:
		return fmt.Sprintf("Update(%d, %s)", c.op.Args[0], number(stream.Watermark(c.op.Args[1])))
	case opIdle:
		return fmt.Sprintf("Idle(%d)", c.op.Args[0])
	default:
		return fmt.Sprintf("Finish(%d)", c.op.Args[0])
	}
}

// because says what the right answer to a call comes of, as a sentence.
func (o object) because(c call) string {
	reason := ""
	if o.generator() {
		reason = "the largest time so far is " + millis(slices.Max(o.times()[:c.nth+1]))
	} else {
		reason = o.reason(o.calls[:c.nth+1])
	}
	return strings.ToUpper(reason[:1]) + reason[1:] + "."
}
