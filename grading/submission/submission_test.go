package submission

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var stages = []Stage{{"01", "01-first"}, {"02", "02-second"}}

// an entry is what a test puts into a submission of any kind.
type entry struct {
	name, text string
	link       bool
}

func files(nameText ...string) []entry {
	var made []entry
	for i := 0; i < len(nameText); i += 2 {
		made = append(made, entry{name: nameText[i], text: nameText[i+1]})
	}
	return made
}

// a maker writes entries as a submission of one kind, and returns its source.
type maker func(t *testing.T, entries []entry) Source

var makers = map[Kind]maker{Folder: makeFolder, Zip: makeZip, Tar: makeTar, TarGz: makeTarGz, Git: makeGit}

func makeFolder(t *testing.T, entries []entry) Source {
	t.Helper()
	dir := t.TempDir()
	for _, e := range entries {
		p := filepath.Join(dir, filepath.FromSlash(e.name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		err := error(nil)
		if e.link {
			err = os.Symlink(e.text, p)
		} else {
			err = os.WriteFile(p, []byte(e.text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return Source{Name: "ada", Path: dir, Kind: Folder}
}

func makeZip(t *testing.T, entries []entry) Source {
	t.Helper()
	return store(t, Zip, zipped(t, entries))
}

func zipped(t testing.TB, entries []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name}
		if e.text != "" {
			h.Method = zip.Deflate
		}
		h.SetMode(0o644)
		if e.link {
			h.SetMode(0o777 | fs.ModeSymlink)
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func makeTar(t *testing.T, entries []entry) Source {
	t.Helper()
	return store(t, Tar, tarred(t, headers(entries), entries))
}

func makeTarGz(t *testing.T, entries []entry) Source {
	t.Helper()
	return store(t, TarGz, gzipped(t, tarred(t, headers(entries), entries)))
}

func headers(entries []entry) []tar.Header {
	var made []tar.Header
	for _, e := range entries {
		h := tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(e.text))}
		if e.link {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, e.text, 0
		}
		made = append(made, h)
	}
	return made
}

func tarred(t testing.TB, headers []tar.Header, entries []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i, h := range headers {
		err := w.WriteHeader(&h)
		if err == nil && h.Size > 0 {
			_, err = w.Write([]byte(entries[i].text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func makeGit(t *testing.T, entries []entry) Source {
	t.Helper()
	s := makeFolder(t, entries)
	git(t, s.Path, "init", "-q", "-b", "main")
	git(t, s.Path, "add", "-A", "-f")
	git(t, s.Path, "commit", "-q", "--allow-empty", "-m", "hand in")
	return Source{Name: "ada", Path: s.Path, Kind: Git, Ref: "main"}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	gitWith(t, dir, "LC_ALL=C", args...)
}

// gitWith runs git with one more variable, and returns what it prints.
func gitWith(t *testing.T, dir, variable string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=ada", "-c", "user.email=ada@example.org"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", variable)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// store writes an archive to disk.
func store(t testing.TB, kind Kind, data []byte) Source {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ada."+string(kind))
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return Source{Name: "ada", Path: name, Kind: kind}
}

// config is that of all tests.
func config(limits Limits) Config {
	git, _ := exec.LookPath("git") // without, makeGit skips
	return Config{Stages: stages, Limits: limits, Git: git}
}

func read(t *testing.T, s Source, limits Limits) Submission {
	t.Helper()
	made, err := Read(context.Background(), s, config(limits))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// say shows which files of which stages there are, and the problems, a line each.
func say(t *testing.T, s Submission) string {
	t.Helper()
	var lines []string
	for _, folder := range slices.Sorted(maps.Keys(s.Stages)) {
		names, err := fs.Glob(s.Stages[folder], "*")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, folder+": "+strings.Join(names, " "))
	}
	for _, p := range s.Problems {
		words := p.Words
		if p.Fatal {
			words = "FATAL " + words
		}
		lines = append(lines, words)
	}
	return strings.Join(lines, "\n")
}

const second = "\nnot handed in: 02-second"

// What a student may hand in is taken alike from every kind of source.
func TestRead(t *testing.T) {
	several := []string{}
	for i := range 30 {
		several = append(several, fmt.Sprintf("f%d.txt", i), "")
	}
	tests := []struct {
		name    string
		entries []entry
		want    string
	}{
		{"stages", files("01-first/a.go", "a", "02-second/b.go", "b"), "01-first: a.go\n02-second: b.go"},
		{"tests beside it", files("01-first/a.go", "a", "01-first/a_test.go", "b"), "01-first: a.go a_test.go" + second},
		{"wrapped", files("hw/ada/01-first/a.go", "a"), "01-first: a.go" + second},
		{"other letters", files("01-First/a.go", "a"), "01-first: a.go" + second},
		{"by its ID", files("01/a.go", "a"), "01-first: a.go" + second},
		{"a full name is better", files("01/a.go", "a", "01-first/b.go", "b"), "01-first: b.go" + second},
		{"an ID without Go files", files("01/a.txt", "", "02/b.go", "b"),
			"02-second: b.go\nleft out, other files: 1; only Go files in the folder of a stage are taken\n01-first is not judged: there are no Go files but tests in \"01\""},
		{"junk", files("__MACOSX/01-first/._a.go", "", "01-first/a.go", "a", "01-first/.DS_Store", "", "01-first/._a.go", "", ".de/stages/01-first/b.go", "", "node_modules/01-first/a.go", "", ".idea/a.go", "", "Thumbs.db", ""),
			"01-first: a.go" + second},
		{"others", files("go.mod", "", "01-first/STAGE.md", "", "01-first/a.go", "a", "01-first/sub/b.go", "", "01-first/_c.go", ""),
			"01-first: a.go\nleft out, other files: 2; only Go files in the folder of a stage are taken" + second},
		{"twice", files("old/01-first/a.go", "a", "01-first/a.go", "a", "02-second/b.go", "b"),
			"02-second: b.go\n01-first is not judged: there are several folders of it, \"01-first\", \"old/01-first\"; keep one"},
		{"twice, one empty", files("01-first/01-first/a.go", "a", "01-first/a.txt", ""),
			"01-first: a.go\nleft out, other files: 1; only Go files in the folder of a stage are taken" + second},
		{"only tests", files("01-first/a_test.go", "a", "02-second/b.go", "b"),
			"02-second: b.go\n01-first is not judged: there are no Go files but tests in \"01-first\""},
		{"nearly its name", files("01_first/a.go", "a", "02-second/b.go", "b"),
			"02-second: b.go\nleft out, other files: 1; only Go files in the folder of a stage are taken\n01-first is not handed in; if \"01_first\" is meant, rename it"},
		{"no folder", files("a.go", "a"),
			"left out, other files: 1; only Go files in the folder of a stage are taken\nFATAL its Go files are in no folder: put them into one that is named after the stage, e.g. 02-second"},
		{"an archive in it", files("hand-in.zip", "PK"),
			"left out, other files: 1; only Go files in the folder of a stage are taken\nFATAL there is an archive in it, \"hand-in.zip\", and archives in it are not opened: hand in what is packed there"},
		{"another folder", files("work/mine/a.go", "a"),
			"left out, other files: 1; only Go files in the folder of a stage are taken\nFATAL its Go files are in no stage's folder, but in \"work/mine\": put them into one that is named after the stage, e.g. 02-second"},
		{"an unusual place", files("src/homework/01-First/a.go", "a", "02-second/b.go", "b"), taken},
		{"nothing of it", files("notes.txt", ""),
			"left out, other files: 1; only Go files in the folder of a stage are taken\nFATAL there is no stage in it to judge: hand in the workspace, or folders such as 02-second with your Go files"},
		{"a space in a name", files("01-first/a b.go", "a", "02-second/b.go", "b"),
			"02-second: b.go\n\"01-first/a b.go\" is left out: the file's name has other characters than letters, digits, '_', '-' and '.'\n01-first is not judged: a Go file of it is left out"},
		{"too large", files("01-first/a.go", strings.Repeat("0123456789abcdef\n", 1<<16), "02-second/b.go", "b"),
			"02-second: b.go\n\"01-first/a.go\" is left out: it is larger than 1 MiB\n01-first is not judged: a Go file of it is left out"},
		{"many others", append(files(several...), files("01-first/a.go", "a")...),
			"01-first: a.go\nleft out, other files: 30; only Go files in the folder of a stage are taken" + second},
		{"a link", append(files("01-first/a.go", "a", "02-second/b.go", "b"), entry{"01-first/c.go", "../02-second/b.go", true}),
			"02-second: b.go\n\"01-first/c.go\" is left out: it is not a regular file; links and devices are not followed\n01-first is not judged: a Go file of it is left out"},
		{"a test that is a link", append(files("01-first/a.go", "a"), entry{"01-first/c_test.go", "/etc/passwd", true}),
			"01-first: a.go\n\"01-first/c_test.go\" is left out: it is not a regular file; links and devices are not followed" + second},
		{"a stage that is a link", append(files("01-first/a.go", "a"), entry{"02-second", "01-first", true}),
			"01-first: a.go\n\"02-second\" is left out: it is not a folder; links are not followed" + second},
		{"a link elsewhere", append(files("01-first/a.go", "a"), entry{"x.txt", "/etc/passwd", true}),
			"01-first: a.go\nleft out, other files: 1; only Go files in the folder of a stage are taken" + second},
	}
	for _, test := range tests {
		for _, kind := range slices.Sorted(maps.Keys(makers)) {
			t.Run(test.name+"/"+string(kind), func(t *testing.T) {
				s := read(t, makers[kind](t, test.entries), Limits{})
				if got := say(t, s); got != test.want {
					t.Errorf("says\n%s\nwant\n%s", got, test.want)
				}
			})
		}
	}
}

// The hash goes by the contents of what is taken, wherever it stands.
func TestHash(t *testing.T) {
	a := files("01-first/a.go", "a", "01-first/b.go", "b", "02-second/b.go", "b")
	same := map[string]Source{
		"other form": makeTarGz(t, a),
		"wrapped":    makeZip(t, files("x/02-second/b.go", "b", "x/01-first/b.go", "b", "x/01-first/a.go", "a", "x/README", "")),
		"by ID":      makeTar(t, files("01/a.go", "a", "01/b.go", "b", "02/b.go", "b")),
	}
	other := map[string]Source{
		"contents":   makeZip(t, files("01-first/a.go", "b", "01-first/b.go", "b", "02-second/b.go", "b")),
		"name":       makeZip(t, files("01-first/c.go", "a", "01-first/b.go", "b", "02-second/b.go", "b")),
		"other home": makeZip(t, files("01-first/a.go", "a", "02-second/a.go", "a", "02-second/b.go", "b")),
		"fewer":      makeZip(t, files("01-first/a.go", "a", "01-first/b.go", "b")),
	}
	want := read(t, makeFolder(t, a), Limits{})
	for name, s := range same {
		if got := read(t, s, Limits{}); got.Hash != want.Hash {
			t.Errorf("%s: the hash is another", name)
		}
	}
	for name, s := range other {
		if got := read(t, s, Limits{}); got.Hash == want.Hash {
			t.Errorf("%s: the hash is the same", name)
		}
	}
	file := File{"01-first/a.go", 1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"}
	if len(want.Files) != 3 || want.Files[0] != file {
		t.Errorf("the files are %v", want.Files)
	}
	text, err := fs.ReadFile(want.Stages["01-first"], "b.go")
	if err != nil || string(text) != "b" {
		t.Errorf("b.go holds %q, %v", text, err)
	}
}

// The order in which stages are asked for does not count.
func TestOrder(t *testing.T) {
	s := makeZip(t, files("02-second/b.go", "b", "03-third/a.go", "a"))
	order := []Stage{{"03", "03-third"}, {"04", "04-fourth"}, {"01", "01-first"}, {"02", "02-second"}}
	a, err := Read(context.Background(), s, Config{Stages: order})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(order)
	b, err := Read(context.Background(), s, Config{Stages: order})
	if err != nil {
		t.Fatal(err)
	}
	if want := "02-second: b.go\n03-third: a.go\nnot handed in: 01-first, 04-fourth"; say(t, a) != want || say(t, b) != want || a.Hash != b.Hash {
		t.Errorf("says\n%s\nand\n%s\nwant\n%s\nthe hashes are %s and %s", say(t, a), say(t, b), want, a.Hash, b.Hash)
	}
}

// What the system does not let us read is this student's alone, and so are
// several of one name: nothing of them is judged, and why is said.
func TestUnsettled(t *testing.T) {
	sources := []Source{{Path: t.TempDir(), Kind: Several, Rivals: `"ada", "ada.zip"`}}
	want := []string{`there are several submissions of that name, "ada", "ada.zip"; capital letters do not tell them apart: keep one, or rename the others`}
	for _, kind := range []Kind{Folder, Zip, Tar, TarGz} {
		gone := filepath.Join(t.TempDir(), "gone")
		_, err := os.Stat(gone)
		sources = append(sources, Source{Path: gone, Kind: kind})
		want = append(want, "it could not be read: "+errors.Unwrap(err).Error())
	}
	for i, source := range sources {
		got, err := Read(context.Background(), source, config(Limits{}))
		if err != nil || got.Unsettled != want[i] || say(t, got) != "FATAL "+want[i] {
			t.Errorf("%s: %v, unsettled: %s; says\n%s\nwant\n%s", source.Kind, err, got.Unsettled, say(t, got), want[i])
		}
	}
}

func TestReadFails(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for kind, make := range makers {
		if _, err := Read(ended, make(t, files("01-first/a.go", "a")), config(Limits{})); err == nil {
			t.Errorf("%s: no error though the context has ended", kind)
		}
	}
}

// Of a folder that is not named like a stage it is told which may be meant.
func TestMeantBy(t *testing.T) {
	in := newIntake(Config{Stages: []Stage{{"01", "01-operators"}, {"08", "08-transactional-sink"}}})
	for name, want := range map[string]string{
		"stage8": "08", "08_sink": "08", "8": "08", "lab-008": "08", "Transactional Sink": "08", "my_transactional_sink_v2": "08",
		"08-transactional-sink (1)": "08", "transactional-sink 1": "08", "1": "01", "1-of-8": "01", "Operators": "01",
		"18": "", "80": "", "sink": "", "src": "", "": "", "transactional": "",
	} {
		if got := in.meantBy(name).ID; got != want {
			t.Errorf("%q: stage %q, want %q", name, got, want)
		}
	}
}
