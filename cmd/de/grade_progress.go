package main

import (
	"fmt"
	"io"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
)

// A classProgress tells how far a class has come: on a terminal all the time,
// else in a line now and then.
type classProgress struct {
	bar   *progress
	lines io.Writer // where there is no terminal
	now   func() time.Time
	begun time.Time // when the first was begun that was not there from before
	told  time.Time // when the last line was written
	tenth int       // of all, at the last line
}

func (e *env) newClassProgress() *classProgress {
	p := &classProgress{bar: e.newProgress(), now: e.now, begun: e.now(), told: e.now()}
	if p.bar.to == nil {
		p.lines = e.stderr
	}
	return p
}

// show tells of one more that is done.
func (p *classProgress) show(at class.Progress) {
	now := p.now()
	if at.Done == at.Resumed {
		p.begun = now // till here nothing was graded
	}
	text := classDone(at) + timeLeft(at, now.Sub(p.begun))
	if p.lines == nil {
		p.bar.show(grading.Progress{Doing: text})
		return
	}
	if at.Total == 0 || !p.due(now, 10*at.Done/at.Total) {
		return
	}
	p.told, p.tenth = now, 10*at.Done/at.Total
	fmt.Fprintln(p.lines, text)
}

// due tells whether it is time for a line: after ten seconds, or for each tenth of
// the class, but not for several in a second.
func (p *classProgress) due(now time.Time, tenth int) bool {
	since := now.Sub(p.told)
	return since >= 10*time.Second || tenth > p.tenth && since >= time.Second
}

func classDone(at class.Progress) string {
	text := fmt.Sprintf("graded %d of %d", at.Done, at.Total)
	if at.Resumed > 0 {
		text += fmt.Sprintf(", %d of them before", at.Resumed)
	}
	return text
}

// fewGraded is how many say nothing yet of the rest.
const fewGraded = 3

// timeLeft is an estimate, if there are enough to make one from: as long for each
// that is left as for those that were graded in this run, however many at once.
func timeLeft(at class.Progress, elapsed time.Duration) string {
	graded, left := at.Done-at.Resumed, at.Total-at.Done
	if graded < fewGraded || left == 0 {
		return ""
	}
	return ", " + roughly(elapsed*time.Duration(left)/time.Duration(graded)) + " left"
}

// roughly is a time that is not known better, rounded up.
func roughly(d time.Duration) string {
	up := func(d, unit time.Duration) int { return int((d + unit - 1) / unit) }
	minutes := up(d, time.Minute)
	switch {
	case d <= 50*time.Second:
		return fmt.Sprintf("%d s", 10*max(1, up(d, 10*time.Second)))
	case minutes < 60:
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}
