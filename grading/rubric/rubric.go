// Package rubric turns a report into marks. A [Rubric] says how many points the
// checks of each stage are worth, and which failure takes more than its own. It
// is read from YAML by [Load], or is the [Default]. It knows no stage by name,
// and nothing of late work or of names of students: that is for the
// instructor's own system. Start reading at [Rubric], then at [Rubric.Mark].
package rubric

import "github.com/flk-byo/de/grading"

// course is what a rubric must be for.
const course = "FLK-BYO"

// A Rubric says what is worth how many points.
type Rubric struct {
	Course string
	Stages []Stage // those that are marked, in the order of the course
}

// A Stage is how one stage is marked.
type Stage struct {
	ID     string
	Points Points // of all of it; the sum of those of Checks
	Gate   string // a check without which the stage has no points; empty if there is none

	// Regression is how a stage is marked that is run to see that it still
	// passes: as a whole, in one row. Empty for one that is marked check by check.
	Regression Regression
	Checks     []Check // all of the stage's, in its order
}

// A Check is what one check is worth.
type Check struct {
	Name   string
	Points Points
}

// A Regression is what becomes of the marks if a stage no longer passes.
type Regression string

const (
	Weigh  Regression = "weigh"  // its points, less those of the checks that it does not pass
	Gate   Regression = "gate"   // the whole mark is 0; the stage itself has no points
	Report Regression = "report" // it is shown, and has no points
)

const (
	defaultTotal      = 100 * Whole
	defaultRegression = 5 * Whole
)

// Default is the rubric for who has none: of 100 points each stage before the
// last has 5 as a regression that weighs, and the last has the rest, shared
// equally by its checks, with [grading.Suite.Gate] as its gate.
func Default(suites []grading.Suite) Rubric {
	r := Rubric{Course: course}
	last := len(suites) - 1
	for i, s := range suites {
		stage := Stage{ID: s.ID, Points: defaultRegression, Regression: Weigh}
		if i == last {
			stage = Stage{ID: s.ID, Points: defaultTotal - Points(last)*defaultRegression, Gate: s.Gate}
		}
		stage.Checks = shared(s, stage.Points, nil)
		r.Stages = append(r.Stages, stage)
	}
	return r
}

// shared returns the checks of a suite, of which some have points of their own;
// the others share what is left.
func shared(s grading.Suite, p Points, own map[string]Points) []Check {
	checks := make([]Check, len(s.Checks))
	left, others := p, 0
	for i, c := range s.Checks {
		checks[i] = Check{c.Name, own[c.Name]}
		left -= own[c.Name]
		if _, ok := own[c.Name]; !ok {
			others++
		}
	}
	parts := share(max(0, left), others)
	for i, c := range checks {
		if _, ok := own[c.Name]; !ok {
			checks[i].Points, parts = parts[0], parts[1:]
		}
	}
	return checks
}

// Of is how many points there are in all.
func (r Rubric) Of() Points {
	var of Points
	for _, s := range r.Stages {
		of += s.Points
	}
	return of
}
