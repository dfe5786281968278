package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/mutant"
	"github.com/flk-byo/de/stages"
)

// gallery is the page of failures that this test makes out of mutants.
const gallery = "../../GALLERY.md"

// An exhibit is a mutant on show.
type exhibit struct{ stage, mutant, title string }

var exhibits = []exhibit{
	{"08", "commit-keeps-the-entry", "A second commit repeats the first"},
	{"08", "offset-one-too-high", "A record falls between the checkpoint and the replay"},
	{"08", "recovery-commits-and-replays", "What was prepared is committed, and replayed as well"},
	{"08", "lag-ignored", "A commit comes before its notification"},
	{"08", "prepared-left-at-the-crash", "A prepared transaction lingers"},
	{"08", "return-the-input", "The right output, and nothing behind it"},
	{"08", "finish-never-ends", "A loop without an end"},
	{"08", "lag-beyond-the-pending-panics", "A panic"},
	{"08", "an-abort-gets-lost-now-and-then", "Chance"},
	{"07", "dirty-state-is-kept", "State that outlives the crash"},
	{"06", "no-alignment", "A record overtakes a barrier"},
	{"03", "the-missing-one", "A watermark one too high"},
}

const galleryHead = `# Gallery

How failures look. Each is a known-wrong solution of the course's own tests, and
below it what ` + "`de explain`" + ` says of the shortest case that shows it. This page is
made by a test, ` + "`TestGallery`" + `, so it is what the program prints.
`

func TestGallery(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths differ; .ci/run runs this on Linux")
	}
	s := newSession(t)
	s.withGo()
	page := galleryHead
	for _, x := range exhibits {
		page += s.show(x)
	}
	if *update {
		if err := os.WriteFile(gallery, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(gallery)
	if err != nil {
		t.Fatal(err)
	}
	if page != string(want) {
		t.Errorf("GALLERY.md is not what de prints; -update rewrites it. Now it is:\n%s", page)
	}
}

// show lays a mutant, has its case explained, and returns a section on it.
func (s *session) show(x exhibit) string {
	s.t.Helper()
	m, suite := s.mutantOf(x)
	files, err := m.Apply(referenceFiles(s.t, suite))
	if err != nil {
		s.t.Fatal(err)
	}
	dir := filepath.Join(s.dir, "solution", suite.Folder())
	if err := os.RemoveAll(dir); err != nil {
		s.t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.t.Fatal(err)
	}
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o666); err != nil {
			s.t.Fatal(err)
		}
	}
	s.output.Reset()
	e := s.env()
	e.width = 80
	if code := e.run([]string{"explain", "--impl", "solution", m.Shortest}); code != exitFail {
		s.t.Errorf("%s: exit code %d", x.mutant, code)
	}
	text := s.output.String()
	return fmt.Sprintf("\n## %s\n\nStage %s. The fault: %s.\n\n```text\n%s```\n", x.title, x.stage, m.Fault, text)
}

func (s *session) mutantOf(x exhibit) (mutant.Mutant, grading.Suite) {
	s.t.Helper()
	for _, suite := range stages.All() {
		if suite.ID != x.stage {
			continue
		}
		for _, m := range mutantsOf(s.t, suite) {
			if m.Name == x.mutant {
				return m, suite
			}
		}
	}
	s.t.Fatalf("there is no mutant %s of stage %s", x.mutant, x.stage)
	return mutant.Mutant{}, grading.Suite{}
}
