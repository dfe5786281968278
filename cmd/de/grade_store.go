package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
)

// A store is the folder that the results of a class are written to: one folder a
// student, below students.
type store struct{ root *os.Root }

// openOut opens the folder for results, and makes it if need be.
func (e *env) openOut(name string) (*os.Root, error) {
	dir := e.path(name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, usage("choose a folder that can be written to", "--out %s: %v", plain(name), withoutPath(err))
	}
	if err := probe(dir); err != nil {
		return nil, usage("choose a folder that can be written to", "--out %s can't be written: %v", plain(name), withoutPath(err))
	}
	return os.OpenRoot(dir)
}

const studentsDir = "students"

func (s store) Read(student, file string) ([]byte, error) {
	return s.readFile(studentFile(student, file))
}

func (s store) readFile(name string) ([]byte, error) {
	f, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return io.ReadAll(io.LimitReader(f, maxResult))
}

// maxResult bounds what is read of an old result, in bytes.
const maxResult = 64 << 20

func (s store) Write(student, file string, content []byte) error {
	if err := s.makeFolder(student); err != nil {
		return err
	}
	return writeWhole(s.root, studentFile(student, file), content)
}

func (s store) makeFolder(student string) error {
	return s.root.MkdirAll(studentsDir+"/"+folderName(student), 0o777)
}

// writeWhole writes a file all or not at all.
func writeWhole(root *os.Root, name string, content []byte) error {
	return writeBy(root, name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// writeBy does the same of what write writes.
func writeBy(root *os.Root, name string, write func(io.Writer) error) error {
	part := name + ".part"
	if err := root.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, root.Remove(part))
	}
	return root.Rename(part, name)
}

func studentFile(student, file string) string {
	return studentsDir + "/" + folderName(student) + "/" + file
}

// maxFolder bounds the name of a student's folder, in bytes.
const maxFolder = 100

// folderName makes a name that any system takes of a student's, and another for
// each: what may be in the way is written as %XX.
func folderName(student string) string {
	var b strings.Builder
	for i := range len(student) {
		c := student[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.' && i > 0 && i < len(student)-1:
			b.WriteByte(c)
		default:
			b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
		}
	}
	if name := b.String(); len(name) <= maxFolder {
		return name
	}
	sum := sha256.Sum256([]byte(student))
	return b.String()[:maxFolder-17] + "-" + hex.EncodeToString(sum[:8])
}

// studentFormats are the files of each student. The result itself is the last,
// since with it there the student is done.
var studentFormats = []class.Format{
	{File: "report.txt", Write: func(w io.Writer, r class.Result) error { return report.StudentText(w, r, report.Options{}) }},
	{File: "report.md", Write: func(w io.Writer, r class.Result) error { return report.StudentMarkdown(w, r, report.Options{}) }},
	{File: studentPage, Write: func(w io.Writer, r class.Result) error { return report.StudentHTML(w, r, report.Options{}) }},
	{File: "junit.xml", Write: report.StudentJUnit},
	{File: "gradescope.json", Write: report.Gradescope},
	{File: "classroom.json", Write: report.Classroom},
	{File: class.ResultFile, Write: report.ResultJSON},
}

const studentPage = "report.html"

// pageOf is the address of a student's page, from that of the class.
func pageOf(student string) string {
	return studentsDir + "/" + url.PathEscape(folderName(student)) + "/" + studentPage
}

// writeClass writes what is about all students, and prints the summary.
func (e *env) writeClass(s store, c class.Class) error {
	if err := writeBy(s.root, class.ClassFile, func(w io.Writer) error { return report.ClassJSON(w, c) }); err != nil {
		return err
	}
	return e.writeSummaries(s, c)
}

// writeSummaries does the same, the results themselves aside.
func (e *env) writeSummaries(s store, c class.Class) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"summary.csv", func(w io.Writer) error { return report.ClassCSV(w, c) }},
		{"gradebook.csv", func(w io.Writer) error { return report.ClassGradebook(w, c) }},
		{"class.html", func(w io.Writer) error { return report.ClassHTML(w, c, pageOf) }},
	} {
		var b bytes.Buffer
		if err := file.write(&b); err != nil {
			return err
		}
		if err := writeWhole(s.root, file.name, b.Bytes()); err != nil {
			return err
		}
	}
	return report.ClassText(e.stdout, c, report.Options{Color: e.color, Width: min(e.width, 100)})
}
