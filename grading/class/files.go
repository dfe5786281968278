package class

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/flk-byo/de/grading/submission"
)

// Files of a student.
const (
	ResultFile = "results.json"
	TimesFile  = "times.json"
)

// ClassFile is the file of a class, beside its students.
const ClassFile = "class.json"

// save writes down what became of a student.
func (c *run) save(name string, r Result, t Times) error {
	if err := c.saveTimes(name, t); err != nil {
		return err
	}
	return c.saveFormats(name, r)
}

func (c *run) saveTimes(name string, t Times) error {
	return write(c.Store, name, TimesFile, func(w io.Writer) error { return encode(w, t) })
}

func (c *run) saveFormats(name string, r Result) error {
	formats := c.Formats
	if formats == nil {
		formats = []Format{{ResultFile, func(w io.Writer, r Result) error { return encode(w, r) }}}
	}
	for _, f := range formats {
		if err := write(c.Store, name, f.File, func(w io.Writer) error { return f.Write(w, r) }); err != nil {
			return err
		}
	}
	return nil
}

func write(to Store, student, file string, content func(io.Writer) error) error {
	var b bytes.Buffer
	err := content(&b)
	if err == nil {
		err = to.Write(student, file, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write %s of %s: %w", file, student, err)
	}
	return nil
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// old returns the result that is there for a submission, if it would come out
// the same again; else nil.
func (c *run) old(source submission.Source, handedIn submission.Submission) *Result {
	if !c.Resume && c.asked(source) {
		return nil
	}
	content, err := c.Store.Read(source.Name, ResultFile)
	if err != nil {
		return nil
	}
	r, err := Decode(content)
	if err != nil {
		return nil // what is there is no good: it is made anew
	}
	same := r.Hash == handedIn.Hash && r.Source == source.Name && r.Rubric == c.Rubric.Hash() &&
		r.Fingerprint == c.Fingerprint && r.Course == c.Course && r.Student == c.student(source) &&
		slices.Equal(r.Files, handedIn.Files) && slices.Equal(r.Problems, handedIn.Problems)
	if !same || !c.kept(source.Name) {
		return nil
	}
	return &r
}

// Decode reads a result as it was written, strictly: it refuses one of another
// version, with a field that it doesn't know, or with more behind it.
func Decode(content []byte) (Result, error) {
	var versioned struct{ Version int }
	if err := json.Unmarshal(content, &versioned); err != nil {
		return Result{}, fmt.Errorf("read a result: %w", err)
	}
	if versioned.Version != Version {
		return Result{}, fmt.Errorf("read a result: it has version %d, and this is version %d", versioned.Version, Version)
	}
	var r Result
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Result{}, fmt.Errorf("read a result: %w", err)
	}
	return r, nil
}

// student is who handed a source in.
func (c *run) student(source submission.Source) Student {
	if s, ok := c.Students[source.Name]; ok {
		return s
	}
	return Student{ID: source.Name}
}
