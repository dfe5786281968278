package schedule

import (
	"math"
	"math/rand/v2"

	"github.com/flk-byo/de/stages/stream"
)

// Seeded returns n records of a stream as it may come: mostly of one hot key,
// some with an empty or a non-ASCII one; out of order and with ties in time,
// from before time 0 on; values of both signs, sometimes the least or the
// largest; now and then the same record again. It is the beginning of what a
// larger n returns.
func Seeded(seed uint64, n int) []stream.Record {
	chance := rand.New(rand.NewPCG(seed, 0))
	rs := make([]stream.Record, 0, n)
	for i := range n {
		if i > 0 && chance.IntN(10) == 0 {
			rs = append(rs, rs[chance.IntN(i)])
			continue
		}
		rs = append(rs, stream.Record{
			Key:   keys[chance.IntN(len(keys))],
			Value: value(chance),
			Time:  int64(10*i + chance.IntN(81) - 60),
		})
	}
	return rs
}

var keys = []string{"hot", "hot", "hot", "hot", "a", "b", "c", "größe", "日本", ""}

func value(chance *rand.Rand) int64 {
	switch chance.IntN(25) {
	case 0:
		return math.MinInt64
	case 1:
		return math.MaxInt64
	default:
		return int64(chance.IntN(19) - 9)
	}
}
