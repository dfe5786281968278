package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
)

// StudentMarkdown writes a student's marks and the explanation of the first
// failure in Markdown. All that a student chose stands in code, where it is no
// markup. An error is one of w.
func StudentMarkdown(w io.Writer, r class.Result, o Options) error {
	o.Color = false
	p := newPage(o)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n**%s**\n", code(r.Course), code(studentName(r.Student)), markOf(r.Marks))
	if len(r.Problems) > 0 {
		b.WriteString("\n## What was handed in\n\n")
	}
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "- %s\n", code(clean(problem.Words)))
	}
	markdownMarks(&b, r.Marks)
	if r.Report == nil {
		p.prose(unjudgedProse(r))
	} else {
		p.explain(*r.Report)
	}
	b.WriteString("\n## What was found\n\n" + fenced(p.String()))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func markdownMarks(b *strings.Builder, m rubric.Marks) {
	if len(m.Rows) == 0 {
		return
	}
	b.WriteString("\n## Marks\n\n| stage | check | points | verdict | why |\n|---|---|--:|---|---|\n")
	for _, r := range m.Rows {
		cells := []string{r.Stage, oneOf(r.Check, "all checks"), r.Points.String() + " of " + r.Of.String(), string(r.Verdict), r.Words}
		for i, cell := range cells {
			if i == 0 || i == 1 || i == 4 && cell != "" {
				cells[i] = strings.ReplaceAll(code(clean(cell)), "|", `\|`)
			}
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
}

// code is a clean line as code: between more backticks than it has together.
func code(line string) string {
	fence := strings.Repeat("`", longestRun(line)+1)
	if line == "" || strings.HasPrefix(line, "`") || strings.HasSuffix(line, "`") {
		line = " " + line + " "
	}
	return fence + line + fence
}

// fenced is text as a block of code.
func fenced(text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// longestRun is how many backticks stand together at most.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
