// Package class grades the submissions of a class: it reads each, judges it,
// marks it, and writes the result down as it comes. What a submission holds is
// untrusted: whatever it is, it costs one student a bounded time, and leaves the
// others alone. It knows no stage and no format but its own; for those see
// package report. Start reading at [Run].
package class

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/schedule"
)

// A Config is one class and how to grade it.
type Config struct {
	Course   string
	Program  string              // the version of the command
	Shard    *Shard              // which part the sources are; nil is all
	Sources  []submission.Source // sorted by name
	Students map[string]Student  // by the name of a source; those not in it are called as their source
	Stages   []Stage             // the one that the course comes to first, then those that are run again
	Rubric   rubric.Rubric
	Limits   submission.Limits
	Git      string // the git command, as a path; needed if a source is a repository

	// Grading is the configuration of each student's run; what is judged is
	// filled in. Its budget is that of one student.
	Grading grading.Config
	Jobs    int // how many students are graded at once; at least 1

	// Fingerprint stands for all that a result depends on beside the submission
	// and the rubric: the course, this program, the seeds.
	Fingerprint string
	Store       Store
	Resume      bool // leave out those whose result is there and would be the same

	// Only are the names of the sources to grade; none is all. Of the others what
	// is there is taken over, as with Resume.
	Only []string

	// Formats are the files that are written of each student. ResultFile is the
	// last, since with it there the student is done; nil is that alone.
	Formats []Format

	// Private is where that is kept of each student which only the instructor may
	// see; nil where no stage has secret cases.
	Private *Private

	Progress func(Progress) // called after each student, by one goroutine at a time; nil for none
}

// A Stage is one stage of the course, and the solution that stands in where a
// student handed in none and others build on it.
type Stage struct {
	Suite     grading.Suite
	Cases     []schedule.Case
	Secret    grading.Secret  // cases that students may not see; they are judged, too
	Extra     map[string]bool // the IDs of Cases that de does not have
	Reference build.Package
	Given     fs.FS // what students begin with; handed in unchanged, it is like nobody's
}

// A Store keeps files of students. Write must be all or nothing.
type Store interface {
	Read(student, file string) ([]byte, error) // an error also if there is none
	Write(student, file string, content []byte) error
}

// A Format writes a file of a student's.
type Format struct {
	File  string
	Write func(io.Writer, Result) error
}

// A Student is who handed a submission in.
type Student struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

// Progress is how far a class has come, of those that were asked for.
type Progress struct {
	Done, Total, Resumed int
	Student              string // the last that was graded
}

// A Class is what became of all.
type Class struct {
	Version  int      `json:"version"`
	Course   string   `json:"course"`
	Rubric   string   `json:"rubric"`          // its hash
	Program  string   `json:"program"`         // the version of the command
	Shard    *Shard   `json:"shard,omitempty"` // which part it is; nil is all
	Students []Result `json:"students"`        // in the order of the sources
	Missing  []string `json:"missing"`         // those that it did not come to, since it was ended, or that were not asked for

	// Of a class with a roster; see [Roll].
	Absent   []Student  `json:"absent,omitempty"`   // those who handed nothing in
	Unlisted []Unlisted `json:"unlisted,omitempty"` // submissions of nobody
}

// Version is that of the JSON of a [Result] and of a [Class].
const Version = 1

// A Result is all that is known of one student. Times are kept apart, so that
// the same inputs give the same bytes.
type Result struct {
	Version     int                  `json:"version"`
	Course      string               `json:"course"`
	Fingerprint string               `json:"fingerprint"`
	Rubric      string               `json:"rubric"` // its hash
	Student     Student              `json:"student"`
	Source      string               `json:"source"` // the name of the file or folder
	Hash        string               `json:"hash"`   // of what was taken
	Files       []submission.File    `json:"files"`
	Problems    []submission.Problem `json:"problems"`
	Report      *grading.Report      `json:"report,omitempty"` // none if nothing was judged; if Marks are not final, something is to be
	Marks       rubric.Marks         `json:"marks"`
	Likeness    Likeness             `json:"likeness"`
}

// Times are how long a student's submission took, apart from its Result.
type Times struct {
	Elapsed grading.Millis            `json:"elapsedMillis"`
	Stages  map[string]grading.Millis `json:"stages,omitempty"` // by ID
}

// Run grades the class. Where ctx ends before, what was done by then is returned
// with the cause, and those that it did not come to are listed. Another error
// means that this program or its folders are broken.
func Run(ctx context.Context, config Config) (Class, error) {
	c := &run{Config: config, results: make([]*Result, len(config.Sources))}
	for _, s := range config.Sources {
		if c.asked(s) {
			c.total++
		}
	}
	next := make(chan int)
	var wait sync.WaitGroup
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	for range max(config.Jobs, 1) {
		wait.Go(func() {
			for i := range next {
				if err := c.one(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := range config.Sources {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wait.Wait()
	return c.class(), context.Cause(ctx)
}

// A run is a Run under way.
type run struct {
	Config
	mu       sync.Mutex
	results  []*Result // by source; nil where not graded
	progress Progress
	total    int // of those that were asked for
}

func (c *run) class() Class {
	class := Class{Version: Version, Course: c.Course, Rubric: c.Rubric.Hash(), Program: c.Program, Shard: c.Shard, Students: []Result{}, Missing: []string{}}
	for i, r := range c.results {
		if r == nil {
			class.Missing = append(class.Missing, c.Sources[i].Name)
		} else {
			class.Students = append(class.Students, *r)
		}
	}
	return class
}

// one grades the i-th source, or takes over the result that is there.
func (c *run) one(ctx context.Context, i int) error {
	if ctx.Err() != nil {
		return nil
	}
	source := c.Sources[i]
	handedIn, err := submission.Read(ctx, source, submission.Config{Stages: c.wanted(), Limits: c.Limits, Git: c.Git})
	if err != nil {
		return c.failed(ctx, source, err)
	}
	if old := c.old(source, handedIn); old != nil {
		c.done(i, old, true)
		return nil
	}
	if !c.asked(source) {
		return nil
	}
	result, secret, times, err := c.grade(ctx, source, handedIn)
	if err != nil {
		return c.failed(ctx, source, err)
	}
	if err := c.save(source.Name, result, times); err != nil {
		return err
	}
	if err := c.keep(source.Name, result, secret); err != nil {
		return err
	}
	c.done(i, &result, false)
	return nil
}

// asked tells whether a source is to be graded.
func (c *run) asked(source submission.Source) bool {
	return len(c.Only) == 0 || slices.Contains(c.Only, source.Name)
}

// failed is an error of ours in a student's place in words; none if it only came
// of the end of ctx.
func (c *run) failed(ctx context.Context, source submission.Source, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("grade %s: %w", source.Name, err)
}

func (c *run) wanted() []submission.Stage {
	var wanted []submission.Stage
	for _, s := range slices.Backward(c.Stages) { // in the order of the course
		wanted = append(wanted, submission.Stage{ID: s.Suite.ID, Folder: s.Suite.Folder()})
	}
	return wanted
}

func (c *run) done(i int, r *Result, resumed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results[i] = r
	if !c.asked(c.Sources[i]) {
		return
	}
	c.progress.Done++
	if resumed {
		c.progress.Resumed++
	}
	c.progress.Total, c.progress.Student = c.total, c.Sources[i].Name
	if c.Progress != nil {
		c.Progress(c.progress)
	}
}

// grade judges and marks one submission. The second report is of the secret cases.
func (c *run) grade(ctx context.Context, source submission.Source, handedIn submission.Submission) (Result, grading.Report, Times, error) {
	result := Result{
		Version: Version, Course: c.Course, Fingerprint: c.Fingerprint, Rubric: c.Rubric.Hash(),
		Student: c.student(source), Source: source.Name, Hash: handedIn.Hash,
		Files: append([]submission.File{}, handedIn.Files...), Problems: append([]submission.Problem{}, handedIn.Problems...),
	}
	report, err := c.judge(ctx, handedIn)
	if err != nil {
		return Result{}, grading.Report{}, Times{}, err
	}
	c.note(&report)
	report, secret, err := c.withSecrets(ctx, handedIn, report)
	if err != nil {
		return Result{}, grading.Report{}, Times{}, err
	}
	times := takeTimes(&report)
	result.Marks, result.Likeness = c.Rubric.Mark(report), c.likeness(handedIn, report)
	if len(report.Stages) > 0 {
		result.Report = &report
	}
	return result, secret, times, nil
}

// subject is what a report calls what was handed in.
const subject = "the submission"

// judge runs the stages that were handed in. Where none was, or nothing can be
// judged, the report has no stages.
func (c *run) judge(ctx context.Context, handedIn submission.Submission) (grading.Report, error) {
	if handedIn.Unsettled != "" {
		return grading.Report{Verdict: grading.Inconclusive, Problem: handedIn.Unsettled}, nil
	}
	config := c.Grading
	config.Subject = subject
	for _, s := range c.Stages {
		files, ok := handedIn.Stages[s.Suite.Folder()]
		if !ok {
			config.Others = append(slices.Clip(config.Others), s.Reference)
			continue
		}
		config.Stages = append(slices.Clip(config.Stages), grading.Stage{
			Suite: s.Suite, Cases: s.Cases, Explore: true, Package: s.handedIn(files),
		})
	}
	if len(config.Stages) == 0 || slices.ContainsFunc(handedIn.Problems, func(p submission.Problem) bool { return p.Fatal }) {
		return grading.Report{}, nil
	}
	return grading.Run(ctx, config)
}

// handedIn is what a student handed in of a stage, to be built.
func (s Stage) handedIn(files fs.FS) build.Package {
	return build.Package{Folder: s.Suite.Folder(), Stage: s.Suite.Folder(), Files: files}
}

// takeTimes takes the times out of a report.
func takeTimes(r *grading.Report) Times {
	times := Times{Elapsed: r.Elapsed, Stages: map[string]grading.Millis{}}
	r.Elapsed = 0
	for i := range r.Stages {
		times.Stages[r.Stages[i].Stage] = r.Stages[i].Elapsed
		r.Stages[i].Elapsed = 0
	}
	return times
}
