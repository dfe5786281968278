package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/stages"
)

// A pupil is a submission of a class, with the mark that it must get.
type pupil struct {
	name  string
	files map[string]string // by path
	total string            // of 100 points
	words string            // that stand in the result
}

// lastReferenceWith is the reference of the last stage with a change.
func lastReferenceWith(t *testing.T, before, after string) map[string]string {
	t.Helper()
	suite := lastSuite()
	files := map[string]string{}
	for name, src := range referenceFiles(t, suite) {
		if before != "" && !strings.Contains(src, before) {
			t.Fatalf("%s has no %q", name, before)
		}
		files[suite.Folder()+"/"+name] = strings.Replace(src, before, after, 1)
	}
	return files
}

func pupils(t *testing.T) []pupil {
	t.Helper()
	whole := map[string]string{"go.mod": "module mine\n", "README.md": "mine"}
	for _, suite := range stages.All() {
		for name, src := range referenceFiles(t, suite) {
			whole["work/"+suite.Folder()+"/"+name] = src
		}
	}
	return []pupil{
		{"all-right", whole, "100", `"verdict": "pass"`},
		{"exits", lastReferenceWith(t, "return slices.Clone(s.committed)", "panic(slices.Clone(s.committed))"), "0", `"kind": "panic"`},
		{"last-only", lastReferenceWith(t, "", ""), "65", `not handed in`},
		{"no-compile", lastReferenceWith(t, "package sink", "package sink\n\nvar x int = true"), "0", "does not compile"},
		{"nothing", map[string]string{"hello.txt": "hello"}, "0", `"fatal": true`},
		{"offset", lastReferenceWith(t, "j.completed = oldest.offset", "j.completed = oldest.offset + 1"), "0", "gate eos-output failed"},
	}
}

// A class is graded: each mark is the one that is known beforehand, whether in
// one go, resumed, or in four shards and merged; and each file has the same bytes.
func TestJudgingAClass(t *testing.T) {
	s := newSession(t)
	s.withGo()
	all := pupils(t)
	for _, p := range all {
		for name, src := range p.files {
			path := filepath.Join(s.dir, "class", p.name, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	grade := func(out string, more ...string) string {
		t.Helper()
		s.output.Reset()
		if code := s.env().run(append([]string{"grade", "class", "--out", out}, more...)); code != exitPass {
			t.Fatalf("exit code %d\n%s", code, &s.output)
		}
		return s.output.String()
	}
	t.Log(grade("whole"))
	content := map[string][]byte{}
	for _, p := range all {
		content[p.name] = s.result("whole", p.name)
		r, err := class.Decode(content[p.name])
		if err != nil {
			t.Fatal(err)
		}
		if r.Marks.Total.String() != p.total || r.Marks.Of.String() != "100" || !r.Marks.Final {
			t.Errorf("%s has %v of %v, not %s", p.name, r.Marks.Total, r.Marks.Of, p.total)
		}
		if !bytes.Contains(content[p.name], []byte(p.words)) {
			t.Errorf("%s: there is no %s in\n%s", p.name, p.words, content[p.name])
		}
	}
	if err := os.WriteFile(s.resultFile("whole", "offset"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	grade("whole", "--resume")
	summary := grade("whole", "--only", "nothing") // the others stay in class.json
	var shards []string
	for _, shard := range []string{"1", "2", "3"} {
		shards = append(shards, "shard"+shard)
		grade("shard"+shard, "--shard", shard+"/4")
	}
	s.variables["JOB_COMPLETION_INDEX"], s.variables["DE_SHARD_COUNT"] = "3", "4"
	grade("shard4", "--shard", "auto")
	if merged := s.merge(append(shards, "shard4")...); merged != results(summary) {
		t.Errorf("merged it says\n%s\nand it was\n%s", merged, summary)
	}
	s.sameFiles("whole", "merged")
	for _, p := range all {
		if got := s.result("whole", p.name); !bytes.Equal(got, content[p.name]) {
			t.Errorf("%s of whole differs:\n%s\nwas\n%s", p.name, got, content[p.name])
		}
	}
	s.output.Reset()
	if code := s.env().run([]string{"grade", "class", "--explain", "offset", "--out", "whole"}); code != exitPass {
		t.Errorf("explained: exit code %d", code)
	}
	for _, want := range []string{
		"What is there now is what was graded.", "gate eos-output failed", "The case", "de test 08 --impl class/offset",
	} {
		if !strings.Contains(s.output.String(), want) {
			t.Errorf("explained: no %q in\n%s", want, &s.output)
		}
	}
	var c class.Class
	if text, err := os.ReadFile(filepath.Join(s.dir, "whole", "class.json")); err != nil || json.Unmarshal(text, &c) != nil || len(c.Students) != len(all) {
		t.Errorf("class.json: %v, %d students", err, len(c.Students))
	}
	for _, r := range c.Students {
		if r.Report != nil && r.Report.Verdict == grading.HarnessFault {
			t.Errorf("%s: %s", r.Source, r.Report.Problem)
		}
	}
}

// A submission that is not known keeps nobody waiting: it is named, its mark is
// open, and the others have theirs.
func TestJudgingWhatIsUnsettled(t *testing.T) {
	s := newSession(t)
	s.withGo()
	s.writeFile("class/Bob.zip", "")
	s.writeFile("class/bob/hello.txt", "hello")
	s.writeFile("class/eve/hello.txt", "hello")
	s.output.Reset()
	if code := s.env().run([]string{"grade", "class", "--out", "out"}); code != exitInconclusive {
		t.Errorf("exit code %d\n%s", code, &s.output)
	}
	for name, want := range map[string]string{"Bob": `several submissions of that name, \"Bob.zip\", \"bob\"`, "eve": "there is no stage in it to judge"} {
		content := s.result("out", name)
		r, err := class.Decode(content)
		if err != nil || r.Marks.Final != (name == "eve") || !bytes.Contains(content, []byte(want)) {
			t.Errorf("%v: no %q in the result of %s, or final: %v", err, want, name, r.Marks.Final)
		}
		s.output.Reset()
		if code := s.env().run([]string{"grade", "class", "--explain", name, "--out", "out"}); code != exitPass {
			t.Errorf("%s explained: exit code %d\n%s", name, code, &s.output)
		}
	}
}

func (s *session) resultFile(out, student string) string {
	return filepath.Join(s.dir, out, studentsDir, student, class.ResultFile)
}

func (s *session) result(out, student string) []byte {
	s.t.Helper()
	text, err := os.ReadFile(s.resultFile(out, student))
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}
