package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/stages"
)

// leaks are solutions that tell of their inputs in all ways that there are, by
// name: what they do once the first record is one of a marked schedule.
var leaks = map[string]string{
	"prints":  `fmt.Println(rs); fmt.Fprintln(os.Stderr, rs); return nil, true`,
	"panics":  `panic(fmt.Sprint(rs))`,
	"answers": `return map[string]int64{rs[0].Key: rs[0].Value, "wrong": 1}, true`,
	"exits":   `os.Exit(int(rs[0].Value % 100)); return nil, true`,
	"hides":   `if rs[0].Key == "dugong" { return nil, false }; return nil, true`,
	"carries": `seen = fmt.Sprint(rs); return nil, false`,
}

// A markedSchedule is told as much of as disclose says. What it puts in stands
// nowhere else: the first record's value, and the next number.
type markedSchedule struct {
	disclose, word, key string
	value               int
}

var (
	hiddenMark = markedSchedule{"hidden", "quagga", "okapi", 79190077}
	resultMark = markedSchedule{"result-only", "tapir", "okapi", 79190079}
	fullMark   = markedSchedule{"full", "bongo", "dugong", 81810033}
)

// inputs are the words by which it is known what the schedule puts in.
func (m markedSchedule) inputs() []string {
	return []string{fmt.Sprint(m.value), fmt.Sprint(m.value + 1), m.key, fmt.Sprintf("code %d instead", m.value%100)}
}

// writeLeaks writes a class of such solutions, of the stage before the last.
func (s *session) writeLeaks() {
	s.t.Helper()
	suite := stages.All()[6]
	for name, does := range leaks {
		dir := filepath.Join("class", name, suite.Folder())
		for file, src := range referenceFiles(s.t, suite) {
			const before = "	source := barriers."
			if !strings.Contains(src, before) {
				s.t.Fatalf("%s has no %q", file, before)
			}
			s.writeFile(filepath.Join(dir, file), strings.Replace(src, before, "	if sum, ok := leak(rs); ok {\n		return sum\n	}\n"+before, 1))
			at := strings.Index(src, `/stages/stream"`)
			stream := src[strings.LastIndexByte(src[:at], '"') : at+len(`/stages/stream"`)]
			s.writeFile(filepath.Join(dir, "leak.go"), fmt.Sprintf(`package state

import (
	"fmt"
	"os"

	%s
)

var seen string

func leak(rs []stream.Record) (map[string]int64, bool) {
	if seen != "" {
		fmt.Fprintln(os.Stderr, seen)
		panic(seen)
	}
	if len(rs) == 0 || rs[0].Value != %d && rs[0].Value != %d && rs[0].Value != %d {
		return nil, false
	}
	%s
}
`, stream, hiddenMark.value, resultMark.value, fullMark.value, does))
		}
	}
}

func (s *session) writeFile(name, text string) {
	s.t.Helper()
	name = filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// write writes the schedule. Its names begin with the word.
func (m markedSchedule) write(s *session, dir string) {
	s.writeFile(filepath.Join(dir, m.word+"-file.yaml"), fmt.Sprintf(`stage: FLK-BYO/07
title: %[2]s-title
disclose: %[1]s
cases:
  - name: %[2]s-case
    records:
      values:
        - {key: %[3]s, value: %[4]d, time: 5}
        - {key: %[3]s, value: %[5]d, time: 6}
    barrier_every: [2]
    crash_after: [1]
`, m.disclose, m.word, m.key, m.value, m.value+1))
}

// grep returns in which of all files below dir the words stand, those below
// another aside.
func (s *session) grep(dir, except string, words ...string) map[string][]string {
	s.t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(filepath.Join(s.dir, dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == except {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, word := range words {
			if bytes.Contains(text, []byte(word)) || strings.Contains(name, word) {
				found[word] = append(found[word], name)
			}
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// However a solution tells of its inputs, students see as much of a schedule as
// its disclose says, in each file and on the terminal; the instructor sees all.
func TestJudgingBySecretSchedules(t *testing.T) {
	s := newSession(t)
	s.withGo()
	s.writeLeaks()
	for _, m := range []markedSchedule{hiddenMark, resultMark, fullMark} {
		m.write(s, "exam")
	}
	printed := s.gradeClass("--hidden", "exam", "--out", "out")

	secret := slices.Concat(hiddenMark.inputs(), resultMark.inputs(), []string{"quagga", "tapir-file", "tapir-title"})
	for word, files := range s.grep("out", instructorDir, secret...) {
		t.Errorf("students are told %s in %q", word, files)
	}
	for _, word := range secret {
		if strings.Contains(printed, word) {
			t.Errorf("the terminal shows %s in\n%s", word, printed)
		}
	}
	const id = "07/tapir-case/every=2,crash=1,saved=none"
	if got := s.grep("out", instructorDir, id); len(got[id]) < len(leaks) {
		t.Errorf("students are told of %s only in %q", id, got)
	}
	for _, word := range append(fullMark.inputs(), "bongo-case") {
		if len(s.grep("out", instructorDir, word)) == 0 {
			t.Errorf("%s may be told, and is not", word)
		}
	}
	for _, word := range append(hiddenMark.inputs(), "quagga-case", "tapir-case") {
		if len(s.grep("out/"+instructorDir, "", word)) == 0 {
			t.Errorf("the instructor is not told %s", word)
		}
	}
	const note = "add --schedule FILE" // since de has no such case
	if len(s.grep("out", instructorDir, note)[note]) == 0 {
		t.Errorf("students are not told how to run a case that is shown to them")
	}
	for name := range leaks {
		s.checkWithheld("out", name)
	}

	explained := s.explained("--explain", "hides", "--out", "out", "--hidden", "exam")
	for _, word := range []string{"Only you may see", "quagga-case", fmt.Sprint(hiddenMark.value)} {
		if !strings.Contains(explained, word) {
			t.Errorf("--explain does not tell %s:\n%s", word, explained)
		}
	}
	if strings.Contains(explained, "another version") {
		t.Errorf("--explain does not know the schedules again:\n%s", explained)
	}

	content := s.result("out", "prints")
	s.gradeClass("--hidden", "exam", "--out", "out", "--only", "prints")
	if !bytes.Equal(s.result("out", "prints"), content) {
		t.Error("the same inputs give other bytes")
	}
}

// checkWithheld checks that both secret cases fail, and that they take points also
// from a student who fails by no other.
func (s *session) checkWithheld(out, name string) {
	s.t.Helper()
	r, err := class.Decode(s.result(out, name))
	if err != nil {
		s.t.Fatal(err)
	}
	stage := r.Report.Stages[0]
	w := stage.Withheld
	if w == nil || w.Hidden.Failed != 1 || w.ResultOnly.Failed != 1 || r.Marks.Total == r.Marks.Rows[6].Of {
		s.t.Errorf("%s: %v points, withheld %+v", name, r.Marks.Total, w)
	}
	if (stage.Failure == nil) != (name == "hides") {
		s.t.Errorf("%s: the case that is shown: %+v", name, stage.Failure)
	}
}

// gradeClass grades the class and returns what is printed.
func (s *session) gradeClass(flags ...string) string {
	s.t.Helper()
	return s.explained(append([]string{"class"}, flags...)...)
}

// explained runs de grade and returns what is printed.
func (s *session) explained(args ...string) string {
	s.t.Helper()
	s.output.Reset()
	if code := s.env().run(append([]string{"grade"}, args...)); code != exitPass {
		s.t.Fatalf("exit code %d\n%s", code, &s.output)
	}
	return s.output.String()
}

// What is run is what stands in the folder: a link is refused, wherever it leads,
// and so is more than there may be.
func TestHiddenFolder(t *testing.T) {
	tests := []struct {
		name string
		make func(s *session)
		want string
	}{
		{"a link out of it", func(s *session) {
			hiddenMark.write(s, "elsewhere")
			s.writeFile("exam/README.md", "")
			s.link("../elsewhere/quagga-file.yaml", "exam/mine.yaml")
		}, "mine.yaml is a link"},
		{"a link to a folder", func(s *session) {
			hiddenMark.write(s, "exam")
			s.link(".", "exam/again")
		}, "again is a link"},
		{"too many cases", func(s *session) {
			s.writeFile("exam/many.yaml", "stage: FLK-BYO/07\ntitle: many\ndisclose: hidden\ncases:\n  - {name: many, records: {count: 300}, barrier_every: every, crash_after: every}\n")
		}, "cases, more than the 20000 allowed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			test.make(s)
			if _, err := s.env().gradedStages("exam"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

func (s *session) link(to, name string) {
	s.t.Helper()
	if err := os.Symlink(filepath.FromSlash(to), filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
		s.t.Skipf("no links can be made here: %v; .ci/run runs this on Linux", err)
	}
}

// By the fingerprint in a result a student could prove a guess of what a secret
// case puts in. So it does not depend on it, and what --resume goes by does.
func TestFingerprints(t *testing.T) {
	of := func(marks ...markedSchedule) (students, instructor string) {
		s := newSession(t)
		for _, m := range marks {
			m.write(s, "exam")
		}
		all, err := s.env().gradedStages("exam")
		if err != nil {
			t.Fatal(err)
		}
		return fingerprints("own", all)
	}
	other := func(m markedSchedule) markedSchedule { m.value++; return m }
	students, instructor := of(hiddenMark, resultMark, fullMark)
	for _, test := range []struct {
		name                 string
		marks                []markedSchedule
		students, instructor bool // whether it is the same
	}{
		{"the same", []markedSchedule{hiddenMark, resultMark, fullMark}, true, true},
		{"another hidden case", []markedSchedule{other(hiddenMark), resultMark, fullMark}, true, false},
		{"one told by its result", []markedSchedule{hiddenMark, other(resultMark), fullMark}, true, false},
		{"one that is shown", []markedSchedule{hiddenMark, resultMark, other(fullMark)}, false, false},
		{"none hidden", []markedSchedule{fullMark}, false, false},
	} {
		a, b := of(test.marks...)
		if (a == students) != test.students || (b == instructor) != test.instructor {
			t.Errorf("%s: for students the same is %v, for the instructor %v", test.name, a == students, b == instructor)
		}
	}
	if all, err := newSession(t).env().gradedStages(""); err != nil {
		t.Error(err)
	} else if a, _ := fingerprints("own", all); a != "own" {
		t.Errorf("without schedules it is %s", a)
	}
}
