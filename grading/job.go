package grading

import (
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// A Job is what a child process is asked to do: run cases on a guest.
type Job struct {
	WASM    string // path of the guest
	Guest   []byte `json:"-"` // what stands there, if the child has read it before
	Stages  []StageJob
	Seeds   []uint64 // each case runs under all of them
	Guarded bool     // end a case that hangs from inside: slower to run
	Workers int      // of the guest's compiler
	Observe bool     // tell which Situations came up
	Preview bool     // tell what fails first while the guest is being compiled
	Explain bool     // see [Config.Explain]
	Hot     []string // functions that guests are known to call; see [Config.Hot]

	CaseMillis int // where guarded, a case hangs that takes so much processor time without a call
	MaxLimits  int // after so many cases at their time limit the stage ends; 0 means no end
}

// Cases are those of the schedules, by stage of a run. A child gets them before
// its job, while the guest is being built.
type Cases [][]schedule.Case

// A StageJob is the part of one stage.
type StageJob struct {
	Index    int             // of the stage in the run
	Place    int             // of its solution in the guest
	Folder   string          // that of its package
	Rewind   bool            // its objects can be taken back; see [Guest.Rewind]
	Suite    string          // the stage's ID
	Explore  bool            // run all that is on the agenda, not only the cases of the schedules
	Longer   int             // by how many operations the sweep's sequences are longer than by default
	Suspects []schedule.Case // for the preview: cases that failed before
	Before   []schedule.Case // see [Stage.Before]

	From int // the place on the agenda to begin at
	To   int // the place to end before; 0 means the end
}

// A Message is one line of a child's report.
type Message struct {
	Phase   string       `json:"phase,omitempty"`   // what it begins to do; see the constants
	Stage   int          `json:"stage"`             // index of the stage in the run
	Total   int          `json:"total,omitempty"`   // places on the stage's agenda, with PhaseStage
	Sweep   []int        `json:"sweep,omitempty"`   // likewise, by part of the sweep how many sequences it has
	Case    int          `json:"case"`              // the first place that begins, with PhaseCase
	Next    int          `json:"next,omitempty"`    // the place after the last of them; with PhaseEnd, after the last that was run
	More    bool         `json:"more,omitempty"`    // with PhaseEnd: the job ends there, and the stage does not
	News    string       `json:"news,omitempty"`    // what fails as far as can be seen, in words, before it counts
	Failed  *CaseResult  `json:"failed,omitempty"`  // a case that did not pass
	Stop    string       `json:"stop,omitempty"`    // why the stage ends early
	Refused string       `json:"refused,omitempty"` // why the guest can't be loaded: the child ends
	CameUp  []string     `json:"cameUp,omitempty"`  // with PhaseEnd: situations, where they are observed
	Again   bool         `json:"again,omitempty"`   // what this child reported so far is void: the job begins anew
	Hot     string       `json:"hot,omitempty"`     // with Again: the function that was called and was not known for it
	Broken  *fault.Fault `json:"broken,omitempty"`  // how the initialisation of one of several solutions died: the child ends
	Fault   string       `json:"fault,omitempty"`   // a fault of ours: the child ends
}

// Phases of a child.
const (
	PhaseCompile = "compile" // the guest to machine code
	PhaseStart   = "start"   // the guest for the first time: initialisation runs
	PhaseStage   = "stage"
	PhaseCase    = "case"
	PhaseEnd     = "end" // of the stage: the case before has ended
)

// A CaseResult is a case that did not pass.
type CaseResult struct {
	Index    int           `json:"index"` // its place on the agenda
	Case     schedule.Case `json:"case"`
	Explored bool          `json:"explored,omitempty"`
	Findings []Finding     `json:"findings"`
	Steps    []Step        `json:"steps,omitempty"`   // left out where an earlier case broke the same checks
	Unsafe   int           `json:"unsafe,omitempty"`  // see [Failure]; likewise
	Leaks    bool          `json:"leaks,omitempty"`   // it fails only after other cases
	Printed  string        `json:"printed,omitempty"` // by the solution, likewise

	Otherwise string `json:"otherwise,omitempty"` // see [Failure]

	steps  func() []Step
	unsafe func() int
	bench  *bench // where it failed, if that is none of the judge's
}
