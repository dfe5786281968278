package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
)

// encoreFolder is where the encore is, in the course's files and in a workspace.
const encoreFolder = "encore"

// theEncore is no stage, and is laid as one is.
var theEncore = workspace.Stage{ID: encoreFolder, Folder: encoreFolder}

// isEncore tells whether a word names the encore: FLK-BYO/encore, or encore.
func isEncore(word string) bool {
	return strings.EqualFold(word, encoreFolder) || strings.EqualFold(word, stages.Course+"/"+encoreFolder)
}

// startEncore lays the encore in the workspace that is there.
func (e *env) startEncore(c *cli.Context) error {
	dir, err := e.startDir(c.String("dir"), c.IsSet("dir"))
	if err != nil {
		return err
	}
	w, err := workspace.Find(dir)
	if err != nil {
		return usage("de start 08, and then this again", "the encore is laid in a workspace, and %s is in none", dir)
	}
	laid, err := w.LayBeside(course(), theEncore)
	if err != nil {
		return err
	}
	if laid {
		fmt.Fprintf(e.stdout, "Laid the encore in %s\n", filepath.Join(w.Dir, encoreFolder))
	} else {
		fmt.Fprintf(e.stdout, "The encore was there and stays as it is: %s\n", filepath.Join(w.Dir, encoreFolder))
	}
	fmt.Fprintf(e.stdout, "\nNext:\n  1. read %[1]s/STAGE.md\n  2. write your code in %[1]s/job.go\n  3. go test ./%[1]s, then de encore\n", encoreFolder)
	return nil
}
