package class

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/schedule"
)

// A Private is where what students may not see is kept, and what it goes by.
type Private struct {
	// Fingerprint is that of the Config with the secret cases taken in. It stands
	// in no result of a student's: who guesses a case could prove the guess by it.
	Fingerprint string
	Store       Store

	// Formats are the files of a student's secret cases, as those of the Config:
	// ResultFile is the last. What they get is the student's result, with the
	// report of the secret cases instead of the other.
	Formats []Format
}

// withSecrets judges the secret cases, in a run of their own: what a solution
// learns from its inputs there, it can't carry over to where more is told. It
// returns report with what may be told of them, and all that was found.
func (c *run) withSecrets(ctx context.Context, handedIn submission.Submission, report grading.Report) (told, found grading.Report, err error) {
	secrets := map[string]grading.Secret{}
	config := c.Grading
	config.Subject, config.Each = subject, true
	config.Budget -= time.Duration(report.Elapsed)
	for _, s := range c.Stages {
		files, ok := handedIn.Stages[s.Suite.Folder()]
		switch {
		case !ok:
			config.Others = append(slices.Clip(config.Others), s.Reference)
		case len(s.Secret.Cases) > 0 && wasBuilt(report, s.Suite.ID):
			config.Stages = append(slices.Clip(config.Stages), grading.Stage{
				Suite: s.Suite, Cases: s.Secret.Cases, Package: s.handedIn(files),
			})
		default:
			config.Others = append(slices.Clip(config.Others), s.handedIn(files))
		}
		if len(s.Secret.Cases) > 0 {
			secrets[s.Suite.ID] = s.Secret
		}
	}
	if len(config.Stages) > 0 && config.Budget > 0 {
		if found, err = grading.Run(ctx, config); err != nil {
			return report, found, err
		}
		found.Budget = report.Budget // what was left of it differs from run to run
	}
	return report.Disclosing(secrets, found), found, nil
}

// wasBuilt tells whether a stage came so far that cases could be run.
func wasBuilt(r grading.Report, stage string) bool {
	return slices.ContainsFunc(r.Stages, func(s grading.StageReport) bool { return s.Stage == stage && len(s.Checks) > 0 })
}

// note says which of the cases that a report names students can't run with what
// they have.
func (c *run) note(r *grading.Report) {
	named := map[string]bool{}
	for _, s := range r.Stages {
		for _, check := range s.Checks {
			named[check.Shortest] = true
		}
		if s.Failure != nil {
			named[s.Failure.Case] = true
		}
	}
	var extra []string
	for _, s := range c.Stages {
		for id := range s.Extra {
			if named[id] {
				extra = append(extra, id)
			}
		}
	}
	if len(extra) > 0 {
		slices.Sort(extra)
		r.NoteList = append(slices.Clip(r.NoteList), fmt.Sprintf(
			"de itself does not have %s. To run it yourself, ask for the schedule, and add --schedule FILE.", strings.Join(extra, ", ")))
	}
}

// keep writes down what was found in secret cases. It comes after the student's
// own files, so that with it there these are of the same cases.
func (c *run) keep(name string, r Result, found grading.Report) error {
	if c.Private == nil {
		return nil
	}
	r.Fingerprint, r.Report = c.Private.Fingerprint, nil
	times := takeTimes(&found)
	if len(found.Stages) > 0 {
		r.Report = &found
	}
	if times.Elapsed > 0 { // else they were not run here, or not at all
		if err := write(c.Private.Store, name, TimesFile, func(w io.Writer) error { return encode(w, times) }); err != nil {
			return err
		}
	}
	for _, f := range c.Private.Formats {
		if err := write(c.Private.Store, name, f.File, func(w io.Writer) error { return f.Write(w, r) }); err != nil {
			return err
		}
	}
	return nil
}

// kept tells whether what was found in the secret cases is there, and of these.
func (c *run) kept(name string) bool {
	if c.Private == nil {
		return true
	}
	content, err := c.Private.Store.Read(name, ResultFile)
	if err != nil {
		return false
	}
	r, err := Decode(content)
	return err == nil && r.Fingerprint == c.Private.Fingerprint
}

// Add adds the cases of a schedule that de does not have, so that as much is told
// of them as it says. Cases must be sorted afterwards.
func (s *Stage) Add(f *schedule.File) {
	if f.Disclose != schedule.Full {
		s.Secret.Cases = append(s.Secret.Cases, f.Cases...)
	} else {
		s.Cases = append(s.Cases, f.Cases...)
	}
	for _, c := range f.Cases {
		switch f.Disclose {
		case schedule.Full:
			set(&s.Extra, c.ID)
		case schedule.ResultOnly:
			set(&s.Secret.ResultOnly, c.ID)
		}
	}
}

func set(all *map[string]bool, id string) {
	if *all == nil {
		*all = map[string]bool{}
	}
	(*all)[id] = true
}
