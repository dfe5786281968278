package exactlyoncestate

import (
	"maps"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/stream"
)

var situations = append(runSigns.Situations(), historySigns.Situations()...)

// runSigns are told by the account of one run.
var runSigns = grading.Signs[*run]{
	{"empty-source", "The source has no records.", func(r *run) bool {
		return len(r.records) == 0
	}},
	{"barrier-at-the-end", "The last barrier falls on the end of the source.", func(r *run) bool {
		return len(r.records) > 0 && r.barrier(len(r.records)) > 0
	}},
	{"records-behind-the-last-barrier", "The source ends between two barriers.", func(r *run) bool {
		return len(r.records) > r.every && r.barrier(len(r.records)) == 0
	}},
	{"no-barrier", "The source ends before the first barrier.", func(r *run) bool {
		return 0 < len(r.records) && len(r.records) < r.every
	}},
	{"more-than-eight-checkpoints", "A run saves a ninth checkpoint.", func(r *run) bool {
		return r.saves(func(event) bool { return true }) > 8
	}},
	{"equal-neighbours", "A record equals the one before it.", func(r *run) bool {
		return len(slices.Compact(slices.Clone(r.records))) < len(r.records)
	}},
	{"record-without-a-key", "A record has the empty key.", func(r *run) bool {
		return slices.ContainsFunc(r.records, func(r stream.Record) bool { return r.Key == "" })
	}},
	{"sum-of-zero-in-a-checkpoint", "A checkpoint is saved in which the sum of a key is 0.", func(r *run) bool {
		return r.saves(func(e event) bool { return slices.Contains(slices.Collect(maps.Values(e.checkpoint.State)), 0) }) > 0
	}},
	{"sum-that-wraps-around", "The sum of a key goes beyond the range of an int64.", (*run).wraps},

	{"crash-at-0", "The crash comes before the first record.", func(r *run) bool {
		_, ok := r.crashes()
		return ok && r.crash == 0
	}},
	{"crash-before-the-first-checkpoint", "The crash comes when records were processed, and no checkpoint was saved.", func(r *run) bool {
		at, ok := r.crashes()
		return ok && r.crash > 0 && !r.found && at < r.every
	}},
	{"crash-on-a-barrier", "The crash falls on a barrier.", func(r *run) bool {
		at, ok := r.crashes()
		return ok && r.barrier(at) > 0
	}},
	{"crash-right-after-a-barrier", "The crash comes one record after a barrier, and on none.", func(r *run) bool {
		at, ok := r.crashes()
		return ok && r.every > 1 && r.crash > 0 && r.barrier(at-1) > 0
	}},
	{"crash-at-the-end", "The crash comes after the last record.", func(r *run) bool {
		return r.crash > 0 && r.crash == len(r.records)-r.base.Offset
	}},
	{"crash-beyond-the-end", "The crash would come after more records than there are.", func(r *run) bool {
		return r.crash > len(r.records)-r.base.Offset
	}},
	{"checkpoint-in-the-replay", "After the crash a run comes to barriers that are new to it.", func(r *run) bool {
		at, ok := r.crashes()
		return ok && r.saves(func(e event) bool { return e.checkpoint.Offset > at }) > 0
	}},
	{"key-before-and-after-the-restored-offset", "A key comes on both sides of the offset from which the source is replayed.", func(r *run) bool {
		before, after, ok := r.restored()
		return ok && shareKey(before, after)
	}},
	{"new-key-lost-in-the-crash", "A key comes for the first time between the last checkpoint and the crash.", func(r *run) bool {
		before, after, ok := r.restored()
		at, _ := r.crashes()
		lost := after[:min(max(0, at-len(before)), len(after))]
		return ok && slices.ContainsFunc(lost, func(s stream.Record) bool { return !shareKey(before, []stream.Record{s}) })
	}},

	{"found-at-offset-0", "A run finds a checkpoint of offset 0.", func(r *run) bool {
		return r.found && r.base.Offset == 0
	}},
	{"found-between-barriers", "A run finds a checkpoint whose offset is that of no barrier.", func(r *run) bool {
		return r.found && r.base.Offset%r.every > 0
	}},
	{"found-at-the-end", "A run finds a checkpoint of the end, and has nothing to process.", func(r *run) bool {
		return r.found && r.base.Offset > 0 && r.base.Offset == len(r.records)
	}},
	{"found-with-another-state", "A run finds a state that the records before the offset do not come to.", func(r *run) bool {
		before, _ := r.split(r.base.Offset)
		return r.found && !same(r.base.State, sumsAfter(nil, before))
	}},
	{"found-with-another-id", "A run finds a checkpoint whose ID is not the number of its barrier.", func(r *run) bool {
		return r.found && r.base.Offset > 0 && int(r.base.ID) != r.barrier(r.base.Offset)
	}},
	{"found-and-crashed", "A run that found a checkpoint, not of offset 0, crashes.", func(r *run) bool {
		_, ok := r.crashes()
		return ok && r.base.Offset > 0
	}},
}

// historySigns are told by all runs with one store.
var historySigns = grading.Signs[[]*run]{
	{"killed-before-a-save-is-durable", "A run is killed in a save that does not take effect.", func(runs []*run) bool {
		return killedIn(runs, func(r *run, i int) bool { return r.events[i].op == opSave && !r.events[i].effect })
	}},
	{"killed-after-a-save-is-durable", "A run is killed in a save that took effect.", func(runs []*run) bool {
		return killedIn(runs, func(r *run, i int) bool { return r.events[i].effect })
	}},
	{"killed-in-the-first-question", "A run is killed when it asks for the latest checkpoint at its beginning.", func(runs []*run) bool {
		return killedIn(runs, func(r *run, i int) bool { return r.events[i].op == opLatest && i == 0 })
	}},
	{"killed-in-the-question-after-a-crash", "A run is killed when it asks for the latest checkpoint after its crash.", func(runs []*run) bool {
		return killedIn(runs, func(r *run, i int) bool { return r.events[i].op == opLatest && i > 0 })
	}},
	{"killed-in-the-replay", "A run is killed in a save after its crash.", func(runs []*run) bool {
		return killedIn(runs, func(r *run, i int) bool { return r.events[i].op == opSave && r.afterCrash(i) })
	}},
	{"killed-twice", "Two runs in a row are killed.", func(runs []*run) bool {
		return inARow(runs, func(before, r *run) bool { return before.killed() && r.killed() })
	}},
	{"killed-with-nothing-saved", "A run was killed, and the next finds no checkpoint.", func(runs []*run) bool {
		return inARow(runs, func(before, r *run) bool { return before.killed() && !r.found })
	}},
	{"crashed-after-a-kill", "A run was killed, and the next goes on from a checkpoint and crashes.", func(runs []*run) bool {
		return inARow(runs, func(before, r *run) bool { _, ok := r.crashes(); return before.killed() && r.found && ok })
	}},
	{"begun-again-with-more-records", "A run begins where another ended, with more records.", func(runs []*run) bool {
		return inARow(runs, func(before, r *run) bool { return r.found && len(r.records) > len(before.records) })
	}},
	{"begun-again-with-another-distance", "A run begins with the checkpoint of one whose barriers were another distance apart.", func(runs []*run) bool {
		return inARow(runs, func(before, r *run) bool { return r.found && r.every != before.every })
	}},
}

// seen returns the names of the situations that came up in runs with one store.
func seen(runs []*run) []string {
	return append(runSigns.During(slices.Values(runs)), historySigns.In(runs)...)
}

// saves counts the checkpoints that were saved, of those that are wanted.
func (r *run) saves(wanted func(event) bool) int {
	n := 0
	for _, e := range r.events {
		n += oneIf(e.op == opSave && wanted(e))
	}
	return n
}

// wraps tells whether a sum overflows on the way from base to the end.
func (r *run) wraps() bool {
	sums := sumsAfter(r.base.State, nil)
	_, rest := r.split(r.base.Offset)
	for _, s := range rest {
		before := sums[s.Key]
		sums[s.Key] += s.Value
		if (sums[s.Key] < before) != (s.Value < 0) {
			return true
		}
	}
	return false
}

// restored returns the records before the offset from which a run replayed the
// source, and those after it, if it surely recovered from a checkpoint.
func (r *run) restored() (before, after []stream.Record, ok bool) {
	i, ok := r.recovered()
	if !ok || !r.events[i].found {
		return nil, nil, false
	}
	before, after = r.split(r.events[i].checkpoint.Offset)
	return before, after, true
}

// split returns the records before an offset and after it. One that a wrong run
// saved can lie anywhere.
func (r *run) split(offset int) (before, after []stream.Record) {
	offset = min(max(0, offset), len(r.records))
	return r.records[:offset], r.records[offset:]
}

func shareKey(some, others []stream.Record) bool {
	return slices.ContainsFunc(some, func(r stream.Record) bool {
		return slices.ContainsFunc(others, func(s stream.Record) bool { return s.Key == r.Key })
	})
}

// killedIn tells whether a run was killed in an event that is wanted.
func killedIn(runs []*run, wanted func(r *run, event int) bool) bool {
	return slices.ContainsFunc(runs, func(r *run) bool {
		i := slices.IndexFunc(r.events, func(e event) bool { return e.killed })
		return i >= 0 && wanted(r, i)
	})
}

// inARow tells whether two runs that follow one another are as wanted.
func inARow(runs []*run, wanted func(before, r *run) bool) bool {
	for i := 1; i < len(runs); i++ {
		if wanted(runs[i-1], runs[i]) {
			return true
		}
	}
	return false
}
