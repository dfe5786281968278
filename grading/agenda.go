package grading

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/flk-byo/de/harness/schedule"
)

// An agenda is all that is run of a stage, in order and numbered from 0: the
// cases of the schedules, the parts of the sweep, the explored cases, and the
// long scripts. A job names a place in it by its number.
type agenda struct {
	suite     Suite
	scheduled []schedule.Case
	sweep     Sweep
	explored  []schedule.Case // and the long scripts
	long      int             // how many of them there are
}

func newAgenda(suite Suite, scheduled []schedule.Case, s StageJob) agenda {
	a := agenda{suite: suite, scheduled: scheduled}
	if !s.Explore {
		return a
	}
	if suite.Sweep != nil {
		a.sweep = suite.Sweep(s.Longer)
	}
	a.explored = slices.Collect(suite.ExploredCases())
	a.long = suite.LongScripts
	return a
}

// size is how many places there are.
func (a agenda) size() int { return a.sweepEnd() + len(a.explored) }

// The sweep's parts follow the scheduled cases.
func (a agenda) sweepEnd() int { return len(a.scheduled) + len(a.sweep.Parts) }

// A case of the schedules has a place before the sweep, another one behind it.
func (a agenda) isScheduled(place int) bool { return place < len(a.scheduled) }
func (a agenda) isLong(place int) bool      { return place >= a.size()-a.long }

func (a agenda) at(place int) schedule.Case {
	if a.isScheduled(place) {
		return a.scheduled[place]
	}
	return a.explored[place-a.sweepEnd()]
}

// stretch is the end of the places that are run alike, from one of them on.
func (a agenda) stretch(place int) int {
	switch {
	case place < len(a.scheduled):
		return len(a.scheduled)
	case place < a.sweepEnd():
		return a.sweepEnd()
	default:
		return a.size()
	}
}

// bound says what is explored.
func (s Suite) bound(longer int) string {
	var parts []string
	if s.Sweep != nil {
		parts = append(parts, s.Sweep(longer).Bound)
	}
	if s.Bound != "" {
		parts = append(parts, s.Bound)
	}
	if s.LongScripts > 0 {
		parts = append(parts, Plural(s.LongScripts, "long script")+" made by chance")
	}
	return strings.Join(parts, "; ")
}

// ExploredCases yields the cases of s.Explore, and the long scripts as cases.
func (s Suite) ExploredCases() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		if s.Explore != nil {
			for c := range s.Explore() {
				if !yield(c) {
					return
				}
			}
		}
		for seed := range s.LongScripts {
			c := schedule.Case{ID: fmt.Sprintf("%s/long/%d", s.ID, seed+1), Script: s.Long(uint64(seed + 1))}
			if !yield(c) {
				return
			}
		}
	}
}
