package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"
	"time"
)

// noon is when tests happen.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// testCourse has three small stages, the later ones built on the earlier.
func testCourse() Course {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	files := fstest.MapFS{
		"stream/stream.go":      text("package stream\n\ntype Record struct{ Value int64 }\n"),
		"stream/stream_test.go": text("package stream\n\nthis is not copied\n"),
	}
	c := Course{Name: "TEST", Files: files}
	for _, s := range []struct{ stage, body, imports string }{
		{"01-first", "return r.Value", ""},
		{"02-second", "return first.Solution{}.Run(r) + 1", `first "github.com/flk-byo/de/stages/01-first/reference"`},
		{"03-third", "return second.Solution{}.Run(r) + 1", `second "github.com/flk-byo/de/stages/02-second/reference"`},
	} {
		header := func(imports string) string {
			return "package solution\n\nimport (\n" + imports + "\n\"github.com/flk-byo/de/stages/stream\"\n\"github.com/flk-byo/de/stages/" + s.stage + "/contract\"\n)\n\n" +
				"type Solution struct{}\n\nvar _ contract.Stage = Solution{}\n\n"
		}
		files[s.stage+"/STAGE.md"] = text("# " + s.stage + "\n")
		files[s.stage+"/contract/contract.go"] = text("package contract\n\nimport \"github.com/flk-byo/de/stages/stream\"\n\ntype Stage interface{ Run(stream.Record) int64 }\n")
		files[s.stage+"/reference/solution.go"] = text(header(s.imports) + "func (Solution) Run(r stream.Record) int64 { " + s.body + " }\n")
		files[s.stage+"/skeleton/solution.go"] = text(header("") + "func (Solution) Run(r stream.Record) int64 { return -1 }\n")
		files[s.stage+"/reference/solution_test.go"] = text("package solution_test\n\nimport (\n\"testing\"\n\nsolution \"github.com/flk-byo/de/stages/" + s.stage + "/reference\"\n\"github.com/flk-byo/de/stages/stream\"\n)\n\n" +
			"func TestRun(t *testing.T) {\nif (solution.Solution{}).Run(stream.Record{}) < 0 {\nt.Fatal(\"not written yet\")\n}\n}\n")
		c.Stages = append(c.Stages, Stage{ID: s.stage[:2], Folder: s.stage})
	}
	return c
}

func start(t *testing.T, dir, id string, change ...func(*StartOptions)) Made {
	t.Helper()
	made, err := Start(testCourse(), options(dir, id, change...))
	if err != nil {
		t.Fatalf("start %s: %v", id, err)
	}
	return made
}

func options(dir, id string, change ...func(*StartOptions)) StartOptions {
	o := StartOptions{Dir: dir, Now: noon}
	for _, s := range testCourse().Stages {
		if s.ID == id {
			o.Stage = s
		}
	}
	for _, f := range change {
		f(&o)
	}
	return o
}

func fromScratch(o *StartOptions) { o.FromScratch = true }

func found(t *testing.T, dir string) *Workspace {
	t.Helper()
	w, err := Find(dir)
	if err != nil {
		t.Fatalf("find %s: %v", dir, err)
	}
	return w
}

// write writes files given as path, text, path, text, …
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// snapshot maps every path below dir, slash-separated, to the text of the
// file, "dir", or "-> target".
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			seen[rel] = "dir"
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			seen[rel] = "-> " + target
			return err
		default:
			seen[rel] = read(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		if runtime.GOOS == "windows" {
			t.Skipf("this Windows account may not make links: %v", err)
		}
		t.Fatal(err)
	}
}
