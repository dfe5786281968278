package submission

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestGit(t *testing.T) {
	const noRepository = "FATAL it is not a git repository"
	tests := []struct {
		name, ref string
		change    func(t *testing.T, dir string)
		want      string
	}{
		{"a branch", "main", nil, taken},
		{"HEAD, whatever lies there", "HEAD", func(t *testing.T, dir string) { write(t, dir, "01-first/later.go", "x") }, taken},
		{"a tag", "v1", func(t *testing.T, dir string) {
			git(t, dir, "tag", "-a", "v1", "-m", "one")
			write(t, dir, "01-first/later.go", "x")
			git(t, dir, "add", "-A")
			git(t, dir, "commit", "-q", "-m", "later")
		}, taken},
		{"no such branch", "other", nil, `FATAL there is no commit "other" in the repository`},
		{"an option", "--help", nil, `FATAL there is no commit "--help" in the repository`},
		{"two commits", "main..main", nil, `FATAL there is no commit "main..main" in the repository`},
		{"no repository", "main", func(t *testing.T, dir string) { remove(t, dir, ".git") }, noRepository},
		{"a damaged repository", "main", func(t *testing.T, dir string) { remove(t, dir, ".git/objects"); write(t, dir, ".git/objects/x", "") },
			`FATAL there is no commit "main" in the repository`},
		{".git is a file", "main", func(t *testing.T, dir string) { remove(t, dir, ".git"); write(t, dir, ".git", "gitdir: /") },
			"FATAL its .git is not a folder: hand in a clone that stands alone"},
		{"it borrows", "main", func(t *testing.T, dir string) { write(t, dir, ".git/objects/info/alternates", "/\n") },
			"FATAL the repository borrows from another (objects/info/alternates): hand in a clone that stands alone"},
		{"it is another's", "main", func(t *testing.T, dir string) { write(t, dir, ".git/commondir", "../../other/.git") },
			"FATAL the repository borrows from another (commondir): hand in a clone that stands alone"},
		{"a submodule", "main", func(t *testing.T, dir string) {
			git(t, dir, "update-index", "--add", "--cacheinfo", "160000,0123456789012345678901234567890123456789,01-first/x.go")
			git(t, dir, "commit", "-q", "-m", "a submodule")
		}, fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is not a regular file; links and devices are not followed`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := makeGit(t, good)
			if test.change != nil {
				test.change(t, s.Path)
			}
			s.Ref = test.ref
			if got := say(t, read(t, s, Limits{})); got != test.want {
				t.Errorf("says\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestGitBare(t *testing.T) {
	s := makeGit(t, good)
	bare := filepath.Join(t.TempDir(), "ada.git")
	git(t, s.Path, "clone", "-q", "--bare", "--no-hardlinks", ".", bare)
	if got := say(t, read(t, Source{Path: bare, Kind: Git, Ref: "main"}, Limits{})); got != taken {
		t.Errorf("says %s", got)
	}
}

// All that a repository can name to be run, or fetched, is left alone.
func TestGitRunsNothing(t *testing.T) {
	s := makeGit(t, append(files(".gitattributes", "* filter=evil diff=evil\n"), good...))
	ran := filepath.Join(t.TempDir(), "ran")
	evil := "touch '" + filepath.ToSlash(ran) + "'; false"
	settings := []string{
		"core.fsmonitor", "core.pager", "pager.ls-tree", "pager.cat-file", "core.sshCommand", "core.gitProxy", "core.editor",
		"credential.helper", "filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "remote.origin.uploadpack", "uploadpack.packObjectsHook",
	}
	for _, name := range settings {
		git(t, s.Path, "config", name, evil)
	}
	git(t, s.Path, "config", "alias.ls-tree", "!"+evil)
	for _, hook := range []string{"post-checkout", "reference-transaction", "pre-commit", "fsmonitor-watchman"} {
		write(t, s.Path, ".git/hooks/"+hook, "#!/bin/sh\n"+evil+"\n")
		if err := os.Chmod(filepath.Join(s.Path, ".git/hooks", hook), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if got := say(t, read(t, s, Limits{})); got != taken {
		t.Errorf("says %s", got)
	}
	// A clone that lacks objects, and names where they are to be fetched.
	for _, url := range []string{"ext::sh -c '" + strings.TrimSuffix(evil, "; false") + "'", "ssh://host/x", "file://" + s.Path, s.Path} {
		lacking := makeGit(t, good)
		git(t, lacking.Path, "config", "core.repositoryFormatVersion", "1")
		git(t, lacking.Path, "config", "extensions.partialClone", "origin")
		git(t, lacking.Path, "config", "remote.origin.promisor", "true")
		git(t, lacking.Path, "config", "remote.origin.url", url)
		git(t, lacking.Path, "config", "remote.origin.uploadpack", evil)
		git(t, lacking.Path, "config", "core.sshCommand", evil)
		git(t, lacking.Path, "config", "protocol.allow", "always")
		remove(t, lacking.Path, ".git/objects/63/d8dbd40c23542e740659a7168a0ce3138ea748") // "b"
		got := say(t, read(t, lacking, Limits{}))
		if !strings.Contains(got, "FATAL") || !strings.Contains(got, "hand in a whole clone") {
			t.Errorf("%s: says %s", url, got)
		}
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Error("something was run")
	}
}

// A tree can list itself without end, in a few objects.
func TestGitBomb(t *testing.T) {
	s := makeGit(t, good)
	tree := "HEAD:01-first"
	for range 8 {
		index := "GIT_INDEX_FILE=" + filepath.Join(t.TempDir(), "index")
		for i := range 10 {
			gitWith(t, s.Path, index, "read-tree", fmt.Sprintf("--prefix=f%d/", i), tree)
		}
		tree = gitWith(t, s.Path, index, "write-tree")
		if len(tree) > 0 && strings.Count(gitWith(t, s.Path, index, "ls-files"), "\n") > 3_000 {
			break
		}
	}
	s.Ref = gitWith(t, s.Path, "X=", "commit-tree", tree, "-m", "bomb")
	got := say(t, read(t, s, Limits{Entries: 1_000}))
	if !strings.Contains(got, "FATAL it holds more than 1000 files and folders") {
		t.Errorf("says %s", got)
	}
}

// What has no git is for the instructor to mend, not for the student.
func TestNoGit(t *testing.T) {
	if _, err := Read(t.Context(), makeGit(t, good), Config{Stages: stages}); err == nil {
		t.Error("no error though there is no git")
	}
}

// It may be the machine that is slow: this is no mark.
func TestGitTakesTooLong(t *testing.T) {
	s := read(t, makeGit(t, good), Limits{GitTime: time.Nanosecond})
	const want = "git takes more than 1ns to read the repository"
	if got := say(t, s); got != "FATAL "+want || s.Unsettled != want {
		t.Errorf("says %s, unsettled: %q", got, s.Unsettled)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Lstat(p); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(p); err != nil {
		t.Fatal(err)
	}
}
