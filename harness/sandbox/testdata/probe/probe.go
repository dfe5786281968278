// Package probe is a guest that does what the key of its first record says.
package probe

import (
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

type Solution struct{}

func (Solution) NewTransactionalSink() contract.TransactionalSink { panic("no sink") }

var (
	calls int64
	kept  []byte
)

func (Solution) RunExactlyOnceSink(newSink func() contract.TransactionalSink, records []stream.Record, n, _, _ int) []stream.Record {
	calls++
	answer := calls
	switch records[0].Key {
	case "count":
	case "panic":
		panic("as told")
	case "exit":
		os.Exit(n)
	case "loop":
		for {
		}
	case "recurse":
		answer = recurse(0)
	case "memory":
		for i := 0; ; i++ {
			kept = append(kept, make([]byte, 1<<20)...)
		}
	case "keep":
		kept = make([]byte, n)
		for i := range kept {
			kept[i] = 1
		}
	case "dirt": // of memory that should be new
		fresh := make([]byte, n)
		answer = 0
		for _, b := range fresh {
			answer += int64(b)
		}
	case "print":
		for i := range n {
			fmt.Println("line", i)
		}
	case "calls":
		for range n {
			newSink()
		}
	case "now":
		answer = time.Now().UnixNano()
	case "sleep":
		before := time.Now()
		time.Sleep(time.Hour)
		answer = int64(time.Since(before))
	case "chance":
		answer = rand.Int64()
		for k := range map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8} {
			answer = answer*31 + int64(k)
		}
	}
	return []stream.Record{{Key: records[0].Key, Value: answer}}
}

func recurse(n int64) int64 { return recurse(n+1) + 1 }
