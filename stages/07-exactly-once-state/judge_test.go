package exactlyoncestate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

const none = contract.NoCrash

// written carries out a run written down: L asks for the latest checkpoint, S2
// saves the right one of offset 2 under the next ID, S2#9 under ID 9, and S2!
// with a state that is wrong. R! ends it with a wrong result, X kills it in the
// call before.
func written(t *testing.T, r *run, text string) {
	t.Helper()
	s := newStore(nil)
	if r.found {
		s = newStore(&r.base)
	}
	s.begin(len(r.records))
	r.result, r.input = r.sums(len(r.records)), r.records
	for word := range strings.FieldsSeq(text) {
		switch word[0] {
		case 'L':
			s.Latest()
		case 'S':
			s.Save(saved(t, r, s, word[1:]))
		case 'R':
			r.result = map[string]int64{"wrong": 1}
		case 'X':
			s.events[len(s.events)-1].killed = true
			r.died, r.result = newKill(), nil
		default:
			t.Fatalf("no call %s", word)
		}
	}
	r.events = s.events
}

func saved(t *testing.T, r *run, s *store, word string) contract.Checkpoint {
	t.Helper()
	word, wrong := strings.CutSuffix(word, "!")
	offset, id, given := strings.Cut(word, "#")
	c := contract.Checkpoint{ID: s.latest.ID + 1, Offset: must(strconv.Atoi(offset))}
	if given {
		c.ID = stream.CheckpointID(must(strconv.Atoi(id)))
	}
	if c.Offset >= r.base.Offset && c.Offset <= len(r.records) {
		c.State = r.sums(c.Offset)
	}
	if wrong {
		c.State = map[string]int64{"wrong": 1}
	}
	return c
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// What the rules allow, and what they don't: each line is one run, and the
// checks that it breaks.
func TestJudge(t *testing.T) {
	tests := []struct {
		name            string
		n, every, crash int
		base            int // offset of a checkpoint in the store, or none
		run             string
		broken          []string
	}{
		// Right, among it all that is tolerated.
		{"nothing to do", 0, 1, none, none, "L", nil},
		{"a clean run", 4, 2, none, none, "L S2 S4", nil},
		{"records after the last barrier", 5, 2, none, none, "L S2 S4", nil},
		{"one more at the end", 5, 2, none, none, "L S2 S4 S5", nil},
		{"two more at the end", 4, 2, none, none, "L S2 S4 S4 S4", nil},
		{"one at the beginning", 2, 1, none, none, "L S0 S1 S2", nil},
		{"ids with gaps", 2, 1, none, none, "L S1#5 S2#70", nil},
		{"asked often", 2, 1, none, none, "L L S1 L L S2 L", nil},
		{"a crash", 5, 2, 3, none, "L S2 L S4", nil},
		{"a crash before the first barrier", 3, 2, 1, none, "L L S2", nil},
		{"a crash at 0", 1, 1, 0, none, "L L S1", nil},
		{"a crash at 0, asked once", 1, 1, 0, none, "L S1", nil},
		{"a crash on a barrier, after it", 4, 2, 2, none, "L S2 L S4", nil},
		{"a crash on a barrier, before it", 4, 2, 2, none, "L L S2 S4", nil},
		{"a crash at the end, taken for none", 2, 1, 2, none, "L S1 S2", nil},
		{"a crash at the end", 2, 1, 2, none, "L S1 S2 L", nil},
		{"a crash at the end, before its barrier", 2, 1, 2, none, "L S1 L S2", nil},
		{"the restored one saved again", 5, 2, 3, none, "L S2 L S2 S4", nil},
		{"resumed", 5, 2, none, 2, "L S4", nil},
		{"resumed between barriers", 5, 2, none, 3, "L S4", nil},
		{"resumed between barriers, and saved there", 5, 2, none, 3, "L S3 S4", nil},
		{"resumed at the end", 4, 2, none, 4, "L", nil},
		{"resumed and crashed", 6, 2, 1, 2, "L L S4 S6", nil},
		{"killed at its start", 4, 2, none, none, "L X", nil},
		{"killed on its way", 4, 1, none, none, "L S1 S2 X", nil},
		{"killed before the crash", 4, 1, 3, none, "L S1 S2 X", nil},

		// Wrong.
		{"a wrong state", 4, 2, none, none, "L S2! S4", []string{consistentCut}},
		{"a wrong state before the crash", 5, 2, 3, none, "L S2! L S4 R!", []string{consistentCut, exactlyOnce}},
		{"a wrong state after the crash", 5, 2, 3, none, "L S2 L S4!", []string{consistentCut}},
		{"wrong after the crash", 5, 2, 3, none, "L S2 L S4! R!", []string{exactlyOnce}},
		{"wrong after a crash at the end", 2, 2, 2, none, "L S2 L S2! R!", []string{exactlyOnce}},
		{"a wrong state, and killed", 4, 2, none, none, "L S2! X", []string{consistentCut}},
		{"nothing saved", 4, 2, none, none, "L", []string{barriers}},
		{"a barrier left out", 6, 2, none, none, "L S2 S6", []string{barriers}},
		{"the last barrier left out", 4, 2, none, none, "L S2", []string{barriers}},
		{"a barrier of its own", 4, 2, none, none, "L S1 S2 S4", []string{barriers}},
		{"nothing saved after a crash", 5, 2, 3, none, "L S2 L", []string{barriers}},
		{"saved anew after a crash", 5, 1, 3, none, "L S1 S2 S3 L S1 S2 S3 S4 S5", []string{barriers}},
		{"beyond the end", 1, 1, none, none, "L S1 S2", []string{barriers}},
		{"a barrier left out, and killed", 6, 2, none, none, "L S4 X", []string{barriers}},
		{"counted from where it began", 5, 2, none, 1, "L S3 S5", []string{barriers}},
		{"a wrong result", 1, 2, none, none, "L R!", []string{exactlyOnce}},
		{"a wrong result after a crash", 1, 2, 0, none, "L L R!", []string{exactlyOnce}},
		{"the crash unnoticed", 3, 1, 2, none, "L S1 S2 S3", []string{recovery}},
		{"the crash unnoticed, without a barrier after it", 4, 3, 3, none, "S3", []string{recovery, resume}},
		{"the crash a barrier late", 5, 1, 2, none, "L S1 S2 S3 L S4 S5", []string{recovery}},
		{"the crash a barrier early", 5, 1, 3, none, "L S1 L S2 S3 S4 S5", []string{recovery}},
		{"never asked", 0, 1, none, none, "", []string{resume}},
		{"asked only after a save", 2, 1, none, none, "S1 L S2", []string{resume}},
		{"saved unasked, and killed", 2, 1, none, none, "S1 X", []string{resume}},
		{"a wrong state after the crash, and killed", 5, 2, 3, none, "L S2 L S4! X", []string{consistentCut}},
		{"a barrier left out after the crash, and killed", 6, 2, 3, none, "L S2 L S6 X", []string{barriers}},
		{"an id that is not positive", 1, 1, none, none, "L S1#0", []string{checkpointIDs}},
		{"an id twice", 2, 1, none, none, "L S1#1 S2#1", []string{checkpointIDs}},
		{"ids from 1 after a crash", 5, 2, 3, none, "L S2 L S4#1", []string{checkpointIDs}},
		{"ids from 1 in a later run", 5, 2, none, 2, "L S4#1", []string{checkpointIDs}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &run{records: scriptRecords(test.n), every: test.every, crash: test.crash}
			if test.base != none {
				r.base, r.found = *earlier(leftID, r.records[:test.base]), true
			}
			written(t, r, test.run)
			var got []string
			for _, f := range r.judge() {
				got = append(got, f.Check)
				if hedged := strings.Contains(test.name, "after the crash, and killed"); hedged != (f.Unless == exactlyOnce) {
					t.Errorf("%s counts unless %q is broken", f.Check, f.Unless)
				}
				if f.Step >= len(r.events) {
					t.Errorf("%s is said to be seen at step %d of %d", f.Check, f.Step, len(r.events))
				}
			}
			if !slices.Equal(got, test.broken) {
				t.Errorf("broken %v, want %v", got, test.broken)
			}
			if got := len(timeline([]*run{r})); got != rows(r) {
				t.Errorf("the timeline has %d rows, want %d", got, rows(r))
			}
		})
	}
}

// A run that was killed may have left a checkpoint that no source has. The checks
// stand it, if it ever comes to a next run.
func TestBaseOutsideOfTheSource(t *testing.T) {
	records := []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}}
	for _, offset := range []int{-7, -1, 2, 3, 9} {
		for crash := -1; crash <= 3; crash++ {
			r := &run{records: records, every: 1, crash: crash, found: true}
			r.base = contract.Checkpoint{ID: 4, Offset: offset, State: map[string]int64{"a": 1}}
			r.events = []event{{op: opLatest, found: true}, {op: opSave, checkpoint: contract.Checkpoint{ID: 5, Offset: 1}}, {op: opLatest}}
			r.result, r.input = map[string]int64{"a": 1}, records
			r.broken()
			r.crashWindow()
			r.restoring()
			for i := range r.events {
				r.events[i].checkpoint.Offset = offset
			}
			r.broken()
		}
	}
}

// Where our own parts disagree, it is a panic, and no finding about a solution.
func TestJudgeDisagrees(t *testing.T) {
	for text, says := range map[string]string{
		"L S1":     "the run is right: true; the checks found [{Check:consistent-cut",
		"L S1! R!": "the run is right: false; the checks found []",
	} {
		t.Run(text, func(t *testing.T) {
			defer func() {
				if v := recover(); !strings.Contains(fmt.Sprint(v), says) {
					t.Errorf("panic of %v, want one that says %q", v, says)
				}
			}()
			r := &run{records: scriptRecords(1), every: 1, crash: none}
			written(t, r, text)
			r.summed, r.summedTo = map[string]int64{"wrong": 1}, 1 // so the checks go by wrong sums
			r.judge()
		})
	}
}
