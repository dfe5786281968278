package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guide is the instructor's.
const guide = "../../grading/README.md"

var (
	guideFile    = regexp.MustCompile("(?ms)^ *<!-- file: (\\S+) -->\n *```[a-z]*\n(.*?)^ *```$")
	guideCommand = regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```$")
)

// All commands of the instructor's guide do what it says, with the files that it
// shows, on a class in which there is nothing to compile.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t)
	s.withGo()
	s.writeFile("submissions/ada/notes.txt", "nothing yet")
	for _, name := range []string{"mustermann", "4711_LATE_work", "Nobody Noor"} {
		s.writeFile("submissions/"+name+".zip", emptyZip(t))
	}
	for _, m := range guideFile.FindAllSubmatch(text, -1) {
		s.writeFile(string(m[1]), withoutIndent(string(m[2])))
	}
	ran := 0
	for _, m := range guideCommand.FindAllSubmatch(text, -1) {
		for line := range strings.Lines(string(m[1])) {
			s.guided(strings.TrimSpace(line))
			ran++
		}
	}
	if ran < 10 {
		t.Errorf("%s has %d commands", guide, ran)
	}
	summary, err := os.ReadFile(filepath.Join(s.dir, "results", "summary.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4711,Maria Muster,", "Nobody Noor,,,0,", "0815,Noor Nobody,noor@uni.example,,100,false,no submission"} {
		if !strings.Contains(string(summary), want) {
			t.Errorf("no %q in\n%s", want, summary)
		}
	}
}

// guided runs a command line of the guide, which must end well. The doctor looks
// at the machine, and has a test of its own.
func (s *session) guided(line string) {
	s.t.Helper()
	command, file, redirected := strings.Cut(line, " > ")
	args := words(command)
	if args[0] != "de" {
		s.t.Fatalf("%q is no command of de", line)
	}
	if args[1] == "doctor" {
		return
	}
	s.output.Reset()
	if code := s.env().run(args[1:]); code != exitPass {
		s.t.Errorf("%s: exit code %d\n%s", line, code, &s.output)
	}
	if redirected {
		s.writeFile(file, s.output.String())
	}
}

func withoutIndent(text string) string {
	indent := len(text) - len(strings.TrimLeft(text, " "))
	return strings.ReplaceAll("\n"+text, "\n"+text[:indent], "\n")[1:]
}

// emptyZip is an archive with no stage in it.
func emptyZip(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.Create("notes.txt"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
