package schedule

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flk-byo/de/harness/strict"
)

// A File is one schedule, expanded.
type File struct {
	Title    string
	Disclose Disclosure
	Cases    []Case // every combination of each matrix, then the scripts, in the order of the file

	matrices []summary
	scripts  int
}

// course stands before the stage's number in "stage: FLK-BYO/08".
const course = "FLK-BYO/"

// Load reads the schedule src of the stage that spec declares. The name is for
// messages. Record files are read from files, by the path in the schedule; nil
// means that there are none. (A file system that follows links would let a
// schedule read any file: use that of an [os.Root].)
//
// The error is [strict.Errors] with all that is wrong with the file.
func Load(name string, src []byte, spec Spec, files fs.FS) (*File, error) {
	l := loader{
		spec:   spec,
		limits: spec.Limits.orDefaults(),
		files:  files,
		loaded: map[string]*input{},
		names:  map[string]bool{"script": true, "sequence": true}, // stand in IDs already
		file:   &File{},
	}
	doc := strict.Parse(name, src, l.limits.ofYAML())
	l.read(doc.Root())
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return l.file, nil
}

// LoadAll reads the named schedules of files, which also has their records, and
// returns their cases in order. The error is that of [Load] for the first that
// is wrong.
func LoadAll(files fs.FS, names []string, spec Spec) ([]Case, error) {
	var cases []Case
	for _, name := range names {
		src, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		file, err := Load(name, src, spec, files)
		if err != nil {
			return nil, err
		}
		cases = append(cases, file.Cases...)
	}
	return cases, nil
}

func (l Limits) ofYAML() strict.Limits {
	return strict.Limits{Bytes: l.Bytes, Depth: l.Depth}
}

// StageOf returns which stage the schedule src is for, e.g. "08", so that its
// Spec can be found. Nothing else in the file is looked at.
func StageOf(name string, src []byte) (string, error) {
	doc := strict.Parse(name, src, Limits{}.orDefaults().ofYAML())
	stage := doc.Root().Entry("stage")
	text, ok := stage.Text()
	number, found := strings.CutPrefix(text, course)
	if ok && !found {
		stage.Errorf("stage must be \"%s…\" with the number of a stage, as in \"%s08\"; found %q", course, course, text)
	}
	if err := doc.Err(); err != nil {
		return "", err
	}
	return number, nil
}

type loader struct {
	spec   Spec
	limits Limits
	files  fs.FS
	loaded map[string]*input // record files by path; nil for those with errors
	names  map[string]bool   // of cases and slugs of scripts so far
	made   int               // records made up so far
	full   bool              // the limit of cases is reached, and reported
	file   *File
}

func (l *loader) read(root strict.Value) {
	keys := []string{"stage", "title", "disclose", "cases"}
	if len(l.spec.Ops) > 0 {
		keys = append(keys, "scripts")
	}
	top := root.Map(keys...)
	if _, ok := top.Required("stage").Word(course + l.spec.Stage); !ok {
		return // what follows is for another stage: its errors would mislead
	}
	l.file.Title = line(top.Required("title"))
	l.file.Disclose = disclosure(top.Optional("disclose"))
	cases, scripts := top.Optional("cases"), top.Optional("scripts")
	if !cases.Present() && !scripts.Present() {
		root.Errorf("the schedule has nothing to run; add \"cases:\"")
	}
	for _, v := range cases.List() {
		l.readMatrix(v)
	}
	for _, v := range scripts.List() {
		l.readScript(v)
	}
}

const maxTitle = 100 // characters

// line reads text that must fit on one line of a report.
func line(v strict.Value) string {
	text, ok := v.Text()
	switch {
	case !ok:
	case strings.TrimSpace(text) == "":
		v.Errorf("%s is blank; say in a few words what is tried", v.Name())
	case utf8.RuneCountInString(text) > maxTitle:
		v.Errorf("%s has more than %d characters; shorten it", v.Name(), maxTitle)
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		v.Errorf("%s must be one line of printable text; remove line ends and control characters", v.Name())
	}
	return text
}

var caseName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// caseID reads the name of a matrix, which stands in the IDs of its cases.
func (l *loader) caseID(v strict.Value) string {
	name, ok := v.Text()
	switch {
	case !ok:
	case !caseName.MatchString(name):
		v.Errorf("name must be 1 to 40 of a-z, 0-9 and \"-\", since it stands in case IDs; found %q", name)
	case l.names[name]:
		v.Errorf("the name %q is taken; choose another", name)
	}
	l.names[name] = true
	return l.spec.Stage + "/" + name
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
