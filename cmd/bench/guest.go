package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing/fstest"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/stages"
)

// buildConfig is as de has it, over the same cache.
func (b *bench) buildConfig() (build.Config, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return build.Config{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return build.Config{}, err
	}
	return build.Config{
		Go: tool, Cache: filepath.Join(cache, "flk-byo"), Path: os.Getenv("PATH"),
		Stages: stages.Files, Harness: harness.GuestFiles,
	}, nil
}

// packages are the solutions of a learner.
func (l *learner) packages() []build.Package {
	var all []build.Package
	for _, suite := range stages.All() {
		all = append(all, build.Package{Folder: suite.Folder(), Stage: suite.Folder(), Files: os.DirFS(filepath.Join(l.dir, suite.Folder()))})
	}
	return all
}

// guest builds the learner's solutions of some stages, and what they import.
func (l *learner) guest(suites ...grading.Suite) (build.Result, error) {
	config, err := l.buildConfig()
	if err != nil {
		return build.Result{}, err
	}
	all := l.packages()
	var wanted []build.Package
	for i, suite := range stages.All() {
		for _, s := range suites {
			if s.ID == suite.ID {
				wanted = append(wanted, all[i])
			}
		}
	}
	built, err := build.Guest(l.ctx, config, wanted, all)
	if err == nil && built.WASM == "" {
		err = fmt.Errorf("the references can't be built: %v%v %s", built.Refused, built.Compile, built.Description)
	}
	return built, err
}

// refuse lets the build read and check all sources, and go no further: one
// solution more has what may not be compiled.
func (l *learner) refuse() error {
	config, err := l.buildConfig()
	if err != nil {
		return err
	}
	bad := build.Package{Folder: "refused", Stage: lastSuite().Folder(), Files: fstest.MapFS{
		"refused.go": {Data: []byte("package refused\n\nimport _ \"unsafe\"\n")},
	}}
	built, err := build.Guest(l.ctx, config, append(l.packages(), bad), nil)
	if err == nil && len(built.Refused) == 0 {
		err = errors.New("a solution that imports unsafe was compiled")
	}
	return errors.Join(err, built.Remove())
}
