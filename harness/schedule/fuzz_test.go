package schedule_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/strict"
)

func FuzzLoad(f *testing.F) {
	bad, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range bad {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	for _, path := range fixtures.Schedules("08") {
		src, err := fixtures.Files.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	spec := sinkSpec
	spec.Limits = schedule.Limits{Bytes: 20_000, Cases: 500, Records: 50, Ops: 50}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := schedule.Load("x.yaml", src, spec, streams)
		var errs strict.Errors
		switch {
		case errors.As(err, &errs):
			checkPlaces(t, src, errs)
		case err != nil:
			t.Errorf("an error without a place: %v", err)
		default:
			checkFile(t, file, spec)
		}
	})
}

func checkPlaces(t *testing.T, src []byte, errs strict.Errors) {
	lines := strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
	for _, e := range errs {
		if e.File != "x.yaml" {
			continue
		}
		if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1 {
			t.Errorf("an error outside the file: %v", e)
		}
	}
}

func checkFile(t *testing.T, file *schedule.File, spec schedule.Spec) {
	if len(file.Cases) > spec.Limits.Cases {
		t.Errorf("%d cases, more than the limit", len(file.Cases))
	}
	seen := map[string]bool{}
	for _, c := range file.Cases {
		if seen[c.ID] {
			t.Errorf("case %s comes twice", c.ID)
		}
		seen[c.ID] = true
		if len(c.Records) > spec.Limits.Records || len(c.Script) > spec.Limits.Ops {
			t.Errorf("case %s is larger than the limit", c.ID)
		}
		if c.Script == nil {
			continue
		}
		id := schedule.SequenceID(spec.Stage, c.Script)
		if _, err := schedule.ParseSequence(id, spec); err != nil {
			t.Errorf("the sequence of %s does not come back: %v", c.ID, err)
		}
	}
	for line := range strings.SplitSeq(schedule.Describe(file), "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("a line of the description is too long: %q", line)
		}
	}
}
