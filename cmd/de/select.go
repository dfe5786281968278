package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// What --impl names besides a folder.
const (
	implLearner   = "learner"
	implReference = "reference"
	implSkeleton  = "skeleton"
)

// A selection is what a command line asks to be tested.
type selection struct {
	subject   string
	stages    []grading.Stage      // the one asked for first, then the earlier ones
	others    []build.Package      // earlier solutions that are only built on
	workspace *workspace.Workspace // of a learner's solution, else nil
	partial   bool                 // not all that a stage is judged by; else the cases are those of the course
	explain   bool                 // one case is to be explained, or shown by a plain test
	flags     []string             // to run a case of it again
	places    map[string]string    // by folder in the guest: the same seen from the working directory
	roots     []*os.Root           // to be closed
}

// packages are all solutions, judged or built on.
func (s *selection) packages() []build.Package {
	all := slices.Clone(s.others)
	for _, stage := range s.stages {
		all = append(all, stage.Package)
	}
	return all
}

func (s *selection) close() {
	for _, root := range s.roots {
		root.Close() // read only: there is nothing to lose
	}
}

// A request is what a command line says of that.
type request struct {
	suite     *grading.Suite // nil: that of the case, else the one that the learner started last
	impl      string
	schedules []string // files, instead of the stage's own
	caseID    string   // the only one to run, or empty
	stageOnly bool
	longer    int      // by how many operations sequences are
	flags     []string // to run a case of it again, those for what to judge aside
}

// requested reads the flags that say what to run, as far as the command has them.
func requested(c *cli.Context) request {
	q := request{
		impl: c.String("impl"), schedules: c.StringSlice("schedule"), caseID: c.String("case"),
		stageOnly: c.Bool("stage-only"), longer: c.Int("thorough"),
	}
	for _, name := range q.schedules {
		q.flags = append(q.flags, "--schedule", name)
	}
	if c.IsSet("seed") {
		q.flags = append(q.flags, "--seed", fmt.Sprint(c.Uint64("seed")))
	}
	return q
}

func (q request) partial() bool { return q.caseID != "" || len(q.schedules) > 0 }

// selects returns what q asks for; the selection is to be closed.
func (e *env) selects(q request) (*selection, error) {
	s := &selection{partial: q.partial(), flags: q.flags, places: map[string]string{}}
	if q.impl != implLearner {
		s.flags = append([]string{"--impl", q.impl}, s.flags...)
	} else {
		w, err := e.workspace()
		if err != nil {
			return nil, withNext(err, "or judge another solution: de test --impl reference")
		}
		s.workspace = w
	}
	suite, err := q.stage(s.workspace)
	if err != nil {
		return nil, err
	}
	all := stages.All()
	at := slices.IndexFunc(all, func(x grading.Suite) bool { return x.ID == suite.ID })
	if err := e.selectStages(q, s, suite, all[:at]); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// selectStages adds the stage asked for and those before it, to be judged again
// or only to be built on.
func (e *env) selectStages(q request, s *selection, suite grading.Suite, earlier []grading.Suite) error {
	again := !s.partial && !q.stageOnly
	stage, err := e.stage(q, s, suite)
	if err != nil {
		return err
	}
	s.stages = append(s.stages, stage)
	for _, suite := range earlier {
		impl := q.impl
		judge := again
		if e.lone(impl, suite) {
			impl, judge = implReference, false
		}
		if judge {
			stage, err := e.stage(q, s, suite)
			if err != nil {
				return err
			}
			s.stages = append(s.stages, stage)
		} else if p, _, err := e.packageOf(impl, s, suite); err == nil { // else there is nothing to be built on
			s.others = append(s.others, p)
		}
	}
	if s.partial {
		s.stages[0].Cases, err = e.cases(q, suite)
	}
	return err
}

// lone tells whether impl is a folder that has no solution of the stage.
func (e *env) lone(impl string, suite grading.Suite) bool {
	switch impl {
	case implLearner, implReference, implSkeleton:
		return false
	}
	info, err := os.Stat(e.path(filepath.Join(impl, suite.Folder())))
	return err != nil || !info.IsDir()
}

// stage is the one named, else that of the case, else the one that the learner
// started last, else the last of the course.
func (q request) stage(w *workspace.Workspace) (grading.Suite, error) {
	if q.suite != nil {
		return *q.suite, nil
	}
	all := stages.All()
	current := all[len(all)-1].ID
	if w != nil {
		current = w.State.Current
	}
	id, _, named := strings.Cut(q.caseID, "/")
	if named {
		current = id
	}
	i := slices.IndexFunc(all, func(s grading.Suite) bool { return s.ID == current })
	if i < 0 && named {
		return grading.Suite{}, usage("copy the ID from a report, or from de schedule show --cases", "%s is a case of stage %s, and there is none", plain(q.caseID), plain(id))
	}
	if i < 0 {
		return grading.Suite{}, usage("name the stage: de test "+all[len(all)-1].ID, "there is no stage %s", plain(current))
	}
	return all[i], nil
}

func (e *env) stage(q request, s *selection, suite grading.Suite) (grading.Stage, error) {
	p, subject, err := e.packageOf(q.impl, s, suite)
	if err != nil {
		return grading.Stage{}, err
	}
	s.subject = cmp.Or(s.subject, subject)
	return grading.Stage{Suite: suite, Package: p, Explore: !s.partial, Longer: q.longer}, nil
}

// packageOf returns a stage's solution, and what it is in words.
func (e *env) packageOf(impl string, s *selection, suite grading.Suite) (build.Package, string, error) {
	files, subject, err := e.sources(impl, s, suite)
	p := build.Package{Folder: suite.Folder(), Stage: suite.Folder(), Files: files}
	if impl == implReference || impl == implSkeleton {
		p.Rewrite = workspace.RewriteImports
	}
	return p, subject, err
}

// sources returns the Go files of a stage's solution, and what it is in words.
func (e *env) sources(impl string, s *selection, suite grading.Suite) (fs.FS, string, error) {
	switch impl {
	case implReference, implSkeleton:
		files, err := fs.Sub(stages.Files, path.Join(suite.Folder(), impl))
		return files, "the " + impl, err
	case implLearner:
		in := inWorkspace(suite)
		files, err := s.open(s.workspace.Path(in))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", usage("de start "+stages.Course+"/"+suite.ID, "this workspace has no %s", in.Folder)
		}
		if place, err := filepath.Rel(e.dir, s.workspace.Path(in)); err == nil {
			s.places[suite.Folder()] = place
		}
		return files, "your solution", err
	}
	dir := filepath.Clean(impl)
	if !e.lone(impl, suite) {
		dir = filepath.Join(dir, suite.Folder())
	}
	s.places[suite.Folder()] = dir
	files, err := s.open(e.path(dir))
	if err != nil {
		return nil, "", usage("--impl learner, reference, skeleton, or the folder of a solution",
			"--impl %s: %v", plain(impl), withoutPath(err))
	}
	return files, impl, nil
}

// open opens a folder whose links are not followed out of it.
func (s *selection) open(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	s.roots = append(s.roots, root)
	return root.FS(), nil
}

// rename puts the user's own paths in a report in place of the guest's.
func (s *selection) rename(r *grading.Report) {
	for _, stage := range r.Stages {
		for i := range stage.Compile {
			stage.Compile[i].File = s.place(stage.Compile[i].File)
		}
		if stage.Failure == nil {
			continue
		}
		for i := range stage.Failure.Steps {
			stage.Failure.Steps[i].Place = s.place(stage.Failure.Steps[i].Place)
		}
		for i, f := range stage.Failure.Finding {
			stage.Failure.Finding[i].Where = s.place(f.Where)
			if f.Fault != nil {
				stage.Failure.Finding[i].Fault = s.placeFault(*f.Fault)
			}
		}
	}
}

// placeFault returns a fault with the user's own paths; f stays as it is, for
// findings may share one.
func (s *selection) placeFault(f fault.Fault) *fault.Fault {
	f.Where = s.place(f.Where)
	f.Frames = slices.Clone(f.Frames)
	for i, frame := range f.Frames {
		at := strings.LastIndexByte(frame, ' ') + 1
		f.Frames[i] = frame[:at] + s.place(frame[at:])
	}
	return &f
}

// place is the user's own path of a file in the guest.
func (s *selection) place(file string) string {
	folder, name, _ := strings.Cut(file, "/")
	if dir, ok := s.places[folder]; ok {
		return filepath.Join(dir, filepath.FromSlash(name))
	}
	return file
}

// cases returns the cases to run of a stage, the smallest first.
func (e *env) cases(q request, suite grading.Suite) ([]schedule.Case, error) {
	cases, err := e.scheduled(q.schedules, suite)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(cases, suite.Compare)
	id := q.caseID
	if id == "" {
		return cases, nil
	}
	if of, _, ok := strings.Cut(id, "/"); ok && of != suite.ID {
		return nil, usage("de schedule show "+suite.ID+" --cases lists those of this stage", "%s is a case of stage %s, not of %s", plain(id), plain(of), suite.ID)
	}
	if strings.HasPrefix(id, suite.ID+"/sequence/") {
		one, err := schedule.ParseSequence(id, suite.Spec)
		if err != nil {
			return nil, usage("copy the ID from the report", "%v", err)
		}
		return []schedule.Case{one}, nil
	}
	one, err := schedule.Find(cases, id)
	if err == nil {
		return []schedule.Case{one}, nil
	}
	for explored := range suite.ExploredCases() {
		if explored.ID == id {
			return []schedule.Case{explored}, nil
		}
	}
	return nil, usage("de schedule show "+suite.ID+" --cases", "%v", err)
}

// scheduled loads the named schedules, or the stage's own.
func (e *env) scheduled(names []string, suite grading.Suite) ([]schedule.Case, error) {
	if len(names) == 0 {
		return ownCases(suite)
	}
	var cases []schedule.Case
	for _, name := range names {
		of, file, err := e.loadSchedule(name)
		if err != nil {
			return nil, err
		}
		if of.ID != suite.ID {
			return nil, usage("de test "+of.ID+" --schedule "+name, "%s is a schedule of stage %s, not %s", name, of.ID, suite.ID)
		}
		cases = append(cases, file.Cases...)
	}
	return cases, unique(cases)
}

// sortedOwnCases are the course's own, the smallest first.
func sortedOwnCases(suite grading.Suite) ([]schedule.Case, error) {
	cases, err := ownCases(suite)
	slices.SortStableFunc(cases, suite.Compare)
	return cases, err
}

// ownCases loads the course's own schedules of a stage.
func ownCases(suite grading.Suite) ([]schedule.Case, error) {
	cases, err := schedule.LoadAll(fixtures.Files, fixtures.Schedules(suite.ID), suite.Spec)
	if err != nil {
		return nil, fmt.Errorf("the course's own schedules: %w", err)
	}
	return cases, unique(cases)
}

// unique refuses two cases of one ID, which only several schedules can have.
func unique(cases []schedule.Case) error {
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.ID] {
			return usage("rename one of the cases", "two schedules have a case %s", c.ID)
		}
		seen[c.ID] = true
	}
	return nil
}

func withNext(err error, more string) error {
	if f := (*failure)(nil); errors.As(err, &f) {
		return &failure{f.code, f.message, f.next + "; " + more}
	}
	return err
}
