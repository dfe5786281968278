package main

import (
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/grading/class"
)

func TestTimeLeft(t *testing.T) {
	for _, test := range []struct {
		name    string
		at      class.Progress
		elapsed time.Duration
		want    string
	}{
		{"too few", class.Progress{Done: 2, Total: 200}, time.Minute, ""},
		{"too few beside those of before", class.Progress{Done: 102, Total: 200, Resumed: 100}, time.Minute, ""},
		{"three", class.Progress{Done: 3, Total: 9}, 9 * time.Second, ", 20 s left"},
		{"some of before", class.Progress{Done: 110, Total: 200, Resumed: 100}, 10 * time.Second, ", 2 min left"},
		{"hours", class.Progress{Done: 10, Total: 1010}, time.Minute, ", 1 h 40 min left"},
		{"at once", class.Progress{Done: 3, Total: 4}, 0, ", 10 s left"},
		{"all", class.Progress{Done: 9, Total: 9}, time.Minute, ""},
	} {
		if got := timeLeft(test.at, test.elapsed); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Without a terminal there are some lines, and on one a bar.
func TestClassProgress(t *testing.T) {
	for _, test := range []struct {
		name       string
		step       time.Duration // from one student to the next
		terminal   bool
		resumed    int
		most       int // lines
		has, hasNo string
	}{
		{name: "fast", step: 10 * time.Millisecond, most: 2, has: "graded 100 of 200, 10 s left\n"},
		{name: "middling", step: 500 * time.Millisecond, most: 11, has: "graded 100 of 200, 50 s left\n"},
		{name: "slow", step: 15 * time.Second, most: 200, has: "graded 1 of 200\ngraded 2 of 200\ngraded 3 of 200, 50 min left\n"},
		{name: "resumed", step: time.Second, resumed: 120, most: 20, has: "graded 140 of 200, 120 of them before, 1 min left\n", hasNo: "graded 120 of 200, 120 of them before, "},
		{name: "terminal", step: time.Second, terminal: true, has: "graded 100 of 200, 2 min left"},
	} {
		now, s := time.Unix(0, 0), &screen{}
		e := &env{stderr: s, stderrIsTerminal: test.terminal, getenv: func(string) string { return "" }, now: func() time.Time { return now }}
		p := e.newClassProgress()
		for i := range 200 {
			if i >= test.resumed {
				now = now.Add(test.step)
			}
			p.show(class.Progress{Done: i + 1, Total: 200, Resumed: min(i+1, test.resumed)})
		}
		p.bar.clear()
		got := s.all()
		if !strings.Contains(got, test.has) || test.hasNo != "" && strings.Contains(got, test.hasNo) {
			t.Errorf("%s: want %q and not %q in\n%s", test.name, test.has, test.hasNo, got)
		}
		if lines := strings.Count(got, "\n"); lines > test.most {
			t.Errorf("%s: %d lines, want %d at most:\n%s", test.name, lines, test.most, got)
		}
	}
}
