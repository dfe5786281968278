package exactlyoncestate

import (
	"testing"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

func TestUnsafe(t *testing.T) {
	save := func(offset int, sum int64) event {
		return event{op: opSave, effect: true, checkpoint: contract.Checkpoint{ID: 1, Offset: offset, State: map[string]int64{"a": sum}}}
	}
	ask := event{op: opLatest}
	one := func(events ...event) *run {
		return &run{records: scriptRecords(3)[:1], every: 1, crash: contract.NoCrash, events: events}
	}
	for _, test := range []struct {
		name string
		runs []*run
		want int
	}{
		{"right", []*run{one(ask, save(1, 1))}, -1},
		{"a wrong sum", []*run{one(ask, save(1, 2))}, 1},
		{"saved before it asked", []*run{one(save(1, 1), ask)}, 0},
		{"in the second run", []*run{one(ask, save(1, 1)), one(ask, save(1, 7))}, 3 + 1},
		{"no checkpoint", []*run{one(ask)}, -1},
	} {
		if got := unsafe(test.runs); got != test.want {
			t.Errorf("%s: unsafe from %d instead of %d", test.name, got, test.want)
		}
	}
}
