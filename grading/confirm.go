package grading

import (
	"context"
	"slices"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// confirm sees to it that no stage is said to fail for what another stage did in
// the same guest: one that leaves a goroutine behind, for example, or that takes
// all the memory. What fails beside others must fail alone as well; else the
// stage is judged again alone, and that counts.
func (r *run) confirm(ctx context.Context) error {
	for i, rec := range r.records {
		if !rec.shared || !rec.accused() {
			continue
		}
		sure, err := r.failsAlone(ctx, i)
		if err != nil || r.fault != "" {
			return err
		}
		if !sure {
			rec.forget()
			if _, err := r.together(ctx, group{i}); err != nil {
				return err
			}
		}
		rec.shared = false
	}
	return nil
}

// accused tells whether the solution failed at something that it tries to do.
func (r *record) accused() bool {
	return slices.ContainsFunc(r.failed, func(c CaseResult) bool { return c.Findings[0].Kind != fault.NotImplemented })
}

// failsAlone runs the smallest case of each check that a stage broke again, in a
// guest of its own, and tells whether each breaks its check there too.
func (r *run) failsAlone(ctx context.Context, i int) (bool, error) {
	accused := r.records[i].report()
	s := r.Stages[i]
	s.Cases, s.Explore, s.Nearby, s.Suspects, s.Before = r.records[i].smallest(accused), false, nil, nil, nil
	again := run{Config: r.Config, seeds: r.seeds}
	again.Config.Stages, again.Config.Others = []Stage{s}, r.others(group{i})
	again.Observe, again.Explain, again.Preview = false, false, false
	again.records = []*record{{stage: s}}
	_, err := again.together(ctx, group{0})
	r.fault = again.fault
	return accused.sameBreaches(again.records[0].report()), err
}

// smallest are the cases by which a report shows that checks are broken.
func (r *record) smallest(report StageReport) []schedule.Case {
	var cases []schedule.Case
	for _, f := range r.failed {
		shows := func(c CheckReport) bool { return c.Shortest == f.Case.ID }
		if slices.ContainsFunc(report.Checks, shows) {
			cases = append(cases, f.Case)
		}
	}
	slices.SortStableFunc(cases, r.compare)
	return slices.CompactFunc(cases, func(a, b schedule.Case) bool { return a.ID == b.ID })
}

// sameBreaches tells whether each check that is broken in s is in other, by the
// same case.
func (s StageReport) sameBreaches(other StageReport) bool {
	return !slices.ContainsFunc(s.Checks, func(c CheckReport) bool {
		same := func(o CheckReport) bool { return o.Name == c.Name && o.Shortest == c.Shortest }
		return c.Verdict == Fail && !slices.ContainsFunc(other.Checks, same)
	})
}
