package grading

import (
	"time"

	"github.com/flk-byo/de/harness/fault"
)

// ReportVersion is the version of the JSON form of a [Report]. It changes when
// a field changes its meaning or goes; new fields may come without.
const ReportVersion = 1

// A Verdict is the outcome of a check, a stage or a whole run.
type Verdict string

const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Blocked      Verdict = "blocked"      // by the failure of another check
	Inconclusive Verdict = "inconclusive" // a limit was reached before the end; never a pass
	HarnessFault Verdict = "harness-fault"
)

// A Report is all that one run of de test found.
type Report struct {
	Version  int           `json:"version"`
	Course   string        `json:"course"`  // "FLK-BYO"
	Subject  string        `json:"subject"` // what was judged: "your solution", "the reference", a folder
	Seed     uint64        `json:"seed"`    // the first of the seeds
	Seeds    int           `json:"seeds"`   // how many random seeds each case ran under
	Verdict  Verdict       `json:"verdict"`
	Problem  string        `json:"problem,omitempty"` // why it is inconclusive or a harness fault
	Stages   []StageReport `json:"stages"`            // in the order in which they ran
	Elapsed  Millis        `json:"elapsedMillis"`
	Budget   Millis        `json:"budgetMillis"`
	NoteList []string      `json:"notes,omitempty"` // e.g. limits this platform can't enforce
}

// Millis is a duration that stands as a whole number of milliseconds in JSON.
type Millis time.Duration

// MarshalJSON and UnmarshalJSON keep [Millis] a plain number.
func (m Millis) MarshalJSON() ([]byte, error) { return marshalMillis(m) }

func (m *Millis) UnmarshalJSON(b []byte) error { return unmarshalMillis(m, b) }

// A StageReport is the result of one stage.
type StageReport struct {
	Stage      string        `json:"stage"` // "08"
	Slug       string        `json:"slug"`
	Title      string        `json:"title"`
	Regression bool          `json:"regression,omitempty"` // an earlier stage, run to see that it still passes
	Verdict    Verdict       `json:"verdict"`
	Kind       fault.Kind    `json:"kind,omitempty"`      // of a failure
	Problem    string        `json:"problem,omitempty"`   // why no case ran, e.g. the compiler's words
	BlockedBy  string        `json:"blockedBy,omitempty"` // the earlier stage that this one is built on, and that can't be compiled
	BuiltOn    []string      `json:"builtOn,omitempty"`   // of a failure: the earlier stages that this one is built on, and that fail too
	Compile    []Diagnostic  `json:"compile,omitempty"`   // the compiler's or the import check's findings
	Checks     []CheckReport `json:"checks"`
	Failure    *Failure      `json:"failure,omitempty"`  // the shortest of the first broken check
	Nearby     []NearReport  `json:"nearby,omitempty"`   // where one case is explained
	Each       []CaseReport  `json:"each,omitempty"`     // every case of the schedules, where that is asked for
	Withheld   *Withheld     `json:"withheld,omitempty"` // what may be told of cases that are not shown; nil where there are none
	Cases      Count         `json:"cases"`              // of the schedules
	Explored   Count         `json:"explored"`           // made by exploration
	Bound      string        `json:"bound,omitempty"`    // what was explored
	CameUp     []string      `json:"cameUp,omitempty"`   // the situations that came up, where the course is certified
	Elapsed    Millis        `json:"elapsedMillis"`

	// UnchangedSince is when the result was found, where it is that of an earlier
	// run: nothing that it depends on has changed since.
	UnchangedSince *time.Time `json:"unchangedSince,omitempty"`
}

// A Count says how many cases there were and what became of them.
type Count struct {
	Total  int `json:"total"`
	Ran    int `json:"ran"`
	Failed int `json:"failed"`
}

// A Diagnostic is one complaint about a source file.
type Diagnostic struct {
	File    string `json:"file"` // relative to the solution's root
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// A CheckReport is the result of one check over all cases of a stage.
type CheckReport struct {
	Name      string     `json:"name"`
	Rule      string     `json:"rule"`
	Verdict   Verdict    `json:"verdict"`
	Kind      fault.Kind `json:"kind,omitempty"`
	Failed    int        `json:"failed,omitempty"`    // how many cases broke it
	Shortest  string     `json:"shortest,omitempty"`  // the ID of the smallest of them
	Problem   string     `json:"problem,omitempty"`   // what happened there
	BlockedBy string     `json:"blockedBy,omitempty"` // a check
}

// A Failure is one failing case in full.
type Failure struct {
	Case    string    `json:"case"`            // its ID
	Input   []Fact    `json:"input"`           // the case in words, e.g. {"records", "a b c"}, {"barrier_every", "2"}
	Why     string    `json:"why"`             // of the check that the first finding breaks
	Section string    `json:"section"`         // of STAGE.md
	Hint    int       `json:"hint,omitempty"`  // number of the stage's hint that is about that check; 0 if none is
	Finding []Finding `json:"findings"`        // the headline first
	Steps   []Step    `json:"steps,omitempty"` // the timeline
	Printed string    `json:"printed,omitempty"`

	// Otherwise is what the first finding is under another random seed, if its
	// check or its problem differ: "with random seed 2 it breaks barriers. At ...".
	Otherwise string `json:"otherwise,omitempty"`

	// Unsafe is the index of the first of Steps after which nothing could have
	// made it right any more; -1 where there is none, as where only the result is
	// wrong. It is where the first finding is seen, or before.
	Unsafe int `json:"unsafe"`
}

// A Fact is a name and a value, in an order that matters.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
