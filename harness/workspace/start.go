package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// StartOptions say what to start, and where.
type StartOptions struct {
	Dir         string // absolute; made if it is not there
	Stage       Stage
	FromScratch bool // skeletons for the earlier stages instead of the reference
	Now         time.Time
}

// Made is what Start did.
type Made struct {
	New        bool     // there was no workspace before
	Kept       bool     // the stage's folder was there and stays as it is
	Provided   []Stage  // earlier stages filled with the reference now
	Skeletons  []Stage  // earlier stages laid as skeletons now
	StateSaved string   // where a damaged state file is kept, relative to Dir
	Files      []string // of the stage, relative to Dir, as they are now
	Notes      []string // worth knowing, e.g. that Dir is inside another module
}

// Start makes the workspace opts.Dir, or extends it, by a stage and whatever
// earlier stages are missing. It first looks whether all of it can be done, and
// a start that was interrupted can be started again. The error is a *Problem
// or the system's.
func Start(c Course, opts StartOptions) (Made, error) {
	if !slices.Contains(c.Stages, opts.Stage) {
		return Made{}, fmt.Errorf("start %s: no stage of %s", opts.Stage.Folder, c.Name)
	}
	s := starter{course: c, StartOptions: opts}
	if err := s.inspect(); err != nil {
		return Made{}, err
	}
	if err := s.layModule(); err != nil {
		return Made{}, fmt.Errorf("start %s: %w", opts.Stage.Folder, err)
	}
	if err := s.layStages(); err != nil {
		return Made{}, fmt.Errorf("start %s: %w", opts.Stage.Folder, err)
	}
	if err := save(s.Dir, s.state); err != nil {
		return Made{}, err
	}
	s.describe()
	return s.made, nil
}

type starter struct {
	StartOptions
	course   Course
	state    State
	damaged  bool // the state file has to be moved away
	hasGoMod bool
	made     Made
}

func refuse(next, format string, args ...any) error {
	return &Problem{Message: fmt.Sprintf(format, args...), Next: next}
}

// inspect refuses what cannot be started, before anything is changed.
func (s *starter) inspect() error {
	info, err := os.Stat(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("look at the folder: %w", err)
	case !info.IsDir():
		return refuse("choose another folder with --dir", "%s is a file, not a folder", s.Dir)
	}
	if err := s.inspectState(); err != nil {
		return err
	}
	if err := s.inspectGoMod(); err != nil {
		return err
	}
	if s.made.New && !s.hasGoMod { // with one it is a workspace that lost its .de
		if err := refuseOccupied(s.Dir); err != nil {
			return err
		}
	}
	for _, stage := range s.upTo() {
		info, err := os.Stat(filepath.Join(s.Dir, stage.Folder))
		if err == nil && !info.IsDir() {
			return refuse("move the file away and start again",
				"%s is a file, but stage %s needs a folder of that name", filepath.Join(s.Dir, stage.Folder), stage.ID)
		}
	}
	return nil
}

func (s *starter) inspectState() error {
	private := filepath.Join(s.Dir, privateDir)
	if info, err := os.Lstat(private); err == nil && !info.IsDir() {
		return refuse("move it away and start again", "%s is not a folder; de keeps its own files there", private)
	}
	state, err := load(s.Dir)
	var problem *Problem
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.made.New = true
	case errors.As(err, &problem) && problem.damaged:
		s.damaged = true
	case err != nil:
		return err
	case state.Course != s.course.Name:
		return refuse("choose another folder with --dir",
			"%s is a workspace of course %q, not %s", s.Dir, state.Course, s.course.Name)
	}
	if s.made.New || s.damaged {
		state = State{Version: stateVersion, Course: s.course.Name, Stages: map[string]StageState{}}
	}
	s.state = state
	return nil
}

func (s *starter) inspectGoMod() error {
	path := filepath.Join(s.Dir, "go.mod")
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at go.mod: %w", err)
	}
	s.hasGoMod = true
	if name := moduleName(string(src)); name != learnerModule {
		return refuse("choose an empty folder with --dir, inside this one if you like",
			"%s is of module %q; the course needs a module %s of its own", path, name, learnerModule)
	}
	if !strings.Contains(string(src), replacement) {
		return refuse(fmt.Sprintf("add these lines to it: %q and %q", requirement, "replace "+replacement),
			"%s does not say where the contracts are", path)
	}
	return nil
}

// moduleName returns the module that a go.mod declares, or "".
func moduleName(src string) string {
	for line := range strings.Lines(src) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module"); ok {
			rest, _, _ = strings.Cut(rest, "//")
			return strings.Trim(strings.TrimSpace(rest), "\"`")
		}
	}
	return ""
}

// harmless are names that may already stand in the folder of a new workspace:
// what comes with a fresh repository or an editor. A .de without a state file is
// what an interrupted start left.
var harmless = []string{
	privateDir, ".git", ".github", ".gitignore", ".gitattributes", ".editorconfig", ".idea", ".vscode", ".envrc",
	".ds_store", "thumbs.db", "desktop.ini", "readme", "readme.md", "readme.txt", "license", "license.md", "license.txt",
}

func refuseOccupied(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the folder: %w", err)
	}
	for _, e := range entries {
		if !slices.Contains(harmless, strings.ToLower(e.Name())) {
			return refuse("choose a new folder: --dir flk-byo", "%s is neither a workspace nor empty: it holds %s", dir, e.Name())
		}
	}
	return nil
}

// upTo returns the stages up to the one to start.
func (s *starter) upTo() []Stage {
	i := slices.Index(s.course.Stages, s.Stage)
	return s.course.Stages[:i+1]
}

// layModule makes the folder a workspace, and the contracts in it those of this
// de. The state comes first, for it marks the folder as ours if we are interrupted.
func (s *starter) layModule() error {
	if err := os.MkdirAll(filepath.Join(s.Dir, privateDir), 0o777); err != nil {
		return err
	}
	if s.damaged {
		saved, err := moveToBackup(s.Dir, filepath.Join(privateDir, stateName), s.Now)
		if err != nil {
			return err
		}
		s.made.StateSaved = saved
	}
	if err := save(s.Dir, s.state); err != nil {
		return err
	}
	if err := layContracts(s.Dir, s.course); err != nil {
		return err
	}
	if s.hasGoMod {
		return nil
	}
	return os.WriteFile(filepath.Join(s.Dir, "go.mod"), []byte(learnerGoMod), 0o666)
}

func (s *starter) layStages() error {
	for _, stage := range s.upTo() {
		part := skeleton
		if stage != s.Stage && !s.FromScratch {
			part = reference
		}
		laid, err := layStage(s.Dir, s.course, stage, part)
		if err != nil {
			return err
		}
		entry := s.state.Stages[stage.ID]
		switch {
		case stage == s.Stage:
			s.made.Kept = !laid
			if laid || entry.Started == nil {
				started := s.Now.UTC().Truncate(time.Second)
				entry.Started = &started
			}
		case laid && part == reference:
			s.made.Provided = append(s.made.Provided, stage)
		case laid:
			s.made.Skeletons = append(s.made.Skeletons, stage)
		}
		if laid {
			entry.Provided, entry.Result = part == reference, nil
		}
		s.state.Stages[stage.ID] = entry
	}
	s.state.Current = s.Stage.ID
	return nil
}

// describe fills in what the learner wants to know of a finished start.
func (s *starter) describe() {
	entries, _ := os.ReadDir(filepath.Join(s.Dir, s.Stage.Folder)) // only for show
	sources := 0
	for _, e := range entries {
		if isSource(e.Name()) {
			sources++
		}
		s.made.Files = append(s.made.Files, filepath.Join(s.Stage.Folder, e.Name()))
	}
	if s.state.Stages[s.Stage.ID].Provided {
		s.note("stage %s holds the reference, for you started beyond it; de reset %s lays the skeleton", s.Stage.ID, s.Stage.ID)
	} else if sources == 0 {
		s.note("%s has no Go file; de reset %s lays the skeleton and keeps what is there as a backup", s.Stage.Folder, s.Stage.ID)
	}
	if !s.made.New {
		return
	}
	if outer := above(s.Dir, "go.mod"); outer != "" {
		s.note("this is a module inside the one of %s, and independent of it; that is fine", outer)
	}
	if outer := above(s.Dir, "go.work"); outer != "" {
		s.note("%s lists the modules that the go command sees; add this one: go work use %q", outer, s.Dir)
	}
}

func (s *starter) note(format string, args ...any) {
	s.made.Notes = append(s.made.Notes, fmt.Sprintf(format, args...))
}

// above returns the nearest file of that name in the folders above dir, or "".
func above(dir, name string) string {
	for {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
}
