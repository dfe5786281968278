package checkpointbarriers

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

//go:embed plain/elements.go plain/owner.go
var plain embed.FS

// repro is [grading.Suite]'s: the calls as they come, each with what must go
// downstream.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	w := &reproWriter{finding: f}
	w.Add("solution := new(Solution)")
	write := func() { w.aligners(planOf(c)) }
	if c.Script == nil && c.Param(channels) == 0 {
		write = func() { w.injection(c) }
	}
	if n := w.rounds(); n > 1 {
		w.Add("for range %d { // %s", n, w.why())
		write()
		w.Add("}")
	} else {
		write()
	}
	r := grading.Repro{Body: w.String()}
	r.Decls, r.Imports = grading.ReproDecls(plain, "plain/elements.go", "plain/owner.go")
	r.Imports = append(r.Imports, "slices", gocode.Stream)
	return r
}

// A reproWriter writes a test.
type reproWriter struct {
	gocode.Text
	finding grading.Finding
	owner   bool // slices are overwritten, and kept
}

// rounds is how often a test must do it all for the finding to show.
func (w *reproWriter) rounds() int {
	switch {
	case w.finding.Check == deterministic:
		return 1000
	case w.says(secondAligner):
		return 100
	default:
		return 1
	}
}

func (w *reproWriter) why() string {
	if w.finding.Check == deterministic {
		return "chance decides, so it is tried again and again"
	}
	return "again and again with new aligners, which share nothing with the first"
}

func (w *reproWriter) says(problem string) bool { return strings.Contains(w.finding.Problem, problem) }

// injection adds a call of InjectBarriers and, where it takes that, another.
func (w *reproWriter) injection(c schedule.Case) {
	every := c.Param(barrierEvery)
	w.Add("records := %s", gocode.Records(c.Records))
	w.Add("input := slices.Clone(records) // it is only lent")
	if w.finding.Check != isolation {
		w.Add("reproGoes(t, solution.InjectBarriers(input, %d)%s)", every, elements(injected(c.Records, every)))
		w.Add("if !slices.Equal(input, records) {\nt.Errorf(\"the input is now %%v, want %%v as before\", input, records)\n}")
		return
	}
	w.owner = true
	w.Add("var owner reproOwner // of the slices that are returned, who overwrites them\nfor range 2 {")
	w.Add("owner.goes(t, solution.InjectBarriers(input, %d)%s)\n}\nowner.intact(t)", every, elements(injected(c.Records, every)))
	w.Add("if !slices.Equal(input, records) {\nt.Errorf(\"the input is now %%v, want %%v as before\", input, records)\n}")
}

// aligners adds the arrivals of a plan, up to the one that is answered wrongly.
func (w *reproWriter) aligners(p plan) {
	answers := answersTo(p)
	w.owner = w.says(secondAligner) || w.says(overwritten) || w.says(keptSlice) || w.says(keptBarrier) || w.finding.Kind == fault.Panic
	goes := "reproGoes(t, "
	if w.owner {
		w.Add("var owner reproOwner // of the slices that are returned, who overwrites them")
		goes = "owner.goes(t, "
	}
	if step := w.finding.Step; step >= 0 && step < len(p.arrivals) && w.finding.Check != isolation {
		p.arrivals = p.arrivals[:step+1]
	}
	made := map[int]int{} // arrivals by aligner
	for _, a := range p.arrivals {
		name := p.aligner(a)
		if made[a.aligner] == 0 {
			w.Add("%s := solution.NewAligner(%d)", name, p.channels)
		}
		want := answers[a.aligner].out[made[a.aligner]]
		made[a.aligner]++
		w.Add("%s%s.%s%s)", goes, name, w.call(a), elements(want))
	}
	if w.owner {
		w.Add("\n// Nobody but their owner writes to what was returned, and to the barriers.\nowner.intact(t)")
	}
}

// aligner is the variable that an arrival comes to.
func (p plan) aligner(a arrival) string {
	if slices.ContainsFunc(p.arrivals, func(b arrival) bool { return b.aligner != a.aligner }) {
		return fmt.Sprintf("aligner%d", a.aligner)
	}
	return "aligner"
}

// call is the call that an arrival is.
func (w *reproWriter) call(a arrival) string {
	switch {
	case a.end:
		return fmt.Sprintf("Finish(%d)", a.channel)
	case w.owner && a.item.mark:
		return fmt.Sprintf("Receive(%d, owner.barrier(%d))", a.channel, a.item.barrier)
	}
	return fmt.Sprintf("Receive(%d, %s)", a.channel, a.item.source())
}

// source is an element as Go source.
func (i item) source() string {
	if i.mark {
		return fmt.Sprintf("reproBarrier(%d)", i.barrier)
	}
	return fmt.Sprintf("reproRecord(%q, %d, %d)", i.record.Key, i.record.Value, i.record.Time)
}

// elements are elements as further arguments; many stand on a line each.
func elements(is []item) string {
	var b strings.Builder
	separator := ", "
	if len(is) > 3 {
		separator = ",\n"
	}
	for _, i := range is {
		b.WriteString(separator + i.source())
	}
	if len(is) > 3 {
		b.WriteString(",\n")
	}
	return b.String()
}
