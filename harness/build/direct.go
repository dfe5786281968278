package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flk-byo/de/harness/confine"
)

// The go command takes longer to look around than the compiler and the linker
// take to work. So once it has built a guest, what it knows of the packages that
// are no solutions is written down, and the tools are called directly from then
// on. Whatever does not go well that way is left to the go command, which then
// has the last word and says what is wrong.

// known is what the go command knew.
type known struct {
	Version  string            // of Go, e.g. "go1.26.1"
	Tools    string            // the folder of the compiler and the linker
	Archives map[string]string // of compiled packages, by import path
	Info     []byte            // what a guest knows of its own build, as runtime/debug.ReadBuildInfo tells it
}

// A toolbox compiles without the go command.
type toolbox struct {
	known
	config Config
	dir    string // of the build
	src    string // in it
	id     string // of all that a compiled solution depends on beside its sources
}

// errLeft says that the build is left to the go command, errFirst that nothing is
// known yet.
var (
	errLeft  = errors.New("left to the go command")
	errFirst = errors.New("the first build")
)

// direct builds the guest of what was laid out, or returns an error.
func direct(ctx context.Context, dir string, config Config, l *layout) (wasm string, err error) {
	path, id, err := knownFile(config)
	if err != nil {
		return "", err
	}
	t := toolbox{config: config, dir: dir, src: filepath.Join(dir, "src"), id: id}
	if t.known, err = readKnown(path); err != nil {
		return "", errors.Join(errFirst, err)
	}
	t.config.root = rootOf(t.Tools)
	units, err := l.sorted()
	if err != nil {
		return "", err
	}
	if wasm, ok := t.stored(l, units); ok {
		return wasm, nil
	}
	if err := t.configure(units); err != nil {
		return "", err
	}
	for _, u := range units {
		if err := t.solution(ctx, u); err != nil {
			return "", err
		}
	}
	if wasm, err = t.link(ctx); err == nil {
		t.store(wasm, l, units)
	} else {
		for _, u := range units { // one of them may be damaged
			err = errors.Join(err, os.Remove(t.archive(u)))
		}
	}
	return wasm, err
}

// knownFile returns where is kept what the go command knew: a file for each
// toolchain and version of the course. The id names both.
func knownFile(config Config) (path, id string, err error) {
	info, err := os.Stat(config.Go)
	if err != nil {
		return "", "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %d\n", config.Go, info.Size(), info.ModTime().UnixNano())
	err = eachOfOurs(config, func(name string, text []byte) error {
		_, err := fmt.Fprintf(h, "%q %d\n%s", name, len(text), text)
		return err
	})
	id = hex.EncodeToString(h.Sum(nil)[:12])
	return filepath.Join(config.Cache, "known-"+id+".json"), id, err
}

func readKnown(path string) (known, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return known{}, err
	}
	var k known
	return k, json.Unmarshal(text, &k)
}

// Files that tell the compiler and the linker where the packages are.
const (
	forCompiler = "importcfg"
	forLinker   = "importcfg.link"
)

func (t *toolbox) path(name string) string { return filepath.Join(t.dir, name) }

// configure writes them.
func (t *toolbox) configure(units []unit) error {
	needed := []string{"runtime", deModule + "/harness/shim"}
	var lines bytes.Buffer
	for _, u := range units {
		for _, s := range u.sources {
			needed = append(needed, s.imports...)
		}
		if u.exported {
			needed = append(needed, u.wire())
		}
		fmt.Fprintf(&lines, "packagefile %s=%s\n", u.path(), t.archive(u))
	}
	for _, name := range needed {
		if _, ok := t.Archives[name]; !ok && !strings.HasPrefix(name, Module+"/") {
			return fmt.Errorf("%w: it knows of %s", errLeft, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Archives)) {
		fmt.Fprintf(&lines, "packagefile %s=%s\n", name, t.Archives[name])
	}
	compile := slices.Clone(lines.Bytes())
	fmt.Fprintf(&lines, "modinfo %q\n", t.Info)
	return errors.Join(os.WriteFile(t.path(forCompiler), compile, 0o666), os.WriteFile(t.path(forLinker), lines.Bytes(), 0o666))
}

// archive is where a compiled solution is kept. The name tells all it depends on.
func (t *toolbox) archive(u unit) string {
	return filepath.Join(t.config.Cache, compiledFolder, t.id+"-"+u.hash+".a")
}

// compiledFolder holds solutions that were compiled before, in the cache.
const compiledFolder = "compiled"

// solution compiles one, unless it is there already.
func (t *toolbox) solution(ctx context.Context, u unit) error {
	archive := t.archive(u)
	if _, err := os.Stat(archive); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(archive), 0o777); err != nil {
		return err
	}
	var files []string
	for _, s := range u.sources {
		files = append(files, filepath.Join(u.Folder, s.name))
	}
	fresh := t.path(u.hash + ".a")
	if err := t.compile(ctx, u.path(), fresh, files); err != nil {
		return err
	}
	return os.Rename(fresh, archive)
}

func (t *toolbox) compile(ctx context.Context, importPath, archive string, files []string) error {
	args := []string{
		"-o", archive, "-p", importPath, "-trimpath", t.src + "=>" + Module, "-lang=go1.26", "-goversion", t.Version,
		"-complete", "-dwarf=false", "-nolocalimports", "-pack", "-importcfg", t.path(forCompiler),
	}
	return t.run(ctx, "compile", append(args, files...)...)
}

// buildID is as long as those that the go command gives, so that the guest is
// the same to the byte but for it.
var buildID = strings.Repeat("x", 83)

// link compiles the main package and links the guest.
func (t *toolbox) link(ctx context.Context) (wasm string, err error) {
	archive := t.path("main.a")
	if err := t.compile(ctx, "main", archive, []string{filepath.Join(mainFolder, "main.go")}); err != nil {
		return "", err
	}
	wasm = t.path("guest.wasm")
	return wasm, t.run(ctx, "link", "-o", wasm, "-importcfg", t.path(forLinker), "-buildmode=c-shared", "-buildid="+buildID, "-w", archive)
}

func (t *toolbox) run(ctx context.Context, tool string, args ...string) error {
	cmd := confine.Command(ctx, t.config.Limits, filepath.Join(t.Tools, tool), args...)
	cmd.Dir, cmd.Env = t.src, environment(t.dir, t.config)
	words := &head{limit: 64 << 10}
	cmd.Stdout, cmd.Stderr = words, words
	err := runTool(cmd, t.dir, t.config)
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		if why := tooCostly(string(words.kept), exit); why != "" {
			return errCostly(why)
		}
	}
	return err
}

// errCostly says that a tool reached a limit, and which: the go command would
// run into the same.
type errCostly string

func (e errCostly) Error() string { return string(e) }

// learn writes down what the go command knows, after it has built a guest.
func learn(ctx context.Context, dir string, config Config, wasm string) error {
	path, _, err := knownFile(config)
	if err != nil {
		return err
	}
	k, err := readKnown(path)
	if err != nil || k.Archives == nil {
		k.Archives = map[string]string{}
	}
	tools, err := goCommand(ctx, dir, config, "env", "GOTOOLDIR", "GOVERSION")
	if err != nil {
		return err
	}
	words := strings.Split(strings.TrimSpace(tools), "\n")
	if len(words) != 2 {
		return fmt.Errorf("go env tells %q", tools)
	}
	k.Tools, k.Version = words[0], words[1]
	list := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, append(slices.Clone(buildFlags), "./"+mainFolder)...)
	packages, err := goCommand(ctx, dir, config, list...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(packages) {
		name, archive, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if archive != "" && !strings.HasPrefix(name, Module+"/") {
			k.Archives[name] = archive
		}
	}
	if k.Info, err = buildInfo(wasm); err != nil {
		return err
	}
	text, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return err
	}
	fresh := filepath.Join(dir, "known.json")
	return errors.Join(os.WriteFile(fresh, text, 0o666), os.Rename(fresh, path))
}

// Marks around what a program knows of its build; see cmd/go/internal/modload.
var (
	infoStart = []byte("\x30\x77\xaf\x0c\x92\x74\x08\x02\x41\xe1\xc1\x07\xe6\xd6\x18\xe6")
	infoEnd   = []byte("\xf9\x32\x43\x31\x86\x18\x20\x72\x00\x82\x42\x10\x41\x16\xd8\xf2")
)

// buildInfo returns what a guest knows of its build, with the marks.
func buildInfo(wasm string) ([]byte, error) {
	text, err := os.ReadFile(wasm)
	if err != nil {
		return nil, err
	}
	start := bytes.Index(text, infoStart)
	if start < 0 {
		return nil, nil
	}
	n := bytes.Index(text[start:], infoEnd)
	if n < 0 {
		return nil, nil
	}
	return text[start : start+n+len(infoEnd)], nil
}

func goCommand(ctx context.Context, dir string, config Config, args ...string) (string, error) {
	cmd := confine.Command(ctx, config.Limits, config.Go, args...)
	cmd.Dir, cmd.Env = filepath.Join(dir, "src"), environment(dir, config)
	var out strings.Builder
	words := &head{limit: 200}
	cmd.Stdout, cmd.Stderr = &out, words
	err := runGo(cmd, dir, config)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, words.kept)
	}
	return out.String(), err
}

// eachOfOurs calls f with each of the course's files that a guest needs.
func eachOfOurs(config Config, f func(name string, text []byte) error) error {
	for _, tree := range []struct {
		files    fs.FS
		under    string
		patterns []string
	}{
		{config.Stages, "stages", []string{"stream/*.go", "*/contract/*.go", "*/wire/*.go"}},
		{config.Harness, "harness", []string{"rpc/*.go", "shim/*", "rewind/*.go"}},
	} {
		for _, pattern := range tree.patterns {
			names, err := fs.Glob(tree.files, pattern)
			if err != nil {
				return fmt.Errorf("find the course's files: %w", err)
			}
			for _, name := range names {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				text, err := fs.ReadFile(tree.files, name)
				if err != nil {
					return fmt.Errorf("read the course's files: %w", err)
				}
				if err := f(tree.under+"/"+name, text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
