package operators

import (
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Every function has its code, and no code is left over.
func TestFunctionsHaveCode(t *testing.T) {
	kinds := map[string][]function{opMap: mapFunctions, opFilter: filterFunctions, opFlatMap: flatMapFunctions, opOwn: ownOperators}
	for kind, functions := range kinds {
		for _, f := range functions {
			if codes[kind][f.word].body == "" {
				t.Errorf("%s %s has no code", kind, f.word)
			}
		}
		if len(codes[kind]) != len(functions) {
			t.Errorf("%d codes for %d functions of %s", len(codes[kind]), len(functions), kind)
		}
	}
}

// A test expects what the model says, and shows what the check is about.
func TestReproExpects(t *testing.T) {
	c := schedule.Case{Script: script("flat_map twice, map number, chain 2, process 7, run 1")}
	for check, wants := range map[string][]string{
		callsCheck:    {"op2 gets \"g\"=7 @7", "op1 emits", "output \"g\"=2 @7", "op3 := s.Chain(op1, op2)"},
		isolation:     {"range kept", "for range 3"},
		deterministic: {"for range 1000"},
	} {
		body := repro(c, grading.Finding{Check: check}).Body
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the test has no %q:\n%s", check, want, body)
			}
		}
	}
}
