package keyedstate

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/02-keyed-state/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A reduction is one run of a stream through operators of the solution's.
type reduction struct {
	subject
	parameters
	records []stream.Record
	how     reading
	states  []contract.State // one, or two if they are apart
	models  []*model         // what each of them must hold
	folds   []*fold
	rows    timeline
}

// runReduction runs a case twice: with a state of ours the second time just
// like the first, with one of the solution's it is looked at only at the end.
func (s subject) runReduction(c schedule.Case) (found *grading.Finding, rows timeline) {
	for _, how := range s.readings(always) {
		found, rows = s.reduced(c, how)
		if found == nil {
			continue
		}
		if how == rarely && s.turn == 0 && found.Fault == nil { // it passed before
			if again, _ := s.reduced(c, always); again != nil || c.Param(paramState) == stateOurs {
				found.Check = isolation
				found.Problem = "The first run was right, a later one in the same process was not: " + found.Problem
			}
		}
		return found, rows
	}
	return nil, rows
}

// reduced runs a case once.
func (s subject) reduced(c schedule.Case, how reading) (*grading.Finding, timeline) {
	r := &reduction{subject: s, parameters: parametersOf(c), records: c.Records, how: how}
	var found *grading.Finding
	death := fault.Guard(func() {
		r.begin()
		found = r.goOn()
	})
	r.release()
	if death != nil {
		died := grading.Died(reduceOutput, death, len(r.rows)-1)
		found = &died
	}
	if found != nil {
		switch r.state {
		case stateOwn:
			found.Unless = stateModel
		case stateRestored:
			found.Unless = restore
		}
	}
	return found, r.rows
}

// begin makes states and operators, and restores what is to be restored.
func (r *reduction) begin() {
	start := r.start(len(r.records))
	for i := range r.stateOf(1) + 1 {
		r.models = append(r.models, &model{})
		if r.state == stateOurs {
			r.states = append(r.states, newTracedState(len(r.records), i+1, &r.rows))
			continue
		}
		r.states = append(r.states, r.solution.NewState())
	}
	for i := range start {
		r.follow(i, oracle(r.records, i, r.parameters))
	}
	for i, m := range r.models {
		if r.state == stateRestored {
			r.rows.add(row{object: "state", number: i + 1, action: action("restore"), state: m.summary(), note: "what the records before came to"})
			r.states[i].Restore(m.Snapshot())
		}
	}
	for i := range r.operatorOf(1) + 1 {
		r.folds = append(r.folds, r.reduce(r.states[r.stateOf(i)], r.function, i+1, &r.rows))
	}
}

// follow makes the models what the i-th record makes of the states.
func (r *reduction) follow(i int, a answer) {
	m, key := r.models[r.stateOf(i)], r.records[i].Key
	if m.Put(key, a.result); r.forgets(i) {
		m.Delete(key)
	}
}

// goOn hands each record to the operator whose turn it is, and judges what came
// of it: first the calls of f, then the state, then the output, since what is
// wrong with one shows in the next.
func (r *reduction) goOn() *grading.Finding {
	for i := r.start(len(r.records)); i < len(r.records); i++ {
		o, record, want := r.folds[r.operatorOf(i)], r.records[i], oracle(r.records, i, r.parameters)
		emitted := o.process(record, i+1, len(r.records))
		last := len(r.rows) - 1
		if f := o.judgeCalls(record, want, last); f != nil {
			return f
		}
		r.models[r.stateOf(i)].Put(record.Key, want.result)
		if f := r.judgeStates(i); f != nil {
			return f
		}
		if f := judgeOutput(record, want, emitted, last); f != nil {
			return f
		}
		if r.forgets(i) {
			r.delete(r.stateOf(i), record.Key)
		}
	}
	return r.judgeEnd()
}

// delete is by the owner of the state, between two records.
func (r *reduction) delete(state int, key string) {
	r.models[state].Delete(key)
	if traced, ok := r.states[state].(*tracedState); ok {
		traced.model.Delete(key) // ours: not the solution's call
	} else {
		r.states[state].Delete(key)
	}
	r.rows.add(row{object: "state", number: state + 1, action: onKey("delete", key), state: r.models[state].summary(), note: "by its owner"})
}

// lookEvery is how often a long stream stops for a look at all of a state of
// the solution's own.
const lookEvery = 50

// judgeStates looks at the states after the i-th record, the one at hand first.
func (r *reduction) judgeStates(i int) *grading.Finding {
	when := func() string { return "After " + diff.Record(r.records[i]) }
	for k := range r.states {
		at := (r.stateOf(i) + k) % len(r.states)
		s, m := r.states[at], r.models[at]
		traced, ours := s.(*tracedState)
		switch {
		case ours && !traced.equal(m):
			return r.wrongState(when, at, "holds "+instead(traced.String(), m.String()))
		case ours || r.how == rarely, i >= lookEvery && i%lookEvery > 0:
			continue
		}
		if f := r.look(when, at, []string{r.records[i].Key}); f != nil {
			return f
		}
	}
	return nil
}

// judgeEnd looks at all that there is in the states of the solution's own.
func (r *reduction) judgeEnd() *grading.Finding {
	if r.state == stateOurs {
		return nil
	}
	var keys []string
	for _, record := range r.records {
		keys = append(keys, record.Key)
	}
	slices.Sort(keys)
	for at := range r.states {
		if f := r.look(action("At the end"), at, slices.Compact(keys)); f != nil {
			return f
		}
	}
	return nil
}

func (r *reduction) look(when func() string, at int, asked []string) *grading.Finding {
	by, how := differs(r.models[at], asked, r.states[at].(wire.State).Look(asked, false, false))
	if by == "" {
		return nil
	}
	return r.wrongState(when, at, "is wrong: "+how)
}

func (r *reduction) wrongState(when func() string, at int, how string) *grading.Finding {
	whose := "your own state"
	if r.state == stateOurs {
		whose = "the state that Reduce was given"
	}
	if len(r.states) > 1 {
		whose += fmt.Sprintf(", number %d,", at+1)
	}
	return grading.Broken(reduceState, len(r.rows)-1, "%s %s %s.", when(), whose, how)
}

// release gives up the solution's objects, so that a guest can free them.
func (r *reduction) release() {
	for _, o := range r.folds {
		free(o.operator)
	}
	for _, s := range r.states {
		free(s)
	}
}

// free releases an object of the solution's. A dead guest needs no telling.
func free(object any) {
	if remote, ok := object.(interface{ Release() }); ok {
		fault.Guard(remote.Release)
	}
}
