package build

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// readWords makes sense of a failed build from what the go command printed.
func readWords(words string, exit *exec.ExitError, packages []Package) Result {
	if costly := tooCostly(words, exit); costly != "" {
		return Result{TooCostly: true, Incomplete: costly}
	}
	var r Result
	for line := range strings.SplitSeq(words, "\n") {
		if d, ok := parseDiagnostic(line); ok {
			r.Compile = append(r.Compile, translate(d, packages))
		} else if len(r.Compile) > 0 && strings.HasPrefix(line, "\t") {
			last := &r.Compile[len(r.Compile)-1]
			last.Message += "; " + strings.TrimSpace(line)
		}
	}
	if len(r.Compile) == 0 {
		r.Description = strings.TrimSpace(words)
	}
	return r
}

// tooCostly tells which limit ended the compiler, in words, or nothing.
func tooCostly(words string, exit *exec.ExitError) string {
	switch {
	case strings.Contains(words, "signal: killed"), !exit.Exited():
		return "the compiler used up its processor time"
	case strings.Contains(words, "out of memory"), strings.Contains(words, "cannot allocate memory"):
		return "the compiler ran out of memory"
	case strings.Contains(words, "goroutine stack exceeds"), strings.Contains(words, "internal compiler error"), strings.Contains(words, "unexpected fault"):
		return "the compiler broke down over it"
	default:
		return ""
	}
}

// parseDiagnostic reads "file.go:line:col: message" or "file.go:line: message".
func parseDiagnostic(line string) (Diagnostic, bool) {
	file, rest, ok := strings.Cut(line, ".go:")
	if !ok || strings.ContainsAny(file, " \t") {
		return Diagnostic{}, false
	}
	d := Diagnostic{File: strings.TrimPrefix(file, "./") + ".go"}
	number, rest, ok := strings.Cut(rest, ":")
	if d.Line, _ = strconv.Atoi(number); d.Line == 0 || !ok {
		return Diagnostic{}, false
	}
	if number, message, ok := strings.Cut(rest, ":"); ok {
		if column, err := strconv.Atoi(number); err == nil {
			d.Column, rest = column, message
		}
	}
	d.Message = strings.TrimSpace(rest)
	return d, true
}

// translate moves a complaint about the generated main package to the solution
// that it is about.
func translate(d Diagnostic, packages []Package) Diagnostic {
	if !strings.HasPrefix(d.File, mainFolder+"/") {
		return d
	}
	for i, p := range packages {
		name := fmt.Sprintf("solution%d", i)
		if !strings.Contains(d.Message, name) && !strings.Contains(d.Message, Module+"/"+p.Folder) {
			continue
		}
		message := strings.ReplaceAll(strings.ReplaceAll(d.Message, name+".", ""), "contract.Stage", "the contract's Stage")
		if strings.HasPrefix(d.Message, "undefined: "+name) {
			message = "the package has no type Solution; begin with: type Solution struct{}"
		}
		return Diagnostic{File: p.Folder, Message: message}
	}
	return d
}
