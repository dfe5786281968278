package windows

import (
	"cmp"
	"slices"

	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// sessionAnswers returns the answers of an operator over sessions. At every
// event the records that are still there are sorted anew and cut where they are
// further apart than the gap; nothing is ever merged.
func sessionAnswers(gap, lateness int64, events []event) []answer {
	answers, _ := follow(gap, lateness, events)
	return answers
}

// sessionsThere returns the sessions that are not gone after the events.
func sessionsThere(gap, lateness int64, events []event) []contract.Result {
	var all []contract.Result
	_, there := follow(gap, lateness, events)
	for _, s := range cut(there, gap) {
		all = append(all, s.total)
	}
	return inOrder(all)
}

// follow returns the answers, and the records that are still there at the end.
func follow(gap, lateness int64, events []event) (answers []answer, there []stream.Record) {
	var late []stream.Record
	for _, e := range events {
		a := answer{check: sessions}
		if e.advance {
			there, a.results = swept(there, gap, lateness, e)
		} else if s := sessionOf(e.record, there, gap); gone(s.total.Window, lateness, e.after) {
			late = append(late, e.record)
		} else {
			there = append(there, e.record)
			if s.total.Window.End-1 <= e.after {
				a.results = []contract.Result{s.total}
			}
		}
		a.late = late[:len(late):len(late)]
		answers = append(answers, a)
	}
	return answers, there
}

// swept returns the records of the sessions that stay at a watermark, and the
// results of those that it ends.
func swept(there []stream.Record, gap, lateness int64, e event) (stay []stream.Record, due []contract.Result) {
	for _, s := range cut(there, gap) {
		if passed(s.total.Window, e.before, e.after) {
			due = append(due, s.total)
		}
		if !gone(s.total.Window, lateness, e.after) {
			stay = append(stay, s.records...)
		}
	}
	return stay, inOrder(due)
}

// A session is records of one key, none further than the gap from the next.
type session struct {
	records []stream.Record
	total   contract.Result
}

// sessionOf returns the session that r is in, among the others.
func sessionOf(r stream.Record, others []stream.Record, gap int64) session {
	for _, s := range cut(append([]stream.Record{r}, others...), gap) {
		if s.total.Key == r.Key && s.total.Window.Start <= r.Time && r.Time < s.total.Window.End {
			return s
		}
	}
	panic("a record is in a session")
}

func cut(records []stream.Record, gap int64) []session {
	sorted := slices.SortedFunc(slices.Values(records), func(a, b stream.Record) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Time, b.Time))
	})
	var all []session
	for i, r := range sorted {
		if i == 0 || sorted[i-1].Key != r.Key || r.Time-sorted[i-1].Time > gap {
			all = append(all, session{total: contract.Result{Key: r.Key, Window: contract.Window{Start: r.Time}}})
		}
		s := &all[len(all)-1]
		s.records = append(s.records, r)
		s.total.Window.End = r.Time + gap
		s.total.Sum += r.Value
		s.total.Count++
	}
	return all
}
