package transactionalsink

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A reading is how the owner of a sink's output treats it. A script is carried
// out by those who read rarely and by those who change what they read, and, to
// tell whose fault a difference is, by those who only read.
type reading int

const (
	changing reading = iota // reads after every operation, overwrites every slice and keeps it
	rarely                  // reads only at the end
	always                  // reads after every operation
)

// A pair is a sink of the solution and what it must be like.
type pair struct {
	sink  contract.TransactionalSink
	model *model
	kept  wire.Kept // of a native sink
}

// read returns the committed output, and treats the slice as it says.
func (p *pair) read(how reading) []stream.Record {
	if how != changing {
		return p.sink.Committed()
	}
	if remote, ok := p.sink.(wire.Sink); ok {
		return remote.CommittedThenChange()
	}
	rs := p.sink.Committed()
	seen := slices.Clone(rs)
	p.kept.Overwrite(rs)
	return seen
}

func (p *pair) keptIntact() bool {
	if remote, ok := p.sink.(wire.Sink); ok {
		return remote.KeptIntact()
	}
	return p.kept.Intact()
}

// A scriptRun carries out a script on sinks of the solution, and compares each
// with its model.
type scriptRun struct {
	subject
	script []schedule.Op
	how    reading
	check  string
	pairs  []*pair // by number of sink, from 1; nil where not yet made
	now    int
	done   int    // operations begun
	over   int    // those that came to their end
	note   string // on the last that was begun
}

func (s subject) runScript(c schedule.Case) grading.Outcome {
	var found *grading.Finding
	var run *scriptRun
	for _, how := range []reading{changing, rarely} {
		found, run = s.read(c, how)
		if found == nil {
			continue
		}
		if how == changing && found.Fault == nil {
			if plain, plainRun := s.read(c, always); plain != nil {
				found, run = plain, plainRun
			}
		}
		if how == rarely && found.Fault == nil {
			if after, _ := s.read(c, changing); after != nil { // which passed before
				found.Check = isolation
				found.Problem = notAsNew + found.Problem
			}
		}
		if found.Check != sinkModel {
			found.Unless = sinkModel
		}
		return grading.Outcome{
			Findings: []grading.Finding{*found}, Steps: run.steps,
			Situations: func() []string { return sinkSigns.During(moments(c.Script[:run.done])) },
		}
	}
	return grading.Outcome{Steps: run.steps, Situations: func() []string { return sinkSigns.During(moments(c.Script)) }}
}

// notAsNew is how the problem begins of a finding that only later sinks show.
const notAsNew = "A new sink is not as the first was, so sinks share something: "

// read carries out a script in one way of reading.
func (s subject) read(c schedule.Case, how reading) (*grading.Finding, *scriptRun) {
	r := &scriptRun{subject: s, script: c.Script, how: how, check: checkOf(c), pairs: make([]*pair, maxSinks+1)}
	if how == changing {
		r.check = isolation
	}
	found := r.carryOut()
	if found != nil && found.Fault != nil {
		found.Check = checkOf(c) // whatever was done to its slices, it must not die
	}
	return found, r
}

func (r *scriptRun) carryOut() (found *grading.Finding) {
	death := fault.Guard(func() {
		r.use(1)
		for i, op := range r.script {
			if found = r.step(op, r.how != rarely || i == len(r.script)-1); found != nil {
				return
			}
		}
		if r.how == changing {
			found = r.intact()
		}
	})
	r.release()
	if death != nil {
		d := grading.Died(r.check, death, r.done-1)
		return &d
	}
	return found
}

// use makes sink number n the current one.
func (r *scriptRun) use(n int) {
	r.now = n
	if r.pairs[n] == nil {
		r.pairs[n] = &pair{sink: r.solution.NewTransactionalSink(), model: newModel()}
	}
}

// step carries out one operation, and reads what the sinks show then.
func (r *scriptRun) step(op schedule.Op, read bool) *grading.Finding {
	if op.Name == opSink {
		r.use(int(op.Args[0]))
	}
	p := r.pairs[r.now]
	r.done++
	if op.Name == opChange {
		if f := r.compare(op, r.now, p.read(changing)); f != nil {
			return f
		}
	} else {
		apply(p.sink, op)
		apply(p.model, op)
	}
	r.over = r.done
	for n, q := range r.pairs {
		if q == nil || !read {
			continue
		}
		if f := r.compare(op, n, q.read(r.how)); f != nil {
			return f
		}
	}
	return nil
}

// compare returns a finding unless sink n shows what its model does.
func (r *scriptRun) compare(op schedule.Op, n int, seen []stream.Record) *grading.Finding {
	want := r.pairs[n].model.visible
	if slices.Equal(want, seen) {
		return nil
	}
	which := "the sink"
	if r.check == isolation {
		which = fmt.Sprintf("sink %d", n)
	}
	r.note = fmt.Sprintf("%s shows %s", which, list(seen, recordLabel))
	return &grading.Finding{
		Check: r.check, Kind: fault.WrongOutput, Step: r.done - 1,
		Problem: fmt.Sprintf("After operation %d, %s, %s shows %s instead of %s%s.",
			r.done, op, which, list(seen, recordLabel), list(want, recordLabel), r.how.words()),
		Diff: diff.List(want, seen),
	}
}

// words are what a finding adds on how the output was read.
func (how reading) words() string {
	switch how {
	case rarely:
		return ", when it is read only at the end"
	case changing:
		return ", when each slice that Committed returns is overwritten by the caller"
	}
	return ""
}

// intact returns a finding if a slice that a sink returned has changed since.
func (r *scriptRun) intact() *grading.Finding {
	for n, p := range r.pairs {
		if p != nil && !p.keptIntact() {
			return grading.Broken(isolation, r.done-1,
				"A slice that Committed of sink %d returned, and its caller overwrote, was written to later; it is the caller's, so return a copy each time.", n)
		}
	}
	return nil
}

// steps is the timeline of what was done, with how the model of the sink at hand
// stands after it.
func (r *scriptRun) steps() []grading.Step {
	var all []grading.Step
	models, now := map[int]*model{}, 1
	for i, op := range r.script[:r.done] {
		if op.Name == opSink {
			now = int(op.Args[0])
		}
		m := models[now]
		if m == nil {
			m = newModel()
			models[now] = m
		}
		apply(m, op)
		step := grading.Step{Object: fmt.Sprintf("sink %d", now), Action: op.String()}
		if i == r.done-1 {
			step.Note = r.note
		}
		if i < r.over || step.Note != "" {
			step.State = m.state(recordLabel)
		}
		all = append(all, step)
	}
	return all
}

// release gives up the sinks, so that a guest can free them.
func (r *scriptRun) release() {
	for _, p := range r.pairs {
		if p == nil {
			continue
		}
		if remote, ok := p.sink.(wire.Sink); ok {
			fault.Guard(remote.Release) // a dead guest needs no telling
		}
	}
}

func apply(s contract.TransactionalSink, op schedule.Op) {
	switch op.Name {
	case opWrite:
		s.Write(scriptRecord(op.Args[0]))
	case opPreCommit:
		s.PreCommit(stream.CheckpointID(op.Args[0]))
	case opCommit:
		s.Commit(stream.CheckpointID(op.Args[0]))
	case opAbort:
		s.Abort(stream.CheckpointID(op.Args[0]))
	case opAbortOpen:
		s.AbortOpen()
	}
}

// scriptRecord is the record that "write v" writes: all its fields tell v. From
// oddKeys on the key is long, and no text: keys may be any bytes.
func scriptRecord(v int64) stream.Record {
	key := "r" + strconv.FormatInt(v, 10)
	if v >= oddKeys {
		key += strings.Repeat("|,\n\xff\x00", 20)
	}
	return stream.Record{Key: key, Value: v, Time: v}
}

const oddKeys = 1_000_000

// recordLabel names a record by the beginning of its key, if it is one that "write"
// writes.
func recordLabel(r stream.Record) string {
	if r == scriptRecord(r.Value) {
		return "r" + strconv.FormatInt(r.Value, 10)
	}
	return diff.Record(r)
}
