package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flk-byo/de/stages/stream"
)

// A Case is one concrete run: inputs, parameters, crash point. It has either
// records and parameters, or a script.
type Case struct {
	ID      string          // stable and readable, e.g. "08/distinct/n=3,every=2,crash=1,lag=0"
	Records []stream.Record // shared with other cases: read it only
	Params  []Setting       // in the order of the stage's Spec
	Script  []Op            // operations against the solution's object
}

// A Setting is the value of one parameter.
type Setting struct {
	Name  string // as in YAML
	Value int
	Text  string // as in case IDs and messages, e.g. "none" for -1
}

// Param returns the value of the named parameter, which the stage's Spec must declare.
func (c Case) Param(name string) int {
	for _, s := range c.Params {
		if s.Name == name {
			return s.Value
		}
	}
	panic(fmt.Sprintf("case %s has no parameter %q", c.ID, name))
}

// An Op is one operation of a script, e.g. "pre_commit 1". [Spec.Op] makes one.
type Op struct {
	Name  string
	Args  []int64
	Words []string `json:",omitempty"` // by argument, what it is written as if not as its number; or nil
}

// String returns the operation as YAML has it.
func (o Op) String() string { return o.join(" ") }

func (o Op) join(separator string) string {
	var b strings.Builder
	b.WriteString(o.Name)
	for i, a := range o.Args {
		b.WriteString(separator)
		if i < len(o.Words) && o.Words[i] != "" {
			b.WriteString(o.Words[i])
		} else {
			b.WriteString(strconv.FormatInt(a, 10))
		}
	}
	return b.String()
}

// SequenceID is the ID of a case that is a script made by exploration, not
// named in a file: "08/sequence/write-1,pre_commit-1,commit-1".
func SequenceID(stage string, script []Op) string {
	parts := make([]string, len(script))
	for i, op := range script {
		parts[i] = op.join("-")
	}
	return stage + "/sequence/" + strings.Join(parts, ",")
}
