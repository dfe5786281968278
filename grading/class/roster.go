package class

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxStudents bounds a roster.
const maxStudents = 1_000_000

// ParseRoster reads a CSV of students with a header that names the columns id,
// and perhaps name and email, in any order; others are passed over. It returns
// them by ID.
func ParseRoster(src []byte) (map[string]Student, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // as spreadsheets write it
	if !utf8.Valid(src) {
		return nil, fmt.Errorf("the file is not UTF-8 text")
	}
	r := csv.NewReader(bytes.NewReader(src))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("there is no header: %w", err)
	}
	column := func(name string) int {
		return slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	id, name, email := column("id"), column("name"), column("email")
	if id < 0 {
		return nil, fmt.Errorf("line 1: there is no column id, only %s", strings.Join(header, ", "))
	}
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) > maxStudents {
		return nil, fmt.Errorf("there are more than %d students", maxStudents)
	}
	students := map[string]Student{}
	for i, row := range rows {
		field := func(column int) string {
			if column < 0 || column >= len(row) {
				return ""
			}
			return strings.TrimSpace(row[column])
		}
		s := Student{ID: field(id), Name: field(name), Email: field(email)}
		if s.ID == "" {
			return nil, fmt.Errorf("row %d after the header has no id", i+1)
		}
		if _, ok := students[s.ID]; ok {
			return nil, fmt.Errorf("row %d after the header: there are two students of ID %q", i+1, s.ID)
		}
		students[s.ID] = s
	}
	return students, nil
}
