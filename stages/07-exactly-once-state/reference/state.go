// Package state is the model answer of stage 07.
package state

import (
	"maps"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 07.
type Solution struct{}

var _ contract.Stage = Solution{}

// RunExactlyOnceState adds up the values of each key, exactly once.
func (Solution) RunExactlyOnceState(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) map[string]int64 {
	j := job{store: store, source: rs, every: barrierEvery}
	j.restore()
	if crashAfter != contract.NoCrash {
		j.process(crashAfter)
		j.restore() // the crash: nothing but the store is left
	}
	j.process(len(rs))
	return j.state
}

// A job is volatile: a crash loses all that is below the line.
type job struct {
	store  contract.CheckpointStore
	source []stream.Record
	every  int

	id     stream.CheckpointID // of the last checkpoint
	offset int                 // of the next record
	state  map[string]int64    // the sum per key of what was read
}

// restore goes back to the latest checkpoint, or to the beginning.
func (j *job) restore() {
	latest, _ := j.store.Latest()
	j.id, j.offset = latest.ID, latest.Offset
	j.state = map[string]int64{}
	maps.Copy(j.state, latest.State)
}

// process reads on, for at most limit records.
func (j *job) process(limit int) {
	for _, r := range j.source[j.offset:] {
		if limit == 0 {
			return
		}
		limit--
		j.state[r.Key] += r.Value
		j.offset++
		if j.offset%j.every == 0 {
			j.barrier()
		}
	}
}

// barrier saves state and offset, which belong together just here.
func (j *job) barrier() {
	j.id++
	j.store.Save(contract.Checkpoint{ID: j.id, Offset: j.offset, State: j.state})
}
