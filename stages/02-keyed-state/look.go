package keyedstate

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
)

// look compares all states and maps with their models after the i-th operation:
// first the state that it was about, then the maps, then the other states.
func (r *scriptRun) look(i, target int) *grading.Finding {
	check := checkOfScript(r.script[:i+1])
	if check == reduceOutput {
		check = reduceState
	}
	if f := r.lookAt(target, check); f != nil {
		return f
	}
	if f := r.lookAtMaps(i); f != nil {
		return f
	}
	for n, p := range r.states {
		if p == nil || n == target {
			continue
		}
		if f := r.lookAt(n, isolation); f != nil {
			return f
		}
	}
	return nil
}

// lookAt compares state n with its model. What is wrong counts against check,
// unless it is the owner's doing that shows.
func (r *scriptRun) lookAt(n int, check string) *grading.Finding {
	p := r.states[n]
	// Where the script itself has to do with maps, these tell more.
	changeMap := r.how == changing && !has(r.script, opSnapshot, opChange)
	v := p.state.Look(r.asked, r.how == changing, changeMap)
	by, how := differs(p.model, r.asked, v)
	if by == "" {
		return nil
	}
	if by == byLooking || by == bySnapshot && check == stateModel {
		check = snapshot
	}
	r.rows.last().note = how
	if len(r.used()) > 1 {
		how = fmt.Sprintf("state %d is wrong: %s", n, how)
	}
	if r.how != changing {
		return r.wrong(check, how+r.how.words())
	}
	if !changeMap || touched(by, how, v) == byKeys {
		return r.wrong(isolation, how+", once the caller has overwritten the slice that it got before. The slice is the caller's: return a new one each time")
	}
	return r.wrong(snapshot, how+", once the caller has changed the map that Snapshot returned before. The map is the caller's: return a new one each time")
}

// wrong is the finding that something is wrong after the operation at hand.
func (r *scriptRun) wrong(check, how string) *grading.Finding {
	return &grading.Finding{
		Check: check, Kind: fault.WrongOutput, Step: len(r.rows) - 1,
		Problem: fmt.Sprintf("After operation %d, %s, %s.", r.done+1, r.script[r.done], how),
	}
}

// used returns the numbers of the states that there are.
func (r *scriptRun) used() []int {
	var all []int
	for n, p := range r.states {
		if p != nil {
			all = append(all, n)
		}
	}
	return all
}

// lookAtMaps compares the maps that were taken of states, or restored, with
// what they must hold.
func (r *scriptRun) lookAtMaps(i int) *grading.Finding {
	for n, h := range r.maps {
		if h == nil {
			continue
		}
		contents := h.wire.Contents()
		if h.model.holds(contents) {
			continue
		}
		check, whose, why := snapshot, "a snapshot", "it shares memory with the state"
		for _, op := range r.script[:i+1] {
			if op.Name == opRestore && op.Args[0] == int64(n) {
				check, whose, why = restore, "restored before", "it is its owner's, and Restore only reads it"
			}
		}
		seen := modelOf(contents).String()
		r.rows.last().note = fmt.Sprintf("map %d is %s", n, seen)
		return r.wrong(check, fmt.Sprintf("map %d, %s, holds %s: %s", n, whose, instead(seen, h.model.String()), why))
	}
	return nil
}

// words are what a finding adds on how the state was looked at.
func (how reading) words() string {
	if how == rarely {
		return ", when it is looked at only at the end"
	}
	return ""
}

// intact returns a finding if a slice or map that a state returned, and that its
// owner then changed, has changed since.
func (r *scriptRun) intact() *grading.Finding {
	for n, p := range r.states {
		if p == nil {
			continue
		}
		slices, maps := p.state.KeptIntact()
		switch last := len(r.rows) - 1; {
		case !maps:
			return grading.Broken(snapshot, last,
				"A map that Snapshot of state %d returned, and its caller changed, was written to later; it is the caller's, so return a new one each time.", n)
		case !slices:
			return grading.Broken(isolation, last,
				"A slice that Keys of state %d returned, and its caller overwrote, was written to later; it is the caller's, so return a new one each time.", n)
		}
	}
	return nil
}
