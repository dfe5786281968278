package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/flk-byo/de/fixtures"
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// install builds the command.
func (b *bench) install() error {
	b.de = filepath.Join(b.dir, "de")
	cmd := exec.CommandContext(b.ctx, "go", "build", "-o", b.de, "github.com/flk-byo/de/cmd/de")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build de: %w\n%s", err, out)
	}
	return nil
}

// A learner is a workspace with a right solution of every stage.
type learner struct {
	*bench
	dir   string
	cache string // where de keeps its caches; empty for the user's own
	edits int

	learned []string      // functions of Go's runtime that guests called, and that were not known for it
	started func(pid int) // called with each process of de; may be nil
}

func (b *bench) newLearner(name string) (*learner, error) {
	l := &learner{bench: b, dir: filepath.Join(b.dir, name)}
	if err := os.Mkdir(l.dir, 0o777); err != nil {
		return nil, err
	}
	last := lastSuite()
	if _, err := l.must(0, "start", stages.Course+"/"+last.ID); err != nil {
		return nil, err
	}
	return l, l.edit(last, "")
}

func lastSuite() grading.Suite {
	all := stages.All()
	return all[len(all)-1]
}

// edit writes the reference of a stage, or a mutant of it, into the workspace.
// A comment that no other edit had makes the bytes differ.
func (l *learner) edit(suite grading.Suite, wrong string) error {
	files, err := reference(suite)
	if err != nil {
		return err
	}
	if wrong != "" {
		if files, err = mutate(suite, files, wrong); err != nil {
			return err
		}
	}
	l.edits++
	for name, text := range files {
		text += fmt.Sprintf("\n// Edit %d of %d.\n", l.edits, time.Now().UnixNano())
		if err := os.WriteFile(filepath.Join(l.dir, suite.Folder(), name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// reference returns the files of a stage's reference, as a workspace has them.
func reference(suite grading.Suite) (map[string]string, error) {
	names, err := fs.Glob(stages.Files, suite.Folder()+"/reference/*.go")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := fs.ReadFile(stages.Files, name)
		if err != nil {
			return nil, err
		}
		if src, err = workspace.RewriteImports(name, src); err != nil {
			return nil, err
		}
		files[path.Base(name)] = string(src)
	}
	return files, nil
}

// mutate makes one of the course's own mutants of a reference, which is one file.
func mutate(suite grading.Suite, files map[string]string, name string) (map[string]string, error) {
	list := "mutants/" + suite.ID + ".yaml"
	src, err := fs.ReadFile(fixtures.Files, list)
	if err != nil {
		return nil, err
	}
	var file string
	for file = range files {
	}
	mutants, err := mutant.Load(list, src, stages.Course+"/"+suite.ID, file)
	if err != nil {
		return nil, err
	}
	for _, m := range mutants {
		if m.Name == name {
			return m.Apply(files)
		}
	}
	return nil, fmt.Errorf("there is no mutant %s of stage %s", name, suite.ID)
}

// test runs de test, with time enough for a machine that is busy.
func (l *learner) test(code int, args ...string) (judged, error) {
	return l.must(code, append([]string{"test", "--budget", "10m"}, args...)...)
}

// A judged is one run of de.
type judged struct {
	first, whole time.Duration // until the first byte of its output, and until its end
	out          []byte
	largest      int64 // bytes of the largest of its processes, where the system tells
}

// must runs de, which must exit with code.
func (l *learner) must(code int, args ...string) (judged, error) {
	var r judged
	var complaint bytes.Buffer
	cmd := exec.CommandContext(l.ctx, l.de, args...)
	cmd.Dir, cmd.Stderr = l.dir, &complaint
	if l.cache != "" {
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+l.cache, "HOME="+l.cache)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	if l.started != nil {
		l.started(cmd.Process.Pid)
	}
	first := make([]byte, 1)
	n, _ := io.ReadFull(out, first)
	r.first = time.Since(start)
	rest, readErr := io.ReadAll(out)
	r.out = append(first[:n], rest...)
	err = cmd.Wait()
	r.whole = time.Since(start)
	var exit *exec.ExitError
	if readErr != nil || err != nil && !errors.As(err, &exit) {
		return r, errors.Join(readErr, err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return r, fmt.Errorf("de %s: exit %d, want %d\n%s%s", strings.Join(args, " "), got, code, r.out, complaint.Bytes())
	}
	r.largest = largest(cmd.ProcessState)
	return r, nil
}
