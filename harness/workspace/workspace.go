// Package workspace is the folder a learner works in: a plain Go module with
// one package per stage, the contracts beside it, and a small state file. It
// copies the course's files there, finds a workspace again, and remembers
// results. It neither builds nor runs what the learner writes, and a file of
// the learner's is never overwritten or deleted. Start reading at [Start].
//
//	go.mod                   module flkbyo
//	08-transactional-sink/   the learner's package, its test, STAGE.md
//	.de/state.json           see [State]
//	.de/go.mod, .de/stages/  the contracts, as the module the course has them in
//	.de/backup/              what Reset and a damaged state file left
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Course is what workspaces are made from.
type Course struct {
	Name   string // "FLK-BYO"
	Files  fs.FS  // of stages: stream/, NN-slug/contract/, NN-slug/skeleton/, …, example/
	Stages []Stage
	Beside []Stage // what is laid as stages are, and is none
}

// A Stage is one stage of a course.
type Stage struct {
	ID     string // "08"
	Folder string // in Course.Files and in a workspace, "08-transactional-sink"
}

// A Workspace is the folder of one learner.
type Workspace struct {
	Dir   string // absolute
	State State  // as it was when the workspace was found
}

// ErrNone is what Find returns where no workspace is.
var ErrNone = errors.New("not in a workspace")

// A Problem is something about the learner's folder that only the learner can
// put right.
type Problem struct {
	Message string
	Next    string // one thing to do about it

	damaged bool // the state file is, which Start can put right
}

func (p *Problem) Error() string { return p.Message }

// Find returns the workspace that dir, an absolute path, is in or below. The
// error is ErrNone, a *Problem where the state cannot be read, or the system's.
func Find(dir string) (*Workspace, error) {
	for {
		if _, err := os.Lstat(statePath(dir)); err == nil {
			state, err := load(dir)
			return &Workspace{Dir: dir, State: state}, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, ErrNone
		}
		dir = parent
	}
}

// Path returns the folder of a stage.
func (w *Workspace) Path(s Stage) string { return filepath.Join(w.Dir, s.Folder) }

// Sources returns a hash of the Go files of a stage, tests aside, by which a
// result can be told to be of the code as it stands. It is empty where the
// stage has no such file.
func (w *Workspace) Sources(s Stage) (string, error) { return hashSources(w.Path(s)) }

// RecordResult remembers the result of testing a stage.
func (w *Workspace) RecordResult(s Stage, r Result) error {
	return w.update(func(state *State) {
		entry := state.Stages[s.ID]
		entry.Result = &r
		state.Stages[s.ID] = entry
	})
}

// RecordHints remembers that the first n hints of a stage were shown.
func (w *Workspace) RecordHints(s Stage, n int) error {
	return w.update(func(state *State) {
		entry := state.Stages[s.ID]
		entry.Hints = max(entry.Hints, n)
		state.Stages[s.ID] = entry
	})
}

// Reset lays the skeleton of a stage anew and returns where it moved the
// learner's folder, relative to the workspace. The error is a *Problem where
// there is no such folder, or the system's.
func (w *Workspace) Reset(c Course, s Stage, now time.Time) (backup string, err error) {
	if _, err := os.Lstat(w.Path(s)); errors.Is(err, fs.ErrNotExist) {
		return "", &Problem{Message: fmt.Sprintf("there is no %s in %s", s.Folder, w.Dir), Next: "de start " + c.Name + "/" + s.ID}
	}
	fresh, err := layTemporary(w.Dir, c, s, skeleton)
	if err != nil {
		return "", fmt.Errorf("reset %s: %w", s.Folder, err)
	}
	defer os.RemoveAll(fresh) // nothing is left of it where it took its place
	backup, err = moveToBackup(w.Dir, s.Folder, now)
	if err != nil {
		return "", fmt.Errorf("reset %s: %w", s.Folder, err)
	}
	if err := os.Rename(fresh, w.Path(s)); err != nil {
		back := os.Rename(filepath.Join(w.Dir, backup), w.Path(s))
		return "", fmt.Errorf("reset %s: %w", s.Folder, errors.Join(err, back))
	}
	return backup, w.update(func(state *State) {
		started := now.UTC().Truncate(time.Second)
		state.Stages[s.ID] = StageState{Started: &started, Hints: state.Stages[s.ID].Hints}
	})
}

// moveToBackup moves dir/name below .de/backup under a name nothing has, and
// returns its new place relative to dir.
func moveToBackup(dir, name string, now time.Time) (string, error) {
	if err := os.MkdirAll(filepath.Join(dir, privateDir, "backup"), 0o777); err != nil {
		return "", fmt.Errorf("back up %s: %w", name, err)
	}
	plain := filepath.Join(privateDir, "backup", filepath.Base(name)+now.Format("-20060102-150405"))
	to := plain
	for n := 2; exists(filepath.Join(dir, to)); n++ {
		to = fmt.Sprintf("%s-%d", plain, n)
	}
	if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, to)); err != nil {
		return "", fmt.Errorf("back up %s: %w", name, err)
	}
	return to, nil
}

// exists reports whether path names anything; what can't be looked at counts as
// absent, and the operation that follows says why.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
