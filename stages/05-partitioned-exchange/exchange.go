package partitionedexchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// An exchange is what one call of Partition should return, and did.
type exchange struct {
	keyspace
	records   []stream.Record
	want, got [][]stream.Record
}

// runExchange has the records of a case dealt out.
func (s subject) runExchange(c schedule.Case, t *trial) {
	groups, subtasks, _ := sizes(c)
	e := exchange{keyspace: keyspace{groups, subtasks}, records: c.Records}
	e.want = e.parts(c.Records)
	t.timeline = e.timeline
	dealt := s.solution.Deal(c.Records, groups, subtasks)
	e.got = dealt.Parts
	if dealt.Count != subtasks {
		t.broken(grading.Broken(partition, -1, "Partition returned %s for %s; there must be one for each, also where it is empty.",
			grading.Plural(dealt.Count, "slice"), grading.Plural(subtasks, "subtask")))
		return
	}
	t.timeline = e.timeline // now with what came out
	if f := e.misplaced(); f != nil {
		if f.Step >= 0 {
			f.Unless = s.blame(c.Records[f.Step].Key, e.keyspace)
		}
		t.broken(f)
	} else {
		t.broken(e.disordered())
	}
	if !slices.Equal(dealt.Input, c.Records) {
		t.broken(grading.Broken(isolation, -1, "The slice of input records was changed, by Partition or through a slice that it returned; it is only lent."))
	}
	t.broken(owned(dealt.Owned, "slice", "Partition"))
}

// misplaced returns a finding unless each slice holds the records that it
// should, in any order.
func (e exchange) misplaced() *grading.Finding {
	for i, want := range e.want {
		if slices.Equal(want, e.got[i]) || diff.Multiset(want, e.got[i]) == nil {
			continue
		}
		f := &grading.Finding{Check: partition, Kind: fault.WrongOutput, Diff: diff.List(want, e.got[i])}
		f.Problem, f.Step = e.problem(i)
		return f
	}
	return nil
}

// problem says what became of the first record that is not where it belongs. If
// all are, slice i holds what did not come in.
func (e exchange) problem(i int) (problem string, step int) {
	for step, r := range e.records {
		if e.note(r) == "" {
			continue
		}
		seen, owner, want := e.places(r), e.owner(r.Key), count(e.records, r)
		if total := sum(seen); total != want {
			return fmt.Sprintf("Record %s came in %s, and went out %s%s; it belongs in slice %d.",
				diff.Record(r), times(want), times(total), to(seen), owner), step
		}
		return fmt.Sprintf("Record %s went to %s instead of %d, which owns its key group, %d of %d.",
			diff.Record(r), places(seen), owner, e.group(r.Key), e.groups), step
	}
	return fmt.Sprintf("Slice %d holds a record that did not come in.", i), -1
}

// disordered returns a finding unless each slice is in the order of the source.
func (e exchange) disordered() *grading.Finding {
	for i, want := range e.want {
		for j, r := range e.got[i] {
			if r == want[j] {
				continue
			}
			f := grading.Broken(sourceOrder, slices.Index(e.records, r),
				"Slice %d holds record %s at %d, counted from 0; in the order of the source that is %s.", i, diff.Record(r), j, diff.Record(want[j]))
			f.Kind, f.Diff = fault.WrongOutput, diff.List(want, e.got[i])
			return f
		}
	}
	return nil
}

// places tells how often each slice holds r.
func (e exchange) places(r stream.Record) map[int]int {
	seen := map[int]int{}
	for i, part := range e.got {
		if n := count(part, r); n > 0 {
			seen[i] = n
		}
	}
	return seen
}

func (e exchange) timeline() []grading.Step {
	steps := make([]grading.Step, len(e.records))
	for i, r := range e.records {
		steps[i] = grading.Step{
			At: fmt.Sprintf("%d of %d", i+1, len(e.records)), Object: diff.Record(r),
			Action: fmt.Sprintf("to subtask %d", e.owner(r.Key)),
			State:  fmt.Sprintf("key group %d of %d", e.group(r.Key), e.groups),
			Note:   e.note(r),
		}
	}
	return steps
}

// note says where r was found, unless that is right.
func (e exchange) note(r stream.Record) string {
	seen := e.places(r)
	if e.got == nil || len(seen) == 1 && seen[e.owner(r.Key)] == count(e.records, r) {
		return ""
	}
	return "went to " + places(seen)
}

// places lists subtasks, each as often as counted.
func places(seen map[int]int) string {
	var words []string
	for _, i := range sortedKeys(seen) {
		word := fmt.Sprint(i)
		if seen[i] > 1 {
			word += fmt.Sprintf(" (%s)", times(seen[i]))
		}
		words = append(words, word)
	}
	return listed(words)
}

// to is places, if there are any.
func to(seen map[int]int) string {
	if len(seen) == 0 {
		return ""
	}
	return ", to " + places(seen)
}

// maxPlaces is how many places are listed.
const maxPlaces = 5

func listed(words []string) string {
	switch n := len(words); {
	case n == 0:
		return "no subtask"
	case n == 1:
		return "subtask " + words[0]
	case n > maxPlaces:
		return fmt.Sprintf("subtasks %s and %d more", strings.Join(words[:maxPlaces], ", "), n-maxPlaces)
	default:
		return "subtasks " + strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

func times(n int) string {
	switch n {
	case 0:
		return "not at all"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func count(rs []stream.Record, r stream.Record) int {
	n := 0
	for _, other := range rs {
		if other == r {
			n++
		}
	}
	return n
}
