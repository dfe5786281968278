package report

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"strings"

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
	return JoinedJSON(w, c, func(yield func(class.Result, error) bool) {
		for _, r := range c.Students {
			if !yield(r, nil) {
				return
			}
		}
	})
}

// JoinedJSON writes the same of a class whose students come one by one, so that it
// need not be held as a whole. An error is one of w, or one that came for a
// student.
func JoinedJSON(w io.Writer, c class.Class, students iter.Seq2[class.Result, error]) error {
	c.Students, c.Missing = []class.Result{}, list(c.Missing)
	var frame bytes.Buffer
	if err := writeJSON(&frame, c); err != nil {
		return err
	}
	// In a string the marks would be escaped, so this stands there once.
	before, after, _ := strings.Cut(frame.String(), `"students": []`)
	out := bufio.NewWriter(w)
	out.WriteString(before + `"students": [`) // an error of out comes again
	end := "]"
	for r, err := range students {
		if err != nil {
			return err
		}
		var one bytes.Buffer
		if err := writeJSON(&one, resultLists(r)); err != nil {
			return err
		}
		if end == "\n  ]" {
			out.WriteByte(',')
		}
		end = "\n  ]"
		out.WriteString("\n    " + strings.ReplaceAll(strings.TrimSuffix(one.String(), "\n"), "\n", "\n    "))
	}
	out.WriteString(end + after)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the class: %w", err)
	}
	return nil
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
