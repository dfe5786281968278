package report

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
)

// A figure is a timeline to be stepped through, as data for the script of a
// page. All text in it is clean.
type figure struct {
	Source  []string `json:"source"`  // the records of the source; empty where they are not known
	Total   int      `json:"total"`   // how many there are; 0 without a source
	Objects []string `json:"objects"` // in the order in which they come up
	Lanes   []string `json:"lanes"`   // of each object
	Count   int      `json:"count"`   // of all steps, those that are left out among them
	Steps   []moment `json:"steps"`
	Marks   []notice `json:"marks"`
}

// A moment is what a step did, and how things stood after it.
type moment struct {
	Number int       `json:"number"` // from 1
	Hidden int       `json:"hidden"` // how many steps before it are left out
	Phase  string    `json:"phase"`
	At     string    `json:"at"`
	Read   int       `json:"read"`   // records read of the source; -1 where that is not known
	Object int       `json:"object"` // index
	Name   string    `json:"-"`      // of the object
	Action string    `json:"action"`
	Note   string    `json:"note"`
	Line   string    `json:"line"`
	State  string    `json:"state"`
	Cells  []string  `json:"-"`     // of the lanes, as the text shows them
	Lanes  [][]group `json:"lanes"` // what is in each lane; null where the object has no state
	Mark   *notice   `json:"-"`
}

// A group is what stands together in a lane, such as one transaction.
type group struct {
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// loneLane is the lane where the parts of the states have no names in common.
const loneLane = "state afterwards"

func newFigure(f *grading.Failure) *figure {
	fig := &figure{
		Source: []string{}, Objects: []string{}, Count: len(f.Steps),
		Marks: append([]notice{}, notices(headFinding(f), f.Unsafe)...),
	}
	names := fig.nameLanes(f.Steps)
	hidden := 0
	for i, step := range f.Steps {
		if !paged(i, len(f.Steps), headFinding(f).Step, f.Unsafe) {
			hidden++
			continue
		}
		m := fig.moment(step)
		m.Number, m.Hidden, hidden = i+1, hidden, 0
		m.Cells, m.Lanes = inLanes(m.State, names, len(fig.Lanes))
		if at := slices.IndexFunc(fig.Marks, func(k notice) bool { return k.Step == m.Number }); at >= 0 {
			m.Mark = &fig.Marks[at]
		}
		fig.Steps = append(fig.Steps, m)
	}
	fig.Source = append(fig.Source, sourceOf(f.Input, fig.Total)...)
	return fig
}

// nameLanes names a lane after each part of the states, and returns these names;
// nil where there is but one lane for all, or none.
func (fig *figure) nameLanes(steps []grading.Step) []string {
	states := make([]string, len(steps))
	for i, step := range steps {
		states[i] = clean(step.State)
	}
	names := parts(states)
	fig.Lanes = append([]string{}, names...)
	if names == nil && slices.ContainsFunc(states, func(s string) bool { return s != "" }) {
		fig.Lanes = []string{loneLane}
	}
	return names
}

// Of more than maxPaged steps a page has those that are among the first, the
// last, or near a mark: a loop without an end makes a hundred thousand, which
// would be a page of 32 MB.
const (
	maxPaged   = 1000
	pagedAtEnd = 300
	pagedNear  = 50
)

func paged(i, n int, marked ...int) bool {
	return n <= maxPaged || i < pagedAtEnd || i >= n-pagedAtEnd ||
		slices.ContainsFunc(marked, func(at int) bool { return at >= 0 && max(i-at, at-i) <= pagedNear })
}

// Gap says what is left out before a step, or is empty.
func (m moment) Gap() string {
	if m.Hidden == 0 {
		return ""
	}
	return "... " + count(m.Hidden, "more step") + ": see all with --format json"
}

// moment is a step without its lanes.
func (fig *figure) moment(s grading.Step) moment {
	m := moment{
		Phase: clean(s.Phase), At: clean(s.At), Read: -1,
		Name: clean(s.Object), Action: clean(s.Action), Note: clean(s.Note), State: clean(s.State),
	}
	if s.Place != "" {
		m.Line = clean(path.Base(s.Place))
	}
	if read, total := 0, 0; scanned(s.At, &read, &total) {
		m.Read, fig.Total = read, total
	}
	if m.Object = slices.Index(fig.Objects, m.Name); m.Object < 0 {
		m.Object = len(fig.Objects)
		fig.Objects = append(fig.Objects, m.Name)
	}
	return m
}

// scanned reads a position such as "1 of 2".
func scanned(at string, read, total *int) bool {
	n, err := fmt.Sscanf(at, "%d of %d", read, total)
	return err == nil && n == 2 && 0 <= *read && *read <= *total
}

// sourceOf returns the records of the source, if a fact of the case lists that
// many.
func sourceOf(facts []grading.Fact, total int) []string {
	for _, fact := range facts {
		items, ok := listed(clean(fact.Value), ", ")
		if ok && len(items) == total && !slices.ContainsFunc(items, func(s string) bool { return !strings.Contains(s, " @") }) {
			return items
		}
	}
	return nil
}

// inLanes takes a state apart: into the texts of its lanes, and into what is in
// each. Without names there is one lane for all parts, if any.
func inLanes(state string, names []string, lanes int) (cells []string, groups [][]group) {
	if state == "" {
		return make([]string, lanes), nil
	}
	all := strings.Split(state, "  ")
	if names == nil {
		things := []group{}
		for _, part := range all {
			things = append(things, contents(part)...)
		}
		return []string{state}, [][]group{things}
	}
	for _, part := range all {
		_, value, _ := strings.Cut(part, " ")
		cells = append(cells, value)
		groups = append(groups, contents(value))
	}
	return cells, groups
}

// contents takes apart what is written as a list, "[a b]", or as a map,
// "{1: [a], 2: [b]}". Anything else is one item.
func contents(value string) []group {
	groups := []group{}
	if inner, ok := within(value, "[", "]"); ok {
		if items, ok := listed(inner, " "); ok {
			return alone(groups, joined(items))
		}
	}
	if inner, ok := within(value, "{", "}"); ok {
		if entries, ok := listed(inner, ", "); ok {
			return mapped(entries)
		}
	}
	return alone(groups, []string{value})
}

func within(s, left, right string) (string, bool) {
	if len(s) < 2 || !strings.HasPrefix(s, left) || !strings.HasSuffix(s, right) {
		return "", false
	}
	return s[1 : len(s)-1], true
}

func alone(groups []group, items []string) []group {
	if len(items) == 0 {
		return groups
	}
	return append(groups, group{Items: items})
}

// mapped makes a group of each entry that is a list, as in "1: [a b]", and items
// of the others.
func mapped(entries []string) []group {
	groups, single := []group{}, []string{}
	for _, entry := range entries {
		name, value, _ := strings.Cut(entry, ": ")
		if inner, ok := within(value, "[", "]"); ok {
			if items, ok := listed(inner, " "); ok {
				groups = append(groups, group{Name: name, Items: append([]string{}, joined(items)...)})
				continue
			}
		}
		single = append(single, entry)
	}
	return alone(groups, single)
}

// joined puts together again what belongs together though spaces stand in it: a
// record and its time, "a=1 @1", and what was left out, "and 3 more".
func joined(words []string) []string {
	var items []string
	for _, word := range words {
		if len(items) > 0 && strings.HasPrefix(word, "@") {
			items[len(items)-1] += " " + word
			continue
		}
		items = append(items, word)
	}
	if n := len(items) - 3; n >= 0 && items[n] == "and" && items[n+2] == "more" {
		items = append(items[:n], strings.Join(items[n:], " "))
	}
	return items
}

// listed splits at a separator, outside of brackets and quotes. Where these do
// not match, it is no list.
func listed(s, separator string) ([]string, bool) {
	var items []string
	depth, quoted, start := 0, false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("[{(", c) >= 0:
			depth++
		case strings.IndexByte("]})", c) >= 0:
			depth--
		case depth == 0 && strings.HasPrefix(s[i:], separator):
			items = append(items, s[start:i])
			i += len(separator) - 1
			start = i + 1
		}
		if depth < 0 {
			return nil, false
		}
	}
	if s != "" {
		items = append(items, s[min(start, len(s)):])
	}
	return items, depth == 0 && !quoted
}
