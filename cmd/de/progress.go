package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/flk-byo/de/grading"
)

// A progress shows how far a run has come, on standard error, and only on a
// terminal.
type progress struct {
	to    io.Writer // nil where there is no terminal
	bar   *progressbar.ProgressBar
	label string // of the bar
	total int
}

func (e *env) newProgress() *progress {
	if !e.stderrIsTerminal || e.getenv("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{to: e.stderr}
}

// show draws a bar of its own for each thing that is done: a bar that has
// reached its end never moves again.
func (p *progress) show(now grading.Progress) {
	if p.to == nil {
		return
	}
	label := now.Doing
	if now.Stage != "" {
		label = fmt.Sprintf("%s stage %s", now.Doing, now.Stage)
	}
	if p.bar == nil || label != p.label || now.Total != p.total {
		p.clear()
		p.bar, p.label, p.total = newBar(p.to, label, now.Total), label, now.Total
	}
	if now.Total > 0 {
		_ = p.bar.Set(now.Done) // an error is one of the terminal
	}
}

// newBar returns a bar of total steps, or where they are not known a spinner.
func newBar(to io.Writer, label string, total int) *progressbar.ProgressBar {
	steps := total
	if total == 0 {
		steps = -1
	}
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(to),
		progressbar.OptionSetDescription(label),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(runtime.GOOS != "windows"), // clears what else was typed on the line
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(total == 0),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
	)
	_ = bar.RenderBlank() // an error is one of the terminal
	return bar
}

// clear takes the bar away for good. Clear alone would not do: a spinner turns
// by itself until it is finished.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
