package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// about explains a rubric to who is to change it.
const about = `# How submissions are marked. Points have at most two decimals.
#
# A stage is marked check by check, or with "regression" as a whole:
#   points      what all of the stage is worth
#   checks      what single checks are worth; the others share the rest equally
#   gate        a check: if it fails, the stage has no points at all
#   regression  weigh   less points for each check that does not pass
#               gate    if the stage does not pass, the whole mark is 0
#               report  it is shown, and has no points
# A stage that is not here is not marked. A total may be left out; if it is
# there, the points of the stages must come to it.
`

// YAML returns the rubric as a file that [Load] makes the same rubric of, with
// comments, and with the points of each check written out.
func (r Rubric) YAML() string { return about + r.text() }

// Hash is equal for rubrics that give the same marks.
func (r Rubric) Hash() string {
	hash := sha256.Sum256([]byte(r.text()))
	return hex.EncodeToString(hash[:])
}

// text is the rubric in its one canonical form.
func (r Rubric) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "course: %s\ntotal: %v\nstages:\n", r.Course, r.Of())
	for _, s := range r.Stages {
		s.write(&b)
	}
	return b.String()
}

func (s Stage) write(b *strings.Builder) {
	switch s.Regression {
	case Weigh:
		fmt.Fprintf(b, "  %q: {points: %v, regression: %s}\n", s.ID, s.Points, s.Regression)
		return
	case Gate, Report:
		fmt.Fprintf(b, "  %q: {regression: %s}\n", s.ID, s.Regression)
		return
	}
	fmt.Fprintf(b, "  %q:\n    points: %v\n", s.ID, s.Points)
	if s.Gate != "" {
		fmt.Fprintf(b, "    gate: %s\n", s.Gate)
	}
	b.WriteString("    checks:\n")
	for _, c := range s.Checks {
		fmt.Fprintf(b, "      %s: %v\n", c.Name, c.Points)
	}
}
