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
// student. Several are more than one of a name.
const (
	Folder Kind = "folder"
	Zip    Kind = "zip"
	Tar    Kind = "tar"
	TarGz  Kind = "tar.gz"
	Git    Kind = "git"
	Other  Kind = "other"

	Several Kind = "several"
)

// A Source is one place that a submission can be read from.
type Source struct {
	Name string // the student's, from the name of the folder or archive
	Path string // of the folder, archive or repository
	Kind Kind
	Ref  string // of a git repository, e.g. "main"; else empty

	Rivals string // of Several: what goes by the name, in words
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
	// Unsettled is why it is not known what is to be judged, though something may
	// be: it can't be read, or not in time, or there are several of its name. There are no Stages
	// then, and no points may be given. Else it is empty.
	Unsettled string
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
// in its Problems, and so is that the system does not let us read it. An error
// means that we could not do our work: ctx has ended, or there is no git.
func Read(ctx context.Context, s Source, config Config) (Submission, error) {
	in := newIntake(config)
	err := in.read(ctx, s)
	var refused refusal
	made := Submission{Source: s, Stages: map[string]fs.FS{}}
	switch {
	case err == nil:
		return in.submission(s), nil
	case errors.As(err, &refused):
		made.Problems = append(in.noted(), Problem{string(refused), true})
	case ctx.Err() != nil || errors.Is(err, errNoGit):
		return Submission{}, fmt.Errorf("read the submission %s: %w", s.Path, err)
	default:
		made.Unsettled = unsettledBy(err)
		made.Problems = append(in.noted(), Problem{made.Unsettled, true})
	}
	return made, nil
}

// unsettledBy is an error in words, one of the system without the path: it is not
// the student's business where submissions are kept.
func unsettledBy(err error) string {
	if ours := unsettled(""); errors.As(err, &ours) {
		return string(ours)
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Sprintf("it could not be read: %v", err)
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
	case Several:
		return unsettled("there are several submissions of that name, " + s.Rivals + "; capital letters do not tell them apart: keep one, or rename the others")
	default:
		return refusal("it is neither a folder nor a .zip, .tar, .tar.gz or .tgz archive, and links are not followed: hand in one of these")
	}
}
