package class

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/submission"
	"github.com/flk-byo/de/harness/fault"
)

// A Likeness is what two students have in common whose work is alike: equal
// hashes say so. It is a fact to look at. Short solutions, and common mistakes,
// are alike without anybody having copied.
type Likeness struct {
	// Sources are hashes, in hex, of a stage's Go files, tests aside, by its ID.
	// Layout, comments, imports, the names of files and those that the student
	// chose don't change them. What students were given has none: skeletons, and
	// the reference of a stage before the last, which a workspace is filled with.
	Sources map[string]string `json:"sources,omitempty"`

	// Failure is a hash, in hex, of the first stage's that fails: of the case,
	// what is wrong, and all steps that led to it. Empty if there are none.
	Failure string `json:"failure,omitempty"`
}

// likeness is that of what was handed in.
func (c *run) likeness(handedIn submission.Submission, r grading.Report) Likeness {
	l := Likeness{Failure: failureHash(r)}
	for i, s := range c.Stages {
		files, ok := handedIn.Stages[s.Suite.Folder()]
		if !ok {
			continue
		}
		hash := sourceHash(files)
		if hash == "" || s.Given != nil && hash == sourceHash(s.Given) || i > 0 && s.Reference.Files != nil && hash == sourceHash(s.Reference.Files) {
			continue
		}
		if l.Sources == nil {
			l.Sources = map[string]string{}
		}
		l.Sources[s.Suite.ID] = hash
	}
	return l
}

// sourceHash is a hash of what Go files do, whatever they are called and look
// like; empty if there is none.
func sourceHash(files fs.FS) string {
	names, err := fs.Glob(files, "*.go")
	if err != nil {
		panic(err) // the pattern is ours
	}
	var sums []string
	for _, name := range names {
		src, err := fs.ReadFile(files, name)
		if err == nil && !strings.HasSuffix(name, "_test.go") {
			sum := sha256.Sum256(plainSource(src))
			sums = append(sums, string(sum[:]))
		}
	}
	if len(sums) == 0 {
		return ""
	}
	slices.Sort(sums)
	return hexSum(strings.Join(sums, ""))
}

// failureHash is a hash of how the first stage fails, that is, of its run; the
// lines of the source are left out.
func failureHash(r grading.Report) string {
	i := slices.IndexFunc(r.Stages, func(s grading.StageReport) bool { return s.Verdict == grading.Fail })
	if i < 0 || r.Stages[i].Failure == nil || len(r.Stages[i].Failure.Finding) == 0 || len(r.Stages[i].Failure.Steps) == 0 {
		return ""
	}
	f := r.Stages[i].Failure
	if f.Finding[0].Kind == fault.NotImplemented {
		return "" // it is what students were given
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q\n", f.Case, f.Finding[0].Check, f.Finding[0].Problem)
	for _, s := range f.Steps {
		fmt.Fprintf(&b, "%q %q %q %q %q %q\n", s.Phase, s.At, s.Object, s.Action, s.State, s.Note)
	}
	return hexSum(b.String())
}

func hexSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
