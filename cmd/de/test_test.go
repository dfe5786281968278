package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages"
)

// The sessions of testdata/test build and judge solutions. There is Go in their
// PATH.
func TestJudgingSessions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the old Go is a script for sh, and messages of the system differ; .ci/run runs this on Linux")
	}
	replayAll(t, "testdata/test/*.txt", (*session).withGo)
}

func (s *session) withGo() { s.variables["PATH"] = os.Getenv("PATH") }

// fakeGo makes a go command of a version in dir. It builds as Go does that is
// older than a go.mod asks for.
func fakeGo(t *testing.T, dir, version string) {
	t.Helper()
	script := `#!/bin/sh
if [ "$1" = env ]; then echo "` + version + `"; exit 0; fi
echo "go: go.mod requires go >= 1.26 (running go 1.21.0; GOTOOLCHAIN=local)" >&2
exit 1
`
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
}

func lastSuite() grading.Suite {
	all := stages.All()
	return all[len(all)-1]
}

// lastReference is the reference of the last stage, which is one file.
func lastReference(t *testing.T) string {
	t.Helper()
	return referenceFiles(t, lastSuite())["sink.go"]
}

// The command that a failing report ends with runs that very case.
func TestRunJustThisCase(t *testing.T) {
	suite := lastSuite()
	mine := "stage: FLK-BYO/08\ntitle: mine\ncases:\n  - name: mine\n    records: {count: 3}\n    barrier_every: [1, 2]\n    crash_after: every\n    commit_lag: [0, 1]\n"
	tests := []struct {
		name, check string
		args        []string
		want        string // in the case's ID
	}{
		{"of the course's schedules", "eos-output", nil, "n="},
		{"explored", "sink-model", nil, "/sequence/"},
		{"of a schedule of the user's", "eos-output", []string{"--schedule", "mine.yaml", "--seed", "5"}, "/mine/"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			s.withGo()
			s.do([]string{"write", "mine.yaml", mine})
			for _, m := range mutantsOf(t, suite) {
				if m.Check != test.check {
					continue
				}
				files, err := m.Apply(referenceFiles(t, suite))
				if err != nil {
					t.Fatal(err)
				}
				s.do([]string{"write", "solution/sink.go", files["sink.go"]})
				break
			}
			args := append([]string{"test", suite.ID, "--impl", "solution"}, test.args...)
			first := s.failure(append(args, "--format", "json"))
			again := s.failure(append(s.lastCommand(args), "--format", "json"))
			if !strings.Contains(first.Case, test.want) {
				t.Errorf("the case is %s, want one with %q", first.Case, test.want)
			}
			if !reflect.DeepEqual(first, again) {
				t.Errorf("run again, it is another failure:\n%+v\n%+v", first, again)
			}
		})
	}
}

// failure runs a command that prints a failing report as JSON.
func (s *session) failure(args []string) *grading.Failure {
	var stdout, stderr bytes.Buffer
	e := s.env()
	e.stdout, e.stderr = &stdout, &stderr
	if code := e.run(args); code != exitFail {
		s.t.Fatalf("%q: exit %d: %s%s", args, code, &stdout, &stderr)
	}
	var r grading.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		s.t.Fatal(err)
	}
	if r.Stages[0].Failure == nil {
		s.t.Fatalf("%q: no case fails: %+v", args, r.Stages[0])
	}
	return r.Stages[0].Failure
}

// lastCommand returns the arguments of the command that a report ends with.
func (s *session) lastCommand(args []string) []string {
	s.output.Reset()
	s.de(args)
	_, command, ok := strings.Cut(s.output.String(), "Run just this case\n")
	if !ok {
		s.t.Fatalf("%q: no command in:\n%s", args, &s.output)
	}
	command, _, _ = strings.Cut(command, "\nHave it explained\n")
	command = strings.NewReplacer(" \\\n", " ", "\\\n", "", "'", "").Replace(command) // as a shell reads it
	return strings.Fields(command)[1:]
}

// A schedule of one stage is refused for another.
func TestScheduleOfAnotherStage(t *testing.T) {
	s := newSession(t)
	s.do([]string{"write", "mine.yaml", "stage: FLK-BYO/08\ntitle: mine\ncases:\n  - name: a\n    records: {count: 1}\n    barrier_every: [1]\n    crash_after: [none]\n    commit_lag: [0]\n"})
	_, err := s.env().scheduled([]string{"mine.yaml"}, grading.Suite{ID: "99"})
	f := asFailure(err)
	if f.code != exitUsage || f.message != "mine.yaml is a schedule of stage 08, not 99" || f.next != "de test 08 --schedule mine.yaml" {
		t.Errorf("%+v", f)
	}
}
