package report_test

import (
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/certify"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/fault"
)

// certificate is a certificate of one stage, with or without problems.
func certificate(problems ...string) certify.Result {
	s := certify.Stage{
		Stage: "08", Title: "Transactional sink",
		Reference:  certify.Reference{Rounds: 10, Seeds: 10, Cases: 769, Explored: 403_441},
		Skeleton:   certify.Skeleton{Verdict: grading.Fail, Kind: fault.NotImplemented, Words: "fail: not implemented"},
		Situations: []certify.Situation{{Name: "empty-source", CameUp: true}, {Name: "crash-on-a-barrier", CameUp: true}},
		Content:    []string{},
		Mutants: []certify.Mutant{
			{
				Name: "commit-keeps-the-entry", Fault: "a second commit repeats its records", Check: "sink-model",
				Recorded: "08/script/x", Case: "08/script/x", Verdict: grading.Fail, KilledBy: "sink-model", Broken: []string{"sink-model", "eos-output"}, Words: "fail",
			},
			{
				Name: "replay-from-the-start", Fault: "a crash replays all", Check: "eos-output",
				Recorded: "08/grid/x", Case: "08/grid/x", Verdict: grading.Fail, KilledBy: "eos-output", Broken: []string{"eos-output"}, Words: "fail",
			},
		},
		Made:        certify.Made{Total: 120, Judged: 120, KilledBy: map[string]int{"eos-output": 60, "sink-model": 41}, TimedOut: 9, Equivalent: 10, NotCompiled: 7, Same: 3, Wrong: []string{}},
		Variants:    []certify.Variant{{Name: "actor", Verdict: grading.Pass}},
		RightCanary: grading.Pass, WrongCanary: grading.Fail,
		Problems: problems,
	}
	if len(problems) > 0 {
		s.Situations[1].CameUp = false
		s.Reference.Failed = []string{"fail: once"}
		s.Mutants[1].KilledBy, s.Mutants[1].Verdict, s.Mutants[1].Broken = "", grading.Pass, nil
		s.Variants[0].Verdict, s.Variants[0].Words = grading.Inconclusive, "inconclusive"
	} else {
		s.Problems = []string{}
	}
	return certify.Result{
		Version: certify.Version, Course: "FLK-BYO", Every: 1, Stages: []certify.Stage{s},
		Summary: certify.Summary{Mutants: 2, Killed: 2, Made: 120, MadeKilled: 101, TimedOut: 9, Equivalent: 10, Variants: 1, Problems: len(problems)},
	}
}

var certificates = map[string]certify.Result{
	"certified": certificate(),
	"not-certified": certificate("the reference does not pass: fail: once", "the situation crash-on-a-barrier never comes up",
		"mutant replay-from-the-start: it survives, though a crash replays all: pass", "variant actor is rejected: inconclusive\x1b[2J"),
}

func TestCertificate(t *testing.T) {
	for name, r := range certificates {
		got := written(t, func(w io.Writer) error { return report.Certificate(w, r, report.Options{}) })
		golden(t, name+".txt", got)
		for line := range strings.SplitSeq(got, "\n") {
			if len(line) > 80 || strings.Contains(line, "\x1b") {
				t.Errorf("%s: %q is too wide or not clean", name, line)
			}
		}
	}
}

func TestCertificateJSON(t *testing.T) {
	schema, strict := compile(t, report.CertificateSchema), compile(t, closed(t, report.CertificateSchema))
	for name, r := range certificates {
		got := written(t, func(w io.Writer) error { return report.CertificateJSON(w, r) })
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := strict.Validate(doc); err != nil {
			t.Errorf("%s: the schema lacks a property: %v", name, err)
		}
		bad, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(got, `"version": 1`, `"version": 2`, 1)))
		if err != nil || schema.Validate(bad) == nil {
			t.Errorf("%s: another version is accepted (%v)", name, err)
		}
	}
}
