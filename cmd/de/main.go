// Command de is the course harness: it lays the stages of the course in a
// learner's folder, tests what the learner writes there, and grades whole
// folders of submissions. One file is one subcommand; see commands in app.go.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
)

func main() {
	if code, ok := child(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); ok {
		os.Exit(code)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newEnv(stdin, stdout, stderr).run(args)
}

// An env is all that commands know of the world outside. Nothing else in de
// reads the clock, the environment or the working directory.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	now            func() time.Time
	getenv         func(string) string
	dir            string // the working directory; empty if it is gone
	cacheDir       string // of de alone, may not exist yet; empty if the system has no such place
	keptDir        string // where results of stages are kept; empty: none is
	version        string

	stdinIsTerminal  bool
	stdoutIsTerminal bool
	stderrIsTerminal bool
	width            int  // of the terminal, in columns
	color            bool // set by --color before any command runs
}

const defaultWidth = 80

func newEnv(stdin io.Reader, stdout, stderr io.Writer) *env {
	e := &env{
		stdin: stdin, stdout: stdout, stderr: stderr,
		now: time.Now, getenv: os.Getenv,
		version: version(),
		width:   defaultWidth,
	}
	e.dir, _ = os.Getwd() // "" is reported by the commands that need it
	if dir, err := os.UserCacheDir(); err == nil {
		e.cacheDir = filepath.Join(dir, "flk-byo")
		e.keptDir = filepath.Join(e.cacheDir, keptFolder)
	}
	if f, ok := stdin.(*os.File); ok {
		e.stdinIsTerminal = term.IsTerminal(f.Fd())
	}
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(f.Fd()) {
		e.stdoutIsTerminal = true
	}
	if f, ok := stderr.(*os.File); ok {
		e.stderrIsTerminal = term.IsTerminal(f.Fd())
	}
	e.width = e.widthNow()
	return e
}

// run runs one command line and returns its exit code.
func (e *env) run(args []string) (code int) {
	defer func() {
		if bug := recover(); bug != nil {
			code = e.reportBug(args, bug, debug.Stack())
		}
	}()
	app := e.app()
	return e.report(app.Run(append([]string{app.Name}, reorder(args, app)...)))
}

func (e *env) reportBug(args []string, bug any, stack []byte) int {
	e.printFailure(&failure{
		message: fmt.Sprintf("this is a bug in de, not in your code: %v", bug),
		next:    "report it, with all that follows, at " + issuesURL,
	})
	fmt.Fprintf(e.stderr, "\nde %s, %s %s/%s\narguments: %q\n\n%s",
		e.version, runtime.Version(), runtime.GOOS, runtime.GOARCH, args, stack)
	return exitHarness
}

// version is the module's, as in "v1.2.0", or for a build of a checkout the
// revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

// useColor decides for --color, as https://no-color.org has it.
func (e *env) useColor(mode string) (bool, error) {
	switch strings.ToLower(mode) {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return e.stdoutIsTerminal && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb", nil
	}
	return false, usage("--color auto, always or never", "--color has no value %q", mode)
}
