// Package report renders a [grading.Report]: as text for people, as JSON and
// JUnit XML for programs. It judges nothing, and reads neither the environment
// nor the clock. It is the only package that styles for a terminal.
//
// Nearly all that a report holds was chosen by the solution that was judged:
// what it printed, panic messages, keys, file names. So every such text goes
// through clean, and never begins in the first column, where only our own words
// stand. Start reading at [Text].
package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/flk-byo/de/grading"
)

// Options say how [Text] and [JUnit] render.
type Options struct {
	Color bool // of [Text]: style with ANSI escapes
	Width int  // in columns; 0 means 80, and less than 60 is taken as 60

	// Flags are what a command that runs a case again needs beside the stage
	// and the case, e.g. "--impl", "reference".
	Flags []string

	// Hints are how many hints the learner has seen, by the stage's ID. A failure
	// that one of the next is about ends with the command that shows it; nil means
	// that there is nobody to offer one to.
	Hints map[string]int
}

const (
	defaultWidth = 80
	minWidth     = 60
)

// Text writes r for people: without Color in plain text that fits the width.
// An error is one of w.
func Text(w io.Writer, r grading.Report, o Options) error {
	if _, err := io.WriteString(w, text(r, o)); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func text(r grading.Report, o Options) string {
	p := newPage(o)
	p.all(r)
	return p.String()
}

// all writes a whole report.
func (p *page) all(r grading.Report) {
	if r.Verdict == grading.Pass {
		p.pass(r)
	} else {
		p.noPass(r)
	}
	p.notes(r)
}

func (p *page) notes(r grading.Report) {
	for _, note := range r.NoteList {
		p.blank()
		p.entry("note: ", note)
	}
}

// detailed is the stage that a report which is no pass shows in full: the first
// with the verdict of the whole or, where that is built on others that fail, the
// earliest of those. Nil if there is none.
func detailed(r grading.Report) *grading.StageReport {
	at := slices.IndexFunc(r.Stages, func(s grading.StageReport) bool { return s.Verdict == r.Verdict })
	if at < 0 {
		return nil
	}
	if below := r.Stages[at].BuiltOn; len(below) > 0 {
		if cause := slices.IndexFunc(r.Stages, func(s grading.StageReport) bool { return s.Stage == below[0] }); cause >= 0 {
			at = cause
		}
	}
	return &r.Stages[at]
}
