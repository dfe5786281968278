package encore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Builder makes the program that a job runs in: the job, a worker around it,
// and one kind of store, whose driver is in no other program of ours. What is
// compiled is native code and is not confined: it is the user's own.
type Builder struct {
	Go    string // the go command
	Store string // one of Stores
	Dir   string // an empty folder to build in
	Files fs.FS  // the course's: stream/, encore/
}

// parts are the folders of the course's files that each program is made of. Other
// stores than files keep their checkpoints in files, too.
var parts = []string{"stream", "encore/contract", "encore/protocol", "encore/stores", "encore/stores/file", "encore/worker"}

// solutionFolder is where the job is, in the module of the course.
const solutionFolder = "stages/encore/solution"

// A CompileError is what the Go toolchain had against the program, if it is
// about the job.
type CompileError struct{ Words string }

func (e *CompileError) Error() string { return "the job does not compile:\n" + e.Words }

// Build returns the path of the program for the job whose Go files stand at the
// root of a file system. Modules that are missing are downloaded.
func (b Builder) Build(ctx context.Context, job fs.FS) (string, error) {
	if err := b.lay(job); err != nil {
		return "", fmt.Errorf("lay the program: %w", err)
	}
	program := filepath.Join(b.Dir, "job.exe") // Windows wants the ending, others don't mind
	cmd := exec.CommandContext(ctx, b.Go, "build", "-trimpath", "-buildvcs=false", "-o", program, ".")
	cmd.Dir = filepath.Join(b.Dir, "program")
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly") // the user's, for a proxy and the caches
	words, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return program, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	return "", b.compileError(string(words), err)
}

// compileError tells what is about the job from all else.
func (b Builder) compileError(words string, err error) error {
	const place = "../course/" + solutionFolder + "/"
	if !strings.Contains(words, place) {
		return fmt.Errorf("build the job: %w:\n%s", err, words)
	}
	var about []string
	for line := range strings.Lines(words) {
		if !strings.HasPrefix(line, "#") { // which names the package
			about = append(about, strings.ReplaceAll(line, place, ""))
		}
	}
	return &CompileError{strings.TrimSpace(strings.Join(about, ""))}
}

// lay lays two modules: the course's, with the job in it, and the program.
func (b Builder) lay(job fs.FS) error {
	course := filepath.Join(b.Dir, "course")
	for _, part := range append(slices.Clone(parts), path.Join("encore/stores", family(b.Store))) {
		from, err := fs.Sub(b.Files, part)
		if err != nil {
			return err
		}
		if err := copyGo(from, filepath.Join(course, "stages", filepath.FromSlash(part))); err != nil {
			return err
		}
	}
	if err := copyGo(job, filepath.Join(course, filepath.FromSlash(solutionFolder))); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(course, "go.mod"), []byte("module github.com/flk-byo/de\n\ngo 1.26.0\n"), 0o666); err != nil {
		return err
	}
	return b.layProgram()
}

// family is the package of a kind of store: sqlite, of sqlite-one.
func family(store string) string {
	name, _, _ := strings.Cut(store, "-")
	return name
}

func (b Builder) layProgram() error {
	folder := filepath.Join(b.Dir, "program")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, store := range []string{family(b.Store), b.Store} { // what a kind has of its own comes last
		if err := b.layTexts(path.Join("encore/program", store), folder); err != nil {
			return err
		}
	}
	return nil
}

func (b Builder) layTexts(from, to string) error {
	texts, err := fs.Glob(b.Files, path.Join(from, "*.txt"))
	if err != nil {
		return err
	}
	for _, name := range texts {
		text, err := fs.ReadFile(b.Files, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, strings.TrimSuffix(path.Base(name), ".txt")), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// copyGo copies the Go files of a folder, tests aside.
func copyGo(from fs.FS, to string) error {
	names, err := fs.Glob(from, "*.go")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("there is no Go file")
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
