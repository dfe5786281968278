// Package gocode writes values and statements as Go source, for the plain tests
// that a stage's Repro makes. It knows no stage, and does not indent: go/format
// does.
package gocode

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flk-byo/de/stages/stream"
)

// Stages is how the import paths of a course's packages begin; Stream is that of
// the words that all stages share.
const (
	Stages = "github.com/flk-byo/de/stages/"
	Stream = Stages + "stream"
)

// How often a test does it all: where what is wrong may come of chance, and where
// it may come of what was done before.
const (
	Chance = 1000
	Again  = 3
)

// Times is how often a test does it all for a finding of a check to show, where
// two of them are about chance, and about what was done before.
func Times(check, chance, before string) int {
	switch check {
	case chance:
		return Chance
	case before:
		return Again
	default:
		return 1
	}
}

// A Text is source that grows line by line. Its zero value is empty.
type Text struct{ b strings.Builder }

// Add adds lines. The format is that of [fmt.Sprintf].
func (t *Text) Add(format string, args ...any) {
	fmt.Fprintf(&t.b, format+"\n", args...)
}

// Block adds lines as they are, after an empty one.
func (t *Text) Block(lines string) {
	t.b.WriteString("\n" + lines + "\n")
}

// Rounds adds what steps do, in a loop if there are to be several rounds.
func (t *Text) Rounds(n int, steps func()) {
	if n == 1 {
		steps()
		return
	}
	t.Block("// What depends on chance, or on what was before, shows in one of many rounds.")
	t.Add("for range %d {", n)
	steps()
	t.Add("}")
}

// Unused adds a use of each variable that t has but once: Go refuses those that
// are never used.
func (t *Text) Unused(variables ...string) {
	for _, v := range variables {
		if len(regexp.MustCompile(`\b`+v+`\b`).FindAllStringIndex(t.String(), 2)) == 1 {
			t.Add("_ = %s // it is not used", v)
		}
	}
}

func (t *Text) String() string { return t.b.String() }

// Record is a literal of r.
func Record(r stream.Record) string { return "stream.Record" + fields(r) }

// Records is a literal of a slice, which is empty rather than nil.
func Records(rs []stream.Record) string { return List("[]stream.Record", rs, fields) }

func fields(r stream.Record) string {
	if r == (stream.Record{}) {
		return "{}"
	}
	return fmt.Sprintf("{Key: %s, Value: %d, Time: %d}", strconv.Quote(r.Key), r.Value, r.Time)
}

// Strings is a literal of a slice of strings.
func Strings(all []string) string { return List("[]string", all, text) }

// text is a literal of s, a raw one where that is easier to read.
func text(s string) string {
	if strings.Contains(s, `"`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// State is a literal of values by key, in the order of the keys.
func State(m map[string]int64) string {
	return List("map[string]int64", slices.Sorted(maps.Keys(m)), func(key string) string {
		return fmt.Sprintf("%s: %d", strconv.Quote(key), m[key])
	})
}

// listWidth is how many bytes of elements stand on one line.
const listWidth = 50

// List is a composite literal of a slice or a map, whose elements are written as
// element says: on one line, or with a line for each.
func List[T any](of string, elements []T, element func(T) string) string {
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = element(e)
	}
	if line := strings.Join(texts, ", "); len(line) <= listWidth {
		return of + "{" + line + "}"
	}
	return of + "{\n" + strings.Join(texts, ",\n") + ",\n}"
}

// Comment is text as comments, in lines that fit where they are indented a little.
func Comment(format string, args ...any) string {
	var lines []string
	line := "//"
	for word := range strings.FieldsSeq(fmt.Sprintf(format, args...)) {
		if len(line)+1+len(word) > commentWidth && line != "//" {
			lines, line = append(lines, line), "//"
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}

const commentWidth = 72 // bytes
