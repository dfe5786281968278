package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

func (e *env) reproCommand() *cli.Command {
	return &cli.Command{
		Name:      "repro",
		Usage:     "write a failing case as a plain Go test",
		ArgsUsage: "[CASE]",
		Description: `Without CASE, the one that your current stage failed by in the last de test. The
case is run again, and repro_test.go written beside your code: a test that
fails for the same reason, needs nothing of de, and can be stepped through in a
debugger. It passes once your code is right.

examples:
  de repro
  de repro 08/distinct/n=2,every=1,crash=1,lag=1
  go test -run TestRepro ./08-transactional-sink

exit code: 0 written, or the case passes, 2 bad input, 3 a fault of de,
4 inconclusive`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "impl", Value: implLearner, Usage: "the solution is in the folder `DIR`, where the test is written, too"},
			&cli.StringSliceFlag{Name: "schedule", Usage: "the case is one of the schedule `FILE`; can be repeated"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the first of the random seeds is `N`"},
		},
		Action: e.repro,
	}
}

func (e *env) repro(c *cli.Context) error {
	t, err := e.caseTrial(c)
	if err != nil {
		return err
	}
	if t.impl == implReference || t.impl == implSkeleton {
		return usage("--impl learner, or the folder of a solution", "--impl %s is no folder that a test can be written to", t.impl)
	}
	selected, err := e.selects(t.request)
	if err != nil {
		return err
	}
	defer selected.close()
	selected.explain = true
	ctx, stop := interruptible()
	defer stop()
	r, err := e.judge(ctx, t, selected)
	if err != nil {
		return err
	}
	if err := hasVerdict(r, t.request); err != nil {
		return err
	}
	if r.Verdict == grading.Pass {
		fmt.Fprintf(e.stdout, "%s passes alone, so there is nothing to show. Nothing was written.\n", t.caseID)
		return nil
	}
	return e.writeRepro(selected, r.Stages[0].Failure.Finding[0])
}

// hasVerdict returns an error unless the case of a report passes or fails.
func hasVerdict(r grading.Report, q request) error {
	stage := r.Stages[0]
	test := "de test " + stage.Stage
	if q.impl != implLearner {
		test += " --impl " + q.impl
	}
	switch {
	case r.Verdict == grading.HarnessFault:
		return &failure{exitHarness, r.Problem, "this is a fault of de, not of your code; please report it at " + issuesURL}
	case r.Verdict == grading.Inconclusive:
		return &failure{exitInconclusive, "it could not be told whether " + q.caseID + " fails: " + cmp.Or(r.Problem, stage.Problem), "again, or see what takes the time: " + test}
	case r.Verdict != grading.Pass && stage.Failure == nil:
		return usage(test+" says more", "no case of stage %s can be run: %s", stage.Stage, cmp.Or(string(stage.Kind), string(stage.Verdict)))
	}
	return nil
}

// reproFile is the name of the file that holds the test.
const reproFile = "repro_test.go"

// writeRepro writes the test of a finding beside the solution.
func (e *env) writeRepro(s *selection, f grading.Finding) error {
	stage := s.stages[0]
	suite, one := stage.Suite, stage.Cases[0]
	about := grading.AboutRepro{Case: one.ID, Finding: f}
	if s.workspace != nil {
		about.Folder = suite.Folder()
	}
	src, err := reproSource(stage, one, about)
	if err != nil {
		return err
	}
	if src == nil {
		return cantShow(s, one, f)
	}
	folder := s.places[suite.Folder()]
	path := filepath.Join(e.path(folder), reproFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && !bytes.HasPrefix(old, []byte(grading.ReproMark)) {
		return usage("give it another name, and try again", "%s is not of de's writing, so it stays as it is", filepath.Join(folder, reproFile))
	}
	if err := replace(path, func(w io.Writer) error { _, err := w.Write(src); return err }); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "Wrote %s\n\n", filepath.Join(folder, reproFile))
	fmt.Fprintf(e.stdout, "  case   %s\n  check  %s", one.ID, wrap(f.Check+": "+f.Problem, min(e.width, 100)-9, 9))
	fmt.Fprintf(e.stdout, "\nRun it, or step through it in a debugger\n  %s\n", grading.ReproCommand(f, goFolder(folder)))
	return nil
}

// goFolder is a folder as the go command takes it for a package.
func goFolder(folder string) string {
	folder = filepath.ToSlash(folder)
	if folder == "." || strings.HasPrefix(folder, "../") || filepath.IsAbs(folder) {
		return folder
	}
	return "./" + folder
}

// reproSource is the file that shows a finding, or nil where plain Go can't.
func reproSource(stage grading.Stage, c schedule.Case, about grading.AboutRepro) ([]byte, error) {
	suite := stage.Suite
	if suite.Repro == nil {
		return nil, nil
	}
	r := suite.Repro(c, about.Finding)
	if r.Body == "" {
		return nil, nil
	}
	for _, check := range suite.Checks {
		if check.Name == about.Finding.Check {
			about.Check = check
		}
	}
	var err error
	if about.Package, err = packageName(stage.Package.Files); err != nil {
		return nil, err
	}
	return r.File(about)
}

// packageName is that of the file that declares the Solution; there may be files
// of another package that Go leaves out.
func packageName(files fs.FS) (string, error) {
	parsed, _, err := goFiles(files)
	if err != nil {
		return "", err
	}
	for _, file := range parsed {
		for _, d := range file.Decls {
			if declares(d, "Solution") {
				return file.Name.Name, nil
			}
		}
	}
	return "", fmt.Errorf("a solution without a type Solution was judged")
}

// declares tells whether d declares a type of that name.
func declares(d ast.Decl, name string) bool {
	types, ok := d.(*ast.GenDecl)
	return ok && slices.ContainsFunc(types.Specs, func(s ast.Spec) bool {
		t, ok := s.(*ast.TypeSpec)
		return ok && t.Name.Name == name
	})
}

// goFiles parses the Go files of a solution that can be, tests aside.
func goFiles(files fs.FS) (parsed []*ast.File, set *token.FileSet, err error) {
	names, err := fs.Glob(files, "*.go")
	if err != nil {
		return nil, nil, err
	}
	set = token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, nil, err
		}
		if file, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution); err == nil {
			parsed = append(parsed, file)
		}
	}
	return parsed, set, nil
}

// cantShow says of a finding that plain Go does not show it, and where to look.
func cantShow(s *selection, c schedule.Case, f grading.Finding) error {
	next := "de test --case " + c.ID + " shows what it did"
	if f.Kind == fault.Slept {
		if lines := clockLines(s); len(lines) > 0 {
			next = "look at " + strings.Join(lines, ", ")
		}
	}
	return usage(next, "a plain Go test can't show this: %s", f.Problem)
}

// clockLines are the places in the solution that call for the clock.
func clockLines(s *selection) []string {
	stage := s.stages[0]
	parsed, set, err := goFiles(stage.Package.Files)
	if err != nil {
		return nil // it is only to help
	}
	var lines []string
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && readsClock(call) {
				at := set.Position(call.Pos())
				lines = append(lines, fmt.Sprintf("%s:%d", s.place(stage.Suite.Folder()+"/"+at.Filename), at.Line))
			}
			return true
		})
	}
	return lines
}

// readsClock tells whether a call is of one of [grading.ClockFunctions].
func readsClock(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := f.X.(*ast.Ident)
	return ok && slices.Contains(grading.ClockFunctions, from.Name+"."+f.Sel.Name)
}
