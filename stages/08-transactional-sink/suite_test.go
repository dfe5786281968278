package transactionalsink

import (
	"fmt"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	reference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/stream"
)

// job returns a case made by hand.
func job(records []stream.Record, every, crash, lag int) schedule.Case {
	text := fmt.Sprint(crash)
	if crash == contract.NoCrash {
		text = "none"
	}
	return schedule.Case{
		ID:      fmt.Sprintf("08/test/n=%d,every=%d,crash=%s,lag=%d", len(records), every, text, lag),
		Records: records,
		Params: []schedule.Setting{
			{Name: barrierEvery, Value: every, Text: fmt.Sprint(every)},
			{Name: crashAfter, Value: crash, Text: text},
			{Name: commitLag, Value: lag, Text: fmt.Sprint(lag)},
		},
	}
}

// letters returns n records, of which at most distinct are different.
func letters(n, distinct int) []stream.Record {
	rs := make([]stream.Record, n)
	for i := range rs {
		k := i % distinct
		rs[i] = stream.Record{Key: string(rune('a' + k)), Value: int64(k), Time: int64(k)}
	}
	return rs
}

// smallScope yields every job up to n records.
func smallScope(n int, yield func(schedule.Case)) {
	for n := range n + 1 {
		for _, distinct := range []int{max(n, 1), 2, 1} {
			for every := 1; every <= n+1; every++ {
				for crash := contract.NoCrash; crash <= n+1; crash++ {
					for lag := range n + 2 {
						yield(job(letters(n, distinct), every, crash, lag))
					}
				}
			}
		}
	}
}

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	if o := s.Run(c); len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
}

func TestReferencePassesSmallScope(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	smallScope(5, func(c schedule.Case) {
		expectPass(t, s, c)
		runs++
	})
	if runs < 1000 {
		t.Errorf("only %d runs", runs)
	}
}

func TestReferencePassesSequences(t *testing.T) {
	s := Native(reference.Solution{})
	runs := 0
	for c := range jobs() {
		expectPass(t, s, c)
		runs++
	}
	t.Logf("%d sequences", runs)
	if runs < 1000 {
		t.Errorf("only %d sequences", runs)
	}
}
