package class

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/flk-byo/de/grading"
)

// Write writes the files of all students as [Run] does, and yields each result
// after its files. Of config only Store, Formats, Private and Jobs count. Times are
// taken over where they can be read.
func (j Joined) Write(config Config) iter.Seq2[Result, error] {
	c := run{Config: config}
	if c.Private != nil {
		private := *c.Private
		private.Fingerprint = j.Private
		c.Private = &private
	}
	return func(yield func(Result, error) bool) {
		next, stop := iter.Pull2(new(joiner).all(j.parts))
		defer stop()
		for {
			batch, err := take(next, 8*max(c.Jobs, 1))
			if err == nil {
				err = c.saveAll(batch)
			}
			if err != nil {
				yield(Result{}, err)
				return
			}
			for _, r := range batch {
				if !yield(r.Result, nil) {
					return
				}
			}
			if len(batch) == 0 {
				return
			}
		}
	}
}

// take takes the next results, at most n; none at the end.
func take(next func() (placed, error, bool), n int) ([]placed, error) {
	var batch []placed
	for len(batch) < n {
		r, err, ok := next()
		if err != nil || !ok {
			return batch, err
		}
		batch = append(batch, r)
	}
	return batch, nil
}

// saveAll writes the files of some students, some at once.
func (c *run) saveAll(batch []placed) error {
	errs := make([]error, len(batch))
	var wait sync.WaitGroup
	turns := make(chan struct{}, max(c.Jobs, 1))
	for i, r := range batch {
		turns <- struct{}{}
		wait.Go(func() {
			errs[i] = c.saveJoined(r)
			<-turns
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func (c *run) saveJoined(r placed) error {
	if times, ok := timesOf(r); ok {
		if err := c.saveTimes(r.Source, times); err != nil {
			return err
		}
	}
	if err := c.saveFormats(r.Source, r.Result); err != nil || c.Private == nil {
		return err
	}
	secret, err := r.part.secret(r.Result)
	if err != nil {
		return err
	}
	var found grading.Report
	if secret != nil && secret.Report != nil {
		found = *secret.Report
	}
	return c.keep(r.Source, r.Result, found)
}

func timesOf(r placed) (Times, bool) {
	content, err := r.part.Read(r.Source, TimesFile)
	if err != nil {
		return Times{}, false
	}
	var t Times
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	return t, d.Decode(&t) == nil
}

// Gist returns what a class needs to know of a student's result: whatever is said
// of a class as a whole is the same of gists. r stays as it is.
func (r Result) Gist() Result {
	r.Hash, r.Files, r.Marks.Rows = "", nil, nil
	if r.Report == nil {
		return r
	}
	report := *r.Report
	report.Stages = slices.Clone(report.Stages)
	for i, s := range report.Stages {
		s.Title, s.Bound, s.Compile, s.Nearby, s.CameUp, s.Checks = "", "", nil, nil, nil, slices.Clone(s.Checks)
		for k := range s.Checks {
			s.Checks[k].Rule = ""
		}
		if s.Failure != nil {
			s.Failure = &grading.Failure{Case: s.Failure.Case, Finding: slices.Clone(s.Failure.Finding)}
			for k, f := range s.Failure.Finding {
				s.Failure.Finding[k] = grading.Finding{Check: f.Check, Kind: f.Kind}
			}
		}
		report.Stages[i] = s
	}
	r.Report = &report
	return r
}
