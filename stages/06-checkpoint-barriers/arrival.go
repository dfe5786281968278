package checkpointbarriers

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// An item is an element by value, so that two can be compared.
type item struct {
	record  stream.Record // the zero one beside a barrier, if that is right
	barrier stream.CheckpointID
	mark    bool // a barrier
}

func itemOf(e stream.Element) item {
	if e.Barrier != nil {
		return item{record: e.Record, barrier: e.Barrier.ID, mark: true}
	}
	return item{record: e.Record}
}

func items(es []stream.Element) []item {
	is := make([]item, len(es))
	for i, e := range es {
		is[i] = itemOf(e)
	}
	return is
}

func (i item) element() stream.Element {
	if i.mark {
		return stream.Element{Barrier: &stream.Barrier{ID: i.barrier}}
	}
	return stream.Element{Record: i.record}
}

func barrier(id stream.CheckpointID) item { return item{barrier: id, mark: true} }

// An arrival is what one call on an aligner tells it: an element of a channel,
// or its end.
type arrival struct {
	aligner int // 1 is the first
	channel int
	end     bool
	item    item
}

// A plan is what arrives in one case.
type plan struct {
	channels int
	arrivals []arrival
	label    func(stream.Record) string
}

// planOf returns what arrives in a case with channels, or in a script.
func planOf(c schedule.Case) plan {
	if c.Script != nil {
		return scripted(c.Script)
	}
	return dealt(c)
}

// scripted names the records of a script by channel and position: a1 and a2 on
// channel 0, b1 on channel 1, aa1 on channel 26.
func scripted(script []schedule.Op) plan {
	p := plan{label: func(r stream.Record) string { return diff.Key(r.Key) }}
	p.arrivals = make([]arrival, 0, len(script))
	aligner := 1
	counts := map[[2]int]int{} // by aligner and channel
	for _, op := range script {
		switch op.Name {
		case opChannels:
			p.channels = int(op.Args[0])
			continue
		case opAligner:
			aligner = int(op.Args[0])
			continue
		}
		a := arrival{aligner: aligner, channel: int(op.Args[0])}
		switch op.Name {
		case opRecord:
			at := [2]int{aligner, a.channel}
			counts[at]++
			a.item = item{record: scriptRecord(aligner, a.channel, counts[at])}
		case opBarrier:
			a.item = barrier(stream.CheckpointID(op.Args[1]))
		case opFinish:
			a.end = true
		}
		p.arrivals = append(p.arrivals, a)
	}
	return p
}

func scriptRecord(aligner, channel, n int) stream.Record {
	key := strings.Repeat(string(rune('a'+channel%26)), 1+channel/26) + strconv.Itoa(n)
	if aligner > 1 {
		key += ":" + strconv.Itoa(aligner)
	}
	return stream.Record{Key: key, Value: int64(n), Time: int64(10*channel + n)}
}

// dealt deals the records of a case out to its channels, each with barriers of
// its own, and lets them arrive in an order chosen by the case's number.
func dealt(c schedule.Case) plan {
	p := plan{channels: c.Param(channels), label: diff.Record}
	chance := rand.New(rand.NewPCG(uint64(c.Param(order)), uint64(len(c.Records))))
	shares := make([][]stream.Record, p.channels)
	for _, r := range c.Records {
		ch := chance.IntN(p.channels)
		shares[ch] = append(shares[ch], r)
	}
	queues := make([][]arrival, p.channels)
	for ch, rs := range shares {
		queues[ch] = troubled(injected(rs, c.Param(barrierEvery)), ch, c.Param(trouble), chance)
	}
	for {
		var open []int
		for ch, q := range queues {
			if len(q) > 0 {
				open = append(open, ch)
			}
		}
		if len(open) == 0 {
			return p
		}
		ch := open[chance.IntN(len(open))]
		for n := 1 + chance.IntN(3); n > 0 && len(queues[ch]) > 0; n-- { // in bursts
			p.arrivals = append(p.arrivals, queues[ch][0])
			queues[ch] = queues[ch][1:]
		}
	}
}

// troubled returns what arrives on channel ch, if the given trouble befalls it.
func troubled(is []item, ch, kind int, chance *rand.Rand) []arrival {
	var as []arrival
	add := func(i item) { as = append(as, arrival{aligner: 1, channel: ch, item: i}) }
	newest := stream.CheckpointID(0)
	for _, i := range is {
		if i.mark && (kind == lost || kind == everything) && chance.IntN(3) == 0 {
			continue
		}
		add(i)
		newest = max(newest, i.barrier)
		if newest > 0 && (kind == late || kind == everything) && chance.IntN(5) == 0 {
			add(barrier(1 + stream.CheckpointID(chance.Int64N(int64(newest)))))
		}
	}
	if kind == finishing || kind == everything {
		as = append(as[:len(as)-chance.IntN(len(as)/2+1)], arrival{aligner: 1, channel: ch, end: true})
	}
	return slices.Clip(as)
}
