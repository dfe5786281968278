package stages

import (
	"github.com/flk-byo/de/grading"
	operators "github.com/flk-byo/de/stages/01-operators"
	operatorsreference "github.com/flk-byo/de/stages/01-operators/reference"
	keyedstate "github.com/flk-byo/de/stages/02-keyed-state"
	keyedstatereference "github.com/flk-byo/de/stages/02-keyed-state/reference"
	watermarks "github.com/flk-byo/de/stages/03-watermarks"
	watermarksreference "github.com/flk-byo/de/stages/03-watermarks/reference"
	windows "github.com/flk-byo/de/stages/04-windows"
	windowsreference "github.com/flk-byo/de/stages/04-windows/reference"
	partitionedexchange "github.com/flk-byo/de/stages/05-partitioned-exchange"
	partitionedexchangereference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	checkpointbarriers "github.com/flk-byo/de/stages/06-checkpoint-barriers"
	checkpointbarriersreference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	exactlyoncestate "github.com/flk-byo/de/stages/07-exactly-once-state"
	exactlyoncestatereference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
	transactionalsink "github.com/flk-byo/de/stages/08-transactional-sink"
	transactionalsinkreference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
)

// References returns the course's own solutions by stage, run natively in this
// process: for its tests and its measurements.
func References() map[string]grading.Subject {
	return map[string]grading.Subject{
		"01": operators.Native(operatorsreference.Solution{}),
		"02": keyedstate.Native(keyedstatereference.Solution{}),
		"03": watermarks.Native(watermarksreference.Solution{}),
		"04": windows.Native(windowsreference.Solution{}),
		"05": partitionedexchange.Native(partitionedexchangereference.Solution{}),
		"06": checkpointbarriers.Native(checkpointbarriersreference.Solution{}),
		"07": exactlyoncestate.Native(exactlyoncestatereference.Solution{}),
		"08": transactionalsink.Native(transactionalsinkreference.Solution{}),
	}
}
