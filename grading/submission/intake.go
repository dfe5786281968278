package submission

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flk-byo/de/harness/build"
)

// maxWords is how many things a list in a problem names.
const maxWords = 20

// A refusal says why nothing of a submission can be judged. It is an error only
// on its way to Read.
type refusal string

func (r refusal) Error() string { return string(r) }

// An unsettled says why it is not known what is to be judged; see [Submission].
type unsettled string

func (u unsettled) Error() string { return string(u) }

// An intake is told of the entries of one submission, one after another and in
// any order, and keeps what stages are made of.
type intake struct {
	Config
	entries int
	bytes   int64              // read, also of what is then refused
	folders map[string]*folder // that are named like a stage, by path
	loose   []string           // other folders with Go files, the first few
	packed  []string           // archives in it, the first few
	leftOut int                // entries
	notes   []string           // what was wrong with entries, the first few
	unnamed int                // how many more there are of these
}

// newIntake returns an intake. What it says goes by the stages' own order,
// whatever the order in which they are asked for.
func newIntake(config Config) *intake {
	config.Stages = slices.SortedFunc(slices.Values(config.Stages), func(a, b Stage) int { return strings.Compare(a.Folder, b.Folder) })
	config.Limits = config.Limits.orDefaults()
	return &intake{Config: config, folders: map[string]*folder{}}
}

// A folder is named like a stage.
type folder struct {
	path  string
	stage Stage
	short bool             // it is named by the stage's ID alone
	files map[string]*file // by name, in lower case
}

// A file is a Go file of a stage.
type file struct {
	path    string
	text    []byte
	refused bool
}

func (f *file) name() string { return path.Base(f.path) }

// wants is told of an entry, and returns the file to read if it is one of a
// stage. The caller then calls keep or refuse. An error is a refusal.
func (in *intake) wants(name string, mode fs.FileMode) (*file, error) {
	in.entries++
	if in.entries > in.Limits.Entries {
		return nil, in.tooMany()
	}
	if isJunk(name) {
		return nil, nil
	}
	p, problem := in.Limits.clean(name)
	if problem != "" {
		in.leaveOut(name, problem)
		return nil, nil
	}
	if mode.IsDir() {
		in.folder(p)
		return nil, nil
	}
	in.lookAtLink(p, mode)
	home := in.folder(path.Dir(p))
	if home == nil || path.Ext(p) != ".go" || strings.HasPrefix(path.Base(p), "_") {
		in.passBy(p)
		return nil, nil
	}
	return in.enter(home, p, mode), nil
}

func (in *intake) tooMany() refusal {
	return refusal(fmt.Sprintf("it holds more than %d files and folders: hand in only your Go files, in the folders of their stages", in.Limits.Entries))
}

// folder returns the folder at a path if it is named like a stage, else nil.
func (in *intake) folder(p string) *folder {
	if f := in.folders[p]; f != nil {
		return f
	}
	for _, s := range in.Stages {
		if base := path.Base(p); s.is(base) {
			f := &folder{path: p, stage: s, short: base == s.ID, files: map[string]*file{}}
			in.folders[p] = f
			return f
		}
	}
	return nil
}

// lookAtLink complains of a stage that is a link, or another thing than a folder.
func (in *intake) lookAtLink(p string, mode fs.FileMode) {
	for _, s := range in.Stages {
		if !mode.IsRegular() && strings.EqualFold(path.Base(p), s.Folder) {
			in.note(p, "it is not a folder; links are not followed")
		}
	}
}

// laid is what de itself puts into a workspace. That it is not judged goes
// without saying.
var laid = []string{"go.mod", "go.sum", "STAGE.md"}

// passBy counts a file that no stage is made of, and remembers where Go files
// are, to say so if a stage is missing.
func (in *intake) passBy(p string) {
	if !slices.Contains(laid, path.Base(p)) {
		in.leftOut++
	}
	if kindOf(p) != Other && len(in.packed) < maxWords {
		in.packed = append(in.packed, p)
	}
	dir := path.Dir(p)
	known := len(in.loose) > 0 && in.loose[len(in.loose)-1] == dir
	if build.IsSource(path.Base(p)) && !known && len(in.loose) < maxWords {
		in.loose = append(in.loose, dir)
	}
}

// enter registers a Go file of a stage. Of two that some systems take for one
// it would be chance which is judged, so both are refused.
func (in *intake) enter(home *folder, p string, mode fs.FileMode) *file {
	f := &file{path: p}
	key := strings.ToLower(f.name())
	if twin := home.files[key]; twin != nil {
		in.refuse(twin, "there are two files of that name; capital letters do not tell them apart")
		return nil
	}
	home.files[key] = f
	if problem := build.Unfit(f.name(), mode); problem != "" {
		in.refuse(f, problem)
		return nil
	}
	return f
}

// keep reads what a file holds. An error is that of the reader, or a refusal.
func (in *intake) keep(f *file, r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, in.Limits.FileBytes+1))
	if err != nil {
		return err
	}
	in.bytes += int64(len(text))
	switch {
	case in.bytes > in.Limits.TotalBytes:
		return refusal(fmt.Sprintf("its Go files have more than %s together", size(in.Limits.TotalBytes)))
	case int64(len(text)) > in.Limits.FileBytes:
		in.refuse(f, fmt.Sprintf("it is larger than %s", size(in.Limits.FileBytes)))
	default:
		f.text = text
	}
	return nil
}

// refuse complains of a file that is not taken.
func (in *intake) refuse(f *file, problem string) {
	if !f.refused {
		in.leaveOut(f.path, problem)
	}
	f.refused, f.text = true, nil
}

func (in *intake) leaveOut(name, problem string) {
	in.leftOut++
	in.note(name, problem)
}

func (in *intake) note(name, problem string) {
	if len(in.notes) == maxWords {
		in.unnamed++
		return
	}
	in.notes = append(in.notes, quote(name)+" is left out: "+problem)
}

func size(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
