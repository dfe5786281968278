package build

import (
	"os/exec"
	"regexp"
	"slices"
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
			r.Compile = append(r.Compile, d)
		} else if len(r.Compile) > 0 && strings.HasPrefix(line, "\t") {
			last := &r.Compile[len(r.Compile)-1]
			last.Message += "; " + strings.TrimSpace(line)
		}
	}
	for i, d := range r.Compile {
		r.Compile[i] = translate(d, packages)
	}
	if len(r.Compile) > 0 {
		return r
	}
	if d, ok := unplaced(words); ok {
		r.Compile = append(r.Compile, d)
	} else {
		r.Description = strings.TrimSpace(words)
	}
	return r
}

// tooCostly tells which limit ended the compiler, in words, or nothing. What is
// said about a place in a source may quote any words.
func tooCostly(words string, exit *exec.ExitError) string {
	if !exit.Exited() {
		return "the compiler used up its processor time"
	}
	for line := range strings.SplitSeq(words, "\n") {
		d, placed := parseDiagnostic(line)
		switch {
		case placed && strings.HasPrefix(d.Message, "internal compiler error"):
			return "the compiler broke down over it"
		case placed:
		case strings.Contains(line, "signal: killed"):
			return "the compiler used up its processor time"
		case strings.Contains(line, "out of memory"), strings.Contains(line, "cannot allocate memory"):
			return "the compiler ran out of memory"
		case strings.Contains(line, "goroutine stack exceeds"), strings.Contains(line, "internal compiler error"), strings.Contains(line, "unexpected fault"):
			return "the compiler broke down over it"
		}
	}
	return ""
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

// translate says a complaint in words for someone who knows only their own
// files, and moves one about the generated main package to the solution that
// it is about.
func translate(d Diagnostic, packages []Package) Diagnostic {
	d.Message = plain(d.Message)
	if d.File != mainFolder+"/main.go" {
		return d
	}
	if i := solutionAt(d.Line, len(packages)); i >= 0 {
		return Diagnostic{File: packages[i].Folder, Message: aboutSolution(d.Message)}
	}
	return d
}

// plain rewrites what the go command says of packages, which names folders and
// settings that are ours.
func plain(message string) string {
	if found, ok := strings.CutPrefix(message, "found packages "); ok {
		found, _, _ = strings.Cut(found, " in ")
		return "the files of a folder must all be of one package; these are of packages " + found
	}
	if before, _, ok := strings.Cut(message, " is not in std ("); ok {
		return "there is no standard " + before
	}
	if missing, ok := strings.CutPrefix(message, "cannot find module providing "); ok {
		missing, _, _ = strings.Cut(missing, ":")
		return "there is no " + missing
	}
	if strings.HasSuffix(message, " is a program, not an importable package") {
		return "the package is called main, as only a program is; give it another name, as in: package solution"
	}
	return unmet(qualified.ReplaceAllString(message, "$1."))
}

// qualified is a package as the compiler writes it where there are two of a name.
var qualified = regexp.MustCompile(`"[^"\s]*/([^"/\s]+)"\.`)

// unmet says of a type that is no contract's which method is in the way, first.
func unmet(message string) string {
	_, unmet, ok := strings.Cut(message, " value in ")
	if !ok || !strings.HasPrefix(message, "cannot use ") {
		return message
	}
	if _, unmet, ok = strings.Cut(unmet, ": "); !ok {
		return message
	}
	name, why, ok := strings.Cut(unmet, " (")
	if !ok || !strings.Contains(name, " does not implement ") {
		return message
	}
	why, rest, _ := strings.Cut(why, ")")
	return name + ": " + why + rest
}

// aboutSolution rewrites what the compiler says of the line of the main package
// that uses a solution.
func aboutSolution(message string) string {
	if strings.HasPrefix(message, "undefined: ") {
		return "the package has no type Solution; begin with: type Solution struct{}"
	}
	if strings.Contains(message, " is not a type") {
		return "Solution is not a type; begin with: type Solution struct{}"
	}
	if _, why, ok := strings.Cut(message, " does not implement contract.Stage: "); ok {
		return "Solution does not implement the contract's Stage: " + why
	}
	return message
}

// unplaced reads what the go command says without a place in a source.
func unplaced(words string) (Diagnostic, bool) {
	var chain []string // of imports, from the main package on
	for line := range strings.SplitSeq(strings.TrimSpace(words), "\n") {
		name, problem, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "imports "), ": ")
		name, _, _ = strings.Cut(name, " from ")
		name, ok := strings.CutPrefix(strings.TrimPrefix(name, "package "), Module+"/")
		if !ok {
			return Diagnostic{}, false
		}
		chain = append(chain, name)
		if problem == "import cycle not allowed" {
			chain = chain[slices.Index(chain, name):]
			return Diagnostic{File: name, Message: "the imports go in a circle: " + strings.Join(chain, " imports ")}, true
		}
	}
	return Diagnostic{}, false
}
