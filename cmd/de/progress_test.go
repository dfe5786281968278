package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/flk-byo/de/grading"
)

// A screen is one line of a terminal: it is overwritten after "\r".
type screen struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(p)
}

func (s *screen) all() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// Once cleared, nothing is left of a bar or a spinner, and none comes back.
func TestProgressIsCleared(t *testing.T) {
	tests := []struct {
		name  string
		shown []grading.Progress
		want  []string
	}{
		{"spinner", []grading.Progress{{Doing: "building"}}, []string{"building"}},
		{"bar", []grading.Progress{{Doing: "running", Stage: "08", Done: 3, Total: 7}}, []string{"running stage 08  42%"}},
		{"all", []grading.Progress{
			{Doing: "building"}, {Doing: "compiling", Stage: "08"},
			{Doing: "running", Stage: "08", Done: 7, Total: 7}, {Doing: "running", Stage: "07", Done: 1, Total: 9},
		}, []string{"building", "compiling stage 08", "running stage 08", "running stage 07"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &screen{}
			p := (&env{stderr: s, stderrIsTerminal: true, getenv: func(string) string { return "" }}).newProgress()
			for _, now := range test.shown {
				p.show(now)
			}
			bar := p.bar
			p.clear()
			for _, want := range test.want {
				if !strings.Contains(s.all(), want) {
					t.Errorf("%q was not shown: %q", want, s.all())
				}
			}
			if !bar.IsFinished() {
				t.Error("the bar goes on by itself")
			}
			shown := strings.ReplaceAll(s.all(), "\x1b[2K", "\r") // erases the line
			lines := strings.Split(shown, "\r")
			if last := lines[len(lines)-1]; last != "" || strings.TrimSpace(lines[len(lines)-2]) != "" {
				t.Errorf("the line is not blank: %q", s.all())
			}
		})
	}
}

func TestNoProgressWithoutTerminal(t *testing.T) {
	s := &screen{}
	p := (&env{stderr: s, stderrIsTerminal: false, getenv: func(string) string { return "" }}).newProgress()
	p.show(grading.Progress{Doing: "building"})
	p.clear()
	if s.all() != "" {
		t.Errorf("%q", s.all())
	}
}
