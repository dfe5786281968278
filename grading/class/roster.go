package class

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxStudents bounds a roster.
const maxStudents = 1_000_000

// ParseRoster reads a CSV of students with a header that names the columns id,
// and perhaps name, email and submission, in any order; others are passed over.
// Between columns stand commas, semicolons or tabs. It returns the students by
// the name of what they hand in, which is their ID where submission has none.
func ParseRoster(src []byte) (map[string]Student, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // as spreadsheets write it
	if !utf8.Valid(src) {
		return nil, fmt.Errorf("the file is not UTF-8 text: in a spreadsheet, save it as \"CSV UTF-8\"")
	}
	r := csv.NewReader(bytes.NewReader(src))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = separator(src), -1, true
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("there is no header: %w", err)
	}
	columns, err := rosterColumns(header)
	if err != nil {
		return nil, err
	}
	students, ids := map[string]Student{}, map[string]bool{}
	for {
		row, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return students, nil
		case err != nil:
			return nil, err
		case len(students) == maxStudents:
			return nil, fmt.Errorf("there are more than %d students", maxStudents)
		}
		line, _ := r.FieldPos(0)
		if err := columns.add(students, ids, row); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// separator is what stands between columns: of those in the first line, the most
// frequent, since a spreadsheet writes what its country does.
func separator(src []byte) rune {
	first, _, _ := bytes.Cut(src, []byte("\n"))
	best := ','
	for _, c := range ";\t" {
		if bytes.Count(first, []byte(string(c))) > bytes.Count(first, []byte(string(best))) {
			best = c
		}
	}
	return best
}

// A columnsOf tells where in a row each field stands; -1 is nowhere.
type columnsOf struct{ id, name, email, submission int }

func rosterColumns(header []string) (columnsOf, error) {
	column := func(name string) int {
		return slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	c := columnsOf{column("id"), column("name"), column("email"), column("submission")}
	if c.id < 0 {
		return c, fmt.Errorf("line 1: there is no column id, only %s", strings.Join(header, ", "))
	}
	return c, nil
}

// add adds the student of a row.
func (c columnsOf) add(students map[string]Student, ids map[string]bool, row []string) error {
	field := func(column int) string {
		if column < 0 || column >= len(row) {
			return ""
		}
		return strings.TrimSpace(row[column])
	}
	s := Student{ID: field(c.id), Name: field(c.name), Email: field(c.email)}
	submission := field(c.submission)
	if submission == "" {
		submission = s.ID
	}
	switch _, taken := students[submission]; {
	case s.ID == "" && strings.TrimSpace(strings.Join(row, "")) == "":
		return nil // a spreadsheet's empty line
	case s.ID == "":
		return fmt.Errorf("there is no id")
	case ids[s.ID]:
		return fmt.Errorf("there are two students of ID %q", s.ID)
	case taken:
		return fmt.Errorf("there are two students with the submission %q", submission)
	}
	students[submission], ids[s.ID] = s, true
	return nil
}
