package partitionedexchange

import (
	"fmt"
	"maps"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// A rescaling is what one call of Rescale was given, and returned.
type rescaling struct {
	keyspace // of the new subtasks
	old, got []map[string]int64
}

// runRescale has the state after the records of a case dealt out to a new number
// of subtasks, and what comes of it back to the old number.
func (s subject) runRescale(c schedule.Case, t *trial) {
	groups, subtasks, rescaled := sizes(c)
	out := rescaling{keyspace: keyspace{groups, rescaled}, old: keyspace{groups, subtasks}.state(c.Records)}
	t.timeline = func() []grading.Step { return out.timeline() }
	if s.rescale(&out, t, 0); len(t.found) > 0 {
		return
	}
	back := rescaling{keyspace: keyspace{groups, subtasks}, old: out.got}
	t.timeline = func() []grading.Step { return append(out.timeline(), back.timeline()...) }
	s.rescale(&back, t, len(back.entries()))
}

// rescale makes one call, whose first row in the timeline is given, and judges it.
func (s subject) rescale(r *rescaling, t *trial, first int) {
	scaled := s.solution.Scale(r.old, r.groups, r.subtasks)
	if scaled.Count != r.subtasks {
		t.broken(grading.Broken(rescale, -1, "Rescale from %d to %d returned %s; there must be one for each subtask, also where it is empty.",
			len(r.old), r.subtasks, grading.Plural(scaled.Count, "map")))
		return
	}
	r.got = scaled.Scaled
	f := r.misplaced()
	if f != nil && f.Step >= 0 {
		f.Unless = s.blame(r.entries()[f.Step].key, r.keyspace)
		f.Step += first
	}
	t.broken(f)
	if !slices.EqualFunc(scaled.Input, r.old, maps.Equal[map[string]int64]) {
		t.broken(grading.Broken(isolation, -1, "The old state was changed, by Rescale or through a map that it returned; it is only lent."))
	}
	t.broken(owned(scaled.Owned, "map", "Rescale"))
}

// An entry is one key of the old state.
type entry struct {
	subtask int
	key     string
	value   int64
}

// entries returns the old state, by subtask and key.
func (r rescaling) entries() []entry {
	var all []entry
	for i, m := range r.old {
		for _, key := range sortedKeys(m) {
			all = append(all, entry{i, key, m[key]})
		}
	}
	return all
}

// misplaced returns a finding unless each key of the old state, and no other, is
// where it belongs.
func (r rescaling) misplaced() *grading.Finding {
	known := map[string]bool{}
	for i, e := range r.entries() {
		known[e.key] = true
		if problem, _ := r.problem(e); problem != "" {
			f := grading.Broken(rescale, i, "%s", problem)
			f.Kind = fault.WrongOutput
			return f
		}
	}
	for i, m := range r.got {
		for _, key := range sortedKeys(m) {
			if !known[key] {
				return grading.Broken(rescale, -1, "After rescaling from %d to %d, subtask %d holds the key %s, which was in no old state.",
					len(r.old), r.subtasks, i, quoted(key))
			}
		}
	}
	return nil
}

// problem says what became of an entry, unless all is well: then note is empty.
func (r rescaling) problem(e entry) (problem, note string) {
	owner := r.owner(e.key)
	seen := map[int]int{}
	for i, m := range r.got {
		if _, ok := m[e.key]; ok {
			seen[i] = 1
		}
	}
	value := r.got[owner][e.key]
	if len(seen) == 1 && seen[owner] == 1 && value == e.value {
		return "", ""
	}
	from := fmt.Sprintf("When rescaling from %d to %d, key %s", len(r.old), r.subtasks, quoted(e.key))
	switch {
	case len(seen) == 0:
		return fmt.Sprintf("%s of old subtask %d got lost; it belongs in new subtask %d.", from, e.subtask, owner), "lost"
	case len(seen) > 1:
		return fmt.Sprintf("%s came into %s; it belongs in %d alone.", from, places(seen), owner), "in " + places(seen)
	case seen[owner] == 0:
		return fmt.Sprintf("%s went to %s instead of %d, which owns its key group, %d of %d.",
			from, places(seen), owner, r.group(e.key), r.groups), "in " + places(seen)
	default:
		return fmt.Sprintf("%s had value %d, and has %d afterwards.", from, e.value, value), fmt.Sprintf("has value %d", value)
	}
}

func (r rescaling) timeline() []grading.Step {
	var steps []grading.Step
	for _, e := range r.entries() {
		owner, note := r.owner(e.key), ""
		if r.got != nil {
			_, note = r.problem(e)
		}
		action := fmt.Sprintf("from subtask %d to %d", e.subtask, owner)
		if owner == e.subtask {
			action = fmt.Sprintf("stays in subtask %d", owner)
		}
		steps = append(steps, grading.Step{
			Phase:  fmt.Sprintf("from %d to %d", len(r.old), r.subtasks),
			Object: "key " + quoted(e.key), Action: action,
			State: fmt.Sprintf("value %d  group %d of %d", e.value, r.group(e.key), r.groups),
			Note:  note,
		})
	}
	return steps
}

func sum(counts map[int]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

func sortedKeys[K string | int, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
