//go:build linux

package encore_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/flk-byo/de/stages/encore"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/stream"
)

// Another process has the lock for longer than the job waits. The job says so,
// and once the lock is free it begins as if nothing had been.
func TestDatabaseBusy(t *testing.T) {
	for store, said := range map[string]string{"sqlite": "locked", "postgres": "lock timeout"} {
		t.Run(store, func(t *testing.T) {
			t.Parallel() // they do nothing but wait
			r := runner(t, store, nil)
			w := world{t, r, r.Dir, writeSource(t, r.Records)}
			locker := w.start(protocol.Lock)
			locker.hear(&protocol.Contents{})
			if end := w.run(); !strings.Contains(end.Error, said) {
				t.Errorf("with the database locked the job ended with %q", end.Error)
			}
			locker.release()
			w.mustEndRight()
		})
	}
}

// The disk is full in the middle of a run. The job says so, and goes on from
// there when there is room.
func TestDiskFull(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small disk; .ci/run is root where it runs this")
	}
	for _, store := range storesInFolders() {
		t.Run(store, func(t *testing.T) {
			r := runner(t, store, nil)
			r.Records, r.BarrierEvery = encore.Records(3000), 100
			small := t.TempDir()
			if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=256k"); err != nil {
				t.Skipf("this root may not mount: %v", err)
			}
			defer func() {
				if err := syscall.Unmount(small, syscall.MNT_DETACH); err != nil {
					t.Error(err)
				}
			}()
			w := world{t, r, small, writeSource(t, r.Records)}
			for range 2 { // the second time there is no room from the beginning
				if end := w.run(); !strings.Contains(end.Error, "no space left on device. Make room") {
					t.Errorf("on a full disk the job ended with %q", end.Error)
				}
			}
			if err := syscall.Mount("tmpfs", small, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
				t.Fatal(err)
			}
			w.mustEndRight()
		})
	}
}

// A world is a store and a source, and a program to be started on them.
type world struct {
	t      *testing.T
	runner encore.Runner
	dir    string
	source string
}

func writeSource(t *testing.T, records []stream.Record) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "source.jsonl")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := json.NewEncoder(f)
	for _, r := range records {
		if err := lines.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// A child is one process of the program.
type child struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (w world) start(do string) child {
	w.t.Helper()
	return w.begin(protocol.Task{Do: do, Silent: true})
}

// begin starts a process with a task, of which the rest is filled in.
func (w world) begin(task protocol.Task) child {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), w.runner.Program)
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := cmp.Or(errIn, errOut, cmd.Start()); err != nil {
		w.t.Fatal(err)
	}
	task.Location = protocol.Location{Dir: w.dir, Server: w.runner.Server, Name: "fault"}
	task.Source, task.BarrierEvery = w.source, w.runner.BarrierEvery
	if err := json.NewEncoder(in).Encode(task); err != nil {
		w.t.Fatal(err)
	}
	return child{w.t, cmd, in, bufio.NewReader(out)}
}

func (c child) hear(into any) {
	c.t.Helper()
	text, err := c.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// release lets go of what a child holds, and waits for its end.
func (c child) release() {
	c.t.Helper()
	_, err := io.WriteString(c.in, "\n")
	if err := cmp.Or(err, c.in.Close(), c.cmd.Wait()); err != nil {
		c.t.Fatal(err)
	}
}

// run runs the job to its end.
func (w world) run() (end protocol.Moment) {
	w.t.Helper()
	c := w.start(protocol.Run)
	for !end.End {
		c.hear(&end)
	}
	if err := cmp.Or(c.in.Close(), c.cmd.Wait()); err != nil {
		w.t.Fatal(err)
	}
	return end
}

// mustEndRight runs the job, which must end well, with the right output.
func (w world) mustEndRight() {
	w.t.Helper()
	if end := w.run(); end.Error != "" {
		w.t.Fatalf("with the fault gone the job ended with %q", end.Error)
	}
	var seen protocol.Contents
	c := w.start(protocol.Read)
	c.hear(&seen)
	if err := cmp.Or(c.in.Close(), c.cmd.Wait()); err != nil {
		w.t.Fatal(err)
	}
	if seen.Error != "" || len(seen.Orphans) > 0 {
		w.t.Errorf("reading: %q; left: %q", seen.Error, seen.Orphans)
	}
	if want := encore.Oracle(w.runner.Records); !slices.Equal(sorted(seen.Rows), sorted(want)) {
		w.t.Errorf("%d rows are visible, and they are not the %d of the oracle", len(seen.Rows), len(want))
	}
}

func sorted(rows []stream.Record) []stream.Record {
	return slices.SortedFunc(slices.Values(rows), func(a, b stream.Record) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Value, b.Value))
	})
}
