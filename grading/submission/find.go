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
	"unicode/utf8"
)

// Find lists the submissions at paths. A path is one submission, or a folder of
// them; PATH@REF is a git repository at a ref, or a folder of repositories. A
// folder is one submission if a workspace, or a stage's Go files, are in it. A
// student's folder with an archive and no Go files stands for the archive. They
// are sorted by name. An error is what the instructor must mend: no such path,
// nothing in it, or two submissions of one name.
func Find(paths []string) ([]Source, error) {
	var found []Source
	for _, name := range paths {
		sources, err := find(name)
		if err != nil {
			return nil, err
		}
		found = append(found, sources...)
	}
	slices.SortStableFunc(found, func(a, b Source) int { return strings.Compare(a.Name, b.Name) })
	return found, checkNames(found)
}

// checkNames refuses names that can't be those of a result's folder, on any
// system.
func checkNames(sources []Source) error {
	seen := map[string]Source{}
	for _, s := range sources {
		if s.Name == "" || !utf8.ValidString(s.Name) || strings.ContainsFunc(s.Name, unicode.IsControl) || strings.ContainsAny(s.Name, `\/`) {
			return fmt.Errorf("%q has no name that a student could have: rename it", s.Path)
		}
		key := strings.ToLower(s.Name)
		if twin, ok := seen[key]; ok {
			return fmt.Errorf("two submissions are named %s: %s and %s; rename one", s.Name, twin.Path, s.Path)
		}
		seen[key] = s
	}
	return nil
}

func find(name string) ([]Source, error) {
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
	return findInFolder(where, filepath.Base(whole), ref)
}

func findInFolder(dir, name, ref string) ([]Source, error) {
	entries, err := visible(dir)
	if err != nil {
		return nil, err
	}
	switch {
	case ref != "" && isRepository(dir):
		return []Source{{Name: strings.TrimSuffix(name, ".git"), Path: dir, Kind: Git, Ref: ref}}, nil
	case ref == "" && isSubmission(dir, entries):
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

// likeStage is what the folder of a stage is named like.
var likeStage = regexp.MustCompile(`^[0-9]{2}(-.*)?$`)

func isSubmission(dir string, entries []fs.DirEntry) bool {
	if info, err := os.Lstat(filepath.Join(dir, ".de")); err == nil && info.IsDir() {
		return true
	}
	loose, students := false, false
	for _, e := range entries {
		switch {
		case e.Name() == "go.mod":
			return true
		case e.IsDir() && likeStage.MatchString(e.Name()) && holdsGo(filepath.Join(dir, e.Name())):
			return true
		case filepath.Ext(e.Name()) == ".go":
			loose = true
		case e.IsDir(), kindOf(e.Name()) != Other:
			students = true
		}
	}
	return loose && !students
}

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
