package certify

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
)

// readContent sees whether brief, hints, contract and schedules are there, and
// speak of the same things by the same names.
func (c *certifier) readContent(_ context.Context, suite grading.Suite, s *Stage) error {
	problem := func(format string, args ...any) { s.Content = append(s.Content, fmt.Sprintf(format, args...)) }
	brief := c.text(suite, "STAGE.md")
	if want := fmt.Sprintf("# Stage %s: %s", suite.ID, suite.Title); firstLine(brief) != want {
		problem("STAGE.md should begin with %q", want)
	}
	for _, check := range suite.Checks {
		if !strings.Contains(brief, "\n## "+check.Section+"\n") {
			problem("check %s points to the section %q, which STAGE.md has not", check.Name, check.Section)
		}
		if check.Rule == "" || check.Why == "" {
			problem("check %s has no rule, or no reason", check.Name)
		}
		if n := check.Hint; n != 0 && c.text(suite, hintFile(n)) == "" {
			problem("check %s points to hint %d, which is not there", check.Name, n)
		}
	}
	for n := 1; n <= hints; n++ {
		if name := hintFile(n); len(c.text(suite, name)) < 100 {
			problem("%s is missing or says next to nothing", name)
		}
	}
	methods, err := c.contractMethods(suite)
	if err != nil {
		return err
	}
	for _, method := range methods {
		if !regexp.MustCompile(`\b` + method + `\b`).MatchString(brief) {
			problem("STAGE.md never mentions %s of the contract", method)
		}
	}
	return c.readSchedules(suite, problem)
}

// hints is how many a stage has.
const hints = 3

func hintFile(n int) string { return fmt.Sprintf("hints/%d.md", n) }

func (c *certifier) text(suite grading.Suite, name string) string {
	text, err := fs.ReadFile(c.Files, path.Join(suite.Folder(), name))
	if err != nil {
		return ""
	}
	return string(text)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// contractMethods returns the names of the methods of the contract's interfaces.
func (c *certifier) contractMethods(suite grading.Suite) ([]string, error) {
	name := path.Join(suite.Folder(), "contract", "contract.go")
	src, err := fs.ReadFile(c.Files, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var methods []string
	ast.Inspect(file, func(n ast.Node) bool {
		if i, ok := n.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					methods = append(methods, name.Name)
				}
			}
		}
		return true
	})
	return methods, nil
}

// readSchedules sees whether the schedules make use of all that the stage's spec
// declares.
func (c *certifier) readSchedules(suite grading.Suite, problem func(string, ...any)) error {
	cases, err := c.Cases(suite)
	if err != nil {
		return err
	}
	ops, values := map[string]bool{}, map[string]map[int]bool{}
	checks := map[string]bool{}
	for _, one := range cases {
		checks[suite.CheckOf(one)] = true
		for _, op := range one.Script {
			ops[op.Name] = true
		}
		for _, p := range one.Params {
			if values[p.Name] == nil {
				values[p.Name] = map[int]bool{}
			}
			values[p.Name][p.Value] = true
		}
	}
	for _, op := range suite.Spec.Ops {
		if !ops[op.Name] {
			problem("no schedule has the operation %s", op.Name)
		}
	}
	for _, p := range suite.Spec.Params {
		if len(values[p.Name]) < 2 {
			problem("the schedules do not vary %s", p.Name)
		}
	}
	for check := range checks {
		if !slices.ContainsFunc(suite.Checks, func(c grading.Check) bool { return c.Name == check }) {
			problem("there are cases for the check %s, which the stage has not", check)
		}
	}
	return nil
}
