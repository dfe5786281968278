// Package schedule loads crash schedules: YAML files that say which cases of a
// stage to run. It knows no stage; what a schedule may contain is declared by
// the stage in a [Spec], and every departure from it is reported at once, with
// its place. It runs nothing. Start reading at [Load].
package schedule

import "cmp"

// A Spec declares what the schedules of one stage may contain.
type Spec struct {
	Stage  string   // e.g. "08"; the schedule's own "stage: FLK-BYO/08" must name it
	Params []Param  // in the order in which they stand in case IDs
	Ops    []OpSpec // operations of scripts; none if the stage has no scripts
	Limits Limits   // zero fields mean the defaults

	// NoRecords says that the stage's cases have no records, so that a
	// schedule must not ask for any.
	NoRecords bool

	// CheckScript refuses a script whose operations are each as Ops says, but
	// which makes no sense as a whole. It returns the index of the first
	// operation at fault, and the problem with it, which is empty if there is
	// none. Nil refuses nothing.
	CheckScript func(script []Op) (index int, problem string)
}

// Allows tells whether a script of the spec's operations makes sense as a whole.
func (s Spec) Allows(script []Op) bool {
	_, problem := s.checkScript(script)
	return problem == ""
}

// A Param is one parameter of a case.
type Param struct {
	Name     string                             // the YAML key, e.g. "barrier_every"
	Short    string                             // in case IDs, e.g. "every"
	Doc      string                             // a phrase for messages, e.g. "records between two barriers"
	Min, Max int                                // of a number, both allowed; with Max < Min there are words only
	Default  []int                              // where the key is absent; nil means that it must be there
	Values   map[string]int                     // words for single values, e.g. none: -1; shown instead of the number
	Ranges   map[string]func(records int) []int // words for many values, given the count of records, e.g. every
}

// An OpSpec is one operation of scripts, e.g. "commit 1".
type OpSpec struct {
	Name string // [a-z_]+
	Args []ArgSpec
	Doc  string // a phrase for messages
}

// An ArgSpec is one argument of an operation: a whole number, or a word that
// stands for one.
type ArgSpec struct {
	Name     string // e.g. "id"
	Min, Max int64
	Words    map[string]int64 // of a-z and 0-9, a letter first; shown instead of the number, which may lie beyond Min and Max
}

// Limits bound what one schedule may ask for, before anything is expanded.
type Limits struct {
	Bytes   int // of a file; default 1 MiB
	Cases   int // of all cases of a file, expanded; default 100,000
	Records int // of one case; default 10,000
	Ops     int // of one script; default 1,000
	Depth   int // of nesting; default 20
}

func (l Limits) orDefaults() Limits {
	return Limits{
		Bytes:   cmp.Or(l.Bytes, 1<<20),
		Cases:   cmp.Or(l.Cases, 100_000),
		Records: cmp.Or(l.Records, 10_000),
		Ops:     cmp.Or(l.Ops, 1_000),
		Depth:   cmp.Or(l.Depth, 20),
	}
}
