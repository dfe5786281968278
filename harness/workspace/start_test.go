package workspace

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goCommand runs the go command in a workspace as a learner without a network would.
func goCommand(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestStartedWorkspaceBuildsOffline(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ma course ✓ é", "flk byo")
	start(t, dir, "03")
	for _, args := range [][]string{
		{"vet", "./..."},
		{"build", "./..."},
		{"test", "./01-first", "./02-second"}, // the reference
	} {
		if out, err := goCommand(t, dir, args...); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	out, err := goCommand(t, dir, "test", "./03-third") // the skeleton
	if err == nil || !strings.Contains(out, "not written yet") {
		t.Errorf("go test ./03-third: %v\n%s", err, out)
	}
}

func TestStartLaysFiles(t *testing.T) {
	dir := t.TempDir()
	made := start(t, dir, "02")
	var paths []string
	for path, text := range snapshot(t, dir) {
		if text != "dir" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	want := []string{
		".de/go.mod",
		".de/stages/01-first/contract/contract.go",
		".de/stages/02-second/contract/contract.go",
		".de/stages/03-third/contract/contract.go",
		".de/stages/stream/stream.go",
		".de/state.json",
		"01-first/STAGE.md", "01-first/solution.go", "01-first/solution_test.go",
		"02-second/STAGE.md", "02-second/solution.go", "02-second/solution_test.go",
		"go.mod",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("files %q\nwant %q", paths, want)
	}
	if !made.New || made.Kept || len(made.Provided) != 1 || made.Provided[0].ID != "01" {
		t.Errorf("made %+v", made)
	}
	w := found(t, dir)
	if s := w.State.Stages["01"]; !s.Provided || s.Started != nil {
		t.Errorf("stage 01: %+v", s)
	}
	if s := w.State.Stages["02"]; s.Provided || s.Started == nil || !s.Started.Equal(noon) || w.State.Current != "02" {
		t.Errorf("stage 02: %+v of %+v", s, w.State)
	}
}

func TestStartFromScratchLaysSkeletons(t *testing.T) {
	dir := t.TempDir()
	made := start(t, dir, "03", fromScratch)
	if len(made.Provided) != 0 || len(made.Skeletons) != 2 {
		t.Errorf("made %+v", made)
	}
	for _, folder := range []string{"01-first", "02-second", "03-third"} {
		if src := read(t, dir, folder, "solution.go"); !strings.Contains(src, "return -1") {
			t.Errorf("%s is not the skeleton:\n%s", folder, src)
		}
	}
	if found(t, dir).State.Stages["01"].Provided {
		t.Error("01 counts as provided")
	}
}

// Whatever a learner did to the folder, a start changes no file that was there.
func TestStartKeepsEveryFile(t *testing.T) {
	tests := map[string]func(t *testing.T, dir string){
		"code written": func(t *testing.T, dir string) {
			write(t, dir, "02-second/solution.go", "package mine", "02-second/more.go", "package mine")
		},
		"skeleton renamed": func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "02-second/solution.go"), filepath.Join(dir, "02-second/mine.go")); err != nil {
				t.Fatal(err)
			}
		},
		"brief and go.mod edited": func(t *testing.T, dir string) {
			write(t, dir, "02-second/STAGE.md", "notes", "go.mod", learnerGoMod+"\n// mine\n")
		},
		"code that does not parse": func(t *testing.T, dir string) {
			write(t, dir, "01-first/solution.go", "\x00")
		},
		"other folders": func(t *testing.T, dir string) {
			write(t, dir, "03-third/notes.txt", "later", "scratch/main.go", "package main")
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			start(t, dir, "02")
			change(t, dir)
			before := snapshot(t, dir)
			start(t, dir, "02")
			start(t, dir, "03", fromScratch)
			after := snapshot(t, dir)
			for path, text := range before {
				if path != ".de/state.json" && after[path] != text {
					t.Errorf("%s was %q, is %q", path, text, after[path])
				}
			}
		})
	}
}

func TestStartAddsOnlyTheBriefToAFolderInUse(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	write(t, dir, "02-second/notes.txt", "mine")
	made := start(t, dir, "02")
	entries := snapshot(t, filepath.Join(dir, "02-second"))
	if got := slices.Sorted(maps.Keys(entries)); !slices.Equal(got, []string{"STAGE.md", "notes.txt"}) {
		t.Errorf("02-second holds %q", got)
	}
	if !made.Kept || !slices.ContainsFunc(made.Notes, func(n string) bool { return strings.Contains(n, "de reset 02") }) {
		t.Errorf("made %+v", made)
	}
}

func TestStartLeavesALinkedFolderAlone(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	write(t, elsewhere, "solution.go", "package mine")
	start(t, dir, "01")
	symlink(t, elsewhere, filepath.Join(dir, "02-second"))
	if made := start(t, dir, "02"); !made.Kept {
		t.Errorf("made %+v", made)
	}
	if got := snapshot(t, elsewhere); len(got) != 1 || got["solution.go"] != "package mine" {
		t.Errorf("the linked folder holds %q", got)
	}
}

func TestStartFillsAnEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	if err := os.Mkdir(filepath.Join(dir, "02-second"), 0o777); err != nil {
		t.Fatal(err)
	}
	if made := start(t, dir, "02"); made.Kept {
		t.Error("an empty folder was kept")
	}
	read(t, dir, "02-second", "solution.go")
}

func TestStartRenewsTheContracts(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "01")
	want := snapshot(t, filepath.Join(dir, ".de", "stages"))
	write(t, dir, ".de/stages/stream/stream.go", "edited", ".de/stages/stream/extra.go", "extra")
	start(t, dir, "01")
	if got := snapshot(t, filepath.Join(dir, ".de", "stages")); !maps.Equal(got, want) {
		t.Errorf("contracts %q\nwant %q", got, want)
	}
}

// Each case is what a start left that was interrupted at some point.
func TestStartGoesOnAfterAnInterruption(t *testing.T) {
	fresh := t.TempDir()
	start(t, fresh, "02")
	whole := snapshot(t, fresh)
	emptyState := "{\n  \"version\": 1,\n  \"course\": \"TEST\",\n  \"current\": \"\",\n  \"stages\": {}\n}\n"
	tests := map[string][]string{
		"before the state":   {".de/state.json.new", "{"},
		"after the state":    {".de/state.json", emptyState},
		"in the contracts":   {".de/state.json", emptyState, ".de/stages.new/stream/stream.go", "pack"},
		"before a rename":    {".de/state.json", emptyState, ".de/01-first.new/solution.go", "pack"},
		"between two stages": {".de/state.json", emptyState, "go.mod", learnerGoMod, "01-first/STAGE.md", whole["01-first/STAGE.md"], "01-first/solution.go", whole["01-first/solution.go"], "01-first/solution_test.go", whole["01-first/solution_test.go"]},
		"all but .de":        {"go.mod", learnerGoMod, "01-first/STAGE.md", whole["01-first/STAGE.md"], "01-first/solution.go", whole["01-first/solution.go"], "01-first/solution_test.go", whole["01-first/solution_test.go"]},
	}
	for name, left := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, left...)
			start(t, dir, "02")
			got := snapshot(t, dir)
			for _, path := range []string{".de/state.json", ".de/state.json.new"} { // which stages were provided is forgotten
				delete(got, path)
			}
			for path, text := range whole {
				if path != ".de/state.json" && got[path] != text {
					t.Errorf("%s is %q, want %q", path, got[path], text)
				}
				delete(got, path)
			}
			if len(got) > 0 {
				t.Errorf("left behind: %q", got)
			}
		})
	}
}

// A start that is refused has changed nothing.
func TestStartRefuses(t *testing.T) {
	tests := map[string]struct {
		files []string
		at    string // folder to start in, below the test's
		want  string
	}{
		"a folder in use":           {[]string{"main.c", ""}, "", "neither a workspace nor empty: it holds main.c"},
		"a file":                    {[]string{"ws", ""}, "ws", "is a file, not a folder"},
		"below a file":              {[]string{"file", ""}, "file/ws", ""},
		"another module":            {[]string{"go.mod", "module example.com/mine // mine\n"}, "", `of module "example.com/mine"`},
		"a go.mod without contract": {[]string{"go.mod", "module flkbyo\n"}, "", "does not say where the contracts are"},
		"a file for .de":            {[]string{".de", ""}, "", "is not a folder"},
		"a file for a stage":        {[]string{".de/state.json", `{"version":1,"course":"TEST"}`, "01-first", ""}, "", "is a file, but stage 01 needs a folder"},
		"another course":            {[]string{".de/state.json", `{"version":1,"course":"OTHER"}`}, "", `of course "OTHER"`},
		"a newer state":             {[]string{".de/state.json", `{"version":2,"course":"TEST"}`}, "", "written by a newer de"},
		"a folder for the state":    {[]string{".de/state.json/x", ""}, "", "is not a file"},
		"a folder for go.mod":       {[]string{"go.mod/x", ""}, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, test.files...)
			before := snapshot(t, dir)
			_, err := Start(testCourse(), options(filepath.Join(dir, filepath.FromSlash(test.at)), "02"))
			if err == nil {
				t.Fatal("started")
			}
			var p *Problem
			if errors.As(err, &p) != (test.want != "") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want a problem: %s", err, test.want)
			}
			if p != nil && p.Next == "" {
				t.Error("no next step")
			}
			if after := snapshot(t, dir); !maps.Equal(before, after) {
				t.Errorf("before %q\nafter  %q", before, after)
			}
		})
	}
}

func TestStartAcceptsAFreshRepository(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".git/HEAD", "ref", "README.md", "mine", "LICENSE", "mine", ".gitignore", "mine", ".DS_Store", "")
	start(t, dir, "01")
	if read(t, dir, "README.md") != "mine" {
		t.Error("README.md was changed")
	}
}

func TestStartTellsOfWhatIsAround(t *testing.T) {
	outer := t.TempDir()
	write(t, outer, "go.mod", "module example.com/outer\n", "go.work", "go 1.26\n")
	made := start(t, filepath.Join(outer, "a", "ws"), "01")
	all := strings.Join(made.Notes, "\n")
	for _, want := range []string{"a module inside the one of " + filepath.Join(outer, "go.mod"), "go work use"} {
		if !strings.Contains(all, want) {
			t.Errorf("notes lack %q:\n%s", want, all)
		}
	}
	if made := start(t, filepath.Join(outer, "a", "ws"), "02"); len(made.Notes) > 0 {
		t.Errorf("told again: %q", made.Notes)
	}
}

func TestStartOfAProvidedStageTellsOfReset(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "02")
	made := start(t, dir, "01")
	if !made.Kept || len(made.Notes) != 1 || !strings.Contains(made.Notes[0], "de reset 01") {
		t.Errorf("made %+v", made)
	}
	if !found(t, dir).State.Stages["01"].Provided {
		t.Error("01 no longer counts as provided")
	}
}

func TestRewriteImports(t *testing.T) {
	const before = `package p

// See "github.com/flk-byo/de/stages/01-first/reference".
import (
	"fmt"
	first "github.com/flk-byo/de/stages/01-first/reference"
	"github.com/flk-byo/de/stages/01-first/contract"
	"github.com/flk-byo/de/stages/stream"
)

const text = "github.com/flk-byo/de/stages/01-first/reference"
`
	const after = `package p

// See "github.com/flk-byo/de/stages/01-first/reference".
import (
	first "flkbyo/01-first"
	"fmt"
	"github.com/flk-byo/de/stages/01-first/contract"
	"github.com/flk-byo/de/stages/stream"
)

const text = "github.com/flk-byo/de/stages/01-first/reference"
`
	got, err := RewriteImports("p.go", []byte(before))
	if err != nil || string(got) != after {
		t.Errorf("error %v\n%s", err, got)
	}
	for _, path := range []string{
		"github.com/flk-byo/de", "github.com/flk-byo/de/grading", "github.com/flk-byo/de/stages",
		"github.com/flk-byo/de/stages/01-first", "github.com/flk-byo/de/stages/01-first/wire",
		"github.com/flk-byo/de/stages/01-first/x/reference", "github.com/flk-byo/de/x/reference",
	} {
		if _, err := RewriteImports("p.go", []byte("package p\n\nimport _ \""+path+"\"\n")); err == nil || !strings.Contains(err.Error(), "which no workspace has") {
			t.Errorf("import of %s: %v", path, err)
		}
	}
}
