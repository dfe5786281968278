package rubric

import "github.com/flk-byo/de/grading"

// Marks are what a rubric makes of one report. Total is the sum of the points of
// the rows, and Of that of what they are out of.
type Marks struct {
	Total Points `json:"total"`
	Of    Points `json:"of"`

	// Final tells that nothing which bears on the points was left open. Else
	// points may only be missing, for want of a verdict, and Flags say where.
	Final bool  `json:"final"`
	Rows  []Row `json:"rows"`

	// Flags are for the instructor: what was inconclusive, or a harness fault.
	// They may quote what a solution printed.
	Flags []string `json:"flags,omitempty"`
}

// A Row is one check of a stage, or a whole stage.
type Row struct {
	Stage   string          `json:"stage"`
	Check   string          `json:"check,omitempty"` // empty: the row is the whole stage
	Points  Points          `json:"points"`
	Of      Points          `json:"of"`
	Verdict grading.Verdict `json:"verdict"`
	Words   string          `json:"words,omitempty"` // e.g. "blocked by reading", "gate output failed", "9 of 10 checks"
}
