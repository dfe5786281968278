package report

import (
	_ "embed"
	"io"

	"github.com/flk-byo/de/grading/class"
)

// ResultSchema is the JSON Schema (draft 2020-12) of what [ResultJSON] writes. It
// refers to [Schema] by its $id.
//
//go:embed schema/result.v1.schema.json
var ResultSchema string

// ResultJSON writes all that is known of a student, as [ResultSchema] describes
// it. An error is one of w.
func ResultJSON(w io.Writer, r class.Result) error { return writeJSON(w, resultLists(r)) }

// ClassSchema is the JSON Schema (draft 2020-12) of what [ClassJSON] writes. It
// refers to [ResultSchema] by its $id.
//
//go:embed schema/class.v1.schema.json
var ClassSchema string

// ClassJSON writes what became of a class, as [ClassSchema] describes it. An
// error is one of w.
func ClassJSON(w io.Writer, c class.Class) error {
	c.Students, c.Missing = list(c.Students), list(c.Missing)
	for i := range c.Students {
		c.Students[i] = resultLists(c.Students[i])
	}
	return writeJSON(w, c)
}

// resultLists returns a copy of r with empty lists for the nil ones.
func resultLists(r class.Result) class.Result {
	r.Files, r.Problems, r.Marks.Rows = list(r.Files), list(r.Problems), list(r.Marks.Rows)
	if r.Report != nil {
		report := withLists(*r.Report)
		r.Report = &report
	}
	return r
}
