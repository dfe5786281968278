package watermarks

import (
	"fmt"
	"math"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
)

// maxDelay is a parameter of a case, and the operation that makes a generator.
const maxDelay = "max_delay"

// Operations of a script.
const (
	opMaxDelay = maxDelay
	opObserve  = "observe"
	opChannels = "channels"
	opUpdate   = "update"
	opIdle     = "idle"
	opFinish   = "finish"
	opUse      = "use"
)

const (
	maxChannels = 512
	maxObjects  = 10
)

// extremes are words for the ends of the range of times and watermarks.
var extremes = map[string]int64{"min": math.MinInt64, "max": math.MaxInt64}

var spec = schedule.Spec{
	Stage: "03",
	Params: []schedule.Param{{
		Name: maxDelay, Short: "delay", Doc: "milliseconds by which a record may be late",
		Min: 0, Max: math.MaxInt32,
		Values: map[string]int{"max": math.MaxInt},
	}},
	Ops: []schedule.OpSpec{
		{Name: opMaxDelay, Args: []schedule.ArgSpec{{Name: "millis", Min: 0, Max: math.MaxInt64, Words: map[string]int64{"max": math.MaxInt64}}}, Doc: "go on with a new generator of that delay"},
		{Name: opObserve, Args: []schedule.ArgSpec{time("time")}, Doc: "a record of that time"},
		{Name: opChannels, Args: []schedule.ArgSpec{{Name: "count", Min: 1, Max: maxChannels}}, Doc: "go on with a new merger of so many channels"},
		{Name: opUpdate, Args: []schedule.ArgSpec{channel, time("watermark")}, Doc: "a channel comes to a watermark"},
		{Name: opIdle, Args: []schedule.ArgSpec{channel}, Doc: "a channel is idle"},
		{Name: opFinish, Args: []schedule.ArgSpec{channel}, Doc: "a channel has ended"},
		{Name: opUse, Args: []schedule.ArgSpec{{Name: "number", Min: 1, Max: maxObjects}}, Doc: "go on with an earlier generator or merger"},
	},
	CheckScript: checkScript,
}

var channel = schedule.ArgSpec{Name: "channel", Min: 0, Max: maxChannels - 1}

func time(name string) schedule.ArgSpec {
	return schedule.ArgSpec{Name: name, Min: math.MinInt64, Max: math.MaxInt64, Words: extremes}
}

// checkScript refuses operations without an object that has them, and channels
// that a merger does not have.
func checkScript(script []schedule.Op) (int, string) {
	var made []schedule.Op // by object, the operation that made it
	var now schedule.Op
	for i, op := range script {
		switch op.Name {
		case opMaxDelay, opChannels:
			if len(made) == maxObjects {
				return i, fmt.Sprintf("there are %d generators and mergers already, as many as are allowed; split the script", maxObjects)
			}
			made = append(made, op)
			now = op
		case opUse:
			if int(op.Args[0]) > len(made) {
				return i, fmt.Sprintf("there is no number %d yet; %q and %q make them, numbered from 1", op.Args[0], opMaxDelay, opChannels)
			}
			now = made[op.Args[0]-1]
		case opObserve:
			if now.Name != opMaxDelay {
				return i, fmt.Sprintf("%q needs a generator; put \"%s 5\" before it", op.Name, opMaxDelay)
			}
		default:
			if now.Name != opChannels {
				return i, fmt.Sprintf("%q needs a merger; put \"%s 2\" before it", op.Name, opChannels)
			}
			if op.Args[0] >= now.Args[0] {
				return i, fmt.Sprintf("channel %d is not there: the merger has %d, numbered from 0", op.Args[0], now.Args[0])
			}
		}
	}
	return 0, ""
}

// compare orders cases by size: streams before scripts, those with times that
// people can read first, by count of records and delay, or by length and count
// of channels.
func compare(a, b schedule.Case) int {
	x, y := size(a), size(b)
	return slices.Compare(x[:], y[:])
}

func size(c schedule.Case) [4]int64 {
	if c.Script == nil {
		late := int64(c.Param(maxDelay))
		extreme := far(late)
		for _, r := range c.Records {
			extreme = max(extreme, far(r.Time))
		}
		return [4]int64{0, extreme, int64(len(c.Records)), late}
	}
	extreme := int64(0)
	for _, op := range c.Script {
		extreme = max(extreme, far(op.Args[len(op.Args)-1]))
	}
	return [4]int64{1, extreme, int64(len(c.Script)), c.Script[0].Args[0]}
}

// far is 1 for a number that is hard to read, else 0.
func far(n int64) int64 {
	const easy = 1_000_000
	if -easy < n && n < easy {
		return 0
	}
	return 1
}
