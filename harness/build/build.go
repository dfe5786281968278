// Package build compiles solutions into a guest: it copies their Go files, and
// nothing else, into a fresh module beside the contracts and the shim, and runs
// the Go compiler under limits. It runs no code of a solution's.
//
// Start reading at [Guest].
package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/flk-byo/de/harness/confine"
)

// Module is the module that solutions are compiled in; a learner's workspace
// has the same. Paths in a guest's stack traces begin with it and a slash.
const Module = "flkbyo"

// A Package is one stage's solution.
type Package struct {
	Folder string // of the package in the guest, e.g. "08-transactional-sink"
	Stage  string // the stage's folder; usually the same
	Files  fs.FS  // its Go files stand at the root; untrusted

	// Rewrite is applied to each file, e.g. so that it imports earlier solutions
	// by their paths here; nil for none.
	Rewrite func(name string, src []byte) ([]byte, error)
}

// A Config says where and how to build.
type Config struct {
	Go      string   // the go command
	Cache   string   // a folder of ours for the compiler's cache and work; kept between builds
	Path    string   // PATH for the go command
	System  []string // what any process needs to start on this system, e.g. SYSTEMROOT=... on Windows
	Limits  confine.Limits
	Stages  fs.FS // the course's files: stream/, */contract/, */wire/
	Harness fs.FS // the harness's: rpc/, shim/, rewind/

	// First is called where a build is the first with this Go and this course: it
	// compiles the standard library, and takes long. Nil for nobody.
	First func()

	root string // where Go is, if it runs behind a wall
}

// A Result is a guest, or the reason why there is none.
type Result struct {
	WASM        string       // path of the guest; empty if it could not be built
	Refused     []Diagnostic // sources that may not be compiled
	Compile     []Diagnostic // what the compiler said
	TooCostly   bool         // the compiler reached a limit
	Incomplete  string       // which limit, in words
	Description string       // raw words of the compiler where they fit no diagnostic
	Bare        bool         // the compiler had no wall around it, since Go does not work behind it

	Survey

	dir string
}

// A Survey is what can be told of solutions, and of those that they import,
// without the compiler.
type Survey struct {
	Imports Imports

	// Digests stand for all that a solution consists of, its own files and those
	// of the solutions it imports, by its folder. There are none where the
	// solutions can't be compiled, as far as that is seen.
	Digests map[string]string

	// Rewindable tells, by folder, of which solutions all that they keep is
	// reachable from the objects that they hand out; see package rewind.
	Rewindable map[string]bool
}

// Add adds what was seen of solutions, in place of what was seen of them before.
func (s *Survey) Add(more Survey) {
	if s.Imports == nil {
		*s = Survey{Imports: Imports{}, Digests: map[string]string{}, Rewindable: map[string]bool{}}
	}
	maps.Copy(s.Imports, more.Imports)
	maps.Copy(s.Digests, more.Digests)
	maps.Copy(s.Rewindable, more.Rewindable)
}

// Examine reads solutions as [Guest] does, and builds nothing.
func Examine(packages, others []Package) (Survey, error) {
	l, _, err := read(packages, others)
	if err != nil {
		return Survey{}, err
	}
	return l.survey(), nil
}

// Imports are the folders of the solutions that each solution imports directly,
// by its folder.
type Imports map[string][]string

// Needs returns the first of some folders whose solution the one in folder
// imports, by itself or through others, or nothing.
func (m Imports) Needs(folder string, some []string) string {
	todo := slices.Clone(m[folder])
	for i := 0; i < len(todo); i++ {
		if slices.Contains(some, todo[i]) {
			return todo[i]
		}
		for _, next := range m[todo[i]] {
			if !slices.Contains(todo, next) {
				todo = append(todo, next)
			}
		}
	}
	return ""
}

// Folders returns the folders that something is wrong with.
func (r Result) Folders() []string {
	var folders []string
	for _, d := range slices.Concat(r.Refused, r.Compile) {
		if folder := d.folder(); !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// About returns the result without what is wrong with other folders.
func (r Result) About(folder string) Result {
	others := func(d Diagnostic) bool { return d.folder() != folder }
	r.Refused = slices.DeleteFunc(slices.Clone(r.Refused), others)
	r.Compile = slices.DeleteFunc(slices.Clone(r.Compile), others)
	return r
}

// Remove removes the files of the build.
func (r Result) Remove() error {
	if r.dir == "" {
		return nil
	}
	return os.RemoveAll(r.dir)
}

// Guest builds one guest out of the packages, which stand in the order in which
// they are exported. What they import of others is built along. A solution that
// can't be built is a Result; an error means that building itself is broken,
// e.g. that there is no Go. The files are the caller's to Remove, whatever the
// outcome.
func Guest(ctx context.Context, config Config, packages, others []Package) (Result, error) {
	dir, err := workDir(config.Cache)
	if err != nil {
		return Result{}, err
	}
	_ = os.MkdirAll(goCache(config), 0o777) // which the go command can't do behind its wall
	r, err := guest(ctx, dir, config, packages, others)
	r.dir = dir
	return r, err
}

func guest(ctx context.Context, dir string, config Config, packages, others []Package) (Result, error) {
	l, refused, err := read(packages, others)
	if err != nil {
		return Result{}, err
	}
	survey := l.survey()
	if len(refused) > 0 {
		return Result{Refused: refused, Survey: survey}, nil
	}
	if err := l.layOut(dir); err != nil {
		return Result{}, err
	}
	wasm, err := direct(ctx, dir, config, l)
	var costly errCostly
	switch {
	case err == nil:
		return Result{WASM: wasm, Survey: survey}, nil
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case errors.As(err, &costly):
		return Result{TooCostly: true, Incomplete: string(costly), Survey: survey}, nil
	}
	if errors.Is(err, errFirst) && config.First != nil {
		config.First()
	}
	if err := layOutModule(dir, config); err != nil {
		return Result{}, err
	}
	r, config, err := compileBehind(ctx, dir, config, packages)
	r.Survey = survey
	if r.WASM != "" {
		_ = learn(ctx, dir, config, r.WASM) // else the next build takes as long as this one
	}
	return r, err
}

// maxBuilds is how many builds there may be at once over one cache.
const maxBuilds = 100

// workDir makes a folder for one build under the cache, the first that no other
// build has. Go knows packages by their folder: that the same ones come again
// spares it to compile ours each time.
func workDir(cache string) (string, error) {
	work := filepath.Join(cache, "work")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return "", fmt.Errorf("make a folder to build in: %w", err)
	}
	for i := range maxBuilds {
		dir := filepath.Join(work, fmt.Sprintf("guest-%d", i+1))
		err := os.Mkdir(dir, 0o777)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("make a folder to build in: %w", err)
		}
	}
	return "", fmt.Errorf("make a folder to build in: %d are there already in %s; remove those of builds that were killed", maxBuilds, work)
}

// compile runs the Go compiler on what was laid out in dir.
func compile(ctx context.Context, dir string, config Config, packages []Package) (Result, error) {
	wasm := filepath.Join(dir, "guest.wasm")
	args := append([]string{"build"}, append(slices.Clone(buildFlags), "-o", wasm, "./"+mainFolder)...)
	cmd := confine.Command(ctx, config.Limits, config.Go, args...)
	cmd.Dir = filepath.Join(dir, "src")
	cmd.Env = environment(dir, config)
	words := &head{limit: 64 << 10}
	cmd.Stdout, cmd.Stderr = words, words
	err := runGo(cmd, dir, config)
	switch {
	case err == nil:
		return Result{WASM: wasm}, nil
	case ctx.Err() != nil: // says nothing of the solution: the machine may be slow
		return Result{}, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return Result{}, fmt.Errorf("run the Go compiler: %w", err)
	}
	return readWords(string(words.kept), exit, packages), nil
}

var buildFlags = []string{"-p=1", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-w"}

// environment is all that the go command gets to see: nothing that could make
// it fetch, or take settings from the user or the solution.
func environment(dir string, config Config) []string {
	return append(slices.Clone(config.System),
		"PATH="+config.Path, "HOME="+dir, "GOTMPDIR="+dir, "TMPDIR="+dir,
		"GOPATH="+filepath.Join(dir, "gopath"), "GOCACHE="+goCache(config),
		"GOENV=off", "GOWORK=off", "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOSUMDB=off",
		// It can't see there what share of the processors is ours.
		fmt.Sprintf("GOMAXPROCS=%d", runtime.GOMAXPROCS(0)),
		"GOTOOLCHAIN=local", "GOVCS=*:off", "GOTELEMETRY=off", "CGO_ENABLED=0", "GOOS=wasip1", "GOARCH=wasm", "GO111MODULE=on",
	)
}

func goCache(config Config) string { return filepath.Join(config.Cache, "go-build") }

// head keeps the first bytes of what is written to it. It must not embed its
// buffer, whose ReadFrom would get around the limit.
type head struct {
	kept  []byte
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), h.limit-len(h.kept))]...)
	return len(p), nil
}
