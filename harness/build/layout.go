package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	deModule   = "github.com/flk-byo/de"
	mainFolder = "guest-main" // no stage's folder can be called so
)

// A layout is what a guest is compiled from, beside our own packages.
type layout struct {
	units   []unit // the solutions
	imports Imports
	main    []byte // the source of the main package
}

// A unit is one solution's package.
type unit struct {
	Package
	sources  []source
	exported bool   // not only built on
	hash     string // of the sources, and of the units that it imports; see sorted
}

func (u unit) path() string { return Module + "/" + u.Folder }

// wire is the package that carries the unit's contract.
func (u unit) wire() string { return deModule + "/stages/" + u.Stage + "/wire" }

// read reads the solutions, and those that they import. It returns what was
// refused; then nothing is to be compiled.
func read(packages, others []Package) (*layout, []Diagnostic, error) {
	known := map[string]Package{} // by import path
	for _, p := range slices.Concat(others, packages) {
		known[Module+"/"+p.Folder] = p
	}
	allowed := func(name string) bool { return allowedStandard(name) || ours(name) || known[name].Files != nil }
	var refused []Diagnostic
	l := &layout{imports: Imports{}}
	for todo := slices.Clone(packages); len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		if _, done := l.imports[p.Folder]; done {
			continue
		}
		sources, found, err := collect(p, allowed)
		if err != nil {
			return nil, nil, err
		}
		refused = append(refused, found...)
		exported := slices.ContainsFunc(packages, func(q Package) bool { return q.Folder == p.Folder })
		l.units = append(l.units, unit{Package: p, sources: sources, exported: exported})
		l.imports[p.Folder] = []string{}
		for _, s := range sources {
			for _, name := range s.imports {
				if q := known[name]; q.Files != nil {
					l.imports[p.Folder] = append(l.imports[p.Folder], q.Folder)
					todo = append(todo, q)
				}
			}
		}
	}
	l.main = []byte(mainSource(packages))
	return l, refused, nil
}

// layOut writes the solutions and the generated main package under dir/src.
func (l *layout) layOut(dir string) error {
	src := filepath.Join(dir, "src")
	for _, u := range l.units {
		for _, s := range u.sources {
			if err := write(filepath.Join(src, u.Folder, s.name), s.text); err != nil {
				return err
			}
		}
	}
	return write(filepath.Join(src, mainFolder, "main.go"), l.main)
}

// survey is what can be told of the solutions without the compiler.
func (l *layout) survey() Survey {
	s := Survey{Imports: l.imports, Digests: map[string]string{}, Rewindable: map[string]bool{}}
	units, err := l.sorted()
	if err != nil {
		return s
	}
	for _, u := range units {
		s.Digests[u.Folder] = u.hash
		s.Rewindable[u.Folder] = u.rewindable() && !slices.ContainsFunc(l.imports[u.Folder], func(below string) bool { return !s.Rewindable[below] })
	}
	return s
}

// sorted returns the units in an order in which each comes after those that it
// imports, with their hashes. Errors are for the go command to tell.
func (l *layout) sorted() ([]unit, error) {
	var all []unit
	hashes := map[string]string{} // by folder; empty while under way
	var add func(folder string) error
	add = func(folder string) error {
		if hash, seen := hashes[folder]; seen {
			if hash == "" {
				return fmt.Errorf("%w: imports in a circle", errLeft)
			}
			return nil
		}
		hashes[folder] = ""
		u := l.units[slices.IndexFunc(l.units, func(u unit) bool { return u.Folder == folder })]
		h := sha256.New()
		fmt.Fprintf(h, "%q %q\n", u.Folder, u.Stage)
		for _, s := range u.sources {
			if s.packageName == "main" {
				return fmt.Errorf("%w: %s is a program", errLeft, folder)
			}
			fmt.Fprintf(h, "%q %d\n%s", s.name, len(s.text), s.text)
		}
		for _, below := range l.imports[folder] {
			if err := add(below); err != nil {
				return err
			}
			fmt.Fprintln(h, hashes[below])
		}
		u.hash = hex.EncodeToString(h.Sum(nil)[:12])
		hashes[folder] = u.hash
		all = append(all, u)
		return nil
	}
	for _, u := range l.units {
		if err := add(u.Folder); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// layOutModule writes what the go command needs beside the solutions: the
// module they are in, and our packages as a second one.
func layOutModule(dir string, config Config) error {
	src := filepath.Join(dir, "src")
	ours := func(name string, text []byte) error {
		return write(filepath.Join(src, oursFolder, filepath.FromSlash(name)), text)
	}
	return errors.Join(
		write(filepath.Join(src, "go.mod"), []byte("module "+Module+"\n\ngo 1.26\n\nrequire "+deModule+" v0.0.0\n\nreplace "+deModule+" => ./"+oursFolder+"\n")),
		ours("go.mod", []byte("module "+deModule+"\n\ngo 1.26\n")),
		eachOfOurs(config, ours),
	)
}

const oursFolder = "guest-de"

// ours tells whether a package of the course's is one that a solution may
// import: the vocabulary, or a contract.
func ours(name string) bool {
	stage, ok := strings.CutPrefix(name, deModule+"/stages/")
	_, what, _ := strings.Cut(stage, "/")
	return ok && (stage == "stream" || what == "contract")
}

// mainSource is the guest's main package: it exports the solutions in order,
// so that the i-th has the ref i+1.
func mainSource(packages []Package) string {
	var imports, exports strings.Builder
	for i, p := range packages {
		fmt.Fprintf(&imports, "\tsolution%d %q\n\twire%d %q\n", i, Module+"/"+p.Folder, i, deModule+"/stages/"+p.Stage+"/wire")
		fmt.Fprintf(&exports, "\twire%d.ExportStage(shim.Peer, new(solution%d.Solution))\n", i, i)
	}
	return "package main\n\nimport (\n\t\"" + deModule + "/harness/shim\"\n" + imports.String() + ")\n\n" +
		"func init() {\n" + exports.String() + "}\n\nfunc main() {}\n"
}

// solutionAt is which of n solutions a line of the main package is about, or -1.
func solutionAt(line, n int) int {
	const firstImport = 5
	firstExport := firstImport + 2*n + 3
	switch {
	case line >= firstImport && line < firstImport+2*n:
		return (line - firstImport) / 2
	case line >= firstExport && line < firstExport+n:
		return line - firstExport
	default:
		return -1
	}
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("lay out the guest: %w", err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return fmt.Errorf("lay out the guest: %w", err)
	}
	return nil
}
