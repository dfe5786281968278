package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	courseModule  = "github.com/flk-byo/de"
	learnerModule = "flkbyo"

	requirement = "require " + courseModule + " v0.0.0"
	replacement = courseModule + " => ./" + privateDir

	goLine         = "go 1.26.0\n"
	learnerGoMod   = "module " + learnerModule + "\n\n" + goLine + "\n" + requirement + "\n\nreplace " + replacement + "\n"
	contractsGoMod = "// The contracts of the course. de writes this folder; changes to it are lost.\nmodule " + courseModule + "\n\n" + goLine
)

// A part is which sources of a stage are laid. It is also their folder's name.
type part string

const (
	skeleton  part = "skeleton"
	reference part = "reference"
)

// layContracts replaces the contracts in .de, which are ours.
func layContracts(dir string, c Course) error {
	private := filepath.Join(dir, privateDir)
	fresh := filepath.Join(private, "stages.new")
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	folders := []string{"stream"}
	for _, s := range slices.Concat(c.Stages, c.Beside) {
		folders = append(folders, path.Join(s.Folder, "contract"))
	}
	for _, folder := range folders {
		if err := copySources(c.Files, folder, filepath.Join(fresh, filepath.FromSlash(folder))); err != nil {
			return err
		}
	}
	old := filepath.Join(private, "stages")
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(fresh, old); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(private, "go.mod"), []byte(contractsGoMod), 0o666)
}

func copySources(files fs.FS, from, to string) error {
	names, err := fs.Glob(files, from+"/*.go")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		if !isSource(name) {
			continue
		}
		src, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, path.Base(name)), src, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// layStage makes the folder of a stage, and reports whether it did: a folder
// with anything in it stays as it is, but for a missing STAGE.md.
func layStage(dir string, c Course, s Stage, p part) (bool, error) {
	folder := filepath.Join(dir, s.Folder)
	info, err := os.Lstat(folder)
	if err == nil && !info.IsDir() {
		return false, nil // a link: the learner keeps the code elsewhere
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if len(entries) > 0 {
		return false, addBrief(folder, c, s)
	}
	fresh, err := layTemporary(dir, c, s, p)
	if err != nil {
		return false, err
	}
	// Windows renames to no folder that exists. Remove removes only an empty one.
	if err := os.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, os.Rename(fresh, folder)
}

func addBrief(folder string, c Course, s Stage) error {
	brief, err := fs.ReadFile(c.Files, s.Folder+"/STAGE.md")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, "STAGE.md"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.Write(brief)
	return errors.Join(err, f.Close())
}

// layTemporary writes the files of a stage to a folder below .de, from where a
// rename puts them in place as a whole, and returns its path.
func layTemporary(dir string, c Course, s Stage, p part) (string, error) {
	fresh := filepath.Join(dir, privateDir, s.Folder+".new")
	if err := os.RemoveAll(fresh); err != nil {
		return "", err
	}
	if err := os.MkdirAll(fresh, 0o777); err != nil {
		return "", err
	}
	files, err := stageFiles(c, s, p)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(fresh, f.name), f.text, 0o666); err != nil {
			return "", err
		}
	}
	return fresh, nil
}

// LayBeside lays the skeleton of one of the course's Beside, and reports whether
// it did: a folder with anything in it stays as it is.
func (w *Workspace) LayBeside(c Course, s Stage) (bool, error) {
	if err := layContracts(w.Dir, c); err != nil { // those here may be of an older course
		return false, fmt.Errorf("lay %s: %w", s.Folder, err)
	}
	laid, err := layStage(w.Dir, c, s, skeleton)
	if err != nil {
		return false, fmt.Errorf("lay %s: %w", s.Folder, err)
	}
	return laid, nil
}

// Example is the folder of the program that is built on all stages.
const Example = "example"

// LayExample lays the program that is built on all stages, and reports whether
// it did: what stands in its place already stays as it is.
func (w *Workspace) LayExample(c Course) (bool, error) {
	folder := filepath.Join(w.Dir, Example)
	if exists(folder) {
		return false, nil
	}
	names, err := fs.Glob(c.Files, Example+"/*")
	if err != nil {
		return false, err
	}
	fresh := filepath.Join(w.Dir, privateDir, Example+".new")
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(fresh, 0o777)); err != nil {
		return false, fmt.Errorf("lay the example: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(c.Files, name)
		if err == nil && isSource(name) {
			text, err = RewriteImports(name, text)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(fresh, path.Base(name)), text, 0o666)
		}
		if err != nil {
			return false, fmt.Errorf("lay the example: %w", err)
		}
	}
	if err := os.Rename(fresh, folder); err != nil {
		return false, fmt.Errorf("lay the example: %w", err)
	}
	return true, nil
}

type file struct {
	name string
	text []byte
}

// stageFiles returns what a stage's folder holds at first: the sources of the
// part, the starter test, which stands beside the reference, and the brief.
func stageFiles(c Course, s Stage, p part) ([]file, error) {
	brief, err := fs.ReadFile(c.Files, s.Folder+"/STAGE.md")
	if err != nil {
		return nil, err
	}
	files := []file{{"STAGE.md", brief}}
	sources, err := fs.Glob(c.Files, s.Folder+"/"+string(p)+"/*.go")
	if err != nil {
		return nil, err
	}
	sources = slices.DeleteFunc(sources, func(name string) bool { return !isSource(name) })
	if len(sources) == 0 {
		return nil, fmt.Errorf("the course has no %s of stage %s", p, s.ID)
	}
	tests, err := fs.Glob(c.Files, s.Folder+"/"+string(reference)+"/*_test.go")
	if err != nil {
		return nil, err
	}
	for _, name := range append(sources, tests...) {
		src, err := fs.ReadFile(c.Files, name)
		if err != nil {
			return nil, err
		}
		if src, err = RewriteImports(name, src); err != nil {
			return nil, err
		}
		files = append(files, file{path.Base(name), src})
	}
	return files, nil
}

// Sources returns the Go files of a folder of the course's, tests aside, by their
// base names and as a workspace has them; see [RewriteImports].
func Sources(course fs.FS, folder string) (map[string]string, error) {
	names, err := fs.Glob(course, folder+"/*.go")
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	for _, name := range names {
		if !isSource(name) {
			continue
		}
		src, err := fs.ReadFile(course, name)
		if err != nil {
			return nil, err
		}
		if src, err = RewriteImports(name, src); err != nil {
			return nil, err
		}
		sources[path.Base(name)] = string(src)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("the course has no Go file in %s", folder)
	}
	return sources, nil
}

// RewriteImports makes a source of the course one of a workspace: where it
// imports the reference of an earlier stage, it then imports the learner's own.
func RewriteImports(name string, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	done := 0
	for _, spec := range f.Imports {
		from, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		to, ok := importInWorkspace(from)
		if !ok {
			return nil, fmt.Errorf("%s imports %s, which no workspace has", name, from)
		}
		start := fset.File(f.FileStart).Offset(spec.Path.Pos())
		out.Write(src[done:start])
		out.WriteString(strconv.Quote(to))
		done = start + len(spec.Path.Value)
	}
	out.Write(src[done:])
	return format.Source(out.Bytes()) // for the order of the imports
}

// importInWorkspace returns the path by which a workspace imports a package of
// the course, and whether it has that package at all.
func importInWorkspace(from string) (string, bool) {
	inCourse, ok := strings.CutPrefix(from, courseModule+"/")
	if !ok {
		return from, from != courseModule
	}
	if inCourse == "stages/stream" {
		return from, true
	}
	folder, leaf := path.Split(strings.TrimPrefix(inCourse, "stages/"))
	folder = strings.TrimSuffix(folder, "/")
	switch {
	case !strings.HasPrefix(inCourse, "stages/"), folder == "", strings.Contains(folder, "/"):
		return "", false
	case leaf == "contract":
		return from, true
	case leaf == string(reference), leaf == string(skeleton):
		return learnerModule + "/" + folder, true
	}
	return "", false
}
