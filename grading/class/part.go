package class

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// A Part is what one machine wrote of a class: the results of a shard.
type Part struct {
	Name string                        // for people: where it is
	Open func() (io.ReadCloser, error) // its ClassFile

	// Read reads a file of a student's, and ReadPrivate one that is for the
	// instructor alone. Of what is not there the error is fs.ErrNotExist.
	Read, ReadPrivate func(student, file string) ([]byte, error)
}

// secret is the result of a student's secret cases; nil where there is none.
func (p Part) secret(r Result) (*Result, error) {
	content, err := p.ReadPrivate(r.Source, ResultFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is kept of %s: %w", r.Source, err)
	}
	secret, err := Decode(content)
	if err == nil && (secret.Source != r.Source || secret.Hash != r.Hash || secret.Rubric != r.Rubric) {
		err = errors.New("it is not of what was graded")
	}
	if err != nil {
		return nil, &Misfit{fmt.Sprintf("%s: what the instructor has of %q does not fit: %v", p.Name, r.Source, err), nextAgain}
	}
	return &secret, nil
}

// A partReader reads the class of a part, one student after the other.
type partReader struct {
	Part
	file   io.Closer
	ration ration
	json   *json.Decoder
	head   Class   // all but the students
	next   *Result // nil at the end
}

// maxResult bounds the JSON of one student, and that of a class without its
// students, in bytes.
const maxResult = 64 << 20

// open reads up to the first student.
func open(p Part) (*partReader, error) {
	f, err := p.Open()
	if err != nil {
		return nil, &Misfit{fmt.Sprintf("%s holds no results of a class: %v", p.Name, err), nextFolders}
	}
	r := &partReader{Part: p, file: f, ration: ration{from: f}}
	r.json = json.NewDecoder(&r.ration)
	r.json.DisallowUnknownFields()
	if err := r.readHead(); err != nil {
		f.Close() // read only
		return nil, err
	}
	return r, r.advance()
}

// readHead reads what stands before the students.
func (r *partReader) readHead() error {
	r.ration.left = maxResult
	if err := r.expect(json.Delim('{')); err != nil {
		return err
	}
	err := r.fields("students", map[string]any{
		"version": &r.head.Version, "course": &r.head.Course, "rubric": &r.head.Rubric,
		"program": &r.head.Program, "shard": &r.head.Shard,
	})
	if err != nil {
		return err
	}
	if r.head.Version != Version {
		return &Misfit{fmt.Sprintf("%s has version %d, and this de reads version %d", r.Name, r.head.Version, Version), nextProgram}
	}
	return r.expect(json.Delim('['))
}

// fields reads keys and their values up to a key, or the end of the object, that
// ends them.
func (r *partReader) fields(end json.Token, values map[string]any) error {
	for {
		key, err := r.json.Token()
		if err != nil {
			return r.broken(err)
		}
		if key == end {
			return nil
		}
		name, _ := key.(string)
		value, ok := values[name]
		if !ok {
			return r.broken(fmt.Errorf("%q is no field of it", key))
		}
		if err := r.json.Decode(value); err != nil {
			return r.broken(err)
		}
	}
}

// advance reads the next student, or what stands behind the last.
func (r *partReader) advance() error {
	r.next = nil
	r.ration.left = maxResult
	if !r.json.More() {
		return r.readTail()
	}
	var raw json.RawMessage
	if err := r.json.Decode(&raw); err != nil {
		return r.broken(err)
	}
	result, err := Decode(raw)
	if err != nil {
		return r.broken(err)
	}
	r.next = &result
	return nil
}

func (r *partReader) readTail() error {
	if err := r.expect(json.Delim(']')); err != nil {
		return err
	}
	err := r.fields(json.Delim('}'), map[string]any{
		"missing": &r.head.Missing, "absent": &r.head.Absent, "unlisted": &r.head.Unlisted,
	})
	if err != nil {
		return err
	}
	if _, err := r.json.Token(); err != io.EOF {
		return r.broken(errors.New("there is more behind it"))
	}
	return nil
}

func (r *partReader) expect(tokens ...json.Token) error {
	for _, want := range tokens {
		got, err := r.json.Token()
		if err == nil && got != want {
			err = fmt.Errorf("there is %v where %v should be", got, want)
		}
		if err != nil {
			return r.broken(err)
		}
	}
	return nil
}

// broken says that the part is not as it was written.
func (r *partReader) broken(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &Misfit{fmt.Sprintf("%s: its %s is not what de grade writes: %v", r.Name, ClassFile, err), nextAgain}
}

// A ration is a reader that ends with an error where more is read than is left.
type ration struct {
	from io.Reader
	left int
}

func (r *ration) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fmt.Errorf("one piece of it is larger than %d bytes", maxResult)
	}
	n, err := r.from.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
