package exactlyoncestate

import (
	"embed"
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

//go:embed plain/store.go plain/changed.go plain/cut.go plain/barriers.go plain/recovery.go plain/ids.go
var plain embed.FS

// repro is [grading.Suite]'s: the runs up to the one that broke the rule, and
// then that rule.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	w := &reproWriter{finding: f}
	w.Add("solution := new(Solution)")
	if f.Check == deterministic {
		w.Add("for range 1000 { // chance decides, so it is tried again and again")
	}
	if c.Script != nil {
		w.history(c.Script)
	} else {
		w.job(c)
	}
	if f.Check == deterministic {
		w.Add("if t.Failed() {\nbreak\n}\n}")
	}
	r := grading.Repro{Body: w.String()}
	r.Decls, r.Imports = grading.ReproDecls(plain, "plain/cut.go", "plain/barriers.go", "plain/recovery.go", "plain/ids.go", "plain/changed.go", "plain/store.go")
	r.Imports = append(r.Imports, "maps", "slices", gocode.Stages+"07-exactly-once-state/contract", gocode.Stream)
	return r
}

// A reproWriter writes a test.
type reproWriter struct {
	gocode.Text
	finding grading.Finding
}

// job adds the runs of a case, as subject.job has them, up to the one that the
// finding is about.
func (w *reproWriter) job(c schedule.Case) {
	w.Add("records := %s\n", gocode.Records(c.Records))
	w.Add("%s", inWords(c.Param(barrierEvery), c.Param(crashAfter)))
	w.Add("const barrierEvery, crashAfter = %d, %s\n", c.Param(barrierEvery), crashPoint(c.Param(crashAfter)))
	r := newRun(c)
	switch problem := w.finding.Problem; {
	case strings.Contains(problem, secondTime):
		w.first(c)
		w.overwrite()
		if strings.Contains(problem, writtenLater) {
			w.Add("returned := run.result")
		}
		w.Add("\n// A second run, with a store of its own, is as right as the first, and so are\n// many more: chance may decide.")
		w.Add("for range 1000 {\nstore = %s", storeOf(left(c)))
		w.again("run = store.run(records, barrierEvery, crashAfter)")
		if strings.Contains(problem, writtenLater) {
			w.Add("if returned != nil && (len(returned) != 1 || returned[\"overwritten\"] != 1) {\nt.Errorf(\"the map that the first run returned now holds %%v, which its owner did not write\", returned)\n}")
		}
		w.rules(r, allRules...)
		w.Add("if t.Failed() {\nrun.log(t)\nbreak\n}\n}")
	case strings.Contains(problem, begunAgain), w.finding.Check == resume && w.finding.Fault != nil:
		w.first(c)
		w.overwrite()
		w.Add("\n// A second run begins with the store as the first left it.")
		w.again("run = store.run(records, barrierEvery, crashAfter)")
		if latest := lastSaved(r); latest != nil {
			r.base, r.found = *latest, true
		}
		w.rules(r, w.broken())
	case strings.Contains(problem, heedless):
		w.first(c)
		w.overwrite()
		w.heeds(c)
	case w.finding.Check == isolation:
		w.input(c)
	default:
		w.first(c)
		w.rules(r, w.broken())
	}
}

// lastSaved is the checkpoint that a right run leaves, or nil.
func lastSaved(r *run) *contract.Checkpoint {
	last := len(r.records) / r.every * r.every
	if last <= r.base.Offset {
		return nil
	}
	return &contract.Checkpoint{Offset: last, State: r.sums(last)}
}

// first adds the first run.
func (w *reproWriter) first(c schedule.Case) {
	w.Add("store := %s", storeOf(left(c)))
	w.again("run := store.run(records, barrierEvery, crashAfter)")
}

// again adds a run.
func (w *reproWriter) again(begin string) {
	w.Add("%s\nrun.result = solution.RunExactlyOnceState(run, slices.Clone(records), barrierEvery, crashAfter)", begin)
	if w.finding.Check != deterministic && !strings.Contains(w.finding.Problem, secondTime) {
		w.Add("run.log(t)")
	}
}

// overwrite lets the caller do with a result what it may.
func (w *reproWriter) overwrite() {
	w.Add("if run.result != nil { // it is its caller's, who overwrites it\nclear(run.result)\nrun.result[\"overwritten\"] = 1\n}")
}

// input adds a run after which the input must be as it was.
func (w *reproWriter) input(c schedule.Case) {
	w.Add("input := slices.Clone(records)\nstore := %s", storeOf(left(c)))
	w.Add("solution.RunExactlyOnceState(store.run(records, barrierEvery, crashAfter), input, barrierEvery, crashAfter)")
	w.Add("\n// The input is only lent.")
	w.Add("if !slices.Equal(input, records) {\nt.Errorf(\"the input is now %%v, want %%v as before\", input, records)\n}")
}

// heeds adds runs in which the checkpoint in the store is changed when they ask
// for it after the crash.
func (w *reproWriter) heeds(c schedule.Case) {
	w.Add("%s", `
// The same again, but when the run asks for the latest checkpoint after the
// crash, the store has it changed: all that follows must go on from that. If
// it cannot be told by which question it recovers, one of them must be it.
wrong := ""
for _, question := range run.questions() {`)
	w.Add("store := %s\nchanged := store.run(records, barrierEvery, crashAfter)\nchanged.change = question", storeOf(left(c)))
	w.Add("%s", `changed.result = solution.RunExactlyOnceState(changed, slices.Clone(records), barrierEvery, crashAfter)
changed.log(t)
if wrong = changed.heeds(); wrong == "" {
	break
}
}
if wrong != "" {
	t.Errorf("after the changed checkpoint: %s", wrong)
}`)
}

// broken is the check whose rule was broken in the run: of one that did not go
// on from a checkpoint, that which it broke by it.
func (w *reproWriter) broken() string {
	f := w.finding
	if (f.Check == resume || f.Check == realCrash) && f.Unless != "" {
		return f.Unless
	}
	return f.Check
}

// methods are what asks for the rules of checks, in plain; that of the result is
// written out.
var methods = map[string]string{
	consistentCut: "cut", barriers: "barriers", recovery: "recovery", resume: "asks", checkpointIDs: "ids", exactlyOnce: "wrongResult",
}

var allRules = []string{consistentCut, barriers, exactlyOnce, recovery, resume, checkpointIDs}

// rules adds the rules that a run must keep.
func (w *reproWriter) rules(r *run, checks ...string) {
	if w.finding.Check == deterministic {
		checks = allRules
	}
	for _, check := range checks {
		if method := methods[check]; method != "" && check != exactlyOnce {
			w.Add("if wrong := run.%s(); wrong != \"\" {\nt.Errorf(\"%s: %%s\", wrong)\n}", method, check)
			continue
		}
		w.Add("if want := (%s); !maps.Equal(run.result, want) {", gocode.State(r.sums(len(r.records))))
		w.Add("t.Errorf(\"the result is %%v, want %%v\", run.result, want)\n}")
	}
}

// inWords says in a comment what the parameters of a run mean.
func inWords(every, crash int) string {
	distance := "record"
	if every > 1 {
		distance = grading.Plural(every, distance)
	}
	if crash == contract.NoCrash {
		return gocode.Comment("A barrier after every %s, and no crash.", distance)
	}
	return gocode.Comment("A barrier after every %s, and a crash after %s.", distance, grading.Plural(crash, "record"))
}

func crashPoint(crash int) string {
	if crash == contract.NoCrash {
		return "contract.NoCrash"
	}
	return fmt.Sprint(crash)
}

// storeOf is a store that holds a checkpoint, or none, as Go source.
func storeOf(c *contract.Checkpoint) string {
	if c == nil {
		return "&reproStore{}"
	}
	return fmt.Sprintf("&reproStore{&contract.Checkpoint{ID: %d, Offset: %d, State: %s}}", c.ID, c.Offset, gocode.State(c.State))
}

// history adds the runs of a history, up to the one that the finding is about,
// each with its rules.
func (w *reproWriter) history(script []schedule.Op) {
	past, n := &past{}, 0
	var held *contract.Checkpoint
	declared := ""
	for _, op := range script {
		switch op.Name {
		case opRecords:
			past.records = int(op.Args[0])
			continue
		case opEvery:
			past.every = int(op.Args[0])
			continue
		case opSaved:
			held = earlier(stream.CheckpointID(op.Args[0]), scriptRecords(int(op.Args[1])))
			continue
		}
		if n == 0 {
			w.Add("store := %s\nvar run *reproRun", storeOf(held))
		}
		n++
		declared = w.oneRun(op, past, n, declared)
		if strings.HasPrefix(w.finding.Problem, fmt.Sprintf("In run %d,", n)) {
			break
		}
	}
}

// oneRun adds run n of a history. It returns the records that are declared.
func (w *reproWriter) oneRun(op schedule.Op, p *past, n int, declared string) string {
	kill, crash := "", int(op.Args[len(op.Args)-1])
	switch op.Name {
	case opKillSave:
		kill = fmt.Sprintf("run.killBefore = reproCall{name: \"Save\", number: %d}", op.Args[0])
	case opKillSaved:
		kill = fmt.Sprintf("run.killAfter = reproCall{name: \"Save\", number: %d}", op.Args[0])
	case opKillLatest:
		kill = fmt.Sprintf("run.killBefore = reproCall{name: \"Latest\", number: %d}", op.Args[0])
	}
	records := gocode.Records(scriptRecords(p.records))
	w.Add("\n// Run %d.", n)
	w.Add("%s", inWords(p.every, crash))
	switch {
	case declared == "":
		w.Add("records := %s", records)
	case declared != records:
		w.Add("records = %s", records)
	}
	w.Add("run = store.run(records, %d, %s)", p.every, crashPoint(crash))
	call := fmt.Sprintf("solution.RunExactlyOnceState(run, slices.Clone(records), %d, %s)", p.every, crashPoint(crash))
	if kill != "" {
		w.Add("%s // where it is killed", kill)
		w.Add("run.untilKilled(func() map[string]int64 {\nreturn %s\n})", call)
	} else {
		w.Add("run.result = %s", call)
	}
	if w.finding.Check != deterministic {
		w.Add("run.log(t)")
	}
	w.runRule()
	return records
}

// runRule adds the rule that every run of the history must keep.
func (w *reproWriter) runRule() {
	method := methods[w.broken()]
	if method == "" {
		method = methods[exactlyOnce]
	}
	w.Add("if wrong := run.%s(); wrong != \"\" {\nt.Error(wrong)\n}", method)
}
