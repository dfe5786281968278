package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flk-byo/de/grading/class"
	"github.com/flk-byo/de/harness/fault"
)

// A class of 200 is graded by the real command: each mark, verdict and kind is
// the one that is known beforehand; killed and resumed, in shards, and without
// those that are hostile, the files have the same bytes; and nothing is left
// running, or written elsewhere. Without DE_TEST_ALL it is a few of the 200.
func TestJudgingAClassOf200(t *testing.T) {
	members := classOf200(t)
	if len(members) != 200 {
		t.Errorf("the class has %d members", len(members))
	}
	c := newClassroom(t, sample(members, 40))
	before := listing(t, c.dir)
	c.run("whole", "--jobs", "2").wait(t)
	results := c.judged("whole")
	t.Run("killed and resumed", func(t *testing.T) {
		c.killed(t, "killed")
		c.run("killed", "--resume").wait(t)
		c.same(t, c.files("killed"), c.files("whole"))
	})
	t.Run("in shards", func(t *testing.T) {
		merge := []string{"report", "merge", "--out", filepath.Join(c.outs, "merged")}
		for i := range 4 {
			out := fmt.Sprintf("shard-%d", i+1)
			c.run(out, "--shard", fmt.Sprintf("%d/4", i+1)).wait(t)
			merge = append(merge, filepath.Join(c.outs, out))
		}
		c.start(merge...).wait(t)
		c.same(t, c.files("merged"), results)
	})
	t.Run("without the hostile", func(t *testing.T) {
		var only []string
		for _, m := range c.members {
			if m.ordinary {
				only = append(only, "--only", m.Name)
			}
		}
		c.run("ordinary", only...).wait(t)
		alone := students(c.files("ordinary"))
		maps.DeleteFunc(results, func(name string, _ []byte) bool { return alone[name] == nil })
		c.same(t, alone, results)
	})
	if after := listing(t, c.dir); after != before {
		t.Errorf("the class's folder has changed from\n%s\nto\n%s", before, after)
	}
	for _, dir := range []string{c.home, c.temp} {
		if left := listing(t, dir); left != "" {
			t.Errorf("written to %s:\n%s", dir, left)
		}
	}
}

// A classroom is a class on disk, and what grades it.
type classroom struct {
	t                     *testing.T
	members               []member
	dir, outs, home, temp string
	roster                string // a file
}

func newClassroom(t *testing.T, members []member) *classroom {
	root := t.TempDir()
	c := &classroom{t: t, members: members, roster: filepath.Join(root, "roster.csv")}
	for name, dir := range map[string]*string{"class": &c.dir, "outs": &c.outs, "home": &c.home, "temp": &c.temp} {
		*dir = filepath.Join(root, name)
		if err := os.Mkdir(*dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	roster := "id,name\n"
	for _, m := range members {
		if err := m.Write(c.dir); err != nil {
			t.Fatal(err)
		}
		roster += fmt.Sprintf("%q,%q\n", m.Name, fullName(m))
	}
	if err := os.WriteFile(c.roster, []byte(roster), 0o666); err != nil {
		t.Fatal(err)
	}
	return c
}

func fullName(m member) string { return "Student " + m.Name }

// A command is the real de, under way.
type command struct {
	*exec.Cmd
	output bytes.Buffer
	began  time.Time
	ended  chan struct{} // closed when it has
	peak   chan int      // the most memory of all its processes, in KiB
}

// run grades the class.
func (c *classroom) run(out string, args ...string) *command {
	c.t.Helper()
	all := []string{"grade", c.dir, "--out", filepath.Join(c.outs, out), "--roster", c.roster, "--budget", "1h"}
	return c.start(append(all, args...)...)
}

func (c *classroom) start(args ...string) *command {
	c.t.Helper()
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := &command{Cmd: exec.Command(self, append([]string{wordCommand}, args...)...), began: time.Now(), ended: make(chan struct{}), peak: make(chan int)}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "XDG_CACHE_HOME=" + cache, "TMPDIR=" + c.temp}
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.home, &cmd.output, &cmd.output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // all that it starts can be told by that
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	go cmd.watch()
	return cmd
}

// watch looks at the memory of the session from time to time, until all of it has
// ended.
func (c *command) watch() {
	peak := 0
	for over := false; ; {
		now := 0
		for _, p := range inSession(c.Process.Pid) {
			now += p.kib
		}
		if over && now == 0 {
			c.peak <- peak
			return
		}
		peak = max(peak, now)
		select {
		case <-c.ended:
			over = true
		default:
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// end waits for the command itself.
func (c *command) end() error {
	defer close(c.ended)
	return c.Wait()
}

// wait waits for the end, which must be a good one, and for that of all that was
// started.
func (c *command) wait(t *testing.T) {
	t.Helper()
	err := c.end()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if c.ProcessState.ExitCode() != exitPass {
		t.Errorf("exit code %d\n%s", c.ProcessState.ExitCode(), &c.output)
	}
	if left := inSession(c.Process.Pid); len(left) > 0 {
		t.Errorf("left running: %v", left)
	}
	cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	t.Logf("%v of wall time, %v of processor time, at most %d MiB", time.Since(c.began).Round(time.Second), cpu.Round(time.Second), <-c.peak>>10)
}

// killed starts grading, and kills the command's process group when some are
// done and others are not.
func (c *classroom) killed(t *testing.T, out string) {
	t.Helper()
	cmd := c.run(out)
	enough := 1 + rand.IntN(max(1, len(c.members)/2))
	go func() { _ = cmd.end() }() // by a signal
	for c.done(out) < enough {
		select {
		case <-cmd.ended:
			t.Fatalf("it ended by itself\n%s", &cmd.output)
		case <-time.After(time.Duration(1+rand.IntN(100)) * time.Millisecond):
		}
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-cmd.peak // of what it started, nothing goes on without it
	t.Logf("killed when %d of %d were done", c.done(out), len(c.members))
}

func (c *classroom) done(out string) int {
	names, err := filepath.Glob(filepath.Join(c.outs, out, studentsDir, "*", class.ResultFile))
	if err != nil {
		c.t.Fatal(err)
	}
	return len(names)
}

// judged compares all results with what is known, and returns the files.
func (c *classroom) judged(out string) map[string][]byte {
	c.t.Helper()
	failing := readChecks(c.t)
	files := c.files(out)
	slowest := map[string]time.Duration{}
	for _, m := range c.members {
		dir := studentsDir + "/" + folderName(m.Name) + "/"
		r, err := class.Decode(files[dir+class.ResultFile])
		if err != nil {
			c.t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if r.Student.Name != fullName(m) {
			c.t.Errorf("%s is called %s", m.Name, r.Student.Name)
		}
		m.judgedRight(c.t, r, string(files[dir+class.ResultFile]), string(files[dir+"report.txt"]), failing)
		harmless(c.t, m, files, dir)
		slowest[m.Name] = c.elapsed(out, m)
	}
	if *update {
		writeChecks(c.t, failing)
	}
	names := slices.SortedFunc(maps.Keys(slowest), func(a, b string) int { return int(slowest[b] - slowest[a]) })
	for _, name := range names[:min(10, len(names))] {
		c.t.Logf("slow: %v %s", slowest[name], name)
	}
	return files
}

func (c *classroom) elapsed(out string, m member) time.Duration {
	var times class.Times
	text, err := os.ReadFile(filepath.Join(c.outs, out, studentsDir, folderName(m.Name), class.TimesFile))
	if err != nil || json.Unmarshal(text, &times) != nil {
		c.t.Errorf("the times of %s: %v", m.Name, err)
	}
	return time.Duration(times.Elapsed)
}

// harmless demands that nothing which a student chose is markup, or an order to a
// terminal.
func harmless(t *testing.T, m member, files map[string][]byte, dir string) {
	t.Helper()
	for name, text := range files {
		if !strings.HasPrefix(name, dir) {
			continue
		}
		if bytes.ContainsAny(text, "\x1b\x07") {
			t.Errorf("%s: %s has an escape", m.Name, name)
		}
		if filepath.Ext(name) == ".html" && (bytes.Contains(text, []byte("<script>alert")) || bytes.Contains(text, []byte("<img"))) {
			t.Errorf("%s: %s has a student's markup", m.Name, name)
		}
	}
}

// files are all results by path, but for times and what was left half written.
func (c *classroom) files(out string) map[string][]byte {
	c.t.Helper()
	root := os.DirFS(filepath.Join(c.outs, out))
	files := map[string][]byte{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(name) == class.TimesFile {
			return err
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return files
}

// students are the files that are not about the class as a whole.
func students(files map[string][]byte) map[string][]byte {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return !strings.HasPrefix(name, studentsDir+"/") })
	return files
}

// same compares files of results. Those of a solution that may have come to the
// limit of time, or to another before, differ where only one of them did; then
// those of the class do, too.
func (c *classroom) same(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("there are the files %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	slow := c.slow(got, want)
	for name, text := range want {
		switch dir := strings.TrimPrefix(filepath.Dir(name), studentsDir+"/"); {
		case bytes.Equal(got[name], text):
		case slow[dir], len(slow) > 0 && dir == ".":
			t.Logf("%s differs: a limit of time came first in one of the two", name)
		default:
			at := 0
			for at < min(len(got[name]), len(text)) && got[name][at] == text[at] {
				at++
			}
			t.Errorf("%s differs from byte %d on: %.200q\nwant %.200q", name, at, got[name][at:], text[at:])
		}
	}
}

// slow are the folders of costly solutions that one of two results is at the
// limit of time for, and the other is not.
func (c *classroom) slow(got, want map[string][]byte) map[string]bool {
	slow := map[string]bool{}
	for _, m := range c.members {
		dir := folderName(m.Name)
		name := studentsDir + "/" + dir + "/" + class.ResultFile
		if costly(m.Kind) && bytes.Contains(slices.Concat(got[name], want[name]), []byte(fault.TimeLimit)) && !bytes.Equal(got[name], want[name]) {
			slow[dir] = true
		}
	}
	return slow
}

// listing tells of all below a folder what it is and when it was changed.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&b, name, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A process is one of a session.
type process struct {
	name string
	kib  int // of memory
}

// inSession returns the processes of a session that have not ended.
func inSession(id int) []process {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		panic(err) // the pattern is ours
	}
	var found []process
	for _, path := range paths {
		text, err := os.ReadFile(path)
		name, rest, ok := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if err != nil || !ok || len(fields) < 22 || fields[3] != strconv.Itoa(id) || fields[0] == "Z" {
			continue
		}
		pages, err := strconv.Atoi(fields[21])
		if err != nil {
			continue
		}
		found = append(found, process{name, pages * os.Getpagesize() >> 10})
	}
	return found
}
