package transactionalsink

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	reference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/stream"
)

// longCases are the long scripts as cases.
func longCases() []schedule.Case {
	var all []schedule.Case
	for seed := range uint64(longScripts) {
		script := long(seed + 1)
		all = append(all, schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script})
	}
	return all
}

// A long script could stand in a schedule, and is the same whenever it is made.
func TestLongScripts(t *testing.T) {
	for i, c := range longCases() {
		if again := long(uint64(i + 1)); !reflect.DeepEqual(again, c.Script) {
			t.Errorf("seed %d gives two scripts", i+1)
		}
		if len(c.Script) < 100 || len(c.Script) > 600 {
			t.Errorf("seed %d gives %d operations", i+1, len(c.Script))
		}
		if _, err := schedule.ParseSequence(c.ID, spec); err != nil {
			t.Errorf("seed %d: %v", i+1, err)
		}
		expectPass(t, Native(reference.Solution{}), c)
		if one := ofOneSink(i); one != (checkOf(c) == sinkModel) {
			t.Errorf("seed %d is there for %s", i+1, checkOf(c))
		}
	}
}

// What is left of a long script when some of it is removed is defined by the
// contract, or refused: that is how a failing one is made shorter.
func TestPartsOfLongScripts(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 8))
	s, passed := Native(reference.Solution{}), 0
	for _, c := range longCases() {
		for share := 2; share <= 20; share += 3 {
			part := c
			part.Script = slices.DeleteFunc(slices.Clone(c.Script), func(schedule.Op) bool { return chance.IntN(share) == 0 })
			if len(part.Script) == 0 || !spec.Allows(part.Script) {
				continue
			}
			passed++
			if o := s.Run(part); len(o.Findings) > 0 {
				t.Errorf("%v: %+v", part.Script, o.Findings[0])
			}
		}
	}
	if passed < 10 {
		t.Errorf("only %d parts are allowed", passed)
	}
}

// The long scripts get to where the explored ones do not.
func TestLongScriptsReach(t *testing.T) {
	prepared, visible, drops, dead, sinks := 0, 0, 0, 0, 0
	var id stream.CheckpointID
	for _, c := range longCases() {
		now, dropped := 1, 0
		models := map[int]*model{1: newModel()}
		for _, op := range c.Script {
			if op.Name == opSink {
				now = int(op.Args[0])
				if models[now] == nil {
					models[now] = newModel()
				}
			}
			m := models[now]
			if op.Name == opAbortOpen && len(m.open) > 0 {
				dropped++
			}
			if (op.Name == opCommit || op.Name == opAbort) && m.done[stream.CheckpointID(op.Args[0])] {
				dead++
			}
			apply(m, op)
			prepared, visible, sinks = max(prepared, len(m.prepared)), max(visible, len(m.visible)), max(sinks, len(models))
			for _, t := range m.prepared {
				id = max(id, t.id)
			}
		}
		drops = max(drops, dropped)
	}
	if prepared <= 64 || visible <= 300 || drops < 10 || dead < 100 || sinks < 4 || id>>32 == 0 {
		t.Errorf("up to %d are prepared at once, the largest ID %d, %d records visible, %d times an open transaction is aborted, %d dead IDs come again, of %d sinks",
			prepared, id, visible, drops, dead, sinks)
	}
}

// What goes wrong only late, or only in the large, is found, and by the check
// that it breaks.
func TestLongScriptsTell(t *testing.T) {
	for name, weak := range map[string]weakSink{
		"the 9th prepared takes the place of the first":  {slots: 8},
		"the 17th prepared takes the place of the first": {slots: 16},
		"the 65th prepared takes the place of the first": {slots: 64},
		"IDs have 32 bits": {narrow: true},
		"a second abort of an open transaction is ignored": {drops: 1},
		"a tenth abort of an open transaction is ignored":  {drops: 9},
		"of the committed the last 8 are known":            {remembers: 8},
		"no more than 256 records are visible":             {shows: 256},
		"the open records are cut when 8 were aborted":     {compacts: 8},
		"the open records are cut when 32 were aborted":    {compacts: 32},
		"keys are text":                {text: true},
		"keys have 64 bytes":           {keys: 64},
		"keys end with the first zero": {zero: true},
	} {
		s := Native(weakStage{weak: weak})
		found := map[string]int{}
		for i, c := range longCases() {
			if !ofOneSink(i) {
				continue
			}
			for _, f := range s.Run(c).Findings {
				found[f.Check]++
			}
		}
		if found[sinkModel] == 0 || len(found) > 1 {
			t.Errorf("%s: the long scripts break %v", name, found)
		}
		for _, sc := range short {
			for _, p := range sc.parts() {
				if c := p.run(runs(weakStage{weak: weak}), func() {}, sc.length); c != nil {
					t.Errorf("%s: %s tells, which is not long", name, c.ID)
				}
			}
		}
	}
}

type weakStage struct {
	reference.Solution
	weak weakSink
}

func (s weakStage) NewTransactionalSink() contract.TransactionalSink {
	weak := s.weak
	return &weak
}

// A weakSink is right for a while. What is 0 makes it no weaker.
type weakSink struct {
	slots     int  // for prepared transactions
	narrow    bool // takes IDs for the same that differ only beyond 32 bits
	drops     int  // of an open transaction, before it does so no more
	remembers int  // committed transactions, before it commits one again
	shows     int  // records
	compacts  int  // aborted records, before it forgets them, and all that is open with them
	text      bool // keys that are no UTF-8 are made so
	keys      int  // bytes of a key
	zero      bool // keys are as C has them

	open      []stream.Record
	prepared  []transaction
	committed []transaction
	dropped   int
	aborted   int
}

func (s *weakSink) Write(r stream.Record) {
	if s.text {
		r.Key = strings.ToValidUTF8(r.Key, "?")
	}
	if s.keys > 0 {
		r.Key = r.Key[:min(len(r.Key), s.keys)]
	}
	if s.zero {
		r.Key, _, _ = strings.Cut(r.Key, "\x00")
	}
	s.open = append(s.open, r)
}

func (s *weakSink) PreCommit(id stream.CheckpointID) {
	if s.slots > 0 && len(s.prepared) == s.slots {
		s.prepared = s.prepared[1:]
	}
	s.prepared = append(s.prepared, transaction{id, s.open})
	s.open = nil
}

func (s *weakSink) Commit(id stream.CheckpointID) {
	if t, ok := s.take(id); ok {
		s.committed = append(s.committed, t)
		return
	}
	forgotten := s.committed[:max(0, len(s.committed)-s.remembers)]
	if i := slices.IndexFunc(forgotten, func(t transaction) bool { return t.id == id }); s.remembers > 0 && i >= 0 {
		s.committed = append(s.committed, forgotten[i])
	}
}

func (s *weakSink) Abort(id stream.CheckpointID) {
	t, _ := s.take(id)
	if s.aborted += len(t.records); s.compacts > 0 && s.aborted >= s.compacts {
		s.aborted, s.open = 0, nil
	}
}

// ofOneSink tells whether the i-th long script, from 0, is about one sink.
func ofOneSink(i int) bool { return i+1 < severalSinks || i+1 >= wasted }

func (s *weakSink) take(id stream.CheckpointID) (transaction, bool) {
	i := slices.IndexFunc(s.prepared, func(t transaction) bool {
		return t.id == id || s.narrow && uint32(t.id) == uint32(id)
	})
	if i < 0 {
		return transaction{}, false
	}
	t := s.prepared[i]
	s.prepared = slices.Delete(s.prepared, i, i+1)
	return t, true
}

func (s *weakSink) AbortOpen() {
	if len(s.open) > 0 {
		s.dropped++
	}
	if s.drops == 0 || s.dropped <= s.drops {
		s.open = nil
	}
}

func (s *weakSink) Committed() []stream.Record {
	var all []stream.Record
	for _, t := range s.committed {
		all = append(all, t.records...)
	}
	if s.shows > 0 {
		all = all[:min(len(all), s.shows)]
	}
	return all
}

func BenchmarkLong(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for _, c := range longCases() {
			s.Run(c)
		}
	}
}
