package exactlyoncestate

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// A past is what a history has come to.
type past struct {
	store   *store
	records int
	every   int
	runs    []*run
	killed  string // how the last run that was killed ended; "" if none was
}

// history carries out runs one after the other with one store, each in a process
// of its own, whether the one before was killed or not. That is done under the
// first seed only, since it takes time.
func (s *subject) history(c schedule.Case) grading.Outcome {
	if s.turn > 0 {
		return grading.Outcome{}
	}
	p := &past{store: newStore(nil)}
	for _, op := range c.Script {
		if found := s.live(p, op); len(found) > 0 {
			for i := range found {
				found[i].Step = p.step(found[i].Step)
			}
			return outcome(found, p.runs...)
		}
	}
	return outcome(nil, p.runs...)
}

// live carries out one operation of a history.
func (s *subject) live(p *past, op schedule.Op) []grading.Finding {
	switch op.Name {
	case opRecords:
		p.records = int(op.Args[0])
	case opEvery:
		p.every = int(op.Args[0])
	case opSaved:
		p.store = newStore(earlier(stream.CheckpointID(op.Args[0]), scriptRecords(int(op.Args[1]))))
	case opRun:
		return s.oneRun(p, killPoint{}, int(op.Args[0]))
	case opKillSave, opKillSaved:
		return s.oneRun(p, killPoint{opSave, int(op.Args[0]), op.Name == opKillSaved}, int(op.Args[1]))
	case opKillLatest:
		return s.oneRun(p, killPoint{op: opLatest, call: int(op.Args[0])}, int(op.Args[1]))
	}
	return nil
}

// oneRun carries out and judges one run of a history.
func (s *subject) oneRun(p *past, kill killPoint, crash int) []grading.Finding {
	r := &run{records: scriptRecords(p.records), every: p.every, crash: crash}
	r.base, r.found = clone(p.store.latest), p.store.found
	if len(p.runs) > 0 {
		s.solution = s.restart()
	}
	p.runs = append(p.runs, r)
	s.run(p.store, r, kill, 0)
	if r.died != nil && !r.killed() {
		return []grading.Finding{grading.Died(p.check(), r.died, len(r.events)-1)}
	}
	found := r.judge()
	if r.died == nil && !slices.Equal(r.input, r.records) {
		found = append(found, *grading.Broken(isolation, -1, "The slice of input records was changed; it is only lent."))
	}
	if len(p.runs) > 1 || r.found {
		found = r.continued(found, p.check(), p.when())
	}
	if r.killed() {
		p.killed = fmt.Sprintf("run %d was killed %s", len(p.runs), kill)
	}
	return found
}

// check is what is broken if the run under way is not right.
func (p *past) check() string {
	switch {
	case p.killed != "":
		return realCrash
	case len(p.runs) > 1 || p.runs[0].found:
		return resume
	}
	return exactlyOnce
}

// when says before a problem which run has it.
func (p *past) when() string {
	switch {
	case p.killed != "":
		return fmt.Sprintf("In run %d, begun with the same store after %s: ", len(p.runs), p.killed)
	case len(p.runs) > 1:
		return fmt.Sprintf("In run %d, begun with the store that the run before left: ", len(p.runs))
	}
	return atStart
}

// step is the row of the timeline for an event of the last run.
func (p *past) step(event int) int {
	if event < 0 {
		return -1
	}
	row := event
	for _, r := range p.runs[:len(p.runs)-1] {
		row += rows(r)
	}
	return row
}

// scriptRecords are the first n records of the source of all histories: a=1,
// b=2, c=3, a=4, and so on.
func scriptRecords(n int) []stream.Record {
	rs := make([]stream.Record, n)
	for i := range rs {
		rs[i] = stream.Record{Key: string("abc"[i%3]), Value: int64(i + 1), Time: int64(i + 1)}
	}
	return rs
}

// opOf is the operation that kills a run at k, or that runs it to its end.
func opOf(k killPoint, crash int) schedule.Op {
	switch {
	case k.op == opLatest:
		return spec.Op(opKillLatest, int64(k.call), int64(crash))
	case k.op == opSave && k.after:
		return spec.Op(opKillSaved, int64(k.call), int64(crash))
	case k.op == opSave:
		return spec.Op(opKillSave, int64(k.call), int64(crash))
	default:
		return spec.Op(opRun, int64(crash))
	}
}
