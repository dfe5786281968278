// Package certify proves a course, as a course's own harness must: its
// references pass, its skeletons do not, every known-wrong solution is found out
// by the check that it is there for, every known-right one passes, and all the
// situations that matter come up. It knows no stage. What it finds is data, a
// [Result]; an error means that it could not do its work.
//
// Start reading at [Run].
package certify

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/workspace"
)

// A Course is what is certified.
type Course struct {
	Name     string // "FLK-BYO"
	Packages string // how the import paths of its packages begin, e.g. "example.com/course/"
	Suites   []grading.Suite
	Files    fs.FS // by stage: STAGE.md, hints, contract, skeleton, reference
	Fixtures fs.FS // mutants/NN.yaml, mutants/made/NN.yaml, variants/NN/NAME
	Cases    func(grading.Suite) ([]schedule.Case, error)
}

// Options say how thoroughly.
type Options struct {
	Config   grading.Config // of every run; what is to be judged is filled in
	Rounds   int            // how often each reference is judged
	Seeds    int            // under how many random seeds each time
	Every    int            // one in so many of the mutants and variants is judged; 1 for all
	Made     int            // one in so many of the mutants made by machine; 0 for Every
	Progress func(stage, doing string)
}

// Run certifies the stages of the course whose IDs are given, or all if none is.
func Run(ctx context.Context, course Course, o Options, ids ...string) (Result, error) {
	c := &certifier{Course: course, Options: o}
	if err := c.addReferences(); err != nil {
		return Result{}, err
	}
	var chosen []grading.Suite
	for _, suite := range course.Suites {
		if len(ids) == 0 || slices.Contains(ids, suite.ID) {
			chosen = append(chosen, suite)
		}
	}
	result := Result{Version: Version, Course: course.Name, Every: o.Every}
	for _, suite := range chosen {
		result.Stages = append(result.Stages, Stage{Stage: suite.ID, Title: suite.Title, Content: []string{}})
	}
	if err := c.judgeOwn(ctx, chosen, result.Stages); err != nil {
		return Result{}, err
	}
	for i, suite := range chosen {
		s := &result.Stages[i]
		for _, step := range []struct {
			doing string
			do    func(context.Context, grading.Suite, *Stage) error
		}{
			{"brief, hints, schedules", c.readContent},
			{"mutants", c.judgeMutants},
			{"mutants made by machine", c.judgeMade},
			{"variants", c.judgeVariants},
		} {
			o.Progress(suite.ID, step.doing)
			if err := step.do(ctx, suite, s); err != nil {
				return Result{}, fmt.Errorf("certify stage %s, %s: %w", suite.ID, step.doing, err)
			}
		}
		s.Problems = s.Audit(suite, o.Every)
	}
	result.sum()
	return result, nil
}

// A certifier is a Run under way.
type certifier struct {
	Course
	Options
	references []build.Package // of all stages
}

func (c *certifier) addReferences() error {
	for _, suite := range c.Suites {
		p, err := c.own(suite, "reference")
		if err != nil {
			return err
		}
		c.references = append(c.references, p)
	}
	return nil
}

// own is the course's own reference or skeleton of a stage.
func (c *certifier) own(suite grading.Suite, folder string) (build.Package, error) {
	files, err := fs.Sub(c.Files, path.Join(suite.Folder(), folder))
	return build.Package{Folder: suite.Folder(), Stage: suite.Folder(), Files: files, Rewrite: workspace.RewriteImports}, err
}

// A solution is one of several of a stage that are judged together.
type solution struct {
	name  string
	files fs.FS
}

// judge judges solutions of a stage, in one guest, and returns the reports by
// name.
func (c *certifier) judge(ctx context.Context, suite grading.Suite, solutions []solution, cases []schedule.Case, explore bool) (map[string]grading.StageReport, error) {
	config := c.Config
	config.Others = c.references
	for i, s := range solutions {
		config.Stages = append(config.Stages, grading.Stage{
			Suite: suite, Cases: cases, Explore: explore,
			Package: build.Package{Folder: fmt.Sprintf("solution-%d", i), Stage: suite.Folder(), Files: s.files, Rewrite: workspace.RewriteImports},
		})
	}
	report, err := c.run(ctx, config)
	if err != nil {
		return nil, err
	}
	by := map[string]grading.StageReport{}
	for i, s := range solutions {
		by[s.name] = report.Stages[i]
	}
	return by, nil
}

// run is [grading.Run], of which a fault of ours is an error.
func (c *certifier) run(ctx context.Context, config grading.Config) (grading.Report, error) {
	report, err := grading.Run(ctx, config)
	if err == nil && report.Verdict == grading.HarnessFault {
		err = fmt.Errorf("harness fault: %s", report.Problem)
	}
	return report, err
}

// A round is a set of cases.
type round struct {
	cases   []schedule.Case
	explore bool
}

// together is how many solutions are built into one guest, which is to be no
// larger than what can be loaded.
const together = 100

// inRounds judges solutions on the cases of one round after the other, and leaves
// each alone once done says so of its report.
func (c *certifier) inRounds(ctx context.Context, suite grading.Suite, solutions []solution, rounds []round, done func(solution, grading.StageReport) bool) (map[string]grading.StageReport, error) {
	reports := map[string]grading.StageReport{}
	for _, round := range rounds {
		var left []solution
		for some := range slices.Chunk(solutions, together) {
			by, err := c.judge(ctx, suite, some, round.cases, round.explore)
			if err != nil {
				return nil, err
			}
			for _, s := range some {
				if reports[s.name] = by[s.name]; !done(s, by[s.name]) {
					left = append(left, s)
				}
			}
		}
		solutions = left
	}
	return reports, nil
}

// smallRecords is the size of case that nearly every fault shows by.
const smallRecords = 3

// cases returns a stage's cases in the order in which they are run, and those of
// them with few records.
func (c *certifier) cases(suite grading.Suite) (all, small []schedule.Case, err error) {
	if all, err = c.Cases(suite); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(all, suite.Compare)
	for _, one := range all {
		if len(one.Records) <= smallRecords {
			small = append(small, one)
		}
	}
	return all, small, nil
}

// sample is one in c.Every.
func sample[T any](of []T, every int) []T {
	var some []T
	for i := 0; i < len(of); i += max(every, 1) {
		some = append(some, of[i])
	}
	return some
}

// headline is the check that a report's failure is shown for.
func headline(r grading.StageReport) string {
	if r.Failure == nil {
		return ""
	}
	return r.Failure.Finding[0].Check
}

// inWords says what became of a solution.
func inWords(r grading.StageReport) string {
	var words []string
	for _, w := range []string{string(r.Verdict), string(r.Kind), r.Problem} {
		if w != "" {
			words = append(words, w)
		}
	}
	for _, d := range r.Compile {
		words = append(words, d.Message)
	}
	if r.Failure != nil {
		words = append(words, r.Failure.Case, r.Failure.Finding[0].Check, r.Failure.Finding[0].Problem)
	}
	return strings.Join(words, ": ")
}
