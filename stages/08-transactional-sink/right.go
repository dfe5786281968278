package transactionalsink

import (
	"slices"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A rightJob is a second opinion on a run. It takes the calls on the sinks one
// by one and tells of each whether a right job may make it at that point. It is
// written from the contract and STAGE.md alone, and shares no code with the
// checks, which look at a whole run and say what is wrong with it. Where the
// two disagree, one of them is wrong, and that is a fault of ours.
//
// What the contract leaves open is allowed:
//   - sinks that are made and not used; reads of the output anywhere;
//   - commits and aborts without effect anywhere, also of IDs that aren't
//     positive;
//   - empty transactions anywhere, also between barriers, and whether they are
//     committed or aborted, as long as they are not left prepared;
//   - with a crash, in which order what it left is committed, if its
//     notification had arrived, and aborted; but all commits come before the
//     replay, which starts at the last of them;
//   - a pre-commit of what was open at the crash, if it is aborted then;
//   - aborts after the replay, also in the sink that it went to;
//   - in a clean finish, commits before the last pre-commit.
type rightJob struct {
	records    []stream.Record
	every, lag int
	end        int  // the source position of the crash or of the finish
	crash      bool // it is a crash

	position int // in the source, up to end
	sinks    []*rightSink
	job      *rightSink            // what was written to before the end
	shown    int                   // how many records are visible in all
	left     map[stream.Record]int // what the replay has yet to write; nil before it
}

type rightSink struct {
	open     transfer
	prepared map[stream.CheckpointID]transfer
	used     map[stream.CheckpointID]bool
}

// A transfer is a transaction on its way.
type transfer struct {
	records    int
	checkpoint int // which barrier pre-committed it; 0 for none
	replayed   bool
}

// readings returns a rightJob for each way to take the crash point: one at the
// end of the source or beyond may be taken for a clean finish.
func (a *account) readings() []*rightJob {
	finish := rightJob{records: a.records, every: a.every, lag: a.lag, end: len(a.records)}
	crash := finish
	crash.crash, crash.end = true, min(a.crash, len(a.records))
	switch {
	case a.crash == contract.NoCrash:
		return []*rightJob{&finish}
	case a.crash < len(a.records):
		return []*rightJob{&crash}
	default:
		return []*rightJob{&finish, &crash}
	}
}

// right tells whether a right job may have done all of this run.
func (a *account) right() bool {
	for _, j := range a.readings() {
		if j.takes(a.events) && j.over() {
			return holdsAll(a.records, a.result)
		}
	}
	return false
}

// unsafe is the index of the first event that no right job would have made at
// that point, or -1.
func (a *account) unsafe() int {
	last := -1
	for _, j := range a.readings() {
		at := slices.IndexFunc(a.events, func(e event) bool {
			if !j.may(e) {
				return true
			}
			j.do(e)
			return false
		})
		if at < 0 {
			return -1
		}
		last = max(last, at)
	}
	return last
}

// takes goes through a run, as far as a right job may.
func (j *rightJob) takes(run []event) bool {
	for _, e := range run {
		if !j.may(e) {
			return false
		}
		j.do(e)
	}
	return true
}

// may tells whether a right job may do e now.
func (j *rightJob) may(e event) bool {
	if e.op == opNewSink || e.op == opCommitted {
		return true
	}
	s := j.sinks[e.sink-1]
	held, holds := s.prepared[e.id]
	switch e.op {
	case opWrite:
		return j.mayWrite(s, e.record)
	case opPreCommit:
		return e.id > 0 && !s.used[e.id] && j.mayPreCommit(s.open)
	case opCommit:
		return !holds || j.mayCommit(held)
	case opAbort:
		return !holds || j.mayDrop(held)
	default:
		return j.mayDrop(s.open)
	}
}

func (j *rightJob) mayWrite(s *rightSink, r stream.Record) bool {
	if j.position < j.end {
		next := j.position + 1
		return r == j.records[j.position] && (j.job == nil || j.job == s) &&
			(s.open.records == 0 || j.position%j.every != 0) && // the barrier here is behind
			(next%j.every != 0 || j.notified(next/j.every-1))
	}
	if !j.crash || s.open.records > 0 && !s.open.replayed {
		return false // nothing is to be written, or it would share the fate of what the crash took
	}
	return j.toReplay()[r] > 0
}

// notified tells whether all commits are done that barriers up to the given one
// brought.
func (j *rightJob) notified(barrier int) bool {
	if j.job == nil {
		return true
	}
	for _, t := range j.job.prepared {
		if t.records > 0 && t.checkpoint+j.lag <= barrier {
			return false
		}
	}
	return true
}

// toReplay is what a replay has yet to write: at first all that was not visible.
func (j *rightJob) toReplay() map[stream.Record]int {
	if j.left != nil {
		return j.left
	}
	left := map[stream.Record]int{}
	for _, r := range j.records[min(j.shown, len(j.records)):] {
		left[r]++
	}
	return left
}

func (j *rightJob) mayPreCommit(t transfer) bool {
	return t.records == 0 || t.replayed || j.position%j.every == 0 || j.position == j.end
}

func (j *rightJob) mayCommit(t transfer) bool {
	switch {
	case t.records == 0 || t.replayed:
		return true
	case j.position == j.end && !j.crash: // the last flush
		return true
	case j.left != nil: // the replay brings it again
		return false
	default:
		return t.checkpoint > 0 && (t.checkpoint+j.lag)*j.every <= j.position
	}
}

// mayDrop tells whether t may be aborted: only what the crash took.
func (j *rightJob) mayDrop(t transfer) bool {
	return t.records == 0 || j.crash && j.position == j.end && !t.replayed
}

// do does e, which a right job may do.
func (j *rightJob) do(e event) {
	if e.op == opNewSink {
		j.sinks = append(j.sinks, &rightSink{prepared: map[stream.CheckpointID]transfer{}, used: map[stream.CheckpointID]bool{}})
		return
	}
	s := j.sinks[e.sink-1]
	switch e.op {
	case opWrite:
		j.write(s, e.record)
	case opPreCommit:
		if j.position%j.every == 0 {
			s.open.checkpoint = j.position / j.every
		}
		s.prepared[e.id], s.used[e.id] = s.open, true
		s.open = transfer{}
	case opCommit:
		j.shown += s.prepared[e.id].records
		delete(s.prepared, e.id)
	case opAbort:
		delete(s.prepared, e.id)
	case opAbortOpen:
		s.open = transfer{}
	}
}

func (j *rightJob) write(s *rightSink, r stream.Record) {
	s.open.records++
	if j.position < j.end {
		j.job = s
		j.position++
		return
	}
	s.open.replayed = true
	j.left = j.toReplay()
	j.left[r]--
}

// over tells whether a right job may return now: all is visible, and nothing is
// left in any sink.
func (j *rightJob) over() bool {
	for _, s := range j.sinks {
		if s.open.records > 0 || len(s.prepared) > 0 {
			return false
		}
	}
	return j.position == j.end && j.shown == len(j.records)
}

// holdsAll tells whether result has each record as often as the source.
func holdsAll(records, result []stream.Record) bool {
	if slices.Equal(records, result) { // as most do
		return true
	}
	balance := map[stream.Record]int{}
	for _, r := range records {
		balance[r]++
	}
	for _, r := range result {
		balance[r]--
	}
	for _, n := range balance {
		if n != 0 {
			return false
		}
	}
	return true
}
