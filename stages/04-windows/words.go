package windows

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// wrongResults says what an operator returned, and what it should have, and why.
func wrongResults(s *step, got []contract.Result) string {
	return fmt.Sprintf("%s returned %s instead of %s.%s", s.called(), resultList(got), resultList(s.answer.results), s.why())
}

func wrongOrder(s *step, got []contract.Result) string {
	for i, want := range s.answer.results {
		if got[i] != want {
			return fmt.Sprintf("%s returned the right results, but not in the order of End, Start and Key: number %d is %s instead of %s.",
				s.called(), i+1, result(got[i]), result(want))
		}
	}
	return ""
}

func wrongLate(s *step, got []stream.Record) string {
	return fmt.Sprintf("After %s, Late returned %s instead of %s.%s",
		s.action(), recordList(got), recordList(s.answer.late), s.why())
}

func wrongWindows(p *plan, at int, got []contract.Window) string {
	s := p.steps[at]
	made := ""
	for _, earlier := range p.steps[:at] {
		if earlier.op.Name == opTumbling || earlier.op.Name == opSliding {
			made = call(earlier.op.Name, earlier.op.Args)
		}
	}
	return fmt.Sprintf("%s.Assign(%d) returned %s instead of %s.", made, s.op.Args[0], windowList(got), windowList(s.windows))
}

// call writes an operation as Go does: Tumbling(10, 0).
func call(name string, args []int64) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = fmt.Sprint(a)
	}
	return strings.ToUpper(name[:1]) + name[1:] + "(" + strings.Join(words, ", ") + ")"
}

// called names the call of an operator: "Process of a=1 @3".
func (s *step) called() string {
	if s.op.Name == opAdvance {
		return "Advance(" + watermark(s.op.Args[0]) + ")"
	}
	return "Process of " + record(s.record)
}

// action is the step as the timeline names it.
func (s *step) action() string {
	switch s.op.Name {
	case opRecord:
		return "record " + record(s.record)
	case opAdvance:
		return "advance to " + watermark(s.op.Args[0])
	case opOperator:
		return "new, lateness " + watermark(s.op.Args[0])
	case opSession:
		return fmt.Sprintf("new, gap %d, lateness %s", s.op.Args[0], watermark(s.op.Args[1]))
	case opTumbling, opSliding, opAssign: // as in Go
		return call(s.op.Name, s.op.Args)
	}
	return s.op.String()
}

// why says what an answer comes from, where it is not plain.
func (s *step) why() string {
	switch {
	case s.answer.check == lateRecords:
		return " The record is for a window that is gone."
	case s.answer.check == lateFiring:
		return " Here a record comes for a window that has ended but is not gone."
	}
	return ""
}

// maxListed is how many items a list shows.
const maxListed = 6

func list[T any](items []T, word func(T) string, none string) string {
	if len(items) == 0 {
		return none
	}
	words := make([]string, 0, maxListed+1)
	for i, item := range items {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(items)-i))
			break
		}
		words = append(words, word(item))
	}
	return strings.Join(words, ", ")
}

func resultList(rs []contract.Result) string { return list(rs, result, "nothing") }
func windowList(ws []contract.Window) string { return list(ws, window, "no window") }
func recordList(rs []stream.Record) string   { return list(rs, record, "none") }

// result is "a [0,10) sum 3 count 2".
func result(r contract.Result) string {
	return fmt.Sprintf("%s %s sum %d count %d", key(r.Key), window(r.Window), r.Sum, r.Count)
}

func window(w contract.Window) string { return fmt.Sprintf("[%d,%d)", w.Start, w.End) }

// record is "a=1 @3", as in a difference.
func record(r stream.Record) string { return diff.Record(r) }

// key is a key as it is where it is a short word, else quoted.
func key(k string) string {
	plain := func(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' }
	if k != "" && len(k) <= 12 && strings.IndexFunc(k, func(c rune) bool { return !plain(c) }) < 0 {
		return k
	}
	return fmt.Sprintf("%.20q", k)
}

func watermark(w int64) string {
	switch w {
	case math.MaxInt64:
		return "max"
	case math.MinInt64:
		return "min"
	}
	return fmt.Sprint(w)
}

// sameResults tells whether both are the same results, in any order.
func sameResults(a, b []contract.Result) bool {
	return slices.Equal(slices.SortedFunc(slices.Values(a), byOrder), slices.SortedFunc(slices.Values(b), byOrder))
}

// resultsDiff is a line for each result that should be there and is not, or
// the other way round, and nil where that is already plain.
func resultsDiff(want, got []contract.Result) []string {
	if len(want)+len(got) <= 2 {
		return nil
	}
	var lines []string
	for _, r := range want {
		if !slices.Contains(got, r) {
			lines = append(lines, "- "+result(r)+"   expected, not returned")
		}
	}
	for _, r := range got {
		if !slices.Contains(want, r) {
			lines = append(lines, "+ "+result(r)+"   returned, not expected")
		}
	}
	if left := len(lines) - diff.MaxLines; left > 0 {
		lines = append(lines[:diff.MaxLines], fmt.Sprintf("... and %d more", left))
	}
	return lines
}

func lateDiff(want, got []stream.Record) []string {
	if len(want)+len(got) <= 2 {
		return nil
	}
	return diff.List(want, got)
}
