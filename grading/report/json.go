package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"

	"github.com/flk-byo/de/grading"
)

// Schema is the JSON Schema (draft 2020-12) of what [JSON] writes.
//
//go:embed schema/report.v1.schema.json
var Schema string

// JSON writes the whole of r, indented, as [Schema] describes it. Lists are
// never null. Characters that a terminal would act on, or that can't be seen,
// are escaped. An error is one of w.
func JSON(w io.Writer, r grading.Report) error { return writeJSON(w, withLists(r)) }

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	if _, err := w.Write(visible(b.Bytes())); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// withLists returns a copy of r with empty lists for the nil ones.
func withLists(r grading.Report) grading.Report {
	r.Stages = list(r.Stages)
	for i, s := range r.Stages {
		r.Stages[i].Checks = list(s.Checks)
		if s.Failure != nil {
			f := *s.Failure
			f.Input, f.Finding = list(f.Input), list(f.Finding)
			r.Stages[i].Failure = &f
		}
	}
	return r
}

func list[T any](s []T) []T { return append([]T{}, s...) }

// visible escapes what encoding/json leaves as it is. Outside of strings JSON
// is ASCII, so all of that stands inside of one.
func visible(encoded []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(encoded) {
		switch {
		case r == '\n' || unicode.IsPrint(r) && r != unicode.ReplacementChar && !unicode.Is(unicode.Variation_Selector, r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
