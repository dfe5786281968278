package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/workspace"
)

// canary is the name of a solution that stands among others to see whether they
// are told apart.
const canary = "canary"

// judgeMutants judges the mutants written by hand, and the reference among them.
func (c *certifier) judgeMutants(ctx context.Context, suite grading.Suite, s *Stage) error {
	mutants, files, err := c.mutants(suite)
	if err != nil {
		return err
	}
	mutants = sample(mutants, c.Every)
	check := map[string]string{}
	solutions := []solution{{canary, memory(files)}}
	for _, m := range mutants {
		mutated, err := m.Apply(files)
		if err != nil {
			return err
		}
		check[m.Name] = m.Check
		solutions = append(solutions, solution{m.Name, memory(mutated)})
	}
	all, small, err := c.cases(suite)
	if err != nil {
		return err
	}
	reports, err := c.inRounds(ctx, suite, solutions, []round{{small, true}, {all, true}}, func(one solution, r grading.StageReport) bool {
		return headline(r) != "" && headline(r) == check[one.name]
	})
	if err != nil {
		return err
	}
	s.RightCanary = reports[canary].Verdict
	s.Mutants = []Mutant{}
	for _, m := range mutants {
		s.Mutants = append(s.Mutants, dead(m, reports[m.Name]))
	}
	return nil
}

// dead is what became of a mutant.
func dead(m mutant.Mutant, r grading.StageReport) Mutant {
	d := Mutant{
		Name: m.Name, Fault: m.Fault, Check: m.Check, Recorded: m.Shortest,
		Verdict: r.Verdict, KilledBy: headline(r), Words: inWords(r),
	}
	if r.Failure != nil {
		d.Case = r.Failure.Case
	}
	for _, check := range r.Checks {
		if check.Verdict == grading.Fail {
			d.Broken = append(d.Broken, check.Name)
		}
	}
	return d
}

// mutants returns the mutants of a stage, and the files of the reference that
// they change.
func (c *certifier) mutants(suite grading.Suite) ([]mutant.Mutant, map[string]string, error) {
	files, err := c.reference(suite)
	if err != nil {
		return nil, nil, err
	}
	name := "mutants/" + suite.ID + ".yaml"
	src, err := fs.ReadFile(c.Fixtures, name)
	if err != nil {
		return nil, nil, err
	}
	file := slices.Sorted(maps.Keys(files))[0] // of several, each edit must name its own
	mutants, err := mutant.Load(name, src, c.Name+"/"+suite.ID, file)
	return mutants, files, err
}

// reference returns the Go files of a stage's reference as they stand in a guest.
func (c *certifier) reference(suite grading.Suite) (map[string]string, error) {
	return workspace.Sources(c.Files, path.Join(suite.Folder(), "reference"))
}

// memory returns files as a file system.
func memory(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// judgeMade judges the mutants that a machine makes of the reference. Those that
// are listed as equivalent must pass all, the others fail.
func (c *certifier) judgeMade(ctx context.Context, suite grading.Suite, s *Stage) error {
	made, reasons, err := c.made(suite)
	if err != nil {
		return err
	}
	s.Made = Made{
		Total: len(made.Mutants), NotCompiled: len(made.Rejected), Same: len(made.Same),
		KilledBy: map[string]int{}, Wrong: []string{},
	}
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if !slices.ContainsFunc(made.Mutants, func(m mutant.MadeMutant) bool { return m.Name == name }) {
			s.Made.Wrong = append(s.Made.Wrong, name+" is listed as equivalent, but not made any more: remove it")
		}
	}
	var listed, others []solution
	some := sample(made.Mutants, cmp.Or(c.Options.Made, c.Every))
	for _, m := range some {
		one := solution{m.Name, memory(map[string]string{"solution.go": string(m.Src)})}
		if reasons[m.Name] != "" {
			listed = append(listed, one)
		} else {
			others = append(others, one)
		}
	}
	all, small, err := c.cases(suite)
	if err != nil {
		return err
	}
	failed := func(_ solution, r grading.StageReport) bool { return r.Verdict != grading.Pass }
	reports, err := c.inRounds(ctx, suite, others, []round{{spread(small, 60), false}, {small, true}, {all, true}}, failed)
	if err != nil {
		return err
	}
	right, err := c.inRounds(ctx, suite, listed, []round{{all, true}}, failed)
	if err != nil {
		return err
	}
	maps.Copy(reports, right)
	for _, m := range some {
		s.Made.add(m, reports[m.Name], reasons[m.Name] != "")
	}
	return nil
}

// made returns the made mutants of a stage, and why some are no faults, by name.
func (c *certifier) made(suite grading.Suite) (mutant.Made, map[string]string, error) {
	names, err := fs.Glob(c.Files, path.Join(suite.Folder(), "reference", "*.go"))
	if err != nil {
		return mutant.Made{}, nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if len(names) != 1 {
		return mutant.Made{}, nil, fmt.Errorf("the reference is %v; mutants are made of one file", names)
	}
	src, err := fs.ReadFile(c.Files, names[0])
	if err != nil {
		return mutant.Made{}, nil, err
	}
	made, err := mutant.Make(path.Base(names[0]), src, mutant.NewImporter(c.Packages, c.Files))
	if err != nil {
		return mutant.Made{}, nil, err
	}
	name := "mutants/made/" + suite.ID + ".yaml"
	list, err := fs.ReadFile(c.Fixtures, name)
	if errors.Is(err, fs.ErrNotExist) {
		return made, nil, nil // then every survivor is a problem
	}
	if err != nil {
		return mutant.Made{}, nil, err
	}
	reasons, err := mutant.LoadEquivalents(name, list, c.Name+"/"+suite.ID)
	return made, reasons, err
}

// spread returns n cases at even distances.
func spread(cases []schedule.Case, n int) []schedule.Case {
	n = min(n, len(cases))
	some := make([]schedule.Case, n)
	for i := range some {
		some[i] = cases[i*len(cases)/n]
	}
	return some
}

// add counts one made mutant.
func (m *Made) add(one mutant.MadeMutant, r grading.StageReport, listed bool) {
	m.Judged++
	passes := r.Verdict == grading.Pass
	switch {
	case passes && listed:
		m.Equivalent++
	case passes:
		m.Wrong = append(m.Wrong, fmt.Sprintf("%s survives, though %s", one.Name, one.Fault))
	case listed:
		m.Wrong = append(m.Wrong, fmt.Sprintf("%s is listed as equivalent, but fails: %s", one.Name, inWords(r)))
	case r.Failure == nil:
		m.Wrong = append(m.Wrong, fmt.Sprintf("%s has no verdict: %s", one.Name, inWords(r)))
	case atLimit(r.Failure.Finding[0]):
		m.TimedOut++
	default:
		m.KilledBy[headline(r)]++
	}
}

// atLimit tells whether a mutant did not fail by a check but came to a limit, as
// one does whose loop has no end.
func atLimit(f grading.Finding) bool {
	switch f.Kind {
	case fault.TimeLimit, fault.MemoryExhausted, fault.StackExhausted, fault.TooManyCalls, fault.PrintedTooMuch:
		return true
	}
	return f.Kind == fault.Panic && strings.Contains(f.Problem, mutant.Endless)
}

// judgeVariants judges the variants, and a mutant among them.
func (c *certifier) judgeVariants(ctx context.Context, suite grading.Suite, s *Stage) error {
	dir := "variants/" + suite.ID
	entries, err := fs.ReadDir(c.Fixtures, dir)
	if err != nil {
		return err
	}
	entries = sample(entries, c.Every)
	mutants, files, err := c.mutants(suite)
	if err != nil {
		return err
	}
	wrong, err := mutants[0].Apply(files)
	if err != nil {
		return err
	}
	solutions := []solution{{canary, memory(wrong)}}
	for _, entry := range entries {
		files, err := fs.Sub(c.Fixtures, path.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		solutions = append(solutions, solution{entry.Name(), files})
	}
	all, _, err := c.cases(suite)
	if err != nil {
		return err
	}
	reports, err := c.inRounds(ctx, suite, solutions, []round{{all, true}}, func(solution, grading.StageReport) bool { return true })
	if err != nil {
		return err
	}
	s.WrongCanary = reports[canary].Verdict
	s.Variants = []Variant{}
	for _, entry := range entries {
		v := Variant{Name: entry.Name(), Verdict: reports[entry.Name()].Verdict}
		if v.Verdict != grading.Pass {
			v.Words = inWords(reports[v.Name])
		}
		s.Variants = append(s.Variants, v)
	}
	return nil
}
