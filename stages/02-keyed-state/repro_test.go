package keyedstate

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

func TestFunctionsHaveCode(t *testing.T) {
	for _, f := range functions {
		if codes[f.name] == "" {
			t.Errorf("%s has no code", f.name)
		}
	}
}

// A test shows what the finding is about.
func TestReproLooks(t *testing.T) {
	script := []schedule.Op{spec.Op(opPut, 0, 7), spec.Op(opDelete, 0)}
	early := `look(state1, asked, map[string]int64{"a": 7})`
	for name, test := range map[string]struct {
		finding   grading.Finding
		want, not []string
	}{
		"after each":     {grading.Finding{Check: stateModel}, []string{early, "Delete(\"a\")"}, []string{"keptKeys", "for range"}},
		"at the end":     {grading.Finding{Check: stateModel, Problem: "it is wrong" + rarely.words()}, []string{"look(state1, asked, map[string]int64{})"}, []string{early}},
		"as the owner":   {grading.Finding{Check: isolation}, []string{"keptKeys", "keptMaps", "for range 3"}, nil},
		"till it dies":   {grading.Finding{Check: stateModel, Fault: &fault.Fault{}}, []string{"keptKeys"}, nil},
		"till luck ends": {grading.Finding{Check: deterministic}, []string{"for range 1000"}, nil},
	} {
		body := repro(schedule.Case{Script: script}, test.finding).Body
		has := func(text string) bool { return strings.Contains(body, text) }
		if i := slices.IndexFunc(test.want, func(text string) bool { return !has(text) }); i >= 0 {
			t.Errorf("%s: the test has no %q:\n%s", name, test.want[i], body)
		}
		if slices.ContainsFunc(test.not, has) {
			t.Errorf("%s: the test has one of %q:\n%s", name, test.not, body)
		}
	}
}
