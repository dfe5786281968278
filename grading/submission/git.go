package submission

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/flk-byo/de/harness/confine"
)

// A repository is read by the git command. It asks only for objects, which runs
// none of the hooks, filters and helpers that a repository can name; and what
// could fetch missing objects is turned off.
type repository struct {
	command string // git's, as a path
	dir     string // the folder with the objects
	limits  Limits
}

// A blob is a file in a repository.
type blob struct {
	file *file
	hash string
}

var errNoGit = errors.New("there is no git command to read a repository by")

func (in *intake) readGit(ctx context.Context, s Source) error {
	if in.Git == "" {
		return errNoGit
	}
	dir, err := gitDir(s.Path)
	if err != nil {
		return err
	}
	r := repository{in.Git, dir, in.Limits}
	commit, err := r.commit(ctx, s.Ref)
	if err != nil {
		return err
	}
	blobs, err := r.list(ctx, commit, in)
	if err != nil || len(blobs) == 0 {
		return err
	}
	return r.blobs(ctx, blobs, in)
}

// gitDir returns the folder with the objects of a repository. One that borrows
// from elsewhere is refused: what is elsewhere was not handed in.
func gitDir(name string) (string, error) {
	dir := name
	if info, err := os.Lstat(filepath.Join(name, ".git")); err == nil {
		if !info.IsDir() {
			return "", refusal("its .git is not a folder: hand in a clone that stands alone")
		}
		dir = filepath.Join(name, ".git")
	}
	for _, part := range []string{"objects", "refs"} {
		if info, err := os.Lstat(filepath.Join(dir, part)); err != nil || !info.IsDir() {
			return "", refusal("it is not a git repository")
		}
	}
	for _, borrowed := range []string{"commondir", "objects/info/alternates"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(borrowed))); !errors.Is(err, fs.ErrNotExist) {
			return "", refusal("the repository borrows from another (" + borrowed + "): hand in a clone that stands alone")
		}
	}
	return filepath.Abs(dir)
}

var objectName = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

func (r repository) commit(ctx context.Context, ref string) (string, error) {
	var word string
	err := r.git(ctx, nil, func(out *bufio.Reader) error {
		text, err := io.ReadAll(io.LimitReader(out, 1<<10))
		word = strings.TrimSpace(string(text))
		return err
	}, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", refusal("there is no commit " + quote(ref) + " in the repository")
	}
	if err == nil && !objectName.MatchString(word) {
		return "", refusal("git finds no single commit for " + quote(ref))
	}
	return word, err
}

// list tells the intake of all files of a commit, and returns those to be read.
func (r repository) list(ctx context.Context, commit string, in *intake) ([]blob, error) {
	var blobs []blob
	err := r.git(ctx, nil, func(out *bufio.Reader) error {
		for {
			line, err := out.ReadSlice(0)
			switch {
			case err == io.EOF && len(line) == 0:
				return nil
			case err == bufio.ErrBufferFull:
				return refusal("a path in the repository is too long")
			case err != nil:
				return err
			}
			info, name, _ := bytes.Cut(line[:len(line)-1], []byte("\t"))
			fields := strings.Fields(string(info))
			if len(fields) != 3 {
				return fmt.Errorf("git lists a file as %.100q", info)
			}
			f, err := in.wants(string(name), gitMode(fields[0]))
			if err != nil {
				return err
			}
			if f != nil {
				blobs = append(blobs, blob{f, fields[2]})
			}
		}
	}, "ls-tree", "-r", "-z", "--full-tree", commit)
	return blobs, unreadable(err)
}

// gitMode knows the two kinds of regular files; links and submodules are others.
func gitMode(mode string) fs.FileMode {
	if mode == "100644" || mode == "100755" {
		return 0
	}
	return fs.ModeIrregular
}

// blobs reads files, in the order in which they are asked for.
func (r repository) blobs(ctx context.Context, blobs []blob, in *intake) error {
	var wanted strings.Builder
	for _, b := range blobs {
		fmt.Fprintln(&wanted, b.hash)
	}
	err := r.git(ctx, strings.NewReader(wanted.String()), func(out *bufio.Reader) error {
		for _, b := range blobs {
			if err := readBlob(out, b, in); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", "--batch")
	return unreadable(err)
}

func readBlob(out *bufio.Reader, b blob, in *intake) error {
	line, err := out.ReadSlice('\n')
	if err != nil {
		return err
	}
	fields := strings.Fields(string(line))
	if len(fields) != 3 || fields[1] != "blob" {
		return refusal("the repository lacks a file that it lists: hand in a whole clone")
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return err
	}
	contents := io.LimitReader(out, size)
	if err := in.keep(b.file, contents); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, contents); err != nil { // of one that is too large
		return err
	}
	_, err = out.Discard(len("\n"))
	return err
}

// unreadable makes a refusal of git's.
func unreadable(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return refusal("git can't read the repository, it is damaged or incomplete: hand in a whole clone")
	}
	return err
}

// gitMemory bounds what git takes; it maps the files of a repository.
const gitMemory = 2 << 30

// git runs one command of git's, and has its output read. Its time is part of
// what a repository may take of us.
func (r repository) git(ctx context.Context, stdin io.Reader, read func(*bufio.Reader) error, args ...string) error {
	limited, cancel := context.WithTimeoutCause(ctx, r.limits.GitTime, unsettled(fmt.Sprintf("git takes more than %s to read the repository", r.limits.GitTime)))
	defer cancel()
	fixed := []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.packedGitWindowSize=32m", "-c", "core.packedGitLimit=256m"}
	cmd := confine.Command(limited, confine.Limits{Memory: gitMemory, CPU: r.limits.GitTime}, r.command, append(fixed, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.environment(), stdin
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return cmp.Or(context.Cause(limited), fmt.Errorf("start git: %w", err))
	}
	readErr := read(bufio.NewReaderSize(out, 64<<10))
	late := context.Cause(limited)
	if readErr != nil {
		cancel() // it may have much more to say
	}
	waitErr := cmd.Wait()
	return cmp.Or(late, readErr, waitErr)
}

// environment is all that git sees: no settings of the user or the system, and
// nothing that may be fetched.
func (r repository) environment() []string {
	return []string{
		"GIT_DIR=" + r.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "HOME=" + os.DevNull,
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
	}
}
