package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/flk-byo/de/grading"
)

// A progress shows what a run does, how far it has come and for how long it has
// been at it, on standard error, and only on a terminal. It turns by itself: a
// bar that moves only when something is done looks dead in a long step.
type progress struct {
	to    io.Writer // nil where there is no terminal
	bar   *progressbar.ProgressBar
	doing string // that was shown at once
}

func (e *env) newProgress() *progress {
	if !e.stderrIsTerminal || e.getenv("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{to: e.stderr}
}

func (p *progress) show(now grading.Progress) {
	if p.to == nil {
		return
	}
	if p.bar == nil {
		p.bar = newSpinner(p.to)
	}
	doing, share := now.Doing, ""
	if now.Stage != "" {
		doing += " stage " + now.Stage
	}
	if now.Total > 0 {
		share = fmt.Sprintf(" %3d%%", 100*now.Done/now.Total)
	}
	if now.News != "" {
		doing = fmt.Sprintf("stage %s fails: %s; %s", now.Stage, now.News, doing)
	}
	p.bar.Describe(doing + share)
	if doing != p.doing { // else it is soon enough when it turns
		p.doing = doing
		_ = p.bar.RenderBlank() // an error is one of the terminal
	}
}

func newSpinner(to io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(to),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(runtime.GOOS != "windows"), // clears what else was typed on the line
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(true),
	)
}

// clear takes the bar away for good. Clear alone would not do: a spinner turns
// by itself until it is finished.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
