package submission

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/build"
)

// tight limits keep a fuzzer quick.
var tight = Limits{Entries: 50, FileBytes: 1 << 10, TotalBytes: 4 << 10, ArchiveBytes: 64 << 10, Depth: 4, PathBytes: 100}

func FuzzZip(f *testing.F) {
	f.Add(zipped(f, good))
	f.Add(zipped(f, files("x/../01-first/a.go", "a", "01-first/A.go", "", "01/b.go", "b")))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newIntake(Config{Stages: stages, Limits: tight})
		err := damaged(Zip, in.takeZip(context.Background(), bytes.NewReader(data), int64(len(data))))
		holds(t, in, err)
	})
}

func FuzzTar(f *testing.F) {
	f.Add(tarred(f, headers(good), good))
	long := files("01-first/"+strings.Repeat("l", 101)+".go", "a")
	f.Add(tarred(f, headers(long), long))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newIntake(Config{Stages: stages, Limits: tight})
		err := damaged(Tar, in.takeTar(&meter{ctx: context.Background(), r: bytes.NewReader(data)}))
		holds(t, in, err)
	})
}

func FuzzTarGz(f *testing.F) {
	f.Add(gzipped(f, tarred(f, headers(good), good)))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newIntake(Config{Stages: stages, Limits: tight})
		err := damaged(TarGz, in.takeTarGz(context.Background(), bytes.NewReader(data)))
		holds(t, in, err)
	})
}

// FuzzFolder reads a folder with two names in it, each of a kind.
func FuzzFolder(f *testing.F) {
	if runtime.GOOS != "linux" {
		f.Skip("names of other systems are less free")
	}
	f.Add("01-first/a.go", "x", byte(0), "01-first/A.go", "", byte(0))
	f.Add("01-first/a.go", "x", byte(0), "01-first/x.go", "/etc/passwd", byte(1))
	f.Add("01/\\\x01\xff.go", "x", byte(0), "01-first", "..", byte(1))
	f.Add("a/b/c/d/e/f.go", "", byte(2), "01-first/a.go", "", byte(2))
	f.Fuzz(func(t *testing.T, name, text string, kind byte, other, otherText string, otherKind byte) {
		dir := t.TempDir()
		put(dir, name, text, kind)
		put(dir, other, otherText, otherKind)
		in := newIntake(Config{Stages: stages, Limits: tight})
		holds(t, in, in.readFolder(context.Background(), dir))
	})
}

// put makes a file, a link or a folder, if the system lets it.
func put(dir, name, text string, kind byte) {
	if !filepath.IsLocal(name) || strings.ContainsRune(name, 0) {
		return
	}
	p := filepath.Join(dir, name)
	_ = os.MkdirAll(filepath.Dir(p), 0o777)
	switch kind % 3 {
	case 0:
		_ = os.WriteFile(p, []byte(text), 0o666)
	case 1:
		_ = os.Symlink(text, p)
	default:
		_ = os.MkdirAll(p, 0o777)
	}
}

// holds checks what holds of every submission, and of what ended its reading.
func holds(t *testing.T, in *intake, err error) {
	t.Helper()
	if err != nil {
		if _, refused := err.(refusal); !refused {
			t.Fatalf("an error that is not the student's: %v", err)
		}
		return
	}
	s := in.submission(Source{})
	var total int64
	for _, file := range s.Files {
		total += file.Size
		if !fs.ValidPath(file.Path) || file.Size > tight.FileBytes || build.Unfit(filepath.Base(file.Path), 0) != "" {
			t.Errorf("took %q, %d bytes", file.Path, file.Size)
		}
	}
	if total > tight.TotalBytes || len(s.Files) > tight.Entries {
		t.Errorf("took %d files, %d bytes", len(s.Files), total)
	}
	if len(s.Stages) == 0 && (len(s.Problems) == 0 || s.Hash != "") {
		t.Errorf("nothing to judge, and no reason why: %v", s)
	}
	for _, p := range s.Problems {
		if strings.ContainsAny(p.Words, "\n\x1b") || len(p.Words) > 10_000 {
			t.Errorf("says %q", p.Words)
		}
	}
	for folder, files := range s.Stages {
		entries, err := fs.ReadDir(files, ".")
		if err != nil || len(entries) == 0 {
			t.Errorf("%s holds %v, %v", folder, entries, err)
		}
	}
}
