package submission

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lay makes files in a folder; a name that ends in a slash is a folder.
func lay(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		p := filepath.Join(dir, filepath.FromSlash(name))
		folder, err := filepath.Dir(p), error(nil)
		if strings.HasSuffix(name, "/") {
			folder = p
		}
		if err = os.MkdirAll(folder, 0o777); err == nil && folder != p {
			err = os.WriteFile(p, nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		paths string // below the folder, parted by spaces
		want  string // name, kind and path of each, or the error
	}{
		{"a class", []string{"c/bob/01-first/a.go", "c/ada.zip", "c/Eve.tar.gz", "c/dan.TGZ", "c/fay.tar"}, "c",
			"Eve tar.gz c/Eve.tar.gz, ada zip c/ada.zip, bob folder c/bob, dan tar.gz c/dan.TGZ, fay tar c/fay.tar"},
		{"one that is a workspace", []string{"ada/go.mod", "ada/x/"}, "ada", "ada folder ada"},
		{"one of stage folders", []string{"ada/01-first/a.go", "ada/02/b.go"}, "ada", "ada folder ada"},
		{"one without folders", []string{"ada/a.go", "ada/README"}, "ada", "ada folder ada"},
		{"one archive", []string{"ada.zip"}, "ada.zip", "ada zip ada.zip"},
		{"groups of numbers", []string{"c/01/01-first/a.go", "c/02/02-second/a.go"}, "c", "01 folder c/01, 02 folder c/02"},
		{"a student who is called like a stage", []string{"c/01-firstling/a.go", "c/ada/02-second/b.go"}, "c", "01-firstling folder c/01-firstling, ada folder c/ada"},
		{"a student who is called as a stage is", []string{"c/01-first/a.go", "c/ada/02-second/b.go"}, "c",
			"c can be one submission, since 01-first is in it, or several, since ada is: rename one of the two, or name each submission"},
		{"a student who is called as a stage is, and archives", []string{"c/01-first/a.go", "c/ada.zip"}, "c",
			"c can be one submission, since 01-first is in it, or several, since ada.zip is: rename one of the two, or name each submission"},
		{"a student who is called as a stage is, among others", []string{"c/01-first/01-first/a.go", "c/ada/go.mod"}, "c", "01-first folder c/01-first, ada folder c/ada"},
		{"of stages, with more beside them", []string{"ada/01-first/a.go", "ada/notes/x", "ada/more/b.go"}, "ada", "ada folder ada"},
		{"of folders that are meant for stages", []string{"ada/01-frist/a.go", "ada/02/b.txt"}, "ada", "ada folder ada"},
		{"several paths", []string{"b/go.mod", "a.zip"}, "b a.zip", "a zip a.zip, b folder b"},
		{"an archive in a student's folder", []string{"c/ada_123/hw.zip", "c/ada_123/report.pdf", "c/bob_4/"}, "c", "ada_123 zip c/ada_123/hw.zip, bob_4 folder c/bob_4"},
		{"two archives in a student's folder", []string{"c/ada/1.zip", "c/ada/2.zip"}, "c", "ada folder c/ada"},
		{"an archive beside Go files", []string{"c/ada/1.zip", "c/ada/a.go"}, "c", "ada folder c/ada"},
		{"junk and the instructor's own", []string{"c/ada/01-first/a.go", "c/.git/x", "c/__MACOSX/ada/x", "c/students.csv", "c/notes.txt"}, "c", "ada folder c/ada"},
		{"what can't be read", []string{"c/ada.rar", "c/bob.go", "c/eve/"}, "c", "ada other c/ada.rar, bob other c/bob.go, eve folder c/eve"},
		{"a name with @", []string{"ada@x.org.zip"}, "ada@x.org.zip", "ada@x.org zip ada@x.org.zip"},
		{"a class of repositories", []string{"c/ada/.git/", "c/bob.git/", "c/notes.zip"}, "c@main", "ada git@main c/ada, bob git@main c/bob.git"},
		{"one repository", []string{"ada/.git/", "ada/x/"}, "ada@v1", "ada git@v1 ada"},
		{"a repository as it lies there", []string{"ada/.git/", "ada/go.mod"}, "ada", "ada folder ada"},
		{"not there", nil, "gone", "there is no gone"},
		{"not there, at a ref", nil, "gone@main", "there is no gone"},
		{"no ref", []string{"ada/.git/"}, "ada@", "ada@: after @ stands what to read of the repository, e.g. main"},
		{"an option for a ref", []string{"ada/.git/"}, "ada@--help", "ada@--help: after @ stands what to read of the repository, e.g. main"},
		{"nothing", []string{"c/"}, "c", "there is no submission in c"},
		{"two of one name", []string{"c/ada.zip", "c/ada/x"}, "c", `ada several "ada", "ada.zip" c/ada`},
		{"two of nearly one name", []string{"c/ada.zip", "d/Ada.zip"}, "c d", `Ada several "Ada.zip", "ada.zip" d/Ada.zip`},
		{"three of one name, and others", []string{"c/ada.zip", "c/ada.tar", "c/ADA/hw.zip", "c/adam.zip"}, "c", `ADA several "ADA/hw.zip", "ada.tar", "ada.zip" c/ADA/hw.zip, adam zip c/adam.zip`},
		{"names that can't be shown", []string{"c/a\x1b[2J\n.zip", "c/b\xff\\b.zip"}, "c", "a_[2J_ zip c/a\x1b[2J\n.zip, b__b zip c/b\xff\\b.zip"},
		{"no name", []string{"x/.zip"}, "x/.zip", "\"x/.zip\" has no name that a student could have: rename it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := lay(t, test.files...)
			var paths []string
			for _, p := range strings.Fields(test.paths) {
				paths = append(paths, filepath.Join(dir, filepath.FromSlash(p)))
			}
			var said []string
			found, err := Find(paths, stages)
			for _, s := range found {
				kind := string(s.Kind)
				if s.Ref != "" {
					kind += "@" + s.Ref
				}
				if s.Rivals != "" {
					kind += " " + s.Rivals
				}
				said = append(said, s.Name+" "+kind+" "+s.Path)
			}
			got := strings.Join(said, ", ")
			if err != nil {
				got = err.Error()
			}
			if got = filepath.ToSlash(strings.ReplaceAll(got, dir+string(filepath.Separator), "")); got != test.want {
				t.Errorf("finds %s\nwant  %s", got, test.want)
			}
		})
	}
}
