package build

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/flk-byo/de/harness/confine"
	"github.com/flk-byo/de/harness/confine/wall"
)

// The compiler and the linker read what a stranger wrote. They, and the go
// command, run behind a wall: they reach Go itself, what we keep, and the folder
// of the build, and no more. Into the cache only the go command may write.

func runTool(cmd *exec.Cmd, dir string, config Config) error {
	defer end(cmd)
	return wall.Run(cmd, wall.May{
		Read:  []string{config.root, goCache(config), filepath.Join(config.Cache, compiledFolder)},
		Write: []string{dir},
	})
}

// runGo is without the wall where it isn't known what Go needs.
func runGo(cmd *exec.Cmd, dir string, config Config) error {
	defer end(cmd)
	if config.root == "" {
		return cmd.Run()
	}
	return wall.Run(cmd, wall.May{
		Read:  []string{config.root, config.Go},
		Write: []string{dir, goCache(config)},
	})
}

// end ends whatever a tool may have left behind.
func end(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = confine.KillGroup(cmd)
	}
}

// rootOf returns where Go is, by the folder of its tools.
func rootOf(tools string) string { return filepath.Join(tools, "..", "..", "..") }

// findRoot asks the go command for it, or returns "".
func findRoot(ctx context.Context, dir string, config Config) string {
	root, err := goCommand(ctx, dir, config, "env", "GOROOT")
	if err != nil {
		return "" // there may be no Go at all: that comes out where it is needed
	}
	return strings.TrimSpace(root)
}

// compileBehind has the go command build the guest behind the wall. Where it
// can't work there, since parts of it are where we don't know of, it does without:
// a solution must not fail for that. It is not for what a solution makes the
// compiler do that the wall is taken down, but for what becomes of a package of
// Go's own.
func compileBehind(ctx context.Context, dir string, config Config, packages []Package) (Result, Config, error) {
	config.root = findRoot(ctx, dir, config)
	r, err := compile(ctx, dir, config, packages)
	settled := err == nil && (r.WASM != "" || r.TooCostly || len(r.Compile) > 0)
	if settled || ctx.Err() != nil || config.root == "" || works(ctx, dir, config) {
		return r, config, err
	}
	config.root = ""
	r, err = compile(ctx, dir, config, packages)
	r.Bare = true
	return r, config, err
}

// works tells whether Go can compile a package of its own.
func works(ctx context.Context, dir string, config Config) bool {
	_, err := goCommand(ctx, dir, config, append(append([]string{"list", "-export"}, buildFlags...), "errors")...)
	return err == nil
}
