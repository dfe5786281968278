package checkpointbarriers

import (
	"fmt"
	"math"

	"github.com/flk-byo/de/harness/schedule"
)

// Parameters of a case, as schedules name them. A case without channels tries
// InjectBarriers; with channels its records are dealt out to them.
const (
	barrierEvery = "barrier_every"
	channels     = "channels" // and an operation
	order        = "order"
	trouble      = "trouble"
)

// What goes wrong on the channels of a case.
const (
	nothing    = iota
	lost       // barriers get lost
	late       // old barriers come again
	finishing  // channels finish
	everything // all of these
)

// Operations of a script.
const (
	opChannels = "channels"
	opRecord   = "record"
	opBarrier  = "barrier"
	opFinish   = "finish"
	opAligner  = "aligner"
)

const (
	maxChannels = 64
	maxAligners = 10
)

var channelArg = schedule.ArgSpec{Name: "channel", Min: 0, Max: maxChannels - 1}

var spec = schedule.Spec{
	Stage: "06",
	Params: []schedule.Param{
		{
			Name: barrierEvery, Short: "every", Doc: "records between two barriers",
			Min: 1, Max: math.MaxInt32,
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return upTo(1, n+1) }},
		},
		{
			Name: channels, Short: "channels", Doc: "channels that the records come on",
			Min: 1, Max: maxChannels, Default: []int{0}, Values: map[string]int{"none": 0},
		},
		{
			Name: order, Short: "order", Doc: "a number to choose the order of arrival by",
			Min: 0, Max: math.MaxInt32, Default: []int{0},
		},
		{
			Name: trouble, Short: "trouble", Doc: "what goes wrong on the channels",
			Min: 0, Max: -1, Default: []int{nothing},
			Values: map[string]int{"none": nothing, "lost": lost, "late": late, "finish": finishing, "all": everything},
		},
	},
	Ops: []schedule.OpSpec{
		{Name: opChannels, Args: []schedule.ArgSpec{{Name: "count", Min: 1, Max: maxChannels}}, Doc: "set up aligners of that many channels"},
		{Name: opRecord, Args: []schedule.ArgSpec{channelArg}, Doc: "a record arrives on the channel"},
		{Name: opBarrier, Args: []schedule.ArgSpec{channelArg, {Name: "id", Min: 1, Max: math.MaxInt64}}, Doc: "a barrier arrives on the channel"},
		{Name: opFinish, Args: []schedule.ArgSpec{channelArg}, Doc: "the channel ends"},
		{Name: opAligner, Args: []schedule.ArgSpec{{Name: "number", Min: 1, Max: maxAligners}}, Doc: "go on with another aligner"},
	},
	Limits:      schedule.Limits{Ops: 300, Records: 2000},
	CheckScript: checkScript,
}

// checkScript refuses a script that does not begin with its channels, and what
// the contract leaves open: more on a channel that has ended.
func checkScript(script []schedule.Op) (int, string) {
	type channel struct{ aligner, number int64 }
	ended := map[channel]bool{}
	aligner := int64(1)
	for i, op := range script {
		switch {
		case (i == 0) != (op.Name == opChannels):
			return i, "a script begins with channels COUNT, and has it once; put it first"
		case op.Name == opChannels:
			continue
		case op.Name == opAligner:
			aligner = op.Args[0]
			continue
		case op.Args[0] >= script[0].Args[0]:
			return i, fmt.Sprintf("there is no channel %d: they count from 0 to %d", op.Args[0], script[0].Args[0]-1)
		}
		ch := channel{aligner, op.Args[0]}
		if ended[ch] {
			return i, fmt.Sprintf("channel %d has ended, and what follows on it the contract leaves open; remove this", ch.number)
		}
		ended[ch] = op.Name == opFinish
	}
	return 0, ""
}

func upTo(low, high int) []int {
	var all []int
	for v := low; v <= high; v++ {
		all = append(all, v)
	}
	return all
}

// compare orders cases by size: those of InjectBarriers by records and
// distance, then scripts by length and channels, then streams by records and
// channels.
func compare(a, b schedule.Case) int {
	for i, v := range size(a) {
		if w := size(b)[i]; v != w {
			return v - w
		}
	}
	return 0
}

func size(c schedule.Case) [4]int {
	switch {
	case c.Script != nil:
		return [4]int{1, len(c.Script), int(c.Script[0].Args[0])}
	case c.Param(channels) == 0:
		return [4]int{0, len(c.Records), c.Param(barrierEvery)}
	default:
		return [4]int{2, len(c.Records), c.Param(channels), c.Param(trouble)}
	}
}
