package exactlyoncestate

import (
	"maps"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A rightRun is a second opinion on a run. It takes the calls on the store one
// by one and tells of each whether a right run may make it at that point. It is
// written from the contract and STAGE.md alone, and shares no code with the
// checks, which look at a whole run and say what is wrong with it. Where the two
// disagree, one of them is wrong, and that is a fault of ours.
//
// What the contract leaves open is allowed:
//   - questions to the store anywhere;
//   - the latest checkpoint saved again, and one at the end of the source;
//   - IDs with gaps;
//   - a crash on a barrier, before or after its checkpoint;
//   - a crash at the end or beyond, and one before the first record, without a
//     question of its own.
type rightRun struct {
	records []stream.Record
	every   int
	crash   int // the source position of the crash

	asked   bool // for what to begin with
	crashed bool // it is past the crash, or goes on as if there were none

	latest contract.Checkpoint // in the store
	next   int                 // where the next barrier is
}

// model is a right run at its beginning.
func (r *run) model() *rightRun {
	sooner := r.crash != contract.NoCrash && 0 < r.crash && r.crash < len(r.records)-r.base.Offset
	return &rightRun{
		records: r.records, every: r.every, crash: r.base.Offset + r.crash,
		asked: r.begun, crashed: !sooner,
		latest: r.base, next: (r.base.Offset/r.every + 1) * r.every,
	}
}

// right tells whether a right run may have done all this. One that is killed is
// right up to there.
func (r *run) right() bool {
	m := r.model()
	for _, e := range r.events {
		if !m.may(e) {
			return false
		}
		m.do(e)
	}
	return r.killed() || m.over() && maps.Equal(r.result, m.sums(len(r.records)))
}

// unsafe is the row of the first call that no right run would have made at that
// point, or -1.
func unsafe(runs []*run) int {
	row := 0
	for _, r := range runs {
		m := r.model()
		for i, e := range r.events {
			if !m.may(e) {
				return row + i
			}
			m.do(e)
		}
		row += rows(r)
	}
	return -1
}

// may tells whether a right run may make the call now.
func (m *rightRun) may(e event) bool {
	if e.op == opLatest {
		return true
	}
	c := e.checkpoint
	return m.asked && c.ID > m.latest.ID && m.mayCut(c.Offset) && maps.Equal(c.State, m.sums(c.Offset))
}

// mayCut tells whether a checkpoint may be of that offset: of the latest, of the
// next barrier, or of the end if no barrier is before it.
func (m *rightRun) mayCut(offset int) bool {
	switch {
	case offset == m.latest.Offset:
		return true
	case offset > m.crash && !m.crashed:
		return false
	default:
		return offset == min(m.next, len(m.records))
	}
}

// sums are those of the latest checkpoint and the records from there on.
func (m *rightRun) sums(offset int) map[string]int64 {
	sums := map[string]int64{}
	maps.Copy(sums, m.latest.State)
	for _, r := range m.records[m.latest.Offset:offset] {
		sums[r.Key] += r.Value
	}
	return sums
}

// do makes the call. The first question that can be the one after the crash is
// taken for it, since that leaves most open to what follows.
func (m *rightRun) do(e event) {
	switch {
	case e.op == opSave:
		m.latest = e.checkpoint
		if m.latest.Offset == m.next {
			m.next += m.every
		}
	case m.asked && m.next >= m.crash:
		m.crashed = true
	default:
		m.asked = true
	}
}

// over tells whether a right run may return now.
func (m *rightRun) over() bool {
	return m.asked && m.crashed && m.next > len(m.records)
}
