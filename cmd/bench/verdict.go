package main

import (
	"fmt"
	"time"

	"github.com/flk-byo/de/stages"
)

// Mistakes of a learner in stage 08: one in the job, which a schedule brings to
// light, and one in the sink, which the sweep does.
const (
	wrongJob  = "completed-at-the-precommit"
	wrongSink = "commit-keeps-the-entry"
)

// verdict times de test after edits, in turn, so that whatever else the machine
// does meets all of them alike.
func (b *bench) verdict() error {
	l, err := b.newLearner("verdict")
	if err != nil {
		return err
	}
	first, last := stages.All()[0], lastSuite()
	situations := []struct {
		name, goal string
		code       int
		edit       func() error
		took       []time.Duration
	}{
		{"a wrong job: first line of the verdict", "300 ms", 1, func() error { return l.edit(last, wrongJob) }, nil},
		{"a wrong sink: first line of the verdict", "300 ms", 1, func() error { return l.edit(last, wrongSink) }, nil},
		{"stage " + last.ID + " right: whole verdict of all stages", "1000 ms", 0, func() error { return l.edit(last, "") }, nil},
		{"unchanged", "150 ms", 0, func() error { return nil }, nil},
		{"stage " + first.ID + " right: whole verdict of all stages", "1000 ms", 0, func() error { return l.edit(first, "") }, nil},
	}
	for i := range b.runs + 1 {
		for s := range situations {
			now := &situations[s]
			if err := now.edit(); err != nil {
				return err
			}
			r, err := l.test(now.code)
			if err != nil {
				return err
			}
			took := r.whole
			if now.code != 0 {
				took = r.first
			}
			if i > 0 { // the first time all gets warm
				now.took = append(now.took, took)
			}
		}
	}
	rows := []string{"after an edit\tmedian\tfrom to\tgoal"}
	for _, s := range situations {
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s", s.name, spread(s.took), s.goal))
	}
	b.table(rows...)
	return nil
}
