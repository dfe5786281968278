package windows

import (
	"fmt"
	"math"
	"strconv"

	"github.com/flk-byo/de/harness/schedule"
)

// Parameters of a case with records, as schedules name them.
const (
	paramWindow   = "window"
	paramSize     = "size"
	paramOverlap  = "overlap"
	paramOffset   = "offset"
	paramLateness = "lateness"
	paramDelay    = "delay"
	paramEvery    = "every"
)

// Values of the parameter window.
const (
	kindTumbling = iota
	kindSliding
	kindSession
	kindNested
	kindFan
)

// onlyAtEnd as delay asks for no watermark but that of the end.
const onlyAtEnd = -1

// Operations of a script. The first four say what the others are about.
const (
	opTumbling = "tumbling"
	opSliding  = "sliding"
	opCustom   = "custom"
	opOperator = "operator"
	opSession  = "session"
	opUse      = "use"
	opAssign   = "assign"
	opRecord   = "record"
	opAdvance  = "advance"
)

const (
	farthest     = 1 << 61 // of a time, an offset, a watermark; the contract promises it
	maxOverlap   = 100     // windows of one time, so that a result fits a message
	maxOperators = 20
)

// keys are those of scripts, by their words. Byte order is another than that of
// the words, or of the letters, and two are not valid UTF-8: as letters they
// would be alike, and come before the wide one.
var keys = []string{"", "a", "b", "c", "aa", "B", "é", "", "\xff", "\xfe", "\U0001F30A", " a", "customer-0001", "customer-00012"}

var keyWords = map[string]int64{
	"a": 1, "b": 2, "c": 3, "aa": 4, "upper": 5, "accent": 6, "empty": 7, "byte": 8, "other": 9, "wide": 10,
	"padded": 11, "long": 12, "longer": 13,
}

// Keys of scripts without a word are called by their number: "k100", "k101".
const (
	firstNumbered = 100
	numberedKeys  = 100
)

// keyOf is the key that an argument of a script stands for.
func keyOf(number int64) string {
	if number >= firstNumbered {
		return "k" + strconv.FormatInt(number, 10)
	}
	return keys[number]
}

var (
	argTime     = schedule.ArgSpec{Name: "time", Min: -farthest, Max: farthest}
	argOffset   = schedule.ArgSpec{Name: "offset", Min: -farthest, Max: farthest}
	argSize     = schedule.ArgSpec{Name: "size", Min: 1, Max: farthest}
	argLateness = schedule.ArgSpec{Name: "lateness", Min: 0, Max: math.MaxInt64, Words: map[string]int64{"max": math.MaxInt64}}
)

var spec = schedule.Spec{
	Stage: "04",
	Params: []schedule.Param{
		{
			Name: paramWindow, Short: "window", Doc: "what windows there are", Min: 0, Max: -1,
			Values: map[string]int{"tumbling": kindTumbling, "sliding": kindSliding, "session": kindSession, "nested": kindNested, "fan": kindFan},
		},
		{Name: paramSize, Short: "size", Doc: "size of a window, or gap of a session", Min: 1, Max: 100_000},
		{Name: paramOverlap, Short: "overlap", Doc: "sliding windows that begin within one size", Min: 1, Max: maxOverlap, Default: []int{1}},
		{Name: paramOffset, Short: "offset", Doc: "offset of the windows", Min: -100_000, Max: 100_000, Default: []int{0}},
		{Name: paramLateness, Short: "lateness", Doc: "how long a window stays after its end", Min: 0, Max: 100_000, Default: []int{0}},
		{
			Name: paramDelay, Short: "delay", Doc: "how far watermarks are behind the largest time",
			Min: 0, Max: 100_000, Values: map[string]int{"end": onlyAtEnd},
		},
		{Name: paramEvery, Short: "every", Doc: "records between two watermarks", Min: 1, Max: 1000, Default: []int{1}},
	},
	Ops: []schedule.OpSpec{
		{Name: opTumbling, Args: []schedule.ArgSpec{argSize, argOffset}, Doc: "what follows is about tumbling windows"},
		{Name: opSliding, Args: []schedule.ArgSpec{argSize, {Name: "slide", Min: 1, Max: farthest}, argOffset}, Doc: "what follows is about sliding windows"},
		{Name: opCustom, Args: []schedule.ArgSpec{{Name: "shape", Min: 1, Max: 0, Words: shapeWords}}, Doc: "what follows is about windows of an assigner of the judge's"},
		{Name: opOperator, Args: []schedule.ArgSpec{argLateness}, Doc: "a new operator over these windows"},
		{Name: opSession, Args: []schedule.ArgSpec{{Name: "gap", Min: 1, Max: farthest}, argLateness}, Doc: "a new operator over sessions"},
		{Name: opUse, Args: []schedule.ArgSpec{{Name: "number", Min: 1, Max: maxOperators}}, Doc: "go on with an earlier operator; the first is 1"},
		{Name: opAssign, Args: []schedule.ArgSpec{argTime}, Doc: "ask for the windows of a time"},
		{Name: opRecord, Args: []schedule.ArgSpec{
			{Name: "key", Min: firstNumbered, Max: firstNumbered + numberedKeys - 1, Words: keyWords},
			{Name: "value", Min: math.MinInt64, Max: math.MaxInt64},
			argTime,
		}, Doc: "hand a record to the operator"},
		{Name: opAdvance, Args: []schedule.ArgSpec{{
			Name: "watermark", Min: -farthest, Max: farthest,
			Words: map[string]int64{"max": math.MaxInt64, "min": math.MinInt64},
		}}, Doc: "move its watermark on"},
	},
	Limits:      schedule.Limits{Records: 1000},
	CheckScript: checkScript,
}

// checkScript refuses an operation on what is not there, and windows without end.
func checkScript(script []schedule.Op) (int, string) {
	windows, operators := "", int64(0)
	for i, op := range script {
		switch op.Name {
		case opTumbling, opSliding, opCustom:
			if op.Name == opSliding && (op.Args[0]-1)/op.Args[1] >= maxOverlap {
				return i, fmt.Sprintf("a time would be in more than %d windows; choose a larger slide", maxOverlap)
			}
			windows = op.Name
		case opOperator, opSession:
			if op.Name == opOperator && windows == "" {
				return i, "there are no windows yet; begin with tumbling, sliding or custom"
			}
			if operators++; operators > maxOperators {
				return i, fmt.Sprintf("a script has at most %d operators; split it", maxOperators)
			}
		case opUse:
			if op.Args[0] > operators {
				return i, fmt.Sprintf("there is no operator %d yet", op.Args[0])
			}
		case opAssign:
			if windows != opTumbling && windows != opSliding {
				return i, "assign asks an assigner of the solution's; begin with tumbling or sliding"
			}
		case opRecord, opAdvance:
			if operators == 0 {
				return i, "there is no operator yet; begin with operator or session"
			}
		}
	}
	return 0, ""
}

// compare orders cases by size: scripts, those with large numbers last, by
// length; then those with records by their count, kind of windows and lateness.
func compare(a, b schedule.Case) int {
	x, y := size(a), size(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] - y[i]
		}
	}
	return 0
}

func size(c schedule.Case) [4]int {
	if c.Script == nil {
		return [4]int{2, len(c.Records), c.Param(paramWindow), c.Param(paramLateness)}
	}
	large := 0
	for _, op := range c.Script {
		for i, a := range op.Args {
			if word := op.Words != nil && op.Words[i] != ""; !word && (a < -1000 || a > 1000) {
				large = 1
			}
		}
	}
	return [4]int{large, len(c.Script)}
}
