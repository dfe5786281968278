package keyedstate

import (
	"fmt"
	"strconv"

	"github.com/flk-byo/de/harness/schedule"
)

// Parameters of a case, as schedules name them.
const (
	paramFunction  = "function"
	paramState     = "state"
	paramForget    = "forget_every"
	paramOperators = "operators"
)

// Whose state an operator is given.
const (
	stateOurs     = iota // the host's, whose calls are on record
	stateOwn             // the solution's own, empty
	stateRestored        // the solution's own, restored to what the first half of the records came to
)

// Which operators share the records.
const (
	one    = iota
	shared // two over one state, in turns
	apart  // two over a state of each, in turns
)

// Operations of a script.
const (
	opPut          = "put"
	opDelete       = "delete"
	opSnapshot     = "snapshot"
	opRestore      = "restore"
	opRestoreEmpty = "restore_empty"
	opRestoreNil   = "restore_nil"
	opChange       = "change"
	opRemove       = "remove"
	opState        = "state"
	opReduce       = "reduce"
	opProcess      = "process"
)

// maxSlots bounds the states, the maps and the operators of one script.
const maxSlots = 9

// keyWords are the keys of scripts, by the words that stand for them. They sort
// differently by bytes than by alphabet, by length or by UTF-16.
var keyWords = map[string]string{
	"a": "a", "b": "b", "c": "c", "upper": "B", "ab": "ab", "number9": "9", "number10": "10",
	"empty": "", "space": "a b", "nul": "a\x00", "umlaut": "größe", "japan": "日本",
	"wide": "\U0001F30A", "private": "\uE000", "bytes": "\xff\xfe",
	"padded": " a", "long": "customer-0001", "longer": "customer-00012",
}

// Keys of scripts without a word are called by their number: "k100", "k101".
const (
	firstNumbered = 100
	numberedKeys  = 400
)

// keyNames are the words in an order that their numbers in scripts are made of.
var keyNames = []string{
	"a", "b", "c", "upper", "ab", "number9", "number10", "empty", "space", "nul",
	"umlaut", "japan", "wide", "private", "bytes",
	"padded", "long", "longer",
}

func keyNumbers() map[string]int64 {
	numbers := map[string]int64{}
	for i, name := range keyNames {
		numbers[name] = int64(i)
	}
	return numbers
}

// keyOf is the key that an argument of a script stands for.
func keyOf(number int64) string {
	if number >= firstNumbered {
		return "k" + strconv.FormatInt(number, 10)
	}
	return keyWords[keyNames[number]]
}

func functionNumbers() map[string]int {
	numbers := map[string]int{}
	for i, f := range functions {
		numbers[f.name] = i
	}
	return numbers
}

func functionArgs() map[string]int64 {
	numbers := map[string]int64{}
	for name, i := range functionNumbers() {
		numbers[name] = int64(i)
	}
	return numbers
}

var (
	key      = schedule.ArgSpec{Name: "key", Min: firstNumbered, Max: firstNumbered + numberedKeys - 1, Words: keyNumbers()}
	value    = schedule.ArgSpec{Name: "value", Min: -1 << 63, Max: 1<<63 - 1}
	slot     = schedule.ArgSpec{Name: "map", Min: 1, Max: maxSlots}
	operator = schedule.ArgSpec{Name: "operator", Min: 1, Max: maxSlots}
)

var spec = schedule.Spec{
	Stage: "02",
	Params: []schedule.Param{
		{
			Name: paramFunction, Short: "f", Doc: "the function to reduce by",
			Min: 0, Max: -1, Values: functionNumbers(),
		},
		{
			Name: paramState, Short: "state", Doc: "whose state it is",
			Min: 0, Max: -1, Default: []int{stateOurs},
			Values: map[string]int{"judge": stateOurs, "yours": stateOwn, "restored": stateRestored},
		},
		{
			Name: paramForget, Short: "forget", Doc: "records after which the key of the last one is deleted",
			Min: 1, Max: 1000, Default: []int{0}, Values: map[string]int{"never": 0},
		},
		{
			Name: paramOperators, Short: "operators", Doc: "how many operators take turns, and whether they share a state",
			Min: 0, Max: -1, Default: []int{one},
			Values: map[string]int{"one": one, "shared": shared, "apart": apart},
		},
	},
	Ops: []schedule.OpSpec{
		{Name: opPut, Args: []schedule.ArgSpec{key, value}, Doc: "put a value into the state"},
		{Name: opDelete, Args: []schedule.ArgSpec{key}, Doc: "delete a key of the state"},
		{Name: opSnapshot, Args: []schedule.ArgSpec{slot}, Doc: "take a snapshot, which is then the map of that number"},
		{Name: opRestore, Args: []schedule.ArgSpec{slot}, Doc: "restore the state from a map"},
		{Name: opRestoreEmpty, Doc: "restore the state from an empty map"},
		{Name: opRestoreNil, Doc: "restore the state from nil"},
		{Name: opChange, Args: []schedule.ArgSpec{slot, key, value}, Doc: "set an entry of a map, as its owner; makes the map if there is none"},
		{Name: opRemove, Args: []schedule.ArgSpec{slot, key}, Doc: "remove an entry of a map, as its owner"},
		{Name: opState, Args: []schedule.ArgSpec{{Name: "number", Min: 1, Max: maxSlots}}, Doc: "go on with another state"},
		{Name: opReduce, Args: []schedule.ArgSpec{operator, {Name: "function", Min: 1, Max: 0, Words: functionArgs()}}, Doc: "make an operator over the state"},
		{Name: opProcess, Args: []schedule.ArgSpec{operator, key, value}, Doc: "hand a record to an operator"},
	},
	CheckScript: checkScript,
}

// checkScript refuses maps and operators that are not there.
func checkScript(script []schedule.Op) (int, string) {
	maps, operators := map[int64]bool{}, map[int64]bool{}
	for i, op := range script {
		switch op.Name {
		case opSnapshot, opChange:
			maps[op.Args[0]] = true
		case opRestore, opRemove:
			if n := op.Args[0]; !maps[n] {
				return i, fmt.Sprintf("there is no map %d yet; \"snapshot %d\" or \"change %d KEY VALUE\" makes it", n, n, n)
			}
		case opReduce:
			n := op.Args[0]
			if operators[n] {
				return i, fmt.Sprintf("operator %d was made before; use another number", n)
			}
			operators[n] = true
		case opProcess:
			if n := op.Args[0]; !operators[n] {
				return i, fmt.Sprintf("there is no operator %d yet; \"reduce %d FUNCTION\" makes it", n, n)
			}
		}
	}
	return 0, ""
}

// compare orders cases by size: scripts on a state alone by length, those about
// maps first; then reductions by count of records, whose state it is, and the
// other parameters; then scripts with operators.
func compare(a, b schedule.Case) int {
	for i, v := range size(a) {
		if w := size(b)[i]; v != w {
			return v - w
		}
	}
	return 0
}

func size(c schedule.Case) [6]int {
	switch {
	case c.Script == nil:
		return [6]int{1, len(c.Records), c.Param(paramState), c.Param(paramOperators), c.Param(paramForget), c.Param(paramFunction)}
	case has(c.Script, opReduce):
		return [6]int{2, len(c.Script)}
	case has(c.Script, opSnapshot, opChange):
		return [6]int{0, len(c.Script), 0}
	default:
		return [6]int{0, len(c.Script), 1}
	}
}
