package transactionalsink

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A run written down: N makes a sink, W3 writes the source's third record, P1,
// C1 and A1 pre-commit, commit and abort ID 1, O aborts the open transaction. An
// operation goes to the newest sink, or with 1: before it to sink 1.
func written(t *testing.T, c schedule.Case, run string) *trace {
	t.Helper()
	tr := &trace{limit: 1000}
	sinks := []*tracedSink{nil}
	for word := range strings.FieldsSeq(run) {
		n := len(sinks) - 1
		if at, rest, ok := strings.Cut(word, ":"); ok {
			n, word = must(strconv.Atoi(at)), rest
		}
		number := 0
		if len(word) > 1 {
			number = must(strconv.Atoi(word[1:]))
		}
		id := stream.CheckpointID(number)
		switch word[0] {
		case 'N':
			sinks = append(sinks, tr.newSink().(*tracedSink))
		case 'W':
			sinks[n].Write(c.Records[number-1])
		case 'P':
			sinks[n].PreCommit(id)
		case 'C':
			sinks[n].Commit(id)
		case 'A':
			sinks[n].Abort(id)
		case 'O':
			sinks[n].AbortOpen()
		default:
			t.Fatalf("no operation %s", word)
		}
	}
	for _, s := range sinks[1:] {
		tr.result = append(tr.result, s.visible...)
	}
	return tr
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

const none = -1

// What the rules allow, and what they don't: each line is one run, and the
// checks that it breaks.
func TestJudge(t *testing.T) {
	tests := []struct {
		name                 string
		n, every, crash, lag int
		run                  string
		broken               []string
	}{
		// Right, among it all that is tolerated.
		{"nothing to do", 0, 1, none, 0, "N", nil},
		{"an empty last transaction", 0, 1, none, 0, "N P1 C1", nil},
		{"two empty ones", 2, 2, none, 0, "N W1 W2 P1 C1 P2 C2 P3 C3", nil},
		{"a clean run", 3, 1, none, 1, "N W1 P1 W2 P2 C1 W3 P3 C2 P4 C3 C4", nil},
		{"commit before the pre-commit at one barrier", 3, 1, none, 1, "N W1 P1 W2 C1 P2 W3 C2 P3 C3", nil},
		{"pending flushed newest first", 3, 1, none, 5, "N W1 P1 W2 P2 W3 P3 C3 C2 C1", nil},
		{"notified between two barriers", 4, 2, none, 0, "N W1 W2 P1 W3 C1 W4 P2 C2", nil},
		{"told twice, and of the unknown", 2, 1, none, 0, "N W1 P1 C1 C1 C9 A9 A1 W2 P2 C2", nil},
		{"ids that fall", 2, 1, none, 0, "N W1 P9 C9 W2 P4 C4", nil},
		{"a crash", 3, 2, 1, 0, "N W1 O N W1 W2 W3 P1 C1", nil},
		{"a crash at 0 with nothing to abort", 2, 1, 0, 0, "N W1 P1 C1 W2 P2 C2", nil},
		{"a crash at 0 into a fresh sink", 2, 1, 0, 0, "N N W1 W2 P1 C1", nil},
		{"a crash on a barrier, before it", 2, 1, 1, 0, "N W1 O N W1 W2 P1 C1", nil},
		{"a crash on a barrier, after it", 2, 1, 1, 0, "N W1 P1 C1 N W2 P1 C1", nil},
		{"a crash on a barrier, between pre-commit and commit", 2, 1, 1, 0, "N W1 P1 A1 N W1 W2 P1 C1", nil},
		{"the same sink again", 3, 1, 2, 1, "N W1 P1 W2 P2 C1 A2 W2 W3 P3 C3", nil},
		{"the same sink, with nothing left to abort", 2, 1, 1, 0, "N W1 P1 C1 W2 P2 C2", nil},
		{"a replay in transactions of one record", 3, 3, 1, 0, "N W1 O N W1 P1 C1 W2 P2 C2 W3 P3 C3", nil},
		{"a replay in another order", 3, 3, 1, 0, "N W1 O N W3 W2 W1 P1 C1", nil},
		{"aborts after the replay into the same sink", 2, 1, 1, 1, "N W1 P1 W1 W2 P2 C2 A1", nil},
		{"aborts after the replay", 3, 1, 2, 1, "N W1 P1 W2 P2 C1 N W2 W3 P1 C1 1:A2", nil},
		{"pre-committed after the crash and aborted", 3, 2, 1, 0, "N W1 P1 A1 N W1 W2 W3 P1 C1", nil},
		{"a crash at the end, taken for a clean finish", 2, 2, 2, 0, "N W1 W2 P1 C1", nil},
		{"a crash at the end, taken for a crash", 2, 2, 2, 0, "N W1 W2 O N W1 W2 P1 C1", nil},
		{"a crash beyond the end, taken for one at the end", 2, 2, 9, 1, "N W1 W2 P1 A1 N W1 W2 P1 C1", nil},

		// Wrong.
		{"nothing goes to a sink", 2, 1, none, 0, "N", []string{eosOutput, recovery, notification, barriers, noDangling}},
		{"a transaction never committed", 1, 2, none, 0, "N W1 P1", []string{eosOutput, noDangling}},
		{"an open transaction left", 2, 2, none, 0, "N W1 W2 P1 C1 W1", []string{recovery, noDangling}},
		{"committed too early", 3, 1, none, 1, "N W1 P1 C1 W2 P2 C2 W3 P3 C3", []string{notification}},
		{"committed too late", 3, 1, none, 0, "N W1 P1 W2 P2 C1 C2 W3 P3 C3", []string{notification}},
		{"kept for the end", 3, 1, none, 0, "N W1 P1 W2 P2 W3 P3 C1 C2 C3", []string{notification}},
		{"barriers missed", 3, 1, none, 0, "N W1 W2 W3 P1 C1", []string{barriers}},
		{"a barrier of its own", 4, 2, none, 0, "N W1 P1 C1 W2 P2 C2 W3 W4 P3 C3", []string{barriers}},
		{"an id twice", 2, 1, none, 0, "N W1 P1 C1 W2 P1 C1", []string{eosOutput, barriers}},
		{"the crash unnoticed", 3, 3, 1, 0, "N W1 W2 W3 P1 C1", []string{recovery}},
		{"the crash a record late", 4, 4, 1, 0, "N W1 W2 O N W1 W2 W3 W4 P1 C1", []string{recovery}},
		{"the crash a record early", 4, 4, 2, 0, "N W1 O N W1 W2 W3 W4 P1 C1", []string{recovery}},
		{"replay from offset+1", 3, 3, 1, 0, "N W1 O N W2 W3 P1 C1", []string{eosOutput, recovery}},
		{"replay from 0", 3, 1, 2, 0, "N W1 P1 C1 W2 P2 C2 N W1 W2 W3 P1 C1", []string{eosOutput, recovery}},
		{"no replay", 2, 1, 1, 0, "N W1 P1 C1", []string{eosOutput, recovery}},
		{"committed on recovery", 3, 1, 1, 1, "N W1 P1 C1 N W2 W3 P1 C1", []string{recovery}},
		{"what was open committed on recovery", 3, 2, 1, 0, "N W1 P1 C1 N W2 W3 P1 C1", []string{recovery}},
		{"committed on recovery, after the replay", 3, 1, 1, 1, "N W1 P1 N W1 O W2 W3 P1 C1 1:C1", []string{recovery}},
		{"notified, but committed after the replay, which is dropped", 1, 1, 1, 0, "N W1 P1 N W1 O 1:C1", []string{recovery}},
		{"the job ends at the first barrier", 3, 1, none, 1, "N W1 P1", []string{eosOutput, recovery, noDangling}},
		{"what was open committed after the replay", 3, 3, 1, 0, "N W1 N W1 O W2 W3 P1 C1 1:P1 1:C1", []string{recovery}},
		{"committed on recovery, at the end", 3, 1, 3, 2, "N W1 P1 W2 P2 W3 O C1 C2 N W3 P1 C1", []string{recovery}},
		{"a clean run in another order", 2, 2, none, 0, "N W2 W1 P1 C1", []string{recovery}},
		{"a clean run taken for a crash", 2, 3, none, 0, "N W1 W2 O N W1 W2 P1 C1", []string{recovery}},
		{"a sink for each transaction", 2, 1, none, 0, "N W1 P1 C1 N W2 P1 C1", []string{recovery}},
		{"an id that is not positive", 1, 1, none, 0, "N W1 P0 C0", []string{barriers}},
		{"the open transaction left behind", 3, 2, 1, 0, "N W1 N W1 W2 W3 P1 C1", []string{noDangling}},
		{"a prepared transaction left behind", 3, 1, 1, 1, "N W1 P1 N W1 W2 W3 P1 C1", []string{noDangling}},
		{"another sink left behind", 2, 2, none, 0, "N W1 W2 P1 C1 N P1", []string{noDangling}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := job(letters(test.n, max(test.n, 1)), test.every, test.crash, test.lag)
			var got []string
			a := read(c, written(t, c, test.run))
			for _, f := range a.judge() {
				got = append(got, f.Check)
				if f.Unless != "" && f.Unless != recovery {
					t.Errorf("%s counts only without %s", f.Check, f.Unless)
				}
				if f.Step >= len(a.events) {
					t.Errorf("%s is said to be seen at step %d of %d", f.Check, f.Step, len(a.events))
				}
			}
			if !slices.Equal(got, test.broken) {
				t.Errorf("broken %v, want %v", got, test.broken)
			}
			if len(a.timeline()) != len(a.events) {
				t.Error("the timeline does not tell every event")
			}
		})
	}
}

// A clean run that writes everything twice is told how much that is.
func TestWrittenTwice(t *testing.T) {
	c := job(letters(1, 1), 1, -1, 0)
	a := read(c, written(t, c, "N W1 P1 C1 N W1 P1 C1"))
	want := "2 records were written, where the source has 1."
	if !slices.ContainsFunc(a.judge(), func(f grading.Finding) bool { return f.Check == recovery && f.Problem == want }) {
		t.Errorf("found %+v", a.judge())
	}
}

// A result that did not come through the sinks is told apart from one that did.
func TestJudgeVisibility(t *testing.T) {
	c := job(letters(2, 2), 1, 1, 0)
	right := "N W1 P1 C1 N W2 P1 C1"
	for name, test := range map[string]struct {
		run    string
		result []stream.Record
		broken []string
	}{
		"the input returned":      {"N", letters(2, 2), []string{visibility, recovery, notification, barriers, noDangling}},
		"taken back and replayed": {"N W1 P1 C1 N W1 W2 P1 C1", letters(2, 2), []string{visibility, recovery}},
		"a record left out":       {right, letters(1, 1), []string{eosOutput, visibility}},
		"right":                   {right, letters(2, 2), nil},
	} {
		t.Run(name, func(t *testing.T) {
			tr := written(t, c, test.run)
			tr.result = test.result
			var got []string
			for _, f := range read(c, tr).judge() {
				got = append(got, f.Check)
			}
			if !slices.Equal(got, test.broken) {
				t.Errorf("broken %v, want %v", got, test.broken)
			}
		})
	}
}

// Each operation of a model is what the contract says, by hand-worked scripts.
func TestModel(t *testing.T) {
	for script, want := range map[string]string{
		"W1 P1":               "[]",
		"W1 P1 C1":            "[1]",
		"W1 P1 C1 C1":         "[1]",
		"W1 P1 W2 P2 C2 C1":   "[2 1]",
		"W1 W2 P1 C1":         "[1 2]",
		"W1 P1 A1 C1":         "[]",
		"W1 P1 C1 A1":         "[1]",
		"W1 P1 W2 P2 A2 C1":   "[1]",
		"W1 O P1 C1":          "[]",
		"W1 P1 W2 O C1 P2 C2": "[1]",
		"C1 W1 P1 C1":         "[1]",
		"A1 W1 P1 C1":         "[1]",
		"P1 C1":               "[]",
		"W1 P1 C2":            "[]",
	} {
		m := newModel()
		for word := range strings.FieldsSeq(script) {
			n := int64(0)
			if len(word) > 1 {
				n = must(strconv.ParseInt(word[1:], 10, 64))
			}
			op := map[byte]string{'W': opWrite, 'P': opPreCommit, 'C': opCommit, 'A': opAbort, 'O': opAbortOpen}[word[0]]
			apply(m, schedule.Op{Name: op, Args: []int64{n}})
		}
		var got []int64
		for _, r := range m.Committed() {
			got = append(got, r.Value)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: visible %v, want %s", script, got, want)
		}
	}
}

// Where our own parts disagree, it is a panic, and no finding about a solution.
func TestJudgeDisagrees(t *testing.T) {
	c := job(letters(2, 2), 1, none, 0)
	const right, wrong = "N W1 P1 C1 W2 P2 C2", "N W1 P1 W2 P2 C1 C2"
	for name, test := range map[string]struct {
		run     string
		tamper  func(*trace)
		account func(*account)
		says    string
	}{
		"a sink of the host's loses a record": {run: right, tamper: func(tr *trace) { tr.sinks[0].visible = nil }, says: "sink 1 of the host's shows []"},
		"a check refuses what is right":       {run: right, account: func(a *account) { a.pieces = nil }, says: "the run is right: true; the checks found [{Check:barriers"},
		"no check sees what is wrong":         {run: wrong, account: func(a *account) { a.pieces[0].committed = a.pieces[0].event }, says: "the run is right: false; the checks found []"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if v := recover(); !strings.Contains(fmt.Sprint(v), test.says) {
					t.Errorf("panic of %v, want one that says %q", v, test.says)
				}
			}()
			tr := written(t, c, test.run)
			if test.tamper != nil {
				test.tamper(tr)
			}
			a := read(c, tr)
			if test.account != nil {
				test.account(a)
			}
			a.judge()
		})
	}
}
