package report

import (
	"fmt"
	"io"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/harness/fault"
)

// An Appeal is a student's mark, and what it rests on.
type Appeal struct {
	Result class.Result
	Notes  []string   // what else is to be known, e.g. that the rubric is another by now
	Again  [][]string // commands that come to the same mark, in words
}

// Explain writes, for the instructor, all that is known of the mark: what was
// taken, the marks row by row with why, the first failure step by step, and how
// to come to the mark again. The flags of o run a case of the submission's. An
// error is one of w.
func (a Appeal) Explain(w io.Writer, o Options) error {
	p := newPage(o)
	p.whole = true
	p.entry("", a.Result.Course+": "+studentName(a.Result.Student))
	p.entry("", markOf(a.Result.Marks))
	for _, note := range a.Notes {
		p.entry("note: ", note)
	}
	p.taken(a.Result)
	p.handedIn(a.Result)
	p.flagged(a.Result.Marks.Flags)
	p.marks(a.Result)
	p.blank()
	p.firstFailure(a.Result)
	p.again(a.Again)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("write explanation: %w", err)
	}
	return nil
}

// taken lists what was read of a submission.
func (p *page) taken(r class.Result) {
	p.section("What was taken of " + clean(r.Source))
	var rows []row
	for _, f := range r.Files {
		rows = append(rows, row{style: p.style.plain, cells: []string{clean(f.Path), number(int(f.Size)) + " bytes", clean(f.SHA256[:min(len(f.SHA256), 16)])}})
	}
	if len(rows) > 0 {
		p.table(2, []string{"file", "size", "SHA-256, its start"}, rows)
	}
	p.prose("hash of all: " + oneOf(r.Hash, "none, since nothing of it was taken"))
}

func (p *page) flagged(flags []string) {
	if len(flags) == 0 {
		return
	}
	p.section("To look at")
	for _, flag := range flags {
		p.prose(flag)
	}
}

// firstFailure explains what de test would have shown.
func (p *page) firstFailure(result class.Result) {
	r := result.Report
	if r == nil {
		p.prose(unjudgedProse(result))
		return
	}
	s := detailed(*r)
	if r.Verdict != grading.Fail || s == nil || s.Failure == nil || headFinding(s.Failure).Kind == fault.NotImplemented {
		p.all(*r)
		return
	}
	p.failure(*r, *s)
	p.withheld(*s)
	p.section("Run just this case")
	p.command(append(p.test(*s), "--case", s.Failure.Case))
	p.section("Step through it, with the lines of code")
	p.command(append([]string{"de", "explain", "--html", "why.html"}, append(p.flags, s.Failure.Case)...))
	p.stages(*r)
}

func (p *page) again(commands [][]string) {
	if len(commands) == 0 {
		return
	}
	p.section("Come to this mark again")
	p.prose("de grade takes an archive as it is; for de test, unpack it.")
	for _, words := range commands {
		p.command(words)
	}
}
