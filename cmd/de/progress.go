package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/flk-byo/de/grading"
)

// A progress shows how far a run has come, on standard error, and only on a
// terminal.
type progress struct {
	bar *progressbar.ProgressBar // nil where there is no terminal
}

func (e *env) newProgress() *progress {
	if !e.stderrIsTerminal {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(e.stderr),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionShowCount(),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
	)}
}

func (p *progress) show(now grading.Progress) {
	if p.bar == nil {
		return
	}
	doing := now.Doing
	if now.Stage != "" {
		doing = fmt.Sprintf("%s stage %s", now.Doing, now.Stage)
	}
	p.bar.Describe(doing)
	if now.Total > 0 {
		p.bar.ChangeMax(now.Total)
		_ = p.bar.Set(now.Done) // an error is one of the terminal
	}
}

func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
