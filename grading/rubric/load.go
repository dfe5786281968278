package rubric

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/strict"
)

// maxPoints is the most that a stage can be worth, in whole points.
const maxPoints = 10_000

// Load reads a rubric for stages of a course. The name is for messages. The
// error is [strict.Errors] with all that is wrong with the file.
func Load(name string, src []byte, suites []grading.Suite) (Rubric, error) {
	doc := strict.Parse(name, src, strict.Limits{})
	top := doc.Root().Map("course", "total", "stages")
	top.Required("course").Word(course)
	stages := top.Required("stages")
	r := Rubric{Course: course, Stages: readStages(stages, suites)}
	total, ok := points(top.Optional("total"), maxPoints*int64(len(suites)))
	if err := doc.Err(); err != nil { // sums of what is wrong would mislead
		return Rubric{}, err
	}
	switch {
	case r.Of() == 0:
		stages.Errorf("no stage has points; give one some, as in \"%s\": {points: 100}", suites[len(suites)-1].ID)
	case ok && total != r.Of():
		top.Optional("total").Errorf("total is %v, and the points of the stages come to %v; change one of them", total, r.Of())
	}
	if err := doc.Err(); err != nil {
		return Rubric{}, err
	}
	return r, nil
}

func readStages(v strict.Value, suites []grading.Suite) []Stage {
	ids := make([]string, len(suites))
	for i, s := range suites {
		ids[i] = s.ID
	}
	fields := v.Map(ids...)
	var stages []Stage
	for _, s := range suites {
		if v := fields.Optional(s.ID); v.Present() {
			stages = append(stages, readStage(v, s))
		}
	}
	return stages
}

func readStage(v strict.Value, s grading.Suite) Stage {
	fields := v.Map("points", "gate", "checks", "regression")
	if regression := fields.Optional("regression"); regression.Present() {
		return readRegression(fields, s)
	}
	stage := Stage{ID: s.ID}
	p, ok := readPoints(fields)
	if gate := fields.Optional("gate"); gate.Present() {
		stage.Gate, _ = gate.Word(checkNames(s)...)
	}
	stage.Points = p
	stage.Checks = shared(s, p, readChecks(fields.Optional("checks"), p, ok, s))
	return stage
}

// readRegression reads a stage that is marked as a whole.
func readRegression(fields strict.Map, s grading.Suite) Stage {
	word, ok := fields.Required("regression").Word(string(Weigh), string(Gate), string(Report))
	stage := Stage{ID: s.ID, Regression: Regression(word)}
	for _, key := range []string{"gate", "checks"} {
		fields.Optional(key).Errorf("a regression is marked as a whole; remove %q here, or \"regression\"", key)
	}
	switch {
	case ok && stage.Regression == Weigh:
		stage.Points, _ = readPoints(fields)
	case ok:
		fields.Optional("points").Errorf("\"regression: %s\" has no points; remove them, or write \"regression: weigh\"", word)
	}
	stage.Checks = shared(s, stage.Points, nil)
	return stage
}

// readPoints reads what a stage is worth.
func readPoints(fields strict.Map) (Points, bool) {
	v := fields.Required("points")
	p, ok := points(v, maxPoints)
	if ok && p == 0 {
		v.Errorf("points must be more than 0; found 0. To show a stage without points, write \"regression: report\" instead")
	}
	return p, ok
}

// readChecks reads the points of single checks, which must fit into those of
// their stage, if these are known.
func readChecks(v strict.Value, of Points, known bool, s grading.Suite) map[string]Points {
	fields := v.Map(checkNames(s)...)
	own := map[string]Points{}
	var all Points
	right := known
	for _, name := range checkNames(s) {
		if v := fields.Optional(name); v.Present() {
			p, ok := points(v, maxPoints)
			own[name] = p
			all += p
			right = right && ok
		}
	}
	switch {
	case right && all > of:
		v.Errorf("the checks come to %v, more than the %v points of the stage; change one of them", all, of)
	case right && all < of && len(own) == len(s.Checks):
		v.Errorf("all checks are named and come to %v, less than the %v points of the stage; change one of them", all, of)
	}
	return own
}

func checkNames(s grading.Suite) []string {
	names := make([]string, len(s.Checks))
	for i, c := range s.Checks {
		names[i] = c.Name
	}
	return names
}

func points(v strict.Value, most int64) (Points, bool) {
	n, ok := v.Hundredths(0, most)
	return Points(n), ok
}
