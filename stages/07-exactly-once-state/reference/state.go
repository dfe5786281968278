// Package state is the model answer of stage 07. It builds on those of stages
// 02, for the state, and 06, for the barriers.
package state

import (
	keyed "github.com/flk-byo/de/stages/02-keyed-state/reference"
	barriers "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"

	keyedstate "github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 07.
type Solution struct{}

var _ contract.Stage = Solution{}

// RunExactlyOnceState adds up the values of each key, exactly once.
func (Solution) RunExactlyOnceState(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) map[string]int64 {
	source := barriers.Solution{}.InjectBarriers(rs, barrierEvery)
	j := restored(store)
	if crashAfter != contract.NoCrash {
		j.process(source, crashAfter)
		j = restored(store) // nothing of the job before is left
	}
	j.process(source, len(rs))
	return j.state.Snapshot()
}

// A job is volatile: everything in it but the store is lost in a crash.
type job struct {
	store  contract.CheckpointStore
	id     stream.CheckpointID // of the latest checkpoint
	offset int                 // of the next record to read
	state  keyedstate.State    // the sum per key of what was read
}

// restored is a job as the latest checkpoint has it, or at its beginning.
func restored(store contract.CheckpointStore) *job {
	latest, _ := store.Latest()
	j := &job{store: store, id: latest.ID, offset: latest.Offset, state: keyed.Solution{}.NewState()}
	j.state.Restore(latest.State)
	return j
}

// process reads on from the offset, for at most limit records.
func (j *job) process(source []stream.Element, limit int) {
	for _, e := range from(j.offset, source) {
		switch {
		case e.Barrier != nil:
			j.checkpoint()
		case limit == 0:
			return
		default:
			limit--
			j.add(e.Record)
		}
	}
}

// from is the source from the record at offset on. A barrier just before it has
// its checkpoint already.
func from(offset int, source []stream.Element) []stream.Element {
	for i, e := range source {
		if e.Barrier != nil {
			continue
		}
		if offset == 0 {
			return source[i:]
		}
		offset--
	}
	return nil
}

func (j *job) add(r stream.Record) {
	sum, _ := j.state.Get(r.Key)
	j.state.Put(r.Key, sum+r.Value)
	j.offset++
}

// checkpoint saves state and offset, which belong together just here.
func (j *job) checkpoint() {
	j.id++
	j.store.Save(contract.Checkpoint{ID: j.id, Offset: j.offset, State: j.state.Snapshot()})
}
