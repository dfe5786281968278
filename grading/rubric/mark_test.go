package rubric_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/harness/fault"
)

const (
	pass         = grading.Pass
	fail         = grading.Fail
	blocked      = grading.Blocked
	inconclusive = grading.Inconclusive
	harnessFault = grading.HarnessFault
)

// judged is the report of a stage of suites, given the verdicts of its checks.
func judged(stage int, verdict grading.Verdict, checks ...grading.Verdict) grading.StageReport {
	s := grading.StageReport{Stage: suites[stage].ID, Verdict: verdict}
	for i, v := range checks {
		c := grading.CheckReport{Name: suites[stage].Checks[i].Name, Verdict: v}
		switch v {
		case fail:
			c.Kind = fault.WrongOutput
		case blocked:
			c.BlockedBy = suites[stage].Checks[0].Name
		}
		s.Checks = append(s.Checks, c)
	}
	return s
}

func reported(verdict grading.Verdict, stages ...grading.StageReport) grading.Report {
	return grading.Report{Verdict: verdict, Stages: stages}
}

var (
	sound = judged(0, pass, pass, pass, pass)
	right = judged(1, pass, pass, pass, pass)
)

const (
	gated      = "  01: {points: 3, regression: weigh}\n  02: {points: 9, gate: output}"
	gatedWhole = "  01: {regression: gate}\n  02: {points: 9}"
	shown      = "  01: {regression: report}\n  02: {points: 9, checks: {output: 9}}"
)

func TestMark(t *testing.T) {
	uncompiled := grading.StageReport{Stage: "02", Verdict: fail, Kind: fault.DoesNotCompile, Problem: "x.go:1: ..."}
	builtOn := grading.StageReport{Stage: "02", Verdict: blocked, Kind: fault.DoesNotCompile, BlockedBy: "01"}
	tests := []struct {
		name, rubric string
		report       grading.Report
		want         []string // rows, and the total
	}{
		{"all passes", gated, reported(pass, right, sound), []string{
			"01: 3 of 3, pass, 3 of 3 checks",
			"02 output: 3 of 3, pass, ", "02 sums: 3 of 3, pass, ", "02 leaks: 3 of 3, pass, ", "12 of 12"}},
		{"one check fails", gated, reported(fail, judged(1, fail, pass, fail, pass), sound), []string{
			"01: 3 of 3, pass, 3 of 3 checks",
			"02 output: 3 of 3, pass, ", "02 sums: 0 of 3, fail, wrong output", "02 leaks: 3 of 3, pass, ", "9 of 12"}},
		{"the gate fails", gated, reported(fail, judged(1, fail, fail, pass, blocked), sound), []string{
			"01: 3 of 3, pass, 3 of 3 checks",
			"02 output: 0 of 3, fail, wrong output", "02 sums: 0 of 3, pass, gate output failed", "02 leaks: 0 of 3, blocked, blocked by output", "3 of 12"}},
		{"the gate is blocked", gated, reported(fail, judged(1, fail, blocked, pass, pass), sound), []string{
			"01: 3 of 3, pass, 3 of 3 checks",
			"02 output: 0 of 3, blocked, blocked by output", "02 sums: 0 of 3, pass, gate output failed", "02 leaks: 0 of 3, pass, gate output failed", "3 of 12"}},
		{"a regression loses a part", gated, reported(fail, right, judged(0, fail, pass, fail, blocked)), []string{
			"01: 1 of 3, fail, 1 of 3 checks",
			"02 output: 3 of 3, pass, ", "02 sums: 3 of 3, pass, ", "02 leaks: 3 of 3, pass, ", "10 of 12"}},
		{"does not compile", gated, reported(fail, uncompiled, sound), []string{
			"01: 3 of 3, pass, 3 of 3 checks",
			"02 output: 0 of 3, fail, does not compile", "02 sums: 0 of 3, fail, does not compile", "02 leaks: 0 of 3, fail, does not compile", "3 of 12"}},
		{"built on what does not compile", gated, reported(fail, builtOn, sound), []string{
			"01: 3 of 3, pass, 3 of 3 checks",
			"02 output: 0 of 3, blocked, blocked by stage 01", "02 sums: 0 of 3, blocked, blocked by stage 01", "02 leaks: 0 of 3, blocked, blocked by stage 01", "3 of 12"}},
		{"a regression is not handed in", gated, reported(pass, right), []string{
			"01: 0 of 3, fail, nothing to judge",
			"02 output: 3 of 3, pass, ", "02 sums: 3 of 3, pass, ", "02 leaks: 3 of 3, pass, ", "9 of 12"}},
		{"nothing is handed in", gated, reported(fail), []string{
			"01: 0 of 3, fail, nothing to judge",
			"02 output: 0 of 3, fail, nothing to judge", "02 sums: 0 of 3, fail, nothing to judge", "02 leaks: 0 of 3, fail, nothing to judge", "0 of 12"}},
		{"a stage gates the whole", gatedWhole, reported(fail, judged(1, fail, pass, fail, pass), judged(0, fail, pass, fail, pass)), []string{
			"01: 0 of 0, fail, 2 of 3 checks",
			"02 output: 0 of 3, pass, gate stage 01 failed", "02 sums: 0 of 3, fail, wrong output", "02 leaks: 0 of 3, pass, gate stage 01 failed", "0 of 9"}},
		{"a stage that would gate passes", gatedWhole, reported(pass, right, sound), []string{
			"01: 0 of 0, pass, 3 of 3 checks",
			"02 output: 3 of 3, pass, ", "02 sums: 3 of 3, pass, ", "02 leaks: 3 of 3, pass, ", "9 of 9"}},
		{"a part is taken, too", "  01: {points: 3, regression: weigh}\n  02: {regression: gate}",
			reported(fail, judged(1, fail, pass, fail, pass), judged(0, fail, pass, fail, pass)), []string{
				"01: 0 of 3, fail, 2 of 3 checks; gate stage 02 failed", "02: 0 of 0, fail, 2 of 3 checks", "0 of 3"}},
		{"a regression is only shown", shown, reported(fail, right, judged(0, fail, fail, fail, pass)), []string{
			"01: 0 of 0, fail, 1 of 3 checks",
			"02 output: 9 of 9, pass, ", "02 sums: 0 of 0, pass, ", "02 leaks: 0 of 0, pass, ", "9 of 9"}},
		{"a regression fails in one way", shown, reported(fail, right, judged(0, fail, fail, fail, fail)), []string{
			"01: 0 of 0, fail, wrong output",
			"02 output: 9 of 9, pass, ", "02 sums: 0 of 0, pass, ", "02 leaks: 0 of 0, pass, ", "9 of 9"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			marks := load(t, head+test.rubric).Mark(test.report)
			if got := lines(marks); !slices.Equal(got, test.want) {
				t.Errorf("marks\n%q\nwant\n%q", got, test.want)
			}
			if !marks.Final || marks.Flags != nil {
				t.Errorf("final: %v, with the flags %q", marks.Final, marks.Flags)
			}
		})
	}
}

func lines(m rubric.Marks) []string {
	var lines []string
	for _, r := range m.Rows {
		name := r.Stage
		if r.Check != "" {
			name += " " + r.Check
		}
		lines = append(lines, name+": "+r.Points.String()+" of "+r.Of.String()+", "+string(r.Verdict)+", "+r.Words)
	}
	return append(lines, m.Total.String()+" of "+m.Of.String())
}

// What has no verdict is never scored without a word to the instructor.
func TestMarkFlags(t *testing.T) {
	tests := []struct {
		name, rubric string
		report       grading.Report
		total        string
		final        bool
		flags        []string
	}{
		{"a check", gated, reported(inconclusive, judged(1, inconclusive, pass, inconclusive, pass), sound),
			"9", false, []string{"stage 02: inconclusive: sums; the mark is not final"}},
		{"a stage, and why", gated, reported(inconclusive, grading.StageReport{
			Stage: "02", Verdict: inconclusive, Problem: "The budget of 90 s was used up",
			Checks: judged(1, inconclusive, inconclusive, inconclusive, inconclusive).Checks,
		}, sound),
			"3", false, []string{"stage 02: inconclusive: all 3 checks: The budget of 90 s was used up; the mark is not final"}},
		{"a stage that never began", gated, reported(inconclusive, grading.StageReport{Stage: "02", Verdict: inconclusive}, sound),
			"3", false, []string{"stage 02: inconclusive: all 3 checks; the mark is not final"}},
		{"a stage whose checks all passed", gated, reported(inconclusive, judged(1, inconclusive, pass, pass, pass), sound),
			"12", false, []string{"stage 02: inconclusive: all 3 checks; the mark is not final"}},
		{"a gate", shownGate, reported(inconclusive, judged(1, inconclusive, pass, inconclusive, pass), sound),
			"0", false, []string{"stage 02: inconclusive: sums; the mark is not final"}},
		{"a check behind a gate that fails", gated, reported(fail, judged(1, fail, fail, inconclusive, pass), sound),
			"3", true, []string{"stage 02: inconclusive: sums"}},
		{"a stage that gates", gatedWhole, reported(inconclusive, right, judged(0, inconclusive, pass, pass, inconclusive)),
			"0", false, []string{"stage 01: inconclusive: reading; the mark is not final"}},
		{"a check of no weight", shown, reported(inconclusive, judged(1, inconclusive, pass, inconclusive, pass), sound),
			"9", true, []string{"stage 02: inconclusive: sums"}},
		{"a check that is missing", gated, reported(pass, judged(1, pass, pass, pass), sound),
			"9", false, []string{"stage 02: inconclusive: leaks; the mark is not final"}},
		{"a harness fault of a stage", gated, reported(harnessFault, judged(1, harnessFault), sound),
			"0", false, []string{"harness fault, nothing is scored; the mark is not final"}},
		{"a harness fault of all", gated, grading.Report{Verdict: harnessFault, Problem: "the disk is full", Stages: []grading.StageReport{right, sound}},
			"0", false, []string{"harness fault, nothing is scored: the disk is full; the mark is not final"}},
		{"nothing was judged", gated, grading.Report{Verdict: inconclusive, Problem: "it could not be read"},
			"0", false, []string{"inconclusive, nothing is scored: it could not be read; the mark is not final"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			marks := load(t, head+test.rubric).Mark(test.report)
			if marks.Total.String() != test.total || marks.Final != test.final || !slices.Equal(marks.Flags, test.flags) {
				t.Errorf("%v points, final: %v, flags %q\nwant %v, %v, %q", marks.Total, marks.Final, marks.Flags, test.total, test.final, test.flags)
			}
		})
	}
}

// shownGate has a gate that has no points of its own.
const shownGate = "  02: {points: 9, gate: sums, checks: {output: 9}}"

// TestMarksAddUp marks reports made by chance, many of which no run would make.
func TestMarksAddUp(t *testing.T) {
	for seed := range uint64(2000) {
		chance := rand.New(rand.NewPCG(seed, 1))
		r, report := anyRubric(t, chance), anyReport(chance)
		marks := r.Mark(report)
		var total, of rubric.Points
		for _, row := range marks.Rows {
			total, of = total+row.Points, of+row.Of
			if row.Points < 0 || row.Points > row.Of {
				t.Errorf("seed %d: %v of %v points in %+v", seed, row.Points, row.Of, row)
			}
			if row.Points < row.Of && row.Words == "" {
				t.Errorf("seed %d: points are missing without a word in %+v", seed, row)
			}
			if row.Of > 0 && marks.Final && !gateFails(r, marks, row.Stage) && (row.Verdict == inconclusive || row.Verdict == harnessFault) {
				t.Errorf("seed %d: final, with %+v", seed, row)
			}
		}
		if marks.Total != total || marks.Of != of || of != r.Of() {
			t.Errorf("seed %d: %v of %v; the rows come to %v of %v, and the rubric to %v", seed, marks.Total, marks.Of, total, of, r.Of())
		}
		if !reflect.DeepEqual(r.Mark(report), marks) {
			t.Errorf("seed %d: marks differ from time to time", seed)
		}
	}
}

// gateFails tells whether a check takes all points of a stage, so that it does
// not matter what is open there.
func gateFails(r rubric.Rubric, marks rubric.Marks, stage string) bool {
	for _, s := range r.Stages {
		for _, row := range marks.Rows {
			if s.ID == stage && row.Stage == stage && s.Gate != "" && row.Check == s.Gate {
				return row.Verdict == fail || row.Verdict == blocked
			}
		}
	}
	return false
}

func anyRubric(t *testing.T, chance *rand.Rand) rubric.Rubric {
	points := func() string { return strconv.Itoa(1+chance.IntN(90)) + "." + strconv.Itoa(chance.IntN(100)) }
	firsts := []string{"regression: gate", "regression: report", "regression: weigh, points: " + points(), "points: " + points() + ", gate: chance"}
	lasts := []string{"", ", gate: leaks", ", checks: {sums: 0.33}, gate: output", ", regression: weigh"}
	return load(t, head+"  01: {"+firsts[chance.IntN(len(firsts))]+"}\n  02: {points: "+points()+lasts[chance.IntN(len(lasts))]+"}\n")
}

func anyReport(chance *rand.Rand) grading.Report {
	verdicts := []grading.Verdict{pass, pass, pass, fail, blocked, inconclusive, harnessFault}
	anyVerdict := func() grading.Verdict { return verdicts[chance.IntN(len(verdicts))] }
	report := grading.Report{Verdict: anyVerdict()}
	for stage := range suites {
		if chance.IntN(8) == 0 {
			continue
		}
		var checks []grading.Verdict
		for range chance.IntN(4) {
			checks = append(checks, anyVerdict())
		}
		s := judged(stage, anyVerdict(), checks...)
		if s.Verdict == fail {
			s.Kind = fault.DoesNotCompile
		}
		report.Stages = append(report.Stages, s)
	}
	return report
}
