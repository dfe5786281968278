package grading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// report makes the report of what was noted down.
func (r *run) report() Report {
	report := Report{
		Version: ReportVersion, Course: r.Course, Subject: r.Subject,
		Seed: r.Seed, Seeds: r.Seeds, Budget: Millis(r.Budget), NoteList: r.Notes,
		Verdict: Pass, Problem: r.problem, Stages: []StageReport{},
	}
	for i, rec := range r.records {
		s := rec.report()
		r.keep(i, s)
		s.Regression = i > 0
		if r.Each {
			s.Each = rec.each()
		}
		report.Stages = append(report.Stages, s)
		report.Verdict = worse(report.Verdict, s.Verdict)
	}
	for i := range report.Stages {
		if s := &report.Stages[i]; s.Verdict == Fail {
			s.BuiltOn = r.failingBelow(i, report.Stages)
		}
	}
	if r.fault != "" {
		report.Verdict, report.Problem = HarnessFault, r.fault
	}
	return report
}

// worse returns the verdict that decides: a proven failure stays one, even if
// a limit was reached elsewhere.
func worse(a, b Verdict) Verdict {
	order := []Verdict{Pass, Blocked, Inconclusive, Fail, HarnessFault}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// report decides the verdicts of a stage.
func (r *record) report() StageReport {
	if r.kept != nil {
		return r.kept.report()
	}
	suite := r.stage.Suite
	report := StageReport{
		Stage: suite.ID, Slug: suite.Slug, Title: suite.Title, Elapsed: Millis(r.elapsed),
		Kind: r.kind, Problem: r.problem, Compile: r.diagnostic, Checks: []CheckReport{},
		Cases: r.count(false), Explored: r.count(true),
	}
	slices.Sort(r.cameUp)
	report.CameUp = slices.Compact(r.cameUp)
	if r.stage.Explore {
		report.Bound = suite.bound(r.stage.Longer)
	}
	if r.kind != "" {
		report.Verdict, report.BlockedBy = Fail, r.blockedBy
		if r.blockedBy != "" {
			report.Verdict = Blocked
		}
		return report
	}
	report.Nearby = r.nearby()
	best := r.best()
	for _, check := range suite.Checks {
		report.Checks = append(report.Checks, r.check(check, best))
	}
	report.Verdict = Pass
	if !r.complete() || len(r.began) < r.total {
		report.Verdict = Inconclusive
		report.Problem = r.stop
	}
	if head, ok := r.headline(best); ok {
		report.Verdict = Fail
		report.Kind = head.finding.Kind
		report.Failure = r.failure(head)
	}
	return report
}

func (r *record) count(explored bool) Count {
	n := Count{Total: len(r.stage.Cases)}
	if explored {
		n.Total = 0
		for place := len(r.stage.Cases); place < r.total; place++ {
			n.Total += r.weight(place)
		}
	}
	for place := range r.began {
		if (place >= len(r.stage.Cases)) == explored {
			n.Ran += r.weight(place)
		}
	}
	for _, f := range r.failed {
		if f.Explored == explored {
			n.Failed++
		}
	}
	return n
}

// A breach is a check as broken by one case.
type breach struct {
	result  CaseResult
	finding Finding
	count   int  // how many cases broke the check
	blocked bool // all of them count only without the check in finding.Unless, which is broken
}

// best returns for each broken check its smallest case, or one that is blocked
// where there are only such.
func (r *record) best() map[string]breach {
	order := slices.Clone(r.explained())
	slices.SortStableFunc(order, func(a, b CaseResult) int {
		return cmp.Or(r.compare(a.Case, b.Case), cmp.Compare(a.Index, b.Index))
	})
	broken := map[string]bool{}
	for _, result := range order {
		for _, f := range result.Findings {
			broken[f.Check] = broken[f.Check] || f.Unless == ""
		}
	}
	best := map[string]breach{}
	for _, result := range order {
		for _, f := range result.Findings {
			blocked := f.Unless != "" && broken[f.Unless]
			b, seen := best[f.Check]
			switch {
			case !seen || b.blocked && !blocked || b.result.Leaks && !result.Leaks && blocked == b.blocked:
				best[f.Check] = breach{result, f, b.count + 1, blocked}
			default:
				b.count++
				best[f.Check] = b
			}
		}
	}
	return best
}

func (r *record) compare(a, b schedule.Case) int {
	if r.stage.Suite.Compare == nil {
		return 0
	}
	return r.stage.Suite.Compare(a, b)
}

func (r *record) check(check Check, best map[string]breach) CheckReport {
	report := CheckReport{Name: check.Name, Rule: check.Rule, Verdict: Pass}
	b, broken := best[check.Name]
	switch {
	case broken && b.blocked:
		report.Verdict, report.BlockedBy = Blocked, b.finding.Unless
	case broken:
		report.Verdict, report.Kind = Fail, b.finding.Kind
		report.Failed, report.Shortest, report.Problem = b.count, b.result.Case.ID, b.finding.Problem
	case check.After != "" && best[check.After].finding.Fault != nil:
		report.Verdict, report.BlockedBy = Blocked, check.After
	case !r.complete():
		report.Verdict = Inconclusive
	}
	return report
}

// headline is the breach to show: an outcome that depends on chance before all,
// since the others may; else that of the first broken check.
func (r *record) headline(best map[string]breach) (breach, bool) {
	suite := r.stage.Suite
	names := []string{suite.Deterministic}
	for _, check := range suite.Checks {
		names = append(names, check.Name)
	}
	for _, name := range names {
		if b, ok := best[name]; ok && !b.blocked {
			return b, true
		}
	}
	return breach{}, false
}

func (r *record) failure(b breach) *Failure {
	f := &Failure{
		Case: b.result.Case.ID, Steps: b.result.Steps, Unsafe: b.result.Unsafe, Printed: b.result.Printed,
		Otherwise: b.result.Otherwise,
	}
	if len(f.Steps) == 0 {
		f.Unsafe = -1
	}
	f.Finding = append(f.Finding, b.finding)
	for _, other := range b.result.Findings {
		unless := func(f Finding) bool { return f.Check == other.Unless }
		if other.Check != b.finding.Check && !slices.ContainsFunc(b.result.Findings, unless) {
			f.Finding = append(f.Finding, other)
		}
	}
	for _, check := range r.stage.Suite.Checks {
		if check.Name == b.finding.Check {
			f.Why, f.Section, f.Hint = check.Why, check.Section, check.Hint
		}
	}
	f.Input = facts(b.result.Case)
	return f
}

// facts says in words what a case puts in.
func facts(c schedule.Case) []Fact {
	if c.Script != nil {
		var ops []string
		for i, op := range c.Script {
			if i == maxListed {
				ops = append(ops, fmt.Sprintf("and %d more", len(c.Script)-i))
				break
			}
			ops = append(ops, op.String())
		}
		return []Fact{{"operations", strings.Join(ops, ", ")}}
	}
	input := []Fact{{"records", recordList(c.Records)}}
	for _, p := range c.Params {
		input = append(input, Fact{p.Name, p.Text})
	}
	return input
}

// maxListed is how many records or operations of an input are shown; --case and
// the schedule give the rest.
const maxListed = 50

func recordList(rs []stream.Record) string {
	if len(rs) == 0 {
		return "none"
	}
	words := make([]string, 0, maxListed+1)
	for i, r := range rs {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(rs)-i))
			break
		}
		words = append(words, diff.Record(r))
	}
	return strings.Join(words, ", ")
}
