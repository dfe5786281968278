package keyedstate

import (
	"fmt"

	"github.com/flk-byo/de/grading"
)

// A row is one of the timeline, not yet put in words: few are ever read.
type row struct {
	object string
	number int // of the object; 0 if there is but one
	at, of int // position in the stream, if of is not 0
	action func() string
	state  *summary // of the object afterwards, or nil
	note   string
}

func (r row) step() grading.Step {
	s := grading.Step{Object: r.object, Action: r.action(), Note: r.note}
	if r.number > 0 {
		s.Object += fmt.Sprintf(" %d", r.number)
	}
	if r.of > 0 {
		s.At = fmt.Sprintf("%d of %d", r.at, r.of)
	}
	if r.state != nil {
		s.State = r.state.String()
	}
	return s
}

// A timeline is what was done in a case, in order.
type timeline []row

func (t *timeline) add(r row) { *t = append(*t, r) }

func (t timeline) last() *row { return &t[len(t)-1] }

func (t timeline) steps() []grading.Step {
	steps := make([]grading.Step, len(t))
	for i, r := range t {
		steps[i] = r.step()
	}
	return steps
}

// action is an action without arguments.
func action(text string) func() string { return func() string { return text } }
