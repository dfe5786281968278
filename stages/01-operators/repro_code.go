package operators

import (
	"fmt"
	"strconv"
	"strings"
)

// A code is what a function does, as Go source: what it remembers, and the
// statements of its body. Those of a map and a filter return; others set all, the
// records to emit. A # stands for the number of the operator.
type code struct{ before, body string }

// codeOf returns the code of the function of a leaf.
func codeOf(leaf *node) code {
	c := codes[leaf.op.Name][leaf.function.word]
	number := strconv.Itoa(leaf.number)
	return code{strings.ReplaceAll(c.before, "#", number), strings.ReplaceAll(c.body, "#", number)}
}

const counter = "calls# := int64(0)"

func timesCode(n int) string {
	return fmt.Sprintf("var all []stream.Record\nfor range %d {\n\tall = append(all, r)\n\tr.Value++\n}", n)
}

const itself = "all := []stream.Record{r}"

// codes are those of functions.go, by kind and word.
var codes = map[string]map[string]code{
	opMap: {
		"inc":      {"", "r.Value++\nreturn r"},
		"double":   {"", "r.Value *= 2\nreturn r"},
		"negate":   {"", "r.Value, r.Time = -r.Value, -r.Time\nreturn r"},
		"rekey":    {"", "r.Key = \"x-\" + r.Key\nreturn r"},
		"same":     {"", "return r"},
		"zero":     {"", "return stream.Record{}"},
		"number":   {counter, "calls#++\nr.Value = calls#\nreturn r"},
		"previous": {"var before# stream.Record", "last := before#\nbefore# = r\nreturn last"},
	},
	opFilter: {
		"even":     {"", "return r.Value%2 == 0"},
		"odd":      {"", "return r.Value%2 != 0"},
		"positive": {"", "return r.Value > 0"},
		"hot":      {"", "return r.Key == \"hot\""},
		"all":      {"", "return true"},
		"none":     {"", "return false"},
		"second":   {counter, "calls#++\nreturn calls#%2 == 0"},
		"start":    {counter, "calls#++\nreturn calls# <= 2"},
	},
	opFlatMap: {
		"itself":  {"", itself},
		"twice":   {"", "all := []stream.Record{r, r}"},
		"nothing": {"", "var all []stream.Record"},
		"split": {"", `var all []stream.Record
for i := range (r.Value%4 + 4) % 4 {
	all = append(all, stream.Record{Key: fmt.Sprintf("%s.%d", r.Key, i+1), Value: r.Value, Time: r.Time + i})
}`},
		"around": {"", `all := []stream.Record{
	{Key: r.Key, Value: r.Value - 1, Time: r.Time},
	r,
	{Key: r.Key, Value: r.Value + 1, Time: r.Time},
}`},
		"pairs": {"var held# []stream.Record", `held# = append(held#, r)
var all []stream.Record
if len(held#) == 2 {
	all, held# = held#, nil
}`},
		"growing": {counter, "all := slices.Repeat([]stream.Record{r}, int(calls#%4))\ncalls#++"},
		"seven":   {"", timesCode(7)},
		"seventy": {"", timesCode(70)},
	},
	opOwn: {
		"tap":  {"", itself},
		"echo": {"", "all := []stream.Record{r, {Key: r.Key, Value: -r.Value, Time: r.Time}}"},
		"hole": {"", "var all []stream.Record"},
		"skip": {counter, "calls#++\nvar all []stream.Record\nif calls#%2 == 0 {\nall = append(all, r)\n}"},
	},
}

const ownType = `// A reproOperator is of the caller's own type.
type reproOperator func(r stream.Record, emit func(stream.Record))

func (o reproOperator) Process(r stream.Record, emit func(stream.Record)) { o(r, emit) }
`

// happensCode is the beginning of a test.
const happensCode = `// happens is told of all that happens, which must be what is expected. A
// breakpoint at its calls of Errorf stops at the first thing that is wrong.
var expected []string
happens := func(what string, r stream.Record) {
	now := fmt.Sprintf("%s %q=%d @%d", what, r.Key, r.Value, r.Time)
	switch {
	case t.Failed(): // say only what was wrong first
	case len(expected) == 0:
		t.Errorf("%s: it should not happen", now)
	case now != expected[0]:
		t.Errorf("%s: it should have been %s", now, expected[0])
	default:
		expected = expected[1:]
	}
}
over := func() {
	if len(expected) > 0 && !t.Failed() {
		t.Errorf("In the end it is missing: %s", expected[0])
	}
	if t.Failed() {
		t.FailNow()
	}
}`

const processCode = `process := func(op contract.Operator, r stream.Record) {
	returned := false
	op.Process(r, func(r stream.Record) {
		if returned {
			happens("too late: output", r)
		} else {
			happens("output", r)
		}
	})
	returned = true
	over()
}`

const runCode = `run := func(op contract.Operator, source, output []stream.Record) {
	got := s.Run(source, op)
	over()
	if !slices.Equal(got, output) {
		t.Fatalf("Run returned %+v instead of %+v", got, output)
	}
}`

// runAndChangeCode is runCode where the memory matters.
const runAndChangeCode = `// run lends a source with something of its own behind it. What it gets is its
// own too: it writes into it, and keeps it.
own := stream.Record{Key: "the caller's own"}
var kept [][]stream.Record
run := func(op contract.Operator, source, output []stream.Record) {
	lent := append(slices.Clone(source), own)
	got := s.Run(lent[:len(source)], op)
	over()
	if !slices.Equal(got, output) {
		t.Fatalf("Run returned %+v instead of %+v", got, output)
	}
	for i := range got {
		got[i] = stream.Record{Key: "written by the caller", Value: int64(len(kept))}
	}
	kept = append(kept, got)
	if !slices.Equal(lent[:len(source)], source) {
		t.Fatalf("the source is now %+v: it was changed, or is what Run returned", lent[:len(source)])
	}
	if lent[len(source)] != own {
		t.Fatalf("behind the source there is now %+v", lent[len(source)])
	}
}`

const keptCode = `// No later run has written into what an earlier one returned.
for i, got := range kept {
	for _, r := range got {
		if r.Key != "written by the caller" || r.Value != int64(i) {
			t.Fatalf("what run %d returned now holds %+v", i+1, r)
		}
	}
}`
