package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/flk-byo/de/stages"
)

// growth tells how the time of a run grows: by its report, so without what each
// run of de takes anyway. A ratio of 1 is a straight line through the first row.
func (b *bench) growth() error {
	l, err := b.newLearner("growth")
	if err != nil {
		return err
	}
	if err := l.grows("cases", []int{400, 800, 1600, 3200}, func(n int) string {
		return grid(n/400, "20", "[none, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]")
	}); err != nil {
		return err
	}
	if err := l.grows("records", []int{250, 500, 1000, 2000}, func(n int) string { return grid(1, fmt.Sprint(n), "[none, 200]") }); err != nil {
		return err
	}
	return l.stagesGrow()
}

// grid is a schedule of so many times the same cases.
func grid(times int, count, crash string) string {
	var text strings.Builder
	text.WriteString("stage: FLK-BYO/08\ntitle: for the bench\ncases:\n")
	for i := range times {
		fmt.Fprintf(&text, "  - name: grid-%d\n    records: {count: %s}\n    barrier_every: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]\n    crash_after: %s\n    commit_lag: 1\n", i+1, count, crash)
	}
	return text.String()
}

// grows times stage 08 on schedules of growing size.
func (l *learner) grows(what string, sizes []int, schedule func(int) string) error {
	rows := []string{what + "\trun and judge\tto linear"}
	var first time.Duration
	fresh := l.freshly()
	for _, n := range sizes {
		file := filepath.Join(l.dir, "growth.yaml")
		if err := os.WriteFile(file, []byte(schedule(n)), 0o666); err != nil {
			return err
		}
		var took []time.Duration
		for range min(l.runs, 5) {
			r, err := l.report(append(fresh, "--schedule", file, "--stage-only", lastSuite().ID)...)
			if err != nil {
				return err
			}
			took = append(took, time.Duration(r.Stages[0].Elapsed))
		}
		now := median(took)
		if first == 0 {
			first = now
		}
		rows = append(rows, fmt.Sprintf("%d\t%s\t%s", n, millis(now), ratio(now, first*time.Duration(n)/time.Duration(sizes[0]))))
	}
	l.table(rows...)
	return nil
}

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.2f", float64(a)/float64(b)) }

// stagesGrow compares what de test takes for the first stages together with what
// the first alone takes, and the others add by their own reports.
func (l *learner) stagesGrow() error {
	rows := []string{"stages\tde test\tto linear"}
	all := stages.All()
	fresh := l.freshly()
	own := map[string][]time.Duration{}
	whole := make([][]time.Duration, len(all))
	for range min(l.runs, 3) {
		for i, suite := range all {
			start := time.Now()
			r, err := l.report(append(fresh, suite.ID)...)
			if err != nil {
				return err
			}
			whole[i] = append(whole[i], time.Since(start))
			for _, s := range r.Stages {
				own[s.Stage] = append(own[s.Stage], time.Duration(s.Elapsed))
			}
		}
	}
	linear := median(whole[0]) - median(own[all[0].ID])
	for i, suite := range all {
		linear += median(own[suite.ID])
		rows = append(rows, fmt.Sprintf("%d\t%s\t%s", i+1, millis(median(whole[i])), ratio(median(whole[i]), linear)))
	}
	l.table(rows...)
	return nil
}

// freshly is the flag, if de has it, that keeps it from showing results of before.
func (l *learner) freshly() []string {
	if help, err := l.must(0, "test", "--help"); err == nil && strings.Contains(string(help.out), "--fresh") {
		return []string{"--fresh"}
	}
	return nil
}
