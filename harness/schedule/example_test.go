package schedule_test

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
)

func ExampleLoad() {
	src := `
stage: FLK-BYO/08
title: three crash points
cases:
  - name: distinct
    records: {count: 7}
    barrier_every: 2
    crash_after: [none, 0, 5]
    commit_lag: -1
`
	_, err := schedule.Load("example.yaml", []byte(src), sinkSpec, nil)
	fmt.Println(err)
	// Output:
	// example.yaml:9:17: commit_lag must be 0 to 1000 (barriers between a pre-commit
	//     and its notification); found -1
	//     9 |     commit_lag: -1
	//       |                 ^
}
