package exactlyoncestate

import (
	"maps"
	"testing"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

func newKill() *fault.Fault { return fault.Kill }

// A config makes solutions that are wrong in one thing.
type config struct {
	fromStart  bool // a run does not resume
	fromMemory bool // a crash changes nothing, but the store is asked
	verifies   bool // the store is asked before and after each save
	madeUp     bool // the state is made up from the source
	leaks      bool // the result is shared by all runs
	clears     bool // the input is changed
	restarts   bool // a crash comes again and again
}

var shared = map[string]int64{}

func (w config) RunExactlyOnceState(store contract.CheckpointStore, rs []stream.Record, every, crash int) map[string]int64 {
	c, _ := store.Latest()
	if w.fromStart {
		c.Offset, c.State = 0, nil
	}
	begin := c.Offset
	for c = w.restored(c, rs); c.Offset < len(rs); {
		if c.Offset-begin == crash {
			latest, _ := store.Latest()
			if !w.fromMemory {
				c = w.restored(latest, rs)
			}
			if !w.restarts {
				crash = contract.NoCrash
			}
		}
		c.State[rs[c.Offset].Key] += rs[c.Offset].Value
		c.Offset++
		if c.Offset%every == 0 {
			w.ask(store)
			c.ID++
			store.Save(c)
			w.ask(store)
		}
	}
	if w.clears {
		clear(rs)
	}
	if w.leaks {
		maps.Copy(shared, c.State)
		return shared
	}
	return c.State
}

func (w config) restored(c contract.Checkpoint, rs []stream.Record) contract.Checkpoint {
	c.State = maps.Clone(c.State)
	if c.State == nil {
		c.State = map[string]int64{}
	}
	if w.madeUp {
		clear(c.State)
		for _, r := range rs[:c.Offset] {
			c.State[r.Key] += r.Value
		}
	}
	return c
}

func (w config) ask(store contract.CheckpointStore) {
	if w.verifies {
		store.Latest()
	}
}

// Each check beyond those of one run is passed by one solution, and tripped by
// one that differs in a single thing.
func TestSubject(t *testing.T) {
	crash, saved := job(scriptRecords(5), 2, 3, noneSaved), job(scriptRecords(5), 2, none, 3)
	killed := schedule.Case{Script: parse(t, "records 3; every 1; kill_saved 2 none; run none")}
	for name, test := range map[string]struct {
		solution config
		c        schedule.Case
		broken   string
	}{
		"a crash":                               {config{}, crash, ""},
		"a crash, asked often":                  {config{verifies: true}, crash, ""},
		"from memory":                           {config{fromMemory: true}, crash, recovery},
		"from memory, asked often":              {config{fromMemory: true, verifies: true}, crash, recovery},
		"made up after a crash":                 {config{madeUp: true}, crash, recovery},
		"a checkpoint there":                    {config{}, saved, ""},
		"a checkpoint there, and not heeded":    {config{fromStart: true}, saved, resume},
		"made up from the source":               {config{madeUp: true}, saved, resume},
		"begun again after its end":             {config{}, job(scriptRecords(3), 2, none, noneSaved), ""},
		"begun again after its end, from start": {config{fromStart: true}, job(scriptRecords(5), 2, none, noneSaved), resume},
		"killed":                                {config{}, killed, ""},
		"killed, and not resumed":               {config{fromStart: true}, killed, realCrash},
		"a shared result":                       {config{leaks: true}, crash, isolation},
		"a changed input":                       {config{clears: true}, crash, isolation},
		"a crash without an end":                {config{restarts: true}, crash, exactlyOnce},
	} {
		t.Run(name, func(t *testing.T) {
			clear(shared)
			got := ""
			o := Native(test.solution).Run(test.c)
			if len(o.Findings) > 0 {
				got = o.Findings[0].Check
			}
			if got != test.broken {
				t.Errorf("broken %q, want %q: %+v", got, test.broken, o.Findings)
			}
			o.Steps()
		})
	}
}

// A kill takes place before or after the effect of a save, as asked.
func TestKill(t *testing.T) {
	for _, test := range []struct {
		kill   killPoint
		latest int // offset
		events int
	}{
		{killPoint{opSave, 1, false}, 0, 2},
		{killPoint{opSave, 1, true}, 1, 2},
		{killPoint{opSave, 3, false}, 2, 4},
		{killPoint{op: opLatest, call: 1}, 0, 1},
		{killPoint{opSave, 9, true}, 3, 4},
	} {
		s := Native(config{}).(*subject)
		r := &run{records: scriptRecords(3), every: 1, crash: none}
		held := newStore(nil)
		s.run(held, r, test.kill, 0)
		if held.latest.Offset != test.latest || len(r.events) != test.events {
			t.Errorf("killed %s: the store has offset %d after %d calls, want %d after %d",
				test.kill, held.latest.Offset, len(r.events), test.latest, test.events)
		}
		if r.killed() != (test.kill.call < 9) {
			t.Errorf("killed %s: %v", test.kill, r.died)
		}
	}
}

// The store copies what it is given and what it gives.
func TestStoreCopies(t *testing.T) {
	s := newStore(nil)
	s.begin(1)
	state := map[string]int64{"a": 1}
	s.Save(contract.Checkpoint{ID: 1, Offset: 1, State: state})
	state["a"] = 2
	first, _ := s.Latest()
	first.State["a"] = 3
	if second, _ := s.Latest(); second.State["a"] != 1 || s.events[0].checkpoint.State["a"] != 1 {
		t.Errorf("the store holds %v, and noted %v", second.State, s.events[0].checkpoint.State)
	}
}
