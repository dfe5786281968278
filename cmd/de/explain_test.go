package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
)

// Every mutant can be explained by its recorded case: with its problem, its
// steps up to where that is seen, and what became of the cases nearby.
func TestExplainMutants(t *testing.T) {
	for _, suite := range stages.All() {
		t.Run(suite.ID, func(t *testing.T) {
			for some := range slices.Chunk(slowSample(mutantsOf(t, suite), 15), 20) {
				config := testConfig(t)
				config.Explain, config.Others = true, references(t)
				for _, m := range some {
					files, err := m.Apply(referenceFiles(t, suite))
					if err != nil {
						t.Fatal(err)
					}
					stage := grading.Stage{
						Suite: suite, Package: packageOf(suite, solution{m.Name, mapFS(files)}),
						Cases: []schedule.Case{findCase(t, suite, m.Shortest)},
					}
					if err := new(env).addNearby(&stage, request{}); err != nil {
						t.Fatal(err)
					}
					config.Stages = append(config.Stages, stage)
				}
				r, err := grading.Run(t.Context(), config)
				if err != nil {
					t.Fatal(err)
				}
				for i, m := range some {
					stage := r.Stages[i]
					r := r
					r.Stages, r.Verdict = []grading.StageReport{stage}, stage.Verdict
					checkExplanation(t, m.Name, r)
				}
			}
		})
	}
}

// What depends on chance, or shows only after other cases, is tried until it does.
func TestExplainInsists(t *testing.T) {
	t.Run("chance", func(t *testing.T) {
		insists(t, stages.All()[1], "keys-as-the-map-has-them", fault.Nondeterministic)
	})
	t.Run("after others", func(t *testing.T) { insists(t, stages.All()[4], "state-remembered", fault.RuleBroken) })
}

func insists(t *testing.T, suite grading.Suite, name string, kind fault.Kind) {
	t.Helper()
	all := mutantsOf(t, suite)
	m := all[slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name == name })]
	files, err := m.Apply(referenceFiles(t, suite))
	if err != nil {
		t.Fatal(err)
	}
	for _, explained := range []bool{false, true} {
		config := testConfig(t)
		config.Explain, config.Others = explained, references(t)
		config.Stages = []grading.Stage{{
			Suite: suite, Package: packageOf(suite, solution{m.Name, mapFS(files)}),
			Cases: []schedule.Case{findCase(t, suite, m.Shortest)},
		}}
		if err := new(env).addNearby(&config.Stages[0], request{}); err != nil {
			t.Fatal(err)
		}
		r, err := grading.Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		f := r.Stages[0].Failure
		if !explained {
			if f != nil {
				t.Error("it fails at once, so it does not show that it is tried again: take another")
			}
			continue
		}
		if f == nil || f.Finding[0].Kind != kind || f.Finding[0].Check != m.Check || len(f.Steps) == 0 {
			t.Errorf("%s: %+v", r.Verdict, f)
		}
	}
}

func checkExplanation(t *testing.T, name string, r grading.Report) {
	t.Helper()
	var b strings.Builder
	if err := report.Explain(&b, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for line := range strings.SplitSeq(text, "\n") {
		if lipgloss.Width(line) > 80 {
			t.Errorf("%s: too wide: %s", name, line)
		}
	}
	f := r.Stages[0].Failure
	if f == nil {
		t.Fatalf("%s: %s, and no case fails\n%s", name, r.Verdict, text)
	}
	head := f.Finding[0]
	switch {
	case head.Problem == "" || f.Section == "" || len(f.Input) == 0:
		t.Errorf("%s: something is missing in\n%s", name, text)
	case head.Step >= len(f.Steps) || f.Unsafe >= len(f.Steps):
		t.Errorf("%s: seen at step %d, unsafe from %d, of %d\n%s", name, head.Step, f.Unsafe, len(f.Steps), text)
	case head.Step >= 0 && (f.Unsafe < 0 || f.Unsafe > head.Step):
		t.Errorf("%s: unsafe from step %d, seen at %d\n%s", name, f.Unsafe, head.Step, text)
	}
}
