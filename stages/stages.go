// Package stages is the course: its stages in order, and their files, which are
// embedded so that the de binary is all that a learner needs. A new stage is a
// folder here and a line in [All].
package stages

import (
	"embed"

	"github.com/flk-byo/de/grading"
	operators "github.com/flk-byo/de/stages/01-operators"
	keyedstate "github.com/flk-byo/de/stages/02-keyed-state"
	watermarks "github.com/flk-byo/de/stages/03-watermarks"
	windows "github.com/flk-byo/de/stages/04-windows"
	partitionedexchange "github.com/flk-byo/de/stages/05-partitioned-exchange"
	checkpointbarriers "github.com/flk-byo/de/stages/06-checkpoint-barriers"
	exactlyoncestate "github.com/flk-byo/de/stages/07-exactly-once-state"
	transactionalsink "github.com/flk-byo/de/stages/08-transactional-sink"
)

// Course is the name of the course, as in "de start FLK-BYO/08".
const Course = "FLK-BYO"

// Files holds, for each stage, STAGE.md, hints/, contract/, wire/, skeleton/
// and reference/ (with the starter test), the vocabulary in stream/, and the
// program in example/ that is built on all of them. Of encore/ there is, too,
// what the process of a job is made of.
//
//go:embed example/* encore/program/*/*.txt encore/protocol/*.go encore/stores/*.go encore/stores/*/*.go encore/worker/*.go */STAGE.md */hints/*.md */contract/*.go */wire/*.go */skeleton/*.go */reference/*.go stream/*.go
var Files embed.FS

// All returns the stages in the order of the course.
func All() []grading.Suite {
	return []grading.Suite{
		operators.Suite,
		keyedstate.Suite,
		watermarks.Suite,
		windows.Suite,
		partitionedexchange.Suite,
		checkpointbarriers.Suite,
		exactlyoncestate.Suite,
		transactionalsink.Suite,
	}
}
