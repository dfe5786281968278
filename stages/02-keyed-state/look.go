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
	if f := r.lookAt(i, target, check); f != nil {
		return f
	}
	if f := r.lookAtMaps(i); f != nil {
		return f
	}
	for n, p := range r.states {
		if p == nil || n == target {
			continue
		}
		if f := r.lookAt(i, n, isolation); f != nil {
			return f
		}
	}
	return nil
}

// lookAt compares state n with its model. What is wrong counts against check,
// unless it is the owner's doing that shows.
func (r *scriptRun) lookAt(i, n int, check string) *grading.Finding {
	p := r.states[n]
	v := p.state.Look(r.asked, r.how == changing)
	by, how := differs(p.model, r.asked, v)
	if by == "" {
		return nil
	}
	if by == bySnapshot && check == stateModel {
		check = snapshot
	}
	last := len(r.rows) - 1
	f := &grading.Finding{Check: check, Kind: fault.WrongOutput, Step: last}
	which := ""
	if n != r.now || check == isolation {
		which = fmt.Sprintf(" of state %d", n)
	}
	f.Problem = fmt.Sprintf("After operation %d, %s, %s%s%s.", i+1, r.script[i], how, which, r.how.words())
	r.rows[last].Note = how
	if r.how != changing {
		return f
	}
	switch touched(by, how, v) {
	case byKeys:
		f.Check = isolation
		f.Problem = fmt.Sprintf("After operation %d, %s, Keys%s returns what the caller wrote into the slice that it returned before; the slice is the caller's.", i+1, r.script[i], which)
	case bySnapshot:
		f.Check = snapshot
	}
	return f
}

// lookAtMaps compares the maps that were taken of states, or restored, with
// what they must hold.
func (r *scriptRun) lookAtMaps(i int) *grading.Finding {
	for n, h := range r.maps {
		if h == nil {
			continue
		}
		seen := modelOf(h.wire.Contents())
		if seen.equal(h.model) {
			continue
		}
		check, whose := snapshot, "the snapshot in"
		for _, op := range r.script[:i+1] {
			if op.Name == opRestore && op.Args[0] == int64(n) {
				check, whose = restore, "a state was restored from"
			}
		}
		last := len(r.rows) - 1
		r.rows[last].Note = fmt.Sprintf("map %d is %s", n, seen)
		return &grading.Finding{
			Check: check, Kind: fault.WrongOutput, Step: last,
			Problem: fmt.Sprintf("After operation %d, %s, map %d, which %s, is %s, though its owner did not touch it.",
				i+1, r.script[i], n, whose, instead(seen.String(), h.model.String())),
		}
	}
	return nil
}

// words are what a finding adds on how the state was looked at.
func (how reading) words() string {
	switch how {
	case rarely:
		return ", when it is looked at only at the end"
	case changing:
		return ", when the caller changes each slice and each map that it is given"
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
