package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/grading/report"
	"github.com/flk-byo/de/harness/schedule"
)

// Limits of a folder of hidden schedules.
const (
	maxHiddenFiles = 1000
	maxHiddenCases = 20_000
)

// A hiddenFile is a schedule of the instructor's.
type hiddenFile struct {
	name  string // below --hidden
	stage string // ID
	file  *schedule.File
}

// gradedStages are all stages, the last first, with the cases that they are
// judged by: de's own, and those of the schedules in a folder, if one is named.
func (e *env) gradedStages(hidden string) ([]class.Stage, error) {
	all, err := classStages()
	if err != nil || hidden == "" {
		return all, err
	}
	files, err := e.hiddenFiles(hidden)
	if err != nil {
		return nil, err
	}
	if err := addHidden(all, files); err != nil {
		return nil, err
	}
	return all, nil
}

// hiddenFiles loads all schedules of a folder, and reports all that is wrong with
// them at once.
func (e *env) hiddenFiles(dir string) ([]hiddenFile, error) {
	root, err := os.OpenRoot(e.path(dir))
	if err != nil {
		return nil, usage("--hidden with a folder of schedules", "--hidden %s can't be opened: %v", plain(dir), withoutPath(err))
	}
	defer root.Close() // read only
	names, err := yamlFiles(root.FS(), dir)
	if err != nil {
		return nil, err
	}
	opened := opened{root.FS(), map[string]bool{}}
	var files []hiddenFile
	var bad []string               // their names
	problems := map[string]error{} // by name
	for _, name := range names {
		f, err := loadHidden(opened, name)
		if err != nil {
			bad, problems[name] = append(bad, name), err
			continue
		}
		files = append(files, f)
	}
	bad = slices.DeleteFunc(bad, func(name string) bool { return opened.names[name] }) // records of a schedule's
	for _, name := range bad {
		fmt.Fprintln(e.stderr, asFailure(problems[name]).message)
	}
	if len(bad) > 0 {
		return nil, usage("put right what is marked above; de schedule check FILE looks at one", "%d of %d files in %s can't be run", len(bad), len(names), plain(dir))
	}
	return files, nil
}

// yamlFiles are the YAML files below a folder, in order. A link is refused, so
// that what is run is what stands there.
func yamlFiles(files fs.FS, dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return usage("a folder that can be read", "--hidden %s: %s: %v", plain(dir), plain(name), withoutPath(err))
		case d.Type()&fs.ModeSymlink != 0:
			return usage("put the file itself there", "--hidden %s: %s is a link", plain(dir), plain(name))
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".yaml" && path.Ext(name) != ".yml":
			return nil
		case !d.Type().IsRegular():
			return usage("remove it", "--hidden %s: %s is not a file", plain(dir), plain(name))
		case len(names) == maxHiddenFiles:
			return usage("put several into one", "--hidden %s has more than %d YAML files", plain(dir), maxHiddenFiles)
		}
		names = append(names, name)
		return nil
	})
	if err == nil && len(names) == 0 {
		err = usage("put schedules there, as NAME.yaml", "--hidden %s has no schedule", plain(dir))
	}
	return names, err
}

// opened notes which files are opened.
type opened struct {
	fs.FS
	names map[string]bool
}

func (o opened) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	o.names[name] = o.names[name] || err == nil
	return f, err
}

// loadHidden loads one schedule. Record files that it names are looked for beside
// it, and then among those of the course.
func loadHidden(files opened, name string) (hiddenFile, error) {
	src, err := readLimited(files.FS, name)
	if err != nil {
		return hiddenFile{}, usage("", "%s: %v", plain(name), withoutPath(err))
	}
	id, err := schedule.StageOf(name, src)
	if err != nil {
		return hiddenFile{}, err
	}
	stage, err := findStage(id)
	if err != nil {
		return hiddenFile{}, usage("", "%s: %s", plain(name), asFailure(err).message)
	}
	beside, err := fs.Sub(files, path.Dir(name))
	if err != nil {
		return hiddenFile{}, err
	}
	file, err := schedule.Load(name, src, stage.Spec, besides{beside, fixtures.Files})
	return hiddenFile{name, stage.ID, file}, err
}

func readLimited(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return io.ReadAll(io.LimitReader(f, maxYAML+1))
}

// addHidden adds the cases of schedules to those of their stages: what may be
// shown to the others, and what may not apart.
func addHidden(all []class.Stage, files []hiddenFile) error {
	cases := 0
	for i := range all {
		s := &all[i]
		from := map[string]string{} // by ID of a case, where it stands; of de's own ones it is empty
		for _, f := range files {
			if f.stage != s.Suite.ID {
				continue
			}
			if len(from) == 0 {
				from = ownIDs(*s)
			}
			for _, c := range f.file.Cases {
				if other, ok := from[c.ID]; ok {
					return clash(f.name, c.ID, other)
				}
				from[c.ID] = f.name
			}
			s.Add(f.file)
			cases += len(f.file.Cases)
		}
		slices.SortStableFunc(s.Cases, s.Suite.Compare)
		slices.SortStableFunc(s.Secret.Cases, s.Suite.Compare)
	}
	if cases > maxHiddenCases {
		return usage("leave some out", "the hidden schedules have %d cases, more than the %d allowed", cases, maxHiddenCases)
	}
	return nil
}

// ownIDs are those of the cases that de has of a stage.
func ownIDs(s class.Stage) map[string]string {
	ids := map[string]string{}
	for _, c := range s.Cases {
		ids[c.ID] = ""
	}
	for c := range s.Suite.ExploredCases() {
		ids[c.ID] = ""
	}
	return ids
}

// clash is the error of two cases of one ID.
func clash(name, id, other string) error {
	if other == "" {
		return usage("rename the case in "+plain(name), "%s: %s is a case that de has already", plain(name), id)
	}
	if other == name {
		return usage("rename one of them", "%s has two cases %s", plain(name), id)
	}
	return usage("rename one of them", "%s and %s both have a case %s", plain(other), plain(name), id)
}

// fingerprints are that of students' results and that of the instructor's, of
// which own stands for all but the added cases. Secret ones are in the second
// alone: of the first it shows only that there are some.
func fingerprints(own string, all []class.Stage) (students, instructor string) {
	extra, secret := map[string][]schedule.Case{}, map[string]grading.Secret{}
	for _, s := range all {
		for _, c := range s.Cases {
			if s.Extra[c.ID] {
				extra[s.Suite.ID] = append(extra[s.Suite.ID], c)
			}
		}
		if len(s.Secret.Cases) > 0 {
			secret[s.Suite.ID] = s.Secret
		}
	}
	students = own
	if len(extra) > 0 || len(secret) > 0 {
		students = hashOf(own, extra, len(secret) > 0)
	}
	return students, hashOf(students, secret)
}

func hashOf(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // they are plain data
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// instructorDir is the folder below --out for what students may not see.
const instructorDir = "instructor"

// openInstructor opens it, and makes it for its owner alone. Students are below
// it as they are below --out.
func openInstructor(out *os.Root) (*os.Root, error) {
	if err := out.Mkdir(instructorDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return out.OpenRoot(instructorDir)
}

// instructorFormats are the files of each student there.
var instructorFormats = []class.Format{
	{File: "report.txt", Write: func(w io.Writer, r class.Result) error { return report.StudentText(w, r, report.Options{}) }},
	{File: studentPage, Write: func(w io.Writer, r class.Result) error { return report.StudentHTML(w, r, report.Options{}) }},
	{File: class.ResultFile, Write: report.ResultJSON},
}

// keepsSecrets tells whether students may not see all that they are judged by.
func keepsSecrets(all []class.Stage) bool {
	return slices.ContainsFunc(all, func(s class.Stage) bool { return len(s.Secret.Cases) > 0 })
}
