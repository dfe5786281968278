package class

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
)

// classOf are n results, of which some have the same failure.
func classOf(n int) []Result {
	var all []Result
	for i := range n {
		r := Result{Version: Version, Course: "C", Fingerprint: "f", Rubric: "r", Source: fmt.Sprintf("s%03d", i), Student: Student{ID: "s"}}
		if i%3 > 0 {
			check := grading.CheckReport{Name: "output", Rule: "It is right.", Verdict: grading.Fail, Problem: fmt.Sprint(i % 3)}
			r.Report = &grading.Report{Version: grading.ReportVersion, Stages: []grading.StageReport{{Stage: "01", Checks: []grading.CheckReport{check}}}}
		}
		all = append(all, r)
	}
	return all
}

// cut is what de grade writes of each of n shards of results.
func cut(results []Result, n int) []Class {
	var sources []string
	for _, r := range results {
		sources = append(sources, r.Source)
	}
	parts := make([]Class, n)
	for i := range parts {
		parts[i] = Class{Version: Version, Course: "C", Rubric: "r", Program: "v1", Shard: &Shard{i + 1, n, namesHash(sources)}}
	}
	for i, r := range results {
		parts[i%n].Students = append(parts[i%n].Students, r)
	}
	return parts
}

func written(t testing.TB, c Class) []byte {
	t.Helper()
	var b bytes.Buffer
	c.Students, c.Missing = append([]Result{}, c.Students...), append([]string{}, c.Missing...)
	if err := encode(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// nowhere has no file.
func nowhere(string, string) ([]byte, error) { return nil, fs.ErrNotExist }

func partOf(name string, content []byte) Part {
	return Part{Name: name, Read: nowhere, ReadPrivate: nowhere, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

func TestJoin(t *testing.T) {
	all := classOf(10)
	var parts []Part
	for i, c := range slices.Backward(cut(all, 4)) {
		parts = append(parts, partOf(fmt.Sprint("part ", i), written(t, c)))
	}
	joined, err := Join(parts)
	if err != nil {
		t.Fatal(err)
	}
	if joined.Class.Shard != nil || len(joined.Class.Students) != len(all) {
		t.Errorf("the shard is %v, and there are %d students", joined.Class.Shard, len(joined.Class.Students))
	}
	i := 0
	for r, err := range joined.Write(Config{Store: shelf(nil), Jobs: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		if got, want := written(t, Class{Students: []Result{r}}), written(t, Class{Students: all[i : i+1]}); !bytes.Equal(got, want) {
			t.Errorf("the result in place %d is\n%s\nand not\n%s", i, got, want)
		}
		if gist := joined.Class.Students[i]; !reflect.DeepEqual(gist.Source, all[i].Source) {
			t.Errorf("the gist in place %d is of %s, not %s", i, gist.Source, all[i].Source)
		}
		i++
	}
	if i != len(all) {
		t.Errorf("%d results were written, not %d", i, len(all))
	}
}

func TestJoinRefuses(t *testing.T) {
	for _, test := range []struct {
		name, want string
		change     func(parts []Class)
	}{
		{"another course", "part 1 is of another course", func(p []Class) { p[1].Course = "D" }},
		{"another rubric", "part 1 is marked by another rubric", func(p []Class) { p[1].Rubric = "s" }},
		{"another program", "part 1 is graded by another version", func(p []Class) { p[1].Program = "v2" }},
		{"another format", "part 1 has version 2", func(p []Class) { p[1].Version = 2 }},
		{"other submissions", "part 1 is of a class with other submissions", func(p []Class) { p[1].Shard.Sources = "x" }},
		{"another fingerprint", `part 1: "s001" was graded with another version of de or of the course`, func(p []Class) { p[1].Students[0].Fingerprint = "g" }},
		{"a result of another rubric", `the result of "s001" is of another course or rubric`, func(p []Class) { p[1].Students[0].Rubric = "s" }},
		{"a result of another format", "part 1: its class.json is not what de grade writes: read a result: it has version 2", func(p []Class) { p[1].Students[0].Version = 2 }},
		{"another roster", "part 1 was graded with another roster than part 0", func(p []Class) { p[1].Absent = []Student{{ID: "x"}} }},
		{"a stranger more", "part 1 was graded with another roster than part 0", func(p []Class) { p[1].Unlisted = []Unlisted{{Source: "x"}} }},
		{"no shard", "part 1 is no part of a class", func(p []Class) { p[1].Shard = nil }},
		{"the same twice", "both shard 1 of 3", func(p []Class) { p[1] = p[0] }},
		{"a shard that can't be", "part 1 is shard 7 of 3, which can't be", func(p []Class) { p[1].Shard.Index = 7 }},
		{"not finished", "not all were graded: s001, s004", func(p []Class) {
			p[1].Missing = []string{"s001", "s004"}
			p[1].Students = nil
		}},
		{"not at all", "not all were graded: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more", func(p []Class) {
			for i := range 12 {
				p[i%3].Missing = append(p[i%3].Missing, fmt.Sprintf("m%x", i))
			}
		}},
		{"one who is gone", "do not hold the submissions", func(p []Class) { p[1].Students = p[1].Students[1:] }},
		{"one more", "do not hold the submissions", func(p []Class) {
			r := p[1].Students[1]
			r.Source = "t"
			p[1].Students = append(p[1].Students, r)
		}},
		{"a student in two shards", `"s001" was graded twice`, func(p []Class) { p[2].Students[0] = p[1].Students[0] }},
		{"the wrong order", `"s001" stands in the wrong place`, func(p []Class) { slices.Reverse(p[1].Students) }},
		{"no name", "no name", func(p []Class) { p[0].Students[0].Source = "" }},
	} {
		classes := cut(classOf(6), 3)
		test.change(classes)
		var parts []Part
		for i, c := range classes {
			parts = append(parts, partOf(fmt.Sprint("part ", i), written(t, c)))
		}
		_, err := Join(parts)
		if m := (*Misfit)(nil); !errors.As(err, &m) || !strings.Contains(m.Words, test.want) || m.Next == "" {
			t.Errorf("%s: %v; want %q", test.name, err, test.want)
		}
	}
}

// What the instructor alone may see must be there of all, of the same cases.
func TestJoinRefusesSecrets(t *testing.T) {
	all := classOf(4)
	secret := func(r Result) Result {
		r.Fingerprint = "g"
		return r
	}
	for _, test := range []struct {
		name, want string
		of         func(i int, r Result) *Result // what the instructor has
		change     func(*grading.Report)
	}{
		{name: "all the same", of: func(_ int, r Result) *Result { return &r }},
		{name: "none", of: func(int, Result) *Result { return nil }},
		{name: "one short", want: "other hidden schedules", of: func(i int, r Result) *Result { return map[bool]*Result{i != 2: &r}[true] }},
		{name: "other cases", want: "other hidden schedules", of: func(i int, r Result) *Result {
			r.Fingerprint = fmt.Sprint("g", i/3)
			return &r
		}},
		{name: "another submission's", want: "does not fit", of: func(i int, r Result) *Result {
			r.Hash = fmt.Sprint(i / 3)
			return &r
		}},
		{name: "not taken along", want: "is not there", of: func(int, Result) *Result { return nil },
			change: func(r *grading.Report) { r.Stages[0].Withheld = &grading.Withheld{} }},
	} {
		if test.change != nil {
			test.change(all[1].Report)
		}
		part := partOf("part", written(t, cut(all, 1)[0]))
		part.ReadPrivate = func(student, file string) ([]byte, error) {
			i := slices.IndexFunc(all, func(r Result) bool { return r.Source == student })
			r := test.of(i, secret(all[i]))
			if r == nil {
				return nil, fs.ErrNotExist
			}
			var b bytes.Buffer
			err := encode(&b, *r)
			return b.Bytes(), err
		}
		joined, err := Join([]Part{part})
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v; want %q", test.name, err, test.want)
		}
		if want := test.of(0, secret(all[0])) != nil; test.want == "" && (err != nil || (joined.Private == "g") != want) {
			t.Errorf("%s: %q, %v", test.name, joined.Private, err)
		}
	}
}

// What is not as it was written is refused, whatever it is.
func TestJoinRefusesBytes(t *testing.T) {
	good := string(written(t, cut(classOf(3), 1)[0]))
	change := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("there is no %s in\n%s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, content := range map[string]string{
		"nothing":             "",
		"no JSON":             "hello",
		"a list":              "[]",
		"a torn file":         good[:len(good)/2],
		"a file without end":  strings.TrimRight(good, "}\n"),
		"more behind it":      good + "{}",
		"a field more":        change(`"course"`, `"more": 1, "course"`),
		"a student's field":   change(`"source": "s000"`, `"source": "s000", "more": 1`),
		"a shard's field":     change(`"index"`, `"more": 1, "index"`),
		"students that are 1": change(`"students": [`, `"students": 1, "other": [`),
		"points that are no":  change(`"total": 0`, `"total": 0.001`),
	} {
		_, err := Join([]Part{partOf("part", []byte(content))})
		if m := (*Misfit)(nil); !errors.As(err, &m) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless is a class whose first student has no end.
type endless struct{ begin io.Reader }

func (e endless) Read(p []byte) (int, error) {
	if n, err := e.begin.Read(p); err == nil {
		return n, nil
	}
	return copy(p, strings.Repeat("x", len(p))), nil
}

func TestJoinIsBounded(t *testing.T) {
	begin := `{"version": 1, "shard": {"index": 1, "of": 1, "sources": ""}, "students": [{"course": "`
	for name, text := range map[string]string{"a student": begin, "a name": `{"course": "`, "a key": `{"`} {
		p := Part{Name: "part", Open: func() (io.ReadCloser, error) { return io.NopCloser(endless{strings.NewReader(text)}), nil }}
		if _, err := Join([]Part{p}); err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s without an end: %v", name, err)
		}
	}
}

func FuzzJoin(f *testing.F) {
	for _, c := range cut(classOf(5), 2) {
		f.Add(written(f, c))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		joined, err := Join([]Part{partOf("part", content)})
		if m := (*Misfit)(nil); err != nil && !errors.As(err, &m) {
			t.Errorf("an error that is no misfit: %v", err)
		}
		if err == nil && (joined.Class.Version != Version || len(joined.Class.Missing) > 0) {
			t.Errorf("joined to %+v", joined.Class)
		}
	})
}
