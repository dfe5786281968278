package submission

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"unicode"

	"github.com/flk-byo/de/harness/build"
)

// submission chooses a folder for each stage, and says what is missing.
func (in *intake) submission(s Source) Submission {
	made := Submission{Source: s, Stages: map[string]fs.FS{}}
	hash := sha256.New()
	var missing, unfit []string
	for _, stage := range in.Stages {
		home, problem := in.choose(stage)
		switch {
		case problem != "":
			unfit = append(unfit, problem)
		case home == nil:
			missing = append(missing, stage.Folder)
		default:
			made.Stages[stage.Folder] = home.open(&made, hash)
		}
	}
	slices.SortFunc(made.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	made.Problems = in.noted()
	if len(made.Stages) == 0 && len(unfit) == 0 {
		unfit = []string{in.nothing()}
	}
	for _, words := range unfit {
		made.Problems = append(made.Problems, Problem{words, len(made.Stages) == 0})
	}
	if len(made.Stages) == 0 {
		return made
	}
	if len(missing) > 0 {
		made.Problems = append(made.Problems, Problem{Words: "not handed in: " + list(missing)})
	}
	made.Hash = hex.EncodeToString(hash.Sum(nil))
	return made
}

// choose returns the one folder of a stage that has Go files, or says why there
// is none. Without folder and words the stage is missing.
func (in *intake) choose(stage Stage) (*folder, string) {
	named, found := in.candidates(stage)
	switch {
	case len(found) > 1:
		return nil, fmt.Sprintf("%s is not judged: there are several folders of it, %s; keep one", stage.Folder, places(found))
	case len(found) == 1 && found[0].incomplete():
		return nil, fmt.Sprintf("%s is not judged: a Go file of it is left out", stage.Folder)
	case len(found) == 1:
		return found[0], ""
	case len(named) > 0:
		return nil, fmt.Sprintf("%s is not judged: there are no Go files but tests in %s", stage.Folder, places(named))
	}
	for _, dir := range in.loose {
		if in.meantBy(path.Base(dir)) == stage {
			return nil, fmt.Sprintf("%s is not handed in; if %s is meant, rename it", stage.Folder, quote(dir))
		}
	}
	return nil, ""
}

// meantBy returns the stage that a folder is named nearly like: with its words, or
// else with its number, as in "Transactional Sink (1)", "stage8" or "8-sink". It is
// none where that is of no stage.
func (in *intake) meantBy(name string) Stage {
	for _, s := range in.Stages {
		if own := letters(s.Folder); own != "" && strings.Contains(letters(name), own) {
			return s
		}
	}
	numbers := strings.FieldsFunc(name, func(c rune) bool { return c < '0' || c > '9' })
	for _, s := range in.Stages {
		if len(numbers) > 0 && strings.TrimLeft(numbers[0], "0") == strings.TrimLeft(s.ID, "0") {
			return s
		}
	}
	return Stage{}
}

// letters are those of a name, in lower case.
func letters(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}

// candidates returns the folders that are named like a stage, and those of them
// with Go files. A full name is better than the ID alone.
func (in *intake) candidates(stage Stage) (named, found []*folder) {
	for _, p := range slices.Sorted(maps.Keys(in.folders)) {
		if f := in.folders[p]; f.stage == stage {
			named = append(named, f)
		}
	}
	for _, short := range []bool{false, true} {
		for _, f := range named {
			if f.short == short && f.hasSource() {
				found = append(found, f)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	return named, found
}

func (f *folder) hasSource() bool {
	for _, file := range f.files {
		if build.IsSource(file.name()) {
			return true
		}
	}
	return false
}

// incomplete tells whether a file that would be compiled was not taken.
func (f *folder) incomplete() bool {
	for _, file := range f.files {
		if file.refused && build.IsSource(file.name()) {
			return true
		}
	}
	return false
}

// open returns the files of the folder, and adds them to those of s.
func (f *folder) open(s *Submission, hash io.Writer) fs.FS {
	files := fstest.MapFS{}
	for _, key := range slices.Sorted(maps.Keys(f.files)) {
		file := f.files[key]
		if file.refused {
			continue
		}
		sum := sha256.Sum256(file.text)
		taken := File{Path: file.path, Size: int64(len(file.text)), SHA256: hex.EncodeToString(sum[:])}
		s.Files = append(s.Files, taken)
		fmt.Fprintf(hash, "%s %q %s\n", f.stage.Folder, file.name(), taken.SHA256)
		files[file.name()] = &fstest.MapFile{Data: file.text, Mode: 0o444}
	}
	return files
}

// noted are the problems with single entries.
func (in *intake) noted() []Problem {
	var problems []Problem
	for _, words := range in.notes {
		problems = append(problems, Problem{Words: words})
	}
	if in.unnamed > 0 {
		problems = append(problems, Problem{Words: fmt.Sprintf("%d more are left out for such reasons", in.unnamed)})
	}
	if other := in.leftOut - len(in.notes) - in.unnamed; other > 0 {
		problems = append(problems, Problem{Words: fmt.Sprintf("left out, other files: %d; only Go files in the folder of a stage are taken", other)})
	}
	return problems
}

// nothing says what to hand in instead.
func (in *intake) nothing() string {
	example := "NN-name"
	if len(in.Stages) > 0 {
		example = in.Stages[len(in.Stages)-1].Folder
	}
	switch {
	case len(in.folders) == 0 && len(in.loose) > 0 && in.loose[0] == ".":
		return fmt.Sprintf("its Go files are in no folder: put them into one that is named after the stage, e.g. %s", example)
	case len(in.folders) == 0 && len(in.loose) > 0:
		return fmt.Sprintf("its Go files are in no stage's folder, but in %s: put them into one that is named after the stage, e.g. %s", quote(in.loose[0]), example)
	case len(in.folders) == 0 && len(in.packed) > 0:
		return fmt.Sprintf("there is an archive in it, %s, and archives in it are not opened: hand in what is packed there", quote(in.packed[0]))
	}
	return fmt.Sprintf("there is no stage in it to judge: hand in the workspace, or folders such as %s with your Go files", example)
}

func places(folders []*folder) string {
	var paths []string
	for _, f := range folders {
		paths = append(paths, quote(f.path))
	}
	return list(paths)
}

func list(words []string) string {
	if more := len(words) - maxWords; more > 0 {
		words = append(slices.Clone(words[:maxWords]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}
