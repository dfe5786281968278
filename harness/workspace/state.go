package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	privateDir   = ".de"
	stateName    = "state.json"
	stateVersion = 1
	maxState     = 1 << 20 // bytes
)

// State is what a workspace remembers, in .de/state.json.
type State struct {
	Version int                   `json:"version"`
	Course  string                `json:"course"`
	Current string                `json:"current"` // ID of the stage started last
	Stages  map[string]StageState `json:"stages"`  // by ID
}

// StageState is what is remembered of one stage.
type StageState struct {
	Started  *time.Time `json:"started,omitempty"`
	Provided bool       `json:"provided,omitempty"` // filled with the reference, not by the learner
	Result   *Result    `json:"result,omitempty"`   // of the last test
	Hints    int        `json:"hints,omitempty"`    // how many were shown
}

// A Result is the outcome of one test of one stage.
type Result struct {
	Verdict string    `json:"verdict"` // a grading.Verdict
	At      time.Time `json:"at"`
	Case    string    `json:"case,omitempty"`    // ID of the failing case
	Sources string    `json:"sources,omitempty"` // see [Workspace.Sources]
}

func statePath(dir string) string { return filepath.Join(dir, privateDir, stateName) }

func load(dir string) (State, error) {
	path := statePath(dir)
	info, err := os.Lstat(path)
	if err != nil {
		return State{}, fmt.Errorf("read state: %w", err)
	}
	if !info.Mode().IsRegular() {
		return State{}, &Problem{
			Message: fmt.Sprintf("%s is not a file", path),
			Next:    "move it away and run de start again; your code stays as it is",
		}
	}
	if info.Size() > maxState {
		return State{}, damaged(path, "it is too large")
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return State{}, fmt.Errorf("read state: %w", err)
	}
	return parseState(path, src)
}

func parseState(path string, src []byte) (State, error) {
	var s State
	if err := json.Unmarshal(src, &s); err != nil {
		return State{}, damaged(path, reason(src, err))
	}
	if s.Version > stateVersion {
		return State{}, &Problem{
			Message: fmt.Sprintf("%s was written by a newer de (version %d of the file; this de knows %d)", path, s.Version, stateVersion),
			Next:    "update de: go install github.com/flk-byo/de/cmd/de@latest",
		}
	}
	if s.Version < 1 {
		return State{}, damaged(path, "it has no version")
	}
	if s.Stages == nil {
		s.Stages = map[string]StageState{}
	}
	return s, nil
}

func damaged(path, why string) error {
	return &Problem{
		Message: fmt.Sprintf("%s is damaged: %s", path, why),
		Next:    "run de start with your stage again: your code stays as it is, and the damaged file is kept in .de/backup",
		damaged: true,
	}
}

// reason adds the line to what encoding/json says.
func reason(src []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err.Error()
	}
	line := 1 + bytes.Count(src[:min(int(syntax.Offset), len(src))], []byte("\n"))
	return fmt.Sprintf("line %d: %v", line, err)
}

// update changes the state as it stands in the file now: another de may have
// written it since w was found.
func (w *Workspace) update(change func(*State)) error {
	s, err := load(w.Dir)
	if err != nil {
		return err
	}
	change(&s)
	w.State = s
	return save(w.Dir, s)
}

// save replaces the state file as a whole or not at all.
func save(dir string, s State) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	temporary := statePath(dir) + ".new"
	if err := writeSynced(temporary, append(text, '\n')); err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	if err := os.Rename(temporary, statePath(dir)); err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	return nil
}

func writeSynced(path string, text []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// hashSources hashes names and contents, each with its length, in the order of names.
func hashSources(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read sources: %w", err)
	}
	h, found := sha256.New(), false
	for _, e := range entries {
		if !e.Type().IsRegular() || !isSource(e.Name()) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", fmt.Errorf("read sources: %w", err)
		}
		fmt.Fprintf(h, "%q %d\n%s", e.Name(), len(src), src)
		found = true
	}
	if !found {
		return "", nil
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}
