package partitionedexchange

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	reference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	"github.com/flk-byo/de/stages/stream"
)

// job returns a case with records made by hand; to is exchangeOnly for the exchange.
func job(records []stream.Record, groups, subtasks, to int) schedule.Case {
	setting := func(name string, v int) schedule.Setting {
		return schedule.Setting{Name: name, Value: v, Text: fmt.Sprint(v)}
	}
	return schedule.Case{
		ID:      fmt.Sprintf("05/test/n=%d,max=%d,par=%d,to=%d", len(records), groups, subtasks, to),
		Records: records,
		Params:  []schedule.Setting{setting(maxParallelism, groups), setting(parallelism, subtasks), setting(rescaleTo, to)},
	}
}

// script returns a case of one operation.
func script(name string, args ...int64) schedule.Case {
	ops := []schedule.Op{spec.Op(name, args...)}
	return schedule.Case{ID: schedule.SequenceID(spec.Stage, ops), Script: ops}
}

// letters returns n records, of which at most distinct are different.
func letters(n, distinct int) []stream.Record {
	rs := make([]stream.Record, n)
	for i := range rs {
		k := i % distinct
		rs[i] = stream.Record{Key: string(rune('a' + k)), Value: int64(k), Time: int64(i / distinct)}
	}
	return rs
}

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	if o := s.Run(c); len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
}

func TestReferencePassesSmallScope(t *testing.T) {
	s := Native(reference.Solution{})
	for n := range 7 {
		for groups := 1; groups <= 6; groups++ {
			for subtasks := 1; subtasks <= groups; subtasks++ {
				for _, distinct := range []int{1, 3, 6} {
					expectPass(t, s, job(letters(n, distinct), groups, subtasks, exchangeOnly))
				}
				for to := 1; to <= groups; to++ {
					expectPass(t, s, job(letters(n, max(n, 1)), groups, subtasks, to))
				}
			}
		}
	}
}

func TestReferencePassesSeeded(t *testing.T) {
	s := Native(reference.Solution{})
	for seed := range uint64(20) {
		rs := schedule.Seeded(seed, 60)
		expectPass(t, s, job(rs, 128, 7, exchangeOnly))
		expectPass(t, s, job(rs, 10, 3, 4))
		expectPass(t, s, job(rs, 32768, 40, 1000))
	}
}

func TestReferencePassesCalls(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	for c := range calls() {
		if i, problem := checkScript(c.Script); problem != "" {
			t.Fatalf("%s: operation %d: %s", c.ID, i, problem)
		}
		expectPass(t, s, c)
		runs++
	}
	t.Logf("%d calls", runs)
	if runs < 1000 {
		t.Errorf("only %d calls", runs)
	}
}

// A case can be run again by its ID.
func TestCallsHaveIDs(t *testing.T) {
	for c := range calls() {
		again, err := schedule.ParseSequence(c.ID, spec)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(again.Script, c.Script, func(a, b schedule.Op) bool { return a.String() == b.String() && slices.Equal(a.Args, b.Args) }) {
			t.Errorf("%s is read as %v", c.ID, again.Script)
		}
	}
}

func TestCheckScript(t *testing.T) {
	tests := []struct {
		op   schedule.Op
		want string // part of the problem
	}{
		{spec.Op(opSubtask, 9, 10, 10), ""},
		{spec.Op(opSubtask, 10, 10, 1), "with 10 groups there is no number 10"},
		{spec.Op(opSubtask, 0, 10, 11), "11 subtasks are more than the 10 key groups"},
		{spec.Op(opGroups, 2, 10, 3), ""},
		{spec.Op(opGroups, 3, 10, 3), "with 3 subtasks there is no number 3"},
		{spec.Op(opTable, 3, 4), "4 subtasks are more than the 3 key groups"},
	}
	for _, test := range tests {
		i, problem := checkScript([]schedule.Op{spec.Op(opGroup, 1, 1), test.op})
		if test.want == "" && problem != "" || test.want != "" && (i != 1 || !strings.HasPrefix(problem, test.want)) {
			t.Errorf("%s: %d %q", test.op, i, problem)
		}
	}
}

// Parallelism beyond the number of groups counts as that number: a matrix has
// every combination, and none may leave the contract.
func TestSizes(t *testing.T) {
	tests := []struct{ groups, subtasks, to, wantSubtasks, wantTo int }{
		{10, 3, 4, 3, 4},
		{10, 30, 40, 10, 10},
		{10, asMany, asMany, 10, 10},
		{10, 3, exchangeOnly, 3, exchangeOnly},
	}
	for _, test := range tests {
		groups, subtasks, to := sizes(job(nil, test.groups, test.subtasks, test.to))
		if groups != test.groups || subtasks != test.wantSubtasks || to != test.wantTo {
			t.Errorf("%+v: %d, %d, %d", test, groups, subtasks, to)
		}
	}
}

func TestSectionsExist(t *testing.T) {
	brief, err := os.ReadFile("STAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(brief), -1) {
		headings = append(headings, m[1])
	}
	for _, c := range checks {
		if !slices.Contains(headings, c.Section) {
			t.Errorf("%s: STAGE.md has no heading %q", c.Name, c.Section)
		}
		if !strings.Contains(string(brief), "**"+c.Name+"**") {
			t.Errorf("%s: STAGE.md does not say how it is judged", c.Name)
		}
	}
}

// The words of the contract, which learners read, and of the spec agree.
func TestLimits(t *testing.T) {
	largest := int64(contract.MaxParallelism)
	if product := largest * largest; product != 1<<30 {
		t.Errorf("the largest product is %d, and the contract says 2^30", product)
	}
}
