package main

import (
	"errors"
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

// A situation is what a learner does before de test, and what de then takes.
type situation struct {
	name        string
	goal        time.Duration
	code        int
	edit        func() error
	told, whole []time.Duration
}

// verdict times de test after edits, in turn, so that whatever else the machine
// does meets all of them alike.
func (b *bench) verdict() error {
	l, err := b.newLearner("verdict")
	if err != nil {
		return err
	}
	if its, ours, err := openTerminal(); err == nil {
		l.onTerminal = errors.Join(its.Close(), ours.Close()) == nil
	}
	first, last := stages.All()[0], lastSuite()
	all := []*situation{
		{name: "a wrong job", goal: 300 * time.Millisecond, code: 1, edit: func() error { return l.edit(last, wrongJob) }},
		{name: "a wrong sink", goal: 300 * time.Millisecond, code: 1, edit: func() error { return l.edit(last, wrongSink) }},
		{name: "stage " + last.ID + " edited, all right", goal: time.Second, edit: func() error { return l.edit(last, "") }},
		{name: "unchanged", goal: 150 * time.Millisecond, edit: func() error { return nil }},
		{name: "stage " + first.ID + " edited, all right", goal: time.Second, edit: func() error { return l.edit(first, "") }},
	}
	for i := range b.runs + 1 {
		for _, s := range all {
			if err := s.run(l, i > 0); err != nil { // the first time all gets warm
				return err
			}
		}
	}
	rows := []string{"de test\tmedian\tfrom to\tgoal"}
	for _, s := range all {
		rows = append(rows, s.rows()...)
	}
	b.table(rows...)
	return nil
}

func (s *situation) run(l *learner, counts bool) error {
	if err := s.edit(); err != nil {
		return err
	}
	r, err := l.test(s.code)
	if err != nil || !counts {
		return err
	}
	told := r.first
	if r.told > 0 {
		told = min(told, r.told)
	}
	s.told, s.whole = append(s.told, told), append(s.whole, r.whole)
	return nil
}

// rows are one for a pass; of a failure there is one for when it is told, on the
// terminal or by the report, whichever comes first.
func (s *situation) rows() []string {
	if s.code == 0 {
		return []string{fmt.Sprintf("%s\t%s\t%s", s.name, spread(s.whole), millis(s.goal))}
	}
	return []string{
		fmt.Sprintf("%s: told that it fails\t%s\t%s", s.name, spread(s.told), millis(s.goal)),
		fmt.Sprintf("%s: the whole report\t%s\t", s.name, spread(s.whole)),
	}
}
