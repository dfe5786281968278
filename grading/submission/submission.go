// Package submission reads what students hand in: folders, archives and git
// repositories that nobody has looked at yet. It takes the Go files of the
// stages into memory, within limits, and says what was wrong or left out. It
// writes nothing to disk, follows no link and runs nothing of what it reads;
// and it judges nothing. Start reading at Read.
package submission

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// A Kind is the form that a submission comes in.
type Kind string

// The kinds. Other is what can't be read, e.g. a .rar; Read says so to the
// student.
const (
	Folder Kind = "folder"
	Zip    Kind = "zip"
	Tar    Kind = "tar"
	TarGz  Kind = "tar.gz"
	Git    Kind = "git"
	Other  Kind = "other"
)

// A Source is one place that a submission can be read from.
type Source struct {
	Name string // the student's, from the name of the folder or archive
	Path string // of the folder, archive or repository
	Kind Kind
	Ref  string // of a git repository, e.g. "main"; else empty
}

// A Stage is what is looked for, by the name of its folder, e.g. ID "01" and
// Folder "01-operators".
type Stage struct{ ID, Folder string }

// A Config says what to look for, and by which means. Zero limits are the
// defaults.
type Config struct {
	Stages []Stage
	Limits Limits
	Git    string // the git command, as a path; empty if there is none, then no repository can be read
}

// A Submission is what one student handed in. It lies in memory, and is the
// caller's.
type Submission struct {
	Source Source
	// Stages are the Go files at the root of each stage's folder, tests
	// included, by Stage.Folder. A stage that is not there is absent, and so is
	// one with a file that could not be taken: it is not judged without it.
	Stages map[string]fs.FS
	// Files are those of all Stages, sorted by path.
	Files []File
	// Hash is a SHA-256, in hex, over the stages' names, and the names and
	// contents of their files. It is equal for equal ones, wherever in the
	// submission they stand and whatever the form it comes in; and empty if there
	// is nothing to judge.
	Hash string
	// Problems are what was wrong or left out, in words for the student and the
	// instructor. They may quote names that the student chose.
	Problems []Problem
}

// A File is one that was taken.
type File struct {
	Path   string `json:"path"`   // within the submission, with slashes
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // of the contents, in hex
}

// A Problem is something that the student could mend.
type Problem struct {
	Words string `json:"words"`
	Fatal bool   `json:"fatal,omitempty"` // there is nothing to judge
}

// Read reads a submission, and finds the stages in it. What is wrong with it is
// in its Problems; an error means that we could not do our work, e.g. that the
// path is gone, or ctx has ended.
func Read(ctx context.Context, s Source, config Config) (Submission, error) {
	in := newIntake(config)
	err := in.read(ctx, s)
	var refused refusal
	switch {
	case err == nil:
		return in.submission(s), nil
	case errors.As(err, &refused):
		problems := append(in.noted(), Problem{string(refused), true})
		return Submission{Source: s, Stages: map[string]fs.FS{}, Problems: problems}, nil
	default:
		return Submission{}, fmt.Errorf("read the submission %s: %w", s.Path, err)
	}
}

func (in *intake) read(ctx context.Context, s Source) error {
	switch s.Kind {
	case Folder:
		return in.readFolder(ctx, s.Path)
	case Zip:
		return in.readZip(ctx, s.Path)
	case Tar, TarGz:
		return in.readTar(ctx, s)
	case Git:
		return in.readGit(ctx, s)
	default:
		return refusal("it is neither a folder nor a .zip, .tar, .tar.gz or .tgz archive, and links are not followed: hand in one of these")
	}
}
