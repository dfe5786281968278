// Package grading turns what a solution did into a report: it runs the cases of
// a stage's [Suite], gathers the findings, and decides the verdicts. It knows
// no stage by name. Start reading at [Suite], then at [Run], which is the
// parent's work, and at [Serve], which is the child's.
package grading

import (
	"iter"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
)

// A Suite is one stage as harness and grading see it: what its schedules may
// contain, how to run and judge one case, and the rules it is judged by.
type Suite struct {
	ID     string // "08"
	Slug   string // "transactional-sink"
	Title  string // "Transactional sink"
	Spec   schedule.Spec
	Checks []Check // in the order in which they are reported; the first broken one is the headline
	Gate   string  // the check without which the stage's work is worth nothing, for the default rubric; empty if none is

	// Explore yields cases beyond the schedules' own, in order of size; nil for
	// none. Bound says what they cover, for the report of a pass, e.g. "every
	// sequence of up to 4 operations on a sink".
	Explore func() iter.Seq[schedule.Case]
	Bound   string

	// Sweep explores what is too much for a case each, with sequences longer by
	// so many operations than by default; nil for none.
	Sweep func(longer int) Sweep

	// Long returns a script made from a seed, longer than any that Explore
	// yields: it counts on, grows, and goes back to what is long past. LongScripts
	// of them are run, from seed 1. One that fails is shrunk by removing
	// operations, as far as Spec.CheckScript allows. Long may be nil.
	Long        func(seed uint64) []schedule.Op
	LongScripts int

	// Situations must all come up when the reference runs the stage's cases: a
	// schedule that no longer reaches one fails the course's own tests.
	Situations []Situation

	// Repro writes a case as a plain Go test, which needs nothing of the harness:
	// it fails on a solution for the reason of the finding, and passes on a right
	// one. It returns no Body where plain Go can't show that, e.g. that the clock
	// was read.
	Repro func(c schedule.Case, f Finding) Repro

	// Compare orders cases by size: the first failing one in this order is
	// shown. Cases that are alike keep the order of the schedules.
	Compare func(a, b schedule.Case) int

	// Bind returns the solution of a guest, ready to run cases.
	Bind func(Guest) Subject

	// CheckOf is the check that a case is there for: what is broken if the
	// solution does not come back from it.
	CheckOf func(schedule.Case) string

	Watch []string // Go functions whose calls a Guest can tell of

	Deterministic string // the check that a case breaks whose outcome depends on the seed
	Isolation     string // the check that an explored case breaks which is right alone, but not after others
}

// A Guest is what a stage gets of a running guest.
type Guest struct {
	Solution rpc.Object                 // the stage's root object
	Watched  func(function string) bool // whether one of Suite.Watch was called in this case
	Place    func() string              // from which line of the solution's it called an object of the host's last, for [Step.Place]; empty unless a case is explained

	// Turn counts the random seeds, from 0. Under the first, the guest is fresh
	// for each case of a schedule, so that what a case shows, it shows alone,
	// unless nothing can be left behind, see Rewind. Under the others it goes on
	// from case to case; a stage may share out among them what it would do twice.
	Turn int

	// Explored tells that the case is one of Suite.Explore or a long script, run
	// for the first time. These are many, and a stage may leave out what its
	// schedules do thoroughly.
	Explored bool

	// Restart ends the guest, as a crash of its process would, and starts it
	// afresh: nothing that it held is left, and objects of it are no more.
	// It returns the new root object. To end it in the midst of a call, let an
	// object of the host's panic with [fault.Kill].
	Restart func() rpc.Object

	// Rewind tells that all that the solution keeps between calls is reachable
	// from the objects that it hands out, so that these can be taken back to how
	// they were; see package rewind. It is what the solution's source says, as far
	// as that can be read.
	Rewind bool

	Alive func() // to be called by a Sweep before each call of the guest, to tell that it goes on
}

// A Sweep is an exploration of so many sequences of operations that they are not
// run one by one, but many in a call of the guest.
type Sweep struct {
	Bound  string // what it covers, for the report of a pass
	Length int    // of the longest sequence
	Parts  []int  // by part, how many sequences it has

	// Run runs the sequences of a part, as far as they have up to length
	// operations, at least 1, on a guest that is fresh, and returns the shortest that goes
	// wrong, the first of several, up to where it does; or nil.
	Run func(g Guest, part, length int) *schedule.Case

	// Cases yields the same sequences, to be run one by one where the solution
	// does not come back from Run.
	Cases func(part, length int) iter.Seq[schedule.Case]
}

// A Check is one named rule of a stage.
type Check struct {
	Name    string // "eos-output"
	Rule    string // the rule, as one sentence that a learner can act on
	Why     string // what goes wrong in the world if it is broken, one sentence
	Section string // heading in the stage's STAGE.md, e.g. "The invariant"
	Hint    int    // number of the stage's hint that is about it, from 1; 0 if none is
	After   string // a check in whose cases this one is judged too: where the solution dies there, this one is blocked
}

// A Repro is one case as Go source, to stand in a test file of the solution's
// package, where a value of type Solution is the solution.
type Repro struct {
	Imports []string // paths of the standard library, stage contracts and stages/stream; "testing" aside
	Body    string   // the statements of the test function, whose parameter is t *testing.T
	Decls   string   // the declarations it needs beside it, e.g. a sink that notes calls; their names begin with repro
}

// A Situation is a state of affairs in which solutions are known to go wrong.
type Situation struct {
	Name string // "crash-on-a-barrier"
	Doc  string // what it is, one sentence
}

// A Subject is a solution, native or guest, that cases can be run against.
type Subject interface {
	// Run runs one case and judges it. A solution that dies is an outcome like
	// any other; a panic that leaves Run is a fault of ours.
	Run(c schedule.Case) Outcome
}

// An Outcome is what one case showed.
type Outcome struct {
	Findings []Finding     // empty: the case passed
	Steps    func() []Step // what the solution did, in order; called only if it is shown; may be nil

	// Unsafe is the index in Steps of the first one after which nothing that the
	// solution could still have done would have made it right; -1 where there is
	// none, as where only what it returned is wrong. Nil: where the first finding
	// is seen. Called only if it is shown.
	Unsafe func() int

	// Situations returns the names of those that came up, each once; called only
	// when the course is certified; may be nil.
	Situations func() []string
}

// A Finding is one broken rule in one case.
type Finding struct {
	Check   string     `json:"check"`
	Kind    fault.Kind `json:"kind"`
	Problem string     `json:"problem"`         // what happened, one sentence with the case's own numbers
	Diff    []string   `json:"diff,omitempty"`  // expected against seen; see package diff
	Apart   []string   `json:"apart,omitempty"` // of what depends on chance: where two runs part, in lines like those of Diff
	Step    int        `json:"step"`            // index in Steps at which it was first seen; -1 if at none

	// Unless names a check without which this finding says nothing: where that
	// check fails, this one is blocked by it.
	Unless string `json:"unless,omitempty"`

	Fault *fault.Fault `json:"fault,omitempty"` // how the solution died, if it did

	// Where is the line of the solution's that it is about, file:line, and Source
	// its text, where these are known; filled in by who has the files.
	Where  string `json:"where,omitempty"`
	Source string `json:"source,omitempty"`
}

// A Step is one row of a case's timeline.
type Step struct {
	Phase  string `json:"phase,omitempty"` // e.g. "crash", "replay"; rows of one phase stand together
	At     string `json:"at,omitempty"`    // position in the source, e.g. "3 of 7"
	Object string `json:"object"`          // e.g. "sink 1"
	Action string `json:"action"`          // e.g. "pre-commit 2"
	State  string `json:"state,omitempty"` // of the object afterwards; its parts stand two spaces apart
	Note   string `json:"note,omitempty"`  // e.g. "no effect"
	Place  string `json:"place,omitempty"` // the line of the solution's that did it, e.g. "08-transactional-sink/sink.go:87", where that is known; the guest's word
}

// Folder is the stage's folder, here and in a learner's workspace, e.g.
// "08-transactional-sink".
func (s Suite) Folder() string { return s.ID + "-" + s.Slug }
