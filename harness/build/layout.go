package build

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	deModule   = "github.com/flk-byo/de"
	mainFolder = "guest-main" // no stage's folder can be called so
)

// layOut writes the guest's module under dir/src: the solutions, the generated
// main package, and our own packages as a second module. It returns what was
// refused; then nothing is to be compiled.
func layOut(dir string, config Config, packages, others []Package) ([]Diagnostic, Imports, error) {
	src := filepath.Join(dir, "src")
	known := map[string]Package{} // by import path
	for _, p := range slices.Concat(others, packages) {
		known[Module+"/"+p.Folder] = p
	}
	allowed := func(name string) bool { return allowedStandard(name) || ours(name) || known[name].Files != nil }
	var refused []Diagnostic
	imports := Imports{}
	for todo := slices.Clone(packages); len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		if _, done := imports[p.Folder]; done {
			continue
		}
		sources, found, err := collect(p, allowed)
		if err != nil {
			return nil, nil, err
		}
		refused = append(refused, found...)
		imports[p.Folder] = []string{}
		for _, s := range sources {
			for _, name := range s.imports {
				if q := known[name]; q.Files != nil {
					imports[p.Folder] = append(imports[p.Folder], q.Folder)
					todo = append(todo, q)
				}
			}
			if err := write(filepath.Join(src, p.Folder, s.name), s.text); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(refused) > 0 {
		return refused, imports, nil
	}
	for name, text := range map[string]string{
		"go.mod":                         "module " + Module + "\n\ngo 1.26\n\nrequire " + deModule + " v0.0.0\n\nreplace " + deModule + " => ./" + oursFolder + "\n",
		oursFolder + "/go.mod":           "module " + deModule + "\n\ngo 1.26\n",
		path.Join(mainFolder, "main.go"): mainSource(packages),
	} {
		if err := write(filepath.Join(src, filepath.FromSlash(name)), []byte(text)); err != nil {
			return nil, nil, err
		}
	}
	return nil, imports, layOutOurs(filepath.Join(src, oursFolder), config)
}

const oursFolder = "guest-de"

// ours tells whether a package of the course's is one that a solution may
// import: the vocabulary, or a contract.
func ours(name string) bool {
	stage, ok := strings.CutPrefix(name, deModule+"/stages/")
	_, what, _ := strings.Cut(stage, "/")
	return ok && (stage == "stream" || what == "contract")
}

// layOutOurs copies the packages that a guest needs of ours.
func layOutOurs(dir string, config Config) error {
	for _, tree := range []struct {
		files    fs.FS
		under    string
		patterns []string
	}{
		{config.Stages, "stages", []string{"stream/*.go", "*/contract/*.go", "*/wire/*.go"}},
		{config.Harness, "harness", []string{"rpc/*.go", "shim/*"}},
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
				if err := write(filepath.Join(dir, tree.under, filepath.FromSlash(name)), text); err != nil {
					return err
				}
			}
		}
	}
	return nil
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
