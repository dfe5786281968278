package keyedstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/02-keyed-state/wire"
)

// A reading is how the owner of a state looks at it. A script is carried out by
// those who look rarely and by those who change what they are given, and, to
// tell whose fault a difference is, by those who only look.
type reading int

const (
	changing reading = iota // looks after every operation, overwrites all that it is given, and keeps it
	rarely                  // looks only at the end
	always                  // looks after every operation
)

// Ways in which a state can be seen to be wrong.
const (
	byGet      = "Get"
	byKeys     = "Keys"
	bySnapshot = "Snapshot"
	byLooking  = "looking"
)

// differs compares what a state shows with its model. It returns by what it is
// seen to be wrong, and how, as in "Get(a) returns 1, true instead of 2, true";
// by is empty if nothing is wrong.
func differs(m *model, asked []string, v wire.View) (by, how string) {
	for i, key := range asked {
		var seen wire.Value
		if i < len(v.Values) {
			seen = v.Values[i]
		}
		value, ok := m.Get(key)
		if want := (wire.Value{Value: value, Present: ok}); seen != want {
			return byGet, fmt.Sprintf("Get(%s) returns %s instead of %s", diff.Key(key), got(seen), got(want))
		}
	}
	if keys := m.Keys(); !slices.Equal(keys, v.Keys) {
		return byKeys, "Keys returns " + instead(keyList(v.Keys), keyList(keys)) + departure(keys, v.Keys)
	}
	if !m.holds(v.Snapshot) {
		return bySnapshot, "Snapshot returns " + instead(modelOf(v.Snapshot).String(), m.String())
	}
	if !v.Steady {
		return byLooking, "Get returns something else after Keys and Snapshot were called than before; neither may change the state"
	}
	return "", ""
}

func got(v wire.Value) string { return fmt.Sprintf("%d, %t", v.Value, v.Present) }

func instead(seen, want string) string { return seen + " instead of " + want }

// departure says where long lists of keys part, since they are not shown whole.
func departure(want, seen []string) string {
	if len(want) <= maxListed && len(seen) <= maxListed {
		return ""
	}
	i := 0
	for i < min(len(want), len(seen)) && want[i] == seen[i] {
		i++
	}
	at := func(keys []string) string {
		if i < len(keys) {
			return diff.Key(keys[i])
		}
		return "nothing"
	}
	return fmt.Sprintf("; at %d it has %s instead of %s", i, at(seen), at(want))
}

// touched tells which of the things that the caller was given, and changed, the
// state has not let go of: the slice of Keys, or else the map of Snapshot.
func touched(by, how string, v wire.View) string {
	foreign := slices.Contains(v.Keys, wire.AddedKey)
	if by == byKeys && !foreign && strings.Contains(how, wire.OverwrittenKey) {
		return byKeys
	}
	return bySnapshot
}
