package encore

import (
	"fmt"

	"github.com/flk-byo/de/stages/stream"
)

// Records makes up a source: n payments of a few customers, always the same.
// Some are equal, and must come out as often as they went in.
func Records(n int) []stream.Record {
	var all []stream.Record
	for i := range n {
		all = append(all, stream.Record{
			Key:   fmt.Sprintf("customer-%d", i*i%7),
			Value: int64(i * 31 % 5 * 100), // 0 at times: the sum stays, and the record is there twice
			Time:  int64(i / 3 * 1000),
		})
	}
	return all
}
