package submission

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Find lists the submissions at paths. A path is one submission, or a folder of
// them; PATH@REF is a git repository at a ref, or a folder of repositories. A
// folder is one submission if it is a workspace, or has a stage's folder with Go
// files; a student may be named like a stage, so where others beside it look like
// submissions nothing is guessed, and it is an error. A
// student's folder with an archive and no Go files stands for the archive. They
// are sorted by name, and those that no system tells apart by it are one, of the
// kind Several. An error is what the instructor must mend: no such path, or
// nothing in it.
func Find(paths []string, stages []Stage) ([]Source, error) {
	var found []Source
	for _, name := range paths {
		sources, err := find(name, stages)
		if err != nil {
			return nil, err
		}
		found = append(found, sources...)
	}
	for i := range found {
		found[i].Name = printable(found[i].Name)
	}
	slices.SortStableFunc(found, func(a, b Source) int { return strings.Compare(a.Name, b.Name) })
	return single(found)
}

// printable makes a name that can be shown and written down, whatever a student
// called a file.
func printable(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == '\\' || c == '/' {
			return '_'
		}
		return c
	}, strings.ToValidUTF8(name, "_"))
}

// single has one source for each name. Names that differ in capital letters
// alone are one: on some systems they lead to one folder for the result. Which of
// several is meant is not ours to guess.
func single(sources []Source) ([]Source, error) {
	var all []Source
	at := map[string]int{} // where in all, by name in lower case
	for _, s := range sources {
		if s.Name == "" {
			return nil, fmt.Errorf("%q has no name that a student could have: rename it", s.Path)
		}
		key := strings.ToLower(s.Name)
		i, twin := at[key]
		if !twin {
			at[key] = len(all)
			all = append(all, s)
			continue
		}
		first := all[i]
		if first.Kind != Several {
			first = Source{Name: first.Name, Path: first.Path, Kind: Several, Rivals: first.label()}
		}
		first.Rivals += ", " + s.label()
		all[i] = first
	}
	return all, nil
}

// label tells a source from others of its name: what it is called on disk.
func (s Source) label() string {
	base := filepath.Base(s.Path)
	if !strings.HasPrefix(base, s.Name) { // an archive in the student's folder
		base = s.Name + "/" + base
	}
	return quote(base)
}

func find(name string, stages []Stage) ([]Source, error) {
	where, ref := name, ""
	info, err := os.Stat(where)
	if at := strings.LastIndex(name, "@"); errors.Is(err, fs.ErrNotExist) && at >= 0 {
		where, ref = name[:at], name[at+1:]
		if ref == "" || strings.HasPrefix(ref, "-") {
			return nil, fmt.Errorf("%s: after @ stands what to read of the repository, e.g. main", name)
		}
		info, err = os.Stat(where)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s", where)
	}
	if err != nil {
		return nil, fmt.Errorf("look for submissions: %w", err)
	}
	whole, err := filepath.Abs(where)
	if err != nil {
		return nil, fmt.Errorf("look for submissions: %w", err)
	}
	if !info.IsDir() {
		return []Source{archive(where, filepath.Base(whole))}, nil
	}
	return findInFolder(where, filepath.Base(whole), ref, stages)
}

func findInFolder(dir, name, ref string, stages []Stage) ([]Source, error) {
	entries, err := visible(dir)
	if err != nil {
		return nil, err
	}
	single, err := false, error(nil)
	if ref == "" {
		single, err = isSubmission(dir, entries, stages)
	}
	switch {
	case err != nil:
		return nil, err
	case ref != "" && isRepository(dir):
		return []Source{{Name: strings.TrimSuffix(name, ".git"), Path: dir, Kind: Git, Ref: ref}}, nil
	case single:
		return []Source{{Name: name, Path: dir, Kind: Folder}}, nil
	}
	var found []Source
	for _, entry := range entries {
		if s, ok := student(dir, entry, ref); ok {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no submission in %s", dir)
	}
	return found, nil
}

// visible lists a folder without junk.
func visible(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for submissions: %w", err)
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return isJunk(e.Name()) }), nil
}

func isRepository(dir string) bool {
	_, err := gitDir(dir)
	_, inside := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil || inside == nil
}

// likeStage is what a folder is named like that is meant for a stage's.
var likeStage = regexp.MustCompile(`^[0-9]{2}(-.*)?$`)

// isSubmission tells whether a folder is one submission, and not a class. An
// error says that it could be either.
func isSubmission(dir string, entries []fs.DirEntry, stages []Stage) (bool, error) {
	if isWorkspace(dir) {
		return true, nil
	}
	var stage, like, handedIn string
	loose, students := false, false
	for _, e := range entries {
		name := e.Name()
		switch inside := filepath.Join(dir, name); {
		case e.IsDir() && holdsGo(inside) && isStage(name, stages):
			stage = name
		case e.IsDir() && (isWorkspace(inside) || holdsStage(inside, stages)), kindOf(name) != Other:
			handedIn, students = name, true
		case e.IsDir() && holdsGo(inside) && likeStage.MatchString(name):
			like = name
		case e.IsDir():
			students = true
		case filepath.Ext(name) == ".go":
			loose = true
		}
	}
	if stage != "" && handedIn != "" {
		return false, fmt.Errorf("%s can be one submission, since %s is in it, or several, since %s is: rename one of the two, or name each submission", dir, stage, handedIn)
	}
	return stage != "" || handedIn == "" && like != "" || loose && !students, nil
}

func isWorkspace(dir string) bool {
	settings, err := os.Lstat(filepath.Join(dir, ".de"))
	if err == nil && settings.IsDir() {
		return true
	}
	_, err = os.Lstat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// holdsStage tells whether a stage's folder with Go files is in a folder.
func holdsStage(dir string, stages []Stage) bool {
	entries, err := visible(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && isStage(e.Name(), stages) && holdsGo(filepath.Join(dir, e.Name()))
	})
}

func isStage(name string, stages []Stage) bool {
	return slices.ContainsFunc(stages, func(s Stage) bool { return s.is(name) })
}

// is tells whether a folder of that name is the stage's.
func (s Stage) is(name string) bool { return name == s.ID || strings.EqualFold(name, s.Folder) }

func holdsGo(dir string) bool {
	entries, err := visible(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" })
}

// student returns the submission that an entry of a class's folder is. Lists and
// notes of the instructor's are none.
func student(dir string, entry fs.DirEntry, ref string) (Source, bool) {
	name, path := entry.Name(), filepath.Join(dir, entry.Name())
	switch {
	case entry.IsDir() && ref != "":
		return Source{Name: strings.TrimSuffix(name, ".git"), Path: path, Kind: Git, Ref: ref}, true
	case entry.IsDir():
		return handedIn(path, name), true
	case entry.Type()&fs.ModeSymlink != 0:
		return Source{Name: name, Path: path, Kind: Other}, true
	}
	s := archive(path, name)
	return s, ref == "" && (s.Kind != Other || slices.Contains(unreadables, strings.ToLower(filepath.Ext(name))))
}
