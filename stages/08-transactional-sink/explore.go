package transactionalsink

import (
	"fmt"
	"iter"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// maxExplored is the bound of exploration of the job: every run over up to that
// many records.
const maxExplored = 8

var jobsBound = fmt.Sprintf("every run of the job over up to %d records, all different or all equal, with every barrier distance, crash point and lag", maxExplored)

// jobs yields a case for every run of the job within the bound, those over fewer
// records first.
func jobs() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		for n := range maxExplored + 1 {
			for lag := range n + 2 {
				for _, crash := range upTo(contract.NoCrash, n+1) {
					for _, every := range upTo(1, n+1) {
						if !yield(exploredJob("distinct", n, every, crash, lag)) || n > 1 && !yield(exploredJob("equal", n, every, crash, lag)) {
							return
						}
					}
				}
			}
		}
	}
}

// exploredJob returns the case of a run over n records of the named kind.
func exploredJob(kind string, n, every, crash, lag int) schedule.Case {
	records := make([]stream.Record, n)
	for i := range records {
		records[i] = scriptRecord(1)
		if kind == "distinct" {
			records[i] = scriptRecord(int64(i + 1))
		}
	}
	c := schedule.Case{Records: records, Params: []schedule.Setting{
		setting(barrierEvery, every), setting(crashAfter, crash), setting(commitLag, lag),
	}}
	c.ID = fmt.Sprintf("%s/job/%s,n=%d", spec.Stage, kind, n)
	for i, p := range c.Params {
		c.ID += fmt.Sprintf(",%s=%s", spec.Params[i].Short, p.Text)
	}
	return c
}

func setting(name string, value int) schedule.Setting {
	s := schedule.Setting{Name: name, Value: value, Text: fmt.Sprint(value)}
	if name == crashAfter && value == contract.NoCrash {
		s.Text = "none"
	}
	return s
}
