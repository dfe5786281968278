package keyedstate

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/02-keyed-state/wire"
)

// A scriptRun carries out a script on states of the solution, and compares them
// and the maps that were taken of them with models.
type scriptRun struct {
	subject
	script    []schedule.Op
	how       reading
	asked     []string // the keys of the script
	states    [maxSlots + 1]*pair
	maps      [maxSlots + 1]*held
	operators [maxSlots + 1]*scriptFold
	now       int // the state at hand
	done      int // operations, before the one at hand
	rows      timeline
}

// A pair is a state of the solution and what it must be like.
type pair struct {
	state wire.State
	model *model
}

// A held map is one that the script's owner keeps, on the side of the solution,
// and what it must hold.
type held struct {
	wire  wire.Map
	model *model
}

type scriptFold struct {
	*fold
	state int
}

func (s subject) runScript(c schedule.Case) (found *grading.Finding, rows timeline) {
	for _, how := range s.readings(changing) {
		found, rows = s.read(c, how)
		if found == nil {
			continue
		}
		if how == changing && found.Fault == nil {
			found, rows = s.plain(c, found, rows)
		}
		if how == rarely && found.Fault == nil {
			if after, _ := s.read(c, changing); after != nil && s.turn == 0 { // which passed before
				leaks(found)
			}
		}
		unlessState(found)
		return found, rows
	}
	return nil, rows
}

// plain tells what is wrong for those who only look, if anything is. What then
// shows before it did, comes of the run before.
func (s subject) plain(c schedule.Case, found *grading.Finding, rows timeline) (*grading.Finding, timeline) {
	plain, plainRows := s.read(c, always)
	if plain == nil {
		return found, rows
	}
	if plain.Step < found.Step {
		leaks(plain)
	}
	return plain, plainRows
}

func leaks(f *grading.Finding) {
	f.Check = isolation
	f.Problem = "A new state is not as the first was, so states share something: " + f.Problem
}

// read carries out a script in one way of reading.
func (s subject) read(c schedule.Case, how reading) (*grading.Finding, timeline) {
	r := &scriptRun{subject: s, script: c.Script, how: how, asked: keysOf(c.Script)}
	var found *grading.Finding
	death := fault.Guard(func() {
		r.use(1)
		for ; r.done < len(c.Script); r.done++ {
			if found = r.step(r.done); found != nil {
				return
			}
		}
		if how == changing {
			found = r.intact()
		}
	})
	r.release()
	if death != nil {
		died := grading.Died(checkOfScript(c.Script[:min(r.done+1, len(c.Script))]), death, len(r.rows)-1)
		found = &died
	}
	return found, r.rows
}

// keysOf returns the keys that a script names, or one if it names none.
func keysOf(script []schedule.Op) []string {
	var keys []string
	for _, op := range script {
		switch op.Name {
		case opPut, opDelete:
			keys = append(keys, keyOf(op.Args[0]))
		case opChange, opRemove, opProcess:
			keys = append(keys, keyOf(op.Args[1]))
		}
	}
	if len(keys) == 0 {
		return []string{"a"}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// use makes state number n the one at hand.
func (r *scriptRun) use(n int) {
	r.now = n
	if r.states[n] == nil {
		r.states[n] = &pair{r.solution.NewState().(wire.State), &model{}}
	}
}

// step carries out the i-th operation, and looks at all that there is then.
func (r *scriptRun) step(i int) *grading.Finding {
	op := r.script[i]
	target, found := r.now, (*grading.Finding)(nil)
	switch op.Name {
	case opState:
		r.use(int(op.Args[0]))
		target = r.now
		r.row(op)
	case opReduce:
		r.row(op)
		r.operators[op.Args[0]] = &scriptFold{
			r.reduce(r.states[r.now].state, functions[op.Args[1]], int(op.Args[0]), &r.rows), r.now,
		}
	case opProcess:
		target = r.operators[op.Args[0]].state
		found = r.process(i)
	case opChange, opRemove:
		r.row(op)
		r.changeMap(op)
	default:
		r.row(op)
		found = r.apply(op)
	}
	if found != nil {
		return found
	}
	shown := r.states[target].model
	if op.Name == opChange || op.Name == opRemove {
		shown = r.maps[op.Args[0]].model
	}
	r.rows.last().state = shown.summary()
	if i < len(r.script)-1 && (r.how == rarely || i%r.looksEvery() > 0) {
		return nil
	}
	return r.look(i, target)
}

// manyOps is how many operations a script has that need not look at all there is
// after each.
const manyOps = 100

// looksEvery is [looksEvery] of what there is now.
func (r *scriptRun) looksEvery() int {
	var all []*model
	for n, p := range r.states {
		if p != nil {
			all = append(all, p.model)
		}
		if r.maps[n] != nil {
			all = append(all, r.maps[n].model)
		}
	}
	return looksEvery(len(r.script), all)
}

// looksEvery is after how many operations of a script all is looked at: after
// each, unless there are many, and much to look at. Models may be nil.
func looksEvery(ops int, models []*model) int {
	if ops < manyOps {
		return 1
	}
	entries := 0
	for _, m := range models {
		if m != nil {
			entries += len(m.entries)
		}
	}
	return 1 + entries/10
}

// row begins the timeline's row of an operation.
func (r *scriptRun) row(op schedule.Op) {
	object, number := "state", r.now
	switch op.Name {
	case opChange, opRemove:
		object, number = "map", int(op.Args[0])
	case opReduce:
		object, number = "operator", int(op.Args[0])
	}
	r.rows.add(row{object: object, number: number, action: op.String})
}

// release gives up the solution's objects, so that a guest can free them.
func (r *scriptRun) release() {
	for n := range r.states {
		if r.operators[n] != nil {
			free(r.operators[n].operator)
		}
		if r.maps[n] != nil {
			free(r.maps[n].wire)
		}
		if r.states[n] != nil {
			free(r.states[n].state)
		}
	}
}
