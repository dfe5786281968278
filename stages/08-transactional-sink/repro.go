package transactionalsink

import (
	"embed"
	"fmt"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/gocode"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
)

//go:embed plain/sinks.go plain/own.go plain/shows.go plain/kept.go
//go:embed plain/notification.go plain/barriers.go plain/recovery.go plain/dangling.go
var plain embed.FS

// repro is [grading.Suite]'s.
func repro(c schedule.Case, f grading.Finding) grading.Repro {
	if f.Check == noSleep || !f.ShowsInPlainGo() {
		return grading.Repro{} // plain Go neither forbids nor limits that
	}
	if c.Script != nil {
		return reproOfScript(c, f)
	}
	return reproOfJob(c, f)
}

// reproOfJob runs the job as the run went that broke the rule, and then asks
// for that rule.
func reproOfJob(c schedule.Case, f grading.Finding) grading.Repro {
	j := jobRepro{a: parameters(c)}
	j.Add("solution := new(Solution)\nrecords := %s", gocode.Records(c.Records))
	j.Add("%s", j.words())
	j.Add("const barrierEvery, crashAfter, commitLag = %d, %s, %d\n", j.a.every, j.crashPoint(), j.a.lag)
	j.runs(f)
	r := grading.Repro{Body: j.String()}
	r.Decls, r.Imports = plainDecls()
	return r
}

// plainDecls is all that is in plain, and what it or a test imports.
func plainDecls() (decls string, imports []string) {
	decls, imports = grading.ReproDecls(plain, "plain/shows.go", "plain/kept.go",
		"plain/notification.go", "plain/barriers.go", "plain/recovery.go", "plain/dangling.go", "plain/own.go", "plain/sinks.go")
	return decls, append(imports, "slices", gocode.Stages+"08-transactional-sink/contract", gocode.Stream)
}

// A jobRepro is a test of the job, as it is written.
type jobRepro struct {
	gocode.Text
	a *account // without a trace
}

// words says in a comment what the parameters mean.
func (j *jobRepro) words() string {
	crash := fmt.Sprintf("a crash after %s", grading.Plural(j.a.crash, "record"))
	if j.a.crash == contract.NoCrash {
		crash = "no crash"
	}
	every := "record"
	if j.a.every > 1 {
		every = grading.Plural(j.a.every, every)
	}
	return fmt.Sprintf("\n// A barrier after every %s, %s; a commit is notified\n// %s after its pre-commit.", every, crash, grading.Plural(j.a.lag, "barrier"))
}

func (j *jobRepro) crashPoint() string {
	if j.a.crash == contract.NoCrash {
		return "contract.NoCrash"
	}
	return fmt.Sprint(j.a.crash)
}

// runs adds the run that broke the rule of f, those before it, and the rule.
func (j *jobRepro) runs(f grading.Finding) {
	if strings.Contains(f.Problem, asTheyAre) && !strings.Contains(f.Problem, secondTime) {
		j.bare(f.Check)
		return
	}
	again, own := strings.Contains(f.Problem, secondTime), strings.Contains(f.Problem, withOwn) || strings.Contains(f.Problem, inRun)
	if again || own {
		j.Add("// The first run is right. What it returned is overwritten, as its owner may.")
		j.Add("var first reproRun")
		j.Add("returned := %s", jobCall("first.newSink", "slices.Clone(records)"))
		j.Add("for i := range returned {\nreturned[i] = stream.Record{Key: \"overwritten\"}\n}\n")
	}
	many := again || f.Check == deterministic
	if many {
		j.Add("// What is kept of a run shows in the next, what chance decides in one of many.")
		j.Add("for range 1000 {")
	}
	j.Add("var run reproRun")
	newSink := "run.newSink"
	if own {
		newSink = "newSink"
		j.Add("newSink := func() contract.TransactionalSink { // the solution's own, watched\nreturn &reproOwnSink{t, solution.NewTransactionalSink(), run.sink()}\n}")
	}
	if f.Check == isolation && !many && f.Fault == nil && f.Kind == fault.RuleBroken {
		j.input(newSink)
		return
	}
	result := "result := "
	if !many && !asksResult(f.Check) {
		result = ""
	}
	j.Add("%s%s", result, jobCall(newSink, "slices.Clone(records)"))
	if strings.Contains(f.Problem, writtenLater) {
		j.Add("if slices.ContainsFunc(returned, func(r stream.Record) bool { return r.Key != \"overwritten\" }) {\nt.Errorf(\"the slice that the first run returned now holds %%v, which its owner did not write\", returned)\n}\n")
	}
	if many {
		j.rules()
		j.Add("if t.Failed() {\nrun.log(t)\nbreak\n}\n}")
		return
	}
	j.Add("run.log(t)\n")
	j.rule(f.Check)
}

// bare runs the job with the solution's own sinks as they are.
func (j *jobRepro) bare(check string) {
	if check != visibility {
		j.Add("result := %s\n", jobCall("solution.NewTransactionalSink", "slices.Clone(records)"))
		j.rule(check)
		return
	}
	j.Add("var sinks []contract.TransactionalSink")
	j.Add("newSink := func() contract.TransactionalSink {\nsinks = append(sinks, solution.NewTransactionalSink())\nreturn sinks[len(sinks)-1]\n}")
	j.Add("result := %s\n", jobCall("newSink", "slices.Clone(records)"))
	j.Add("// What it returns is what the sinks show.")
	j.Add("var shown []stream.Record\nfor _, s := range sinks {\nshown = append(shown, s.Committed()...)\n}")
	j.Add("if !reproSame(result, shown) {\nt.Errorf(\"the result is %%v, but the sinks show %%v\", result, shown)\n}")
}

func jobCall(newSink, records string) string {
	return fmt.Sprintf("solution.RunExactlyOnceSink(%s, %s, barrierEvery, crashAfter, commitLag)", newSink, records)
}

// input asks that the input stays as it was.
func (j *jobRepro) input(newSink string) {
	j.Add("input := slices.Clone(records)")
	j.Add("result := %s", jobCall(newSink, "input"))
	j.Add(`
// The input is only lent to the job. What it returns is the caller's, to
// overwrite.
for i := range result {
	result[i] = stream.Record{Key: "overwritten"}
}
if !slices.Equal(input, records) {
	t.Errorf("the input is now %%v, want %%v as before", input, records)
}`)
}

// rules asks for all rules of a run.
func (j *jobRepro) rules() {
	for _, check := range []string{eosOutput, visibility, notification, barriers, recovery, noDangling} {
		j.rule(check)
	}
}

// rule asks for the rule of a check; without one of its own, for the output.
func (j *jobRepro) rule(check string) {
	const asked = "if wrong := run.%s; wrong != \"\" {\nt.Errorf(\"%s: %%s\", wrong)\n}"
	switch check {
	case visibility:
		j.Add("// What it returns is what the sinks show.")
		j.Add("if shown := run.visible(); !reproSame(result, shown) {\nt.Errorf(\"the result is %%v, but the sinks show %%v\", result, shown)\n}")
	case notification:
		j.Add("// %s", j.before())
		j.Add(asked, fmt.Sprintf("notification(%d, barrierEvery, commitLag)", j.a.limit), check)
	case barriers:
		j.Add("// %s", j.before())
		j.Add(asked, fmt.Sprintf("barriers(%d, barrierEvery, %t)", j.a.limit, j.a.crash >= 0), check)
	case recovery:
		j.Add("// %s", j.before())
		j.Add(asked, fmt.Sprintf("recovery(records, %d, barrierEvery, commitLag, %t)", j.a.limit, j.a.crash >= 0), check)
	case noDangling:
		j.Add("// All transactions are committed or aborted.")
		j.Add(asked, "dangling()", check)
	default:
		j.Add("// Every record comes out exactly once, in any order.")
		j.Add("if !reproSame(result, records) {\nt.Errorf(\"the output is %%v, want %%v in any order\", result, records)\n}")
	}
}

// asksResult tells whether the rule of a check is about what the job returns.
func asksResult(check string) bool {
	switch check {
	case notification, barriers, recovery, noDangling:
		return false
	}
	return true
}

// before says what comes before the crash, or the end.
func (j *jobRepro) before() string {
	if j.a.crashes {
		return fmt.Sprintf("%s before the crash.", wereOf(j.a.limit, "record")+" written")
	}
	return fmt.Sprintf("%s before the end.", wereOf(j.a.limit, "record")+" written")
}
