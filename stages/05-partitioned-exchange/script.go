package partitionedexchange

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// runScript makes the calls of a script, up to the first that is answered
// wrongly. Check is kept at the rule that the call under way is there for.
func (s subject) runScript(script []schedule.Op, t *trial, check *string) {
	var made []schedule.Op
	t.timeline = func() []grading.Step { return rows(made) }
	for _, op := range script {
		for _, call := range expand(op) {
			made = append(made, call)
			t.at++
			*check = checkOfOp(call)
			if s.call(call, t); len(t.found) > 0 {
				return
			}
		}
	}
}

// expand returns the calls that an operation stands for.
func expand(op schedule.Op) []schedule.Op {
	if op.Name != opTable {
		return []schedule.Op{op}
	}
	groups, subtasks := op.Args[0], op.Args[1]
	var all []schedule.Op
	for group := range groups {
		all = append(all, spec.Op(opSubtask, group, groups, subtasks))
	}
	for subtask := range subtasks {
		all = append(all, spec.Op(opGroups, subtask, groups, subtasks))
	}
	return all
}

// call makes a call and judges the answer.
func (s subject) call(op schedule.Op, t *trial) {
	switch a := op.Args; op.Name {
	case opGroup:
		s.callKeyGroup(op, keyOf(a[0]), int(a[1]), t)
	case opSubtask:
		s.callSubtask(op, int(a[0]), int(a[1]), int(a[2]), t)
	case opGroups:
		s.callGroups(op, int(a[0]), int(a[1]), int(a[2]), t)
	}
}

func (s subject) callKeyGroup(op schedule.Op, key string, groups int, t *trial) {
	got, want := s.solution.KeyGroup(key, groups), groupOf(key, groups)
	if got == want {
		return
	}
	hash := hashOf(key)
	why := fmt.Sprintf("the FNV-1a hash of its %s is %d (%#08x), and that modulo %d is %d", grading.Plural(len(key), "byte"), hash, hash, groups, want)
	if got < 0 {
		why += "; below 0 comes of a hash that is taken as signed"
	}
	t.wrong(keyGroup, op, fmt.Sprint(got), fmt.Sprint(want), why)
}

func (s subject) callSubtask(op schedule.Op, group, groups, subtasks int, t *trial) {
	got, want := s.solution.Subtask(group, groups, subtasks), ownerOf(group, groups, subtasks)
	if got != want {
		t.wrong(subtaskCheck, op, fmt.Sprint(got), fmt.Sprint(want), fmt.Sprintf("that is %d*%d/%d, rounded down", group, subtasks, groups))
	}
}

func (s subject) callGroups(op schedule.Op, subtask, groups, subtasks int, t *trial) {
	gotLo, gotHi := s.solution.Groups(subtask, groups, subtasks)
	lo, hi := rangeOf(subtask, groups, subtasks)
	if gotLo == lo && gotHi == hi {
		return
	}
	why := fmt.Sprintf("subtask %d of %d owns %s", subtask, subtasks, span(lo, hi))
	if gotLo == lo && gotHi == hi-1 {
		why += ", and hi is the first that it does not own"
	}
	t.wrong(groupRange, op, fmt.Sprintf("%d, %d", gotLo, gotHi), fmt.Sprintf("%d, %d", lo, hi), why)
	if s.blameSubtask(lo, hi, subtask, groups, subtasks) {
		t.found[0].Unless = subtaskCheck
	}
}

// span says which groups are in [lo, hi).
func span(lo, hi int) string {
	if hi == lo+1 {
		return fmt.Sprintf("group %d", lo)
	}
	return fmt.Sprintf("groups %d to %d", lo, hi-1)
}

// blameSubtask tells whether Subtask is wrong about the edges of a range too.
func (s subject) blameSubtask(lo, hi, subtask, groups, subtasks int) (wrong bool) {
	fault.Guard(func() {
		for _, group := range []int{max(lo-1, 0), lo, hi - 1, min(hi, groups-1)} {
			wrong = wrong || s.solution.Subtask(group, groups, subtasks) != ownerOf(group, groups, subtasks)
		}
	})
	return wrong
}

// wrong notes that the last call returned something else.
func (t *trial) wrong(check string, op schedule.Op, got, want, why string) {
	t.found = append(t.found, grading.Finding{
		Check: check, Kind: fault.WrongOutput, Step: t.at,
		Problem: fmt.Sprintf("%s returned %s instead of %s: %s.", written(op), got, want, why),
	})
	before := t.timeline
	t.timeline = func() []grading.Step {
		steps := before()
		steps[t.at].Note = "returned " + got
		return steps
	}
}

// rows is the timeline of calls, each with the right answer.
func rows(made []schedule.Op) []grading.Step {
	steps := make([]grading.Step, len(made))
	for i, op := range made {
		steps[i] = grading.Step{Object: "exchange", Action: written(op), State: answer(op)}
	}
	return steps
}

// written is a call as it stands in Go.
func written(op schedule.Op) string {
	switch a := op.Args; op.Name {
	case opGroup:
		return fmt.Sprintf("KeyGroup(%s, %d)", quoted(keyOf(a[0])), a[1])
	case opSubtask:
		return fmt.Sprintf("Subtask(%d, %d, %d)", a[0], a[1], a[2])
	default:
		return fmt.Sprintf("Groups(%d, %d, %d)", a[0], a[1], a[2])
	}
}

// answer is what a call should return, and how it comes about.
func answer(op schedule.Op) string {
	switch a := op.Args; op.Name {
	case opGroup:
		key := keyOf(a[0])
		return fmt.Sprintf("%d = %d mod %d", groupOf(key, int(a[1])), hashOf(key), a[1])
	case opSubtask:
		return fmt.Sprintf("%d = %d*%d/%d", ownerOf(int(a[0]), int(a[1]), int(a[2])), a[0], a[2], a[1])
	default:
		lo, hi := rangeOf(int(a[0]), int(a[1]), int(a[2]))
		return fmt.Sprintf("%d, %d: %s", lo, hi, span(lo, hi))
	}
}

// quoted is a key as it stands in a call.
func quoted(key string) string {
	k := diff.Key(key)
	if k[0] != '"' {
		k = `"` + k + `"`
	}
	return k
}
