package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading/class"
)

// merge merges folders into the folder merged, and returns what is printed.
func (s *session) merge(shards ...string) string {
	s.t.Helper()
	s.output.Reset()
	if code := s.env().run(append(append([]string{"report", "merge"}, shards...), "--out", "merged")); code != exitPass {
		s.t.Fatalf("exit code %d\n%s", code, &s.output)
	}
	return results(s.output.String())
}

// results are what is printed on standard output.
func results(printed string) string {
	var out strings.Builder
	for line := range strings.Lines(printed) {
		if !strings.HasPrefix(line, "! ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// sameFiles demands that two folders have the same files; of times, that they are
// there.
func (s *session) sameFiles(a, b string) {
	s.t.Helper()
	one, other := s.files(a), s.files(b)
	if !slices.Equal(slices.Sorted(maps.Keys(one)), slices.Sorted(maps.Keys(other))) {
		s.t.Errorf("%s has %d files, %s has %d", a, len(one), b, len(other))
	}
	for name, text := range one {
		if filepath.Base(name) != class.TimesFile && other[name] != text {
			s.t.Errorf("%s of %s is\n%s\nand of %s\n%s", name, a, text, b, other[name])
		}
	}
}

func (s *session) files(dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(s.dir, dir), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(filepath.Join(s.dir, dir), path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// A class of whose submissions nothing can be judged is graded soon. In shards and
// merged it comes to the same bytes as in one go.
func TestReportMerge(t *testing.T) {
	s := newSession(t)
	s.withGo()
	for i := range 9 {
		s.do([]string{"write", fmt.Sprintf("class/student %d/hello-%d.txt", i, i%2), "hello"})
	}
	s.do([]string{"write", "roster.csv", `id,name\nstudent 1,Anna\nstudent 2,Ben\nnobody,Kim\n`})
	s.do([]string{"write", "exam/one.yaml", `stage: FLK-BYO/08\ntitle: an exam\ndisclose: hidden\nscripts:\n  - {name: exam, ops: [write 1]}\n`})
	run := func(want int, args ...string) string {
		t.Helper()
		s.output.Reset()
		if code := s.env().run(args); code != want {
			t.Fatalf("%q: exit code %d, not %d\n%s", args, code, want, &s.output)
		}
		return s.output.String()
	}
	whole := run(exitPass, "grade", "class", "--out", "whole", "--roster", "roster.csv", "--hidden", "exam")
	var shards []string
	for i := range 4 {
		s.variables["DE_SHARD_INDEX"], s.variables["DE_SHARD_COUNT"] = fmt.Sprint(i), "4"
		shards = append(shards, fmt.Sprintf("shard%d", i))
		run(exitPass, "grade", "class", "--out", shards[i], "--shard", "auto", "--roster", "roster.csv", "--hidden", "exam")
	}
	slices.Reverse(shards) // in any order
	if got := s.merge(shards...); got != results(whole) {
		t.Errorf("merged it says\n%s\nand in one go\n%s", got, whole)
	}
	s.sameFiles("whole", "merged")
	if secret := filepath.Join(instructorDir, studentFile("student 1", class.ResultFile)); s.files("merged")[secret] == "" {
		t.Errorf("there is no %s", secret)
	}

	s.do([]string{"write", "empty/hello.txt", "hello"})
	run(exitPass, "grade", "class", "--out", "half", "--shard", "1/2")
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"no folder", "wants the folders of the shards", []string{"--out", "new"}},
		{"no --out", "wants to know where to write", shards},
		{"no such folder", "nosuch: no such file", []string{"nosuch", "--out", "new"}},
		{"no results", "empty holds no results of a class: class.json: no such file", []string{"empty", "--out", "new"}},
		{"the whole", "whole is no part of a class", []string{"whole", "--out", "new"}},
		{"a shard short", "1 of 4 shards are not there: 1/4", append(shards[:3:3], "--out", "new")},
		{"a shard of another run", "half is of another number of shards", []string{"shard0", "half", "--out", "new"}},
		{"a shard twice", "shard0 and shard0 are both shard 1 of 4", []string{"shard0", "shard0", "--out", "new"}},
		{"an old folder", "--out merged is not empty", append(shards[:4:4], "--out", "merged")},
	} {
		if got := run(exitUsage, append([]string{"report", "merge"}, test.args...)...); !strings.Contains(unwrapped(got), test.want) {
			t.Errorf("%s: no %q in\n%s", test.name, test.want, got)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "new")); err == nil {
		t.Error("something was written of what does not fit together")
	}
}

// unwrapped is what is printed on standard error as one line.
func unwrapped(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "! ", " ")), " ")
}
