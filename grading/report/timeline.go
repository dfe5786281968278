package report

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/flk-byo/de/grading"
)

// Of a timeline of more than maxSteps rows, those are shown that are among the
// first, the last, or near the finding.
const (
	maxSteps    = 24
	firstSteps  = 4
	lastSteps   = 6
	beforeSteps = 6
	afterSteps  = 3

	maxExplained = 100 // an explanation shows as many; what has no end is told by its start and its end
)

// timeline shows the steps of a case in a table, and marks the one at which the
// finding was seen, and where it is told of, the one after which nothing could
// have made it right any more; -1 is none.
func (p *page) timeline(steps []grading.Step, finding, unsafe int) {
	var rows []row
	phase, hidden := "", 0
	for i, step := range steps {
		if !p.shown(i, len(steps), finding) && i != unsafe {
			hidden++
			continue
		}
		rows = append(rows, p.hidden(hidden)...)
		hidden = 0
		if step.Phase != phase && step.Phase != "" {
			rows = append(rows, row{heading: "--- " + clean(step.Phase) + " ---", style: p.style.title})
		}
		phase = step.Phase
		mark := ""
		switch {
		case i == finding:
			mark = markSeen
		case i == unsafe && p.whole:
			mark = markUnsafe
		}
		rows = append(rows, p.step(step, mark))
	}
	p.states(rows)
}

// Marks in the margin of a timeline.
const (
	markSeen   = ">"
	markUnsafe = "!"
)

// A notice says what is marked in a timeline.
type notice struct {
	Step  int    `json:"step"` // its number, from 1; 0 where it is about none
	Kind  string `json:"kind"` // kindSeen or kindUnsafe; empty where it is about none
	Short string `json:"short"`
	Words string `json:"words"`
}

const (
	kindSeen   = "seen"
	kindUnsafe = "unsafe"
)

// noticed is a notice of the step with an index.
func noticed(step int, kind, words string) notice {
	short, _, _ := strings.Cut(words, ":")
	return notice{step + 1, kind, short, words}
}

// notices are those of a timeline: of the step at which a finding was seen, and
// of the one after which nothing could have made it right any more; -1 is none.
func notices(f grading.Finding, unsafe int) []notice {
	switch finding := f.Step; {
	case f.Fault != nil && finding >= 0:
		return []notice{noticed(finding, kindSeen, "the last step before it ended")}
	case f.Fault != nil:
		return nil
	case unsafe < 0 && finding < 0: // all that it did, a right solution may have done
		return []notice{noticed(-1, "", "no step is unsafe: what is wrong is how it ended, or what it returned")}
	case unsafe == finding:
		return []notice{noticed(finding, kindSeen, "here it is seen, and from here on nothing could make it right")}
	}
	var all []notice
	if unsafe >= 0 {
		all = append(all, noticed(unsafe, kindUnsafe, "unsafe from here: whatever came after it, it could not be right any more"))
	}
	if f.Step >= 0 {
		all = append(all, noticed(f.Step, kindSeen, "here it is seen"))
	}
	return all
}

// legend says what the marks stand for.
func (p *page) legend(f grading.Finding, unsafe int) {
	marks := map[string]string{kindSeen: markSeen, kindUnsafe: markUnsafe}
	var rows []row
	for _, n := range notices(f, unsafe) {
		r := row{mark: marks[n.Kind], style: p.style.bad, cells: []string{n.Words}}
		if n.Kind == "" {
			r.style = p.style.plain
		}
		rows = append(rows, r)
	}
	if len(rows) > 0 {
		p.blank()
		p.table(4, nil, rows)
	}
}

func (p *page) shown(i, n, finding int) bool {
	return n <= maxSteps || p.whole && n <= maxExplained || i < firstSteps || i >= n-lastSteps ||
		finding >= 0 && i >= finding-beforeSteps && i <= finding+afterSteps
}

func (p *page) hidden(n int) []row {
	if n == 0 {
		return nil
	}
	return []row{{heading: fmt.Sprintf("... %s: see all with --format json", count(n, "more step")), style: p.style.faint}}
}

func (p *page) step(s grading.Step, mark string) row {
	r := row{
		mark:  mark,
		cells: []string{clean(s.At), clean(s.Object), clean(s.Action), clean(path.Base(s.Place)), clean(s.State)},
		note:  clean(s.Note),
		style: p.style.plain,
	}
	if s.Place == "" {
		r.cells[3] = ""
	}
	if mark != "" {
		r.style = p.style.bad
	}
	return r
}

// Columns of a row of the timeline; those of the state follow.
const (
	columnObject = 1
	columnLine   = 3
	columnState  = 4
)

// states writes the table of steps. Where the parts of all states have the same
// names, each is a column of its own.
func (p *page) states(rows []row) {
	header := []string{"source", "object", "action", "line"}
	names := parts(stated(rows))
	if names == nil {
		header = append(header, loneLane)
	} else {
		header = append(header, names...)
		for i := range rows {
			rows[i].cells = apart(rows[i].cells, len(names))
		}
	}
	all := withoutEmpty(rows, header)
	if total(natural(all)) > p.width-4 {
		withoutObject(rows)
		all = withoutEmpty(rows, header)
	}
	p.table(4, all[0].cells, all[1:])
}

// stated returns the states that rows tell.
func stated(rows []row) (states []string) {
	for _, r := range rows {
		if r.cells != nil {
			states = append(states, r.cells[columnState])
		}
	}
	return states
}

// parts returns the names of the parts of all states, which stand two spaces
// apart and begin with their names; nil if these are not the same everywhere.
// No state has no parts.
func parts(states []string) (names []string) {
	for _, state := range states {
		if state == "" {
			continue
		}
		var own []string
		for part := range strings.SplitSeq(state, "  ") {
			name, _, ok := strings.Cut(part, " ")
			if !ok || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && c != '-' }) {
				return nil
			}
			own = append(own, name)
		}
		if names != nil && !slices.Equal(own, names) {
			return nil
		}
		names = own
	}
	return names
}

// apart makes n cells of the state, without the names of its parts.
func apart(cells []string, n int) []string {
	if cells == nil {
		return nil
	}
	all := slices.Clone(cells[:columnState])
	if cells[columnState] == "" {
		return append(all, make([]string, n)...)
	}
	for part := range strings.SplitSeq(cells[columnState], "  ") {
		_, value, _ := strings.Cut(part, " ")
		all = append(all, value)
	}
	return all
}

// withoutObject leaves out the objects if there is but one, and lines are told.
func withoutObject(rows []row) {
	one, lines := "", false
	for _, r := range rows {
		if r.cells == nil {
			continue
		}
		if one != "" && r.cells[columnObject] != one {
			return
		}
		one, lines = r.cells[columnObject], lines || r.cells[columnLine] != ""
	}
	for _, r := range rows {
		if r.cells != nil && lines {
			r.cells[columnObject] = ""
		}
	}
}
