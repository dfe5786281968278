package class

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/flk-byo/de/grading/submission"
)

// A shelf is a Store in memory, of one file.
type shelf []byte

func (s shelf) Read(string, string) ([]byte, error) {
	if s == nil {
		return nil, errors.New("there is none")
	}
	return s, nil
}

func (shelf) Write(string, string, []byte) error { return nil }

// An old result is taken over only if all that it tells would come out again.
func TestOld(t *testing.T) {
	source := submission.Source{Name: "anna"}
	handedIn := submission.Submission{
		Hash:     "h",
		Files:    []submission.File{{Path: "a.go", Size: 1, SHA256: "s"}},
		Problems: []submission.Problem{{Words: "p"}},
	}
	config := Config{Course: "C", Fingerprint: "f"}
	r := Result{
		Version: Version, Course: "C", Fingerprint: "f", Rubric: config.Rubric.Hash(),
		Student: Student{ID: "anna"}, Source: "anna", Hash: "h", Files: handedIn.Files, Problems: handedIn.Problems,
	}
	var b bytes.Buffer
	if err := encode(&b, r); err != nil {
		t.Fatal(err)
	}
	content := b.Bytes()
	moved, other, mended := handedIn, handedIn, handedIn
	moved.Files = []submission.File{{Path: "b/a.go", Size: 1, SHA256: "s"}}
	other.Hash, mended.Problems = "i", nil
	for _, test := range []struct {
		name     string
		store    shelf
		handedIn submission.Submission
		resume   bool
		change   func(*Config)
		want     bool
	}{
		{name: "the same", store: content, handedIn: handedIn, resume: true, want: true},
		{name: "not asked for", store: content, handedIn: handedIn},
		{name: "another is asked for", store: content, handedIn: handedIn, change: func(c *Config) { c.Only = []string{"berta"} }, want: true},
		{name: "this one is asked for", store: content, handedIn: handedIn, change: func(c *Config) { c.Only = []string{"anna"} }},
		{name: "none is there", handedIn: handedIn, resume: true},
		{name: "a torn one", store: content[:9], handedIn: handedIn, resume: true},
		{name: "one with a field more", store: bytes.Replace(content, []byte("{"), []byte(`{"more": 1,`), 1), handedIn: handedIn, resume: true},
		{name: "one with more behind it", store: append(slices.Clip(content), "{}"...), handedIn: handedIn, resume: true},
		{name: "another version", store: bytes.Replace(content, []byte(`"version": 1`), []byte(`"version": 2`), 1), handedIn: handedIn, resume: true},
		{name: "files elsewhere", store: content, handedIn: moved, resume: true},
		{name: "other files", store: content, handedIn: other, resume: true},
		{name: "other problems", store: content, handedIn: mended, resume: true},
		{name: "the same secret cases", store: content, handedIn: handedIn, resume: true, want: true, change: func(c *Config) { c.Private = &Private{Fingerprint: "f", Store: shelf(content)} }},
		{name: "other secret cases", store: content, handedIn: handedIn, resume: true, change: func(c *Config) { c.Private = &Private{Fingerprint: "g", Store: shelf(content)} }},
		{name: "secret cases not judged yet", store: content, handedIn: handedIn, resume: true, change: func(c *Config) { c.Private = &Private{Fingerprint: "f", Store: shelf(nil)} }},
		{name: "another course", store: content, handedIn: handedIn, resume: true, change: func(c *Config) { c.Fingerprint = "g" }},
		{name: "another name", store: content, handedIn: handedIn, resume: true, change: func(c *Config) { c.Students = map[string]Student{"anna": {ID: "anna", Name: "Anna"}} }},
	} {
		c := &run{Config: config}
		c.Store, c.Resume = test.store, test.resume
		if test.change != nil {
			test.change(&c.Config)
		}
		if got := c.old(source, test.handedIn) != nil; got != test.want {
			t.Errorf("%s: taken over: %v", test.name, got)
		}
	}
}
