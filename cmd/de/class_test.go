package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/fixtures/hostile"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/rubric"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// A member of the class of 200 hands something in, of which is known what it is
// worth.
type member struct {
	hostile.Submission

	ordinary bool   // nothing about it is hostile
	recorded bool   // which checks it does not pass is in testdata/class/checks.txt
	stage    string // the ID of the stage that its check is of
	check    string // that it is there for; empty if it is for none
	shortest string // the ID of the case that it is broken in
}

// classOf200 are references, mutants and variants of all stages in workspaces of
// references, skeletons, and what is hostile or broken.
func classOf200(t *testing.T) []member {
	t.Helper()
	const references, mutants, variants = 10, 40, 16
	var all []member
	for i := range references {
		files := workspaceOf(t)
		files["notes.txt"] = fmt.Sprint(i)
		all = append(all, ordinary(fmt.Sprintf("right-%d", i+1), files, "100"))
	}
	for i, suite := range stages.All() {
		all = append(all, someMutants(t, suite, mutants/len(stages.All()))...)
		all = append(all, someVariants(t, suite, variants/len(stages.All()))...)
		if i%3 == 1 {
			m := ordinary("skeleton-"+suite.ID, workspaceWith(t, suite, sourcesIn(t, stages.Files, suite.Folder()+"/skeleton")), "")
			m.recorded, m.stage = true, suite.ID
			all = append(all, m)
		}
	}
	right := lastReference(t)
	const place, offset = "j.completed = oldest.offset", "j.completed = oldest.offset + 1"
	if !strings.Contains(right, place) {
		t.Fatal("the reference has changed: mend this test's place in it")
	}
	for _, s := range hostile.All(right, strings.Replace(right, place, offset, 1)) {
		all = append(all, member{Submission: s})
	}
	for _, h := range hostiles {
		all = append(all, member{Submission: hostile.Submission{
			Name: "solution " + h.name, Kind: h.kind, Total: h.total(),
			Files: hostile.Files{lastSuite().Folder() + "/sink.go": h.solution(t, right)},
		}})
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func ordinary(name string, files hostile.Files, total string) member {
	return member{Submission: hostile.Submission{Name: name, Files: files, Total: total}, ordinary: true}
}

// total are the points of a hostile solution. Only one that sleeps gets its work
// done.
func (h hostileSolution) total() string {
	if h.kind == fault.Slept {
		return "58.5"
	}
	return "0"
}

// workspaceOf are the references of all stages.
func workspaceOf(t *testing.T) hostile.Files {
	t.Helper()
	files := hostile.Files{"go.mod": "module flkbyo\n"}
	for _, suite := range stages.All() {
		for name, src := range referenceFiles(t, suite) {
			files[suite.Folder()+"/"+name] = src
		}
	}
	return files
}

// workspaceWith has a solution of a stage in place of the reference.
func workspaceWith(t *testing.T, suite grading.Suite, solution map[string]string) hostile.Files {
	t.Helper()
	files := workspaceOf(t)
	maps.DeleteFunc(files, func(name, _ string) bool { return path.Dir(name) == suite.Folder() })
	for name, src := range solution {
		files[suite.Folder()+"/"+name] = src
	}
	return files
}

// sourcesIn are the Go files of a folder, as they stand in a workspace.
func sourcesIn(t *testing.T, from fs.FS, dir string) map[string]string {
	t.Helper()
	sources, err := workspace.Sources(from, dir)
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// spread are n of all, from the first on.
func spread[T any](all []T, n int) []T { return oneIn(all, (len(all)+n-1)/n) }

func someMutants(t *testing.T, suite grading.Suite, n int) []member {
	t.Helper()
	var some []member
	for _, m := range spread(mutantsOf(t, suite), n) {
		files, err := m.Apply(referenceFiles(t, suite))
		if err != nil {
			t.Fatal(err)
		}
		made := ordinary("mutant-"+suite.ID+"-"+m.Name, workspaceWith(t, suite, files), "")
		made.recorded, made.stage, made.check, made.shortest = true, suite.ID, m.Check, m.Shortest
		some = append(some, made)
	}
	return some
}

func someVariants(t *testing.T, suite grading.Suite, n int) []member {
	t.Helper()
	dirs, err := fs.Glob(fixtures.Files, "variants/"+suite.ID+"/*")
	if err != nil {
		t.Fatal(err)
	}
	// One with methods of a pointer is right, but others can't be built on it.
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return path.Base(dir) == "pointer-receivers" })
	var some []member
	for _, dir := range spread(dirs, n) {
		files := workspaceWith(t, suite, sourcesIn(t, fixtures.Files, dir))
		some = append(some, ordinary("variant-"+suite.ID+"-"+path.Base(dir), files, "100"))
	}
	return some
}

// notPassed are the checks that a student did not pass, as in "08/eos-output", in
// the order of the course.
func notPassed(r class.Result) []string {
	var names []string
	for _, suite := range stages.All() {
		i := slices.IndexFunc(r.Report.Stages, func(s grading.StageReport) bool { return s.Stage == suite.ID })
		if i < 0 {
			continue
		}
		stage := r.Report.Stages[i]
		if len(stage.Checks) == 0 {
			names = append(names, suite.ID+"/"+string(stage.Kind))
		}
		for _, c := range stage.Checks {
			if c.Verdict != grading.Pass {
				names = append(names, suite.ID+"/"+c.Name)
			}
		}
	}
	return names
}

// worth is what the default rubric gives to a workspace that does not pass these
// checks and passes all others, worked out apart from package rubric.
func worth(failing []string) rubric.Points {
	r := rubric.Default(stages.All())
	total := r.Of()
	for _, s := range r.Stages {
		if s.Gate != "" && slices.Contains(failing, s.ID+"/"+s.Gate) {
			total -= s.Points
			continue
		}
		for _, c := range s.Checks {
			if slices.Contains(failing, s.ID+"/"+c.Name) {
				total -= c.Points
			}
		}
	}
	return total
}

// judgedRight demands that what became of a member is what is known of it.
func (m member) judgedRight(t *testing.T, r class.Result, result, page string, failing map[string][]string) {
	t.Helper()
	want := cmp.Or(m.Total, "0")
	if m.recorded {
		if *update {
			failing[m.Name] = notPassed(r)
		}
		want = worth(failing[m.Name]).String()
		m.brokenAsRecorded(t, r, failing[m.Name])
	}
	if got := r.Marks.Total.String(); got != want || r.Marks.Of.String() != "100" || !r.Marks.Final {
		t.Errorf("%s has %s of %v points, final: %v; want %s\n%s", m.Name, got, r.Marks.Of, r.Marks.Final, want, page)
	}
	if kind := lastKind(r); !m.ordinary && kind != m.Kind && !(costly(m.Kind) && kind == fault.TimeLimit) {
		t.Errorf("%s: kind %q, want %q\n%s", m.Name, kind, m.Kind, page)
	}
	if !strings.Contains(result, m.Words) {
		t.Errorf("%s: it does not say %s\n%s", m.Name, m.Words, page)
	}
	if r.Report != nil && r.Report.Verdict == grading.HarnessFault {
		t.Errorf("%s: harness fault: %s", m.Name, r.Report.Problem)
	}
}

// costly tells of a way to fail that takes long to come to: on a slow machine the
// limit of time may come first.
func costly(kind fault.Kind) bool {
	return slices.Contains([]fault.Kind{fault.TimeLimit, fault.MemoryExhausted, fault.StackExhausted, fault.PrintedTooMuch, fault.TooManyCalls}, kind)
}

// brokenAsRecorded demands that a mutant fails by its check, in its case.
func (m member) brokenAsRecorded(t *testing.T, r class.Result, failing []string) {
	t.Helper()
	if got := notPassed(r); !slices.Equal(got, failing) {
		t.Errorf("%s does not pass %v, want %v", m.Name, got, failing)
	}
	i := slices.IndexFunc(r.Report.Stages, func(s grading.StageReport) bool { return s.Stage == m.stage })
	if i < 0 || r.Report.Stages[i].Verdict != grading.Fail {
		t.Errorf("%s: stage %s does not fail", m.Name, m.stage)
		return
	}
	checks := r.Report.Stages[i].Checks
	asRecorded := func(c grading.CheckReport) bool { return c.Name == m.check && c.Shortest == m.shortest }
	if m.check != "" && !slices.ContainsFunc(checks, asRecorded) {
		t.Errorf("%s: it fails by %+v, want check %s in %s", m.Name, checks, m.check, m.shortest)
	}
}

// lastKind is what the last stage fails by.
func lastKind(r class.Result) fault.Kind {
	if r.Report == nil {
		return ""
	}
	for _, s := range r.Report.Stages {
		if s.Stage == lastSuite().ID {
			return s.Kind
		}
	}
	return ""
}

const recordedChecks = "testdata/class/checks.txt"

// readChecks returns, by member, the checks that it is known not to pass.
func readChecks(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(recordedChecks)
	if err != nil && !*update {
		t.Fatal(err)
	}
	checks := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if name, list, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			checks[name] = strings.Split(list, ", ")
		}
	}
	return checks
}

func writeChecks(t *testing.T, checks map[string][]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Checks that members of the class of 200 do not pass. Made by -update.\n")
	for _, name := range slices.Sorted(maps.Keys(checks)) {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(checks[name], ", "))
	}
	if err := os.WriteFile(recordedChecks, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
