// Package mutant loads known-wrong solutions, each kept as the smallest change
// to a stage's reference, so that a reader sees the fault. It neither compiles
// nor judges them. Start reading at [Load].
package mutant

import (
	"fmt"
	"maps"
	"strings"

	"github.com/flk-byo/de/harness/strict"
)

// A Mutant is one known-wrong solution.
type Mutant struct {
	Name     string
	Fault    string // what is wrong with it, in a line
	Check    string // the check that must be the first broken one
	Shortest string // the ID of the smallest case that it fails by
	Edits    []Edit
}

// An Edit replaces the one place in a file where Find stands.
type Edit struct {
	File          string
	Find, Replace string
}

// Load reads the mutants of a stage, e.g. of "FLK-BYO/08", in which an edit
// that names no file is of file. The error is [strict.Errors] with all that is
// wrong with the list.
func Load(name string, src []byte, stage, file string) ([]Mutant, error) {
	doc := strict.Parse(name, src, strict.Limits{})
	top := doc.Root().Map("stage", "mutants")
	top.Required("stage").Word(stage)
	var mutants []Mutant
	names := map[string]bool{}
	for _, v := range top.Required("mutants").List() {
		m := readMutant(v, file)
		if m.Name != "" && names[m.Name] {
			v.Errorf("the name %q is taken; choose another", m.Name)
		}
		names[m.Name] = true
		mutants = append(mutants, m)
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return mutants, nil
}

func readMutant(v strict.Value, file string) Mutant {
	fields := v.Map("name", "fault", "check", "shortest", "edits")
	m := Mutant{
		Name: text(fields.Required("name")), Fault: text(fields.Required("fault")),
		Check: text(fields.Required("check")), Shortest: text(fields.Required("shortest")),
	}
	for _, v := range fields.Required("edits").List() {
		edit := v.Map("file", "find", "replace")
		e := Edit{File: file, Find: text(edit.Required("find")), Replace: text(edit.Required("replace"))}
		if f := edit.Optional("file"); f.Present() {
			e.File = text(f)
		}
		m.Edits = append(m.Edits, e)
	}
	return m
}

func text(v strict.Value) string {
	t, _ := v.Text() // a wrong kind is reported by v
	return t
}

// Apply returns the files with the mutant's edits made. The files it is given
// stay as they are.
func (m Mutant) Apply(files map[string]string) (map[string]string, error) {
	mutated := maps.Clone(files)
	for _, e := range m.Edits {
		src, ok := mutated[e.File]
		if !ok {
			return nil, fmt.Errorf("mutant %s: there is no file %s", m.Name, e.File)
		}
		if n := strings.Count(src, e.Find); n != 1 {
			return nil, fmt.Errorf("mutant %s: what it replaces stands %d times in %s instead of once:\n%s", m.Name, n, e.File, e.Find)
		}
		mutated[e.File] = strings.Replace(src, e.Find, e.Replace, 1)
	}
	return mutated, nil
}
