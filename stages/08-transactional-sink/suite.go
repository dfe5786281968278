// Package transactionalsink is stage 08: what drives a solution through a
// schedule and judges what it did. The contract is in contract/, the model
// answer in reference/. Start reading at [Suite].
package transactionalsink

import "github.com/flk-byo/de/grading"

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:    "08",
	Slug:  "transactional-sink",
	Title: "Transactional sink",
}
