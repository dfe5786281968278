//go:build linux

package encore_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/flk-byo/de/stages/encore/cluster"
	"github.com/flk-byo/de/stages/encore/protocol"
)

// The server or the connections to it go while the job is about to make a call.
// The job ends with an error, and is exactly once when it is started again. The
// server waits for the disk here, as it is installed.
func TestPostgresFaults(t *testing.T) {
	own, err := cluster.Make(t.Context(), prepares)
	skipAbsent(t, err)
	defer func() {
		if err := own.Remove(); err != nil {
			t.Error(err)
		}
	}()
	r := runner(t, "postgres", nil)
	r.Server = own.Server()
	if len(processesIn(t, own.Data())) < 2 {
		t.Fatal("the server has no other processes: not all would be killed")
	}
	faults := map[string]func(*testing.T){
		"the connections are cut": func(t *testing.T) { cutConnections(t, own) },
		"the server is killed":    func(t *testing.T) { killServer(t, own) },
	}
	for fault, strike := range faults {
		for _, call := range []string{"Write", "PreCommit", "Save", "Commit"} {
			t.Run(fault+" before "+call, func(t *testing.T) {
				w := world{t, r, r.Dir, writeSource(t, r.Records)}
				job := w.begin(protocol.Task{Do: protocol.Run, Wait: true})
				job.until(call)
				strike(t)
				end := job.toEnd()
				if end.Error == "" {
					t.Error("the job ended as if nothing had been")
				}
				t.Logf("the job ended with %q", end.Error)
				w.mustEndRight()
				job = w.start(protocol.Drop)
				var dropped protocol.Contents
				if job.hear(&dropped); dropped.Error != "" {
					t.Error(dropped.Error)
				}
				must(t, job.in.Close())
				must(t, job.cmd.Wait())
			})
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until lets the job go on to where it makes a call the second time: there is
// something committed by then.
func (c child) until(call string) {
	c.t.Helper()
	for seen := 0; ; {
		var m protocol.Moment
		c.hear(&m)
		if m.End {
			c.t.Fatalf("the job ended before its second %s: %s", call, m.Error)
		}
		if m.Call == call && !m.After {
			seen++
		}
		if seen == 2 {
			return
		}
		c.goOn()
	}
}

func (c child) goOn() {
	c.t.Helper()
	_, err := io.WriteString(c.in, "\n")
	must(c.t, err)
}

// toEnd lets the job go on to its end.
func (c child) toEnd() (m protocol.Moment) {
	c.t.Helper()
	for !m.End {
		c.goOn()
		m = protocol.Moment{}
		c.hear(&m)
	}
	must(c.t, c.in.Close())
	must(c.t, c.cmd.Wait())
	return m
}

// cutConnections ends all connections but its own.
func cutConnections(t *testing.T, own *cluster.Cluster) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), own.Server())
	must(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(),
		"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'fault/%'")
	must(t, err)
}

// killServer kills all processes of the server, and starts it again. They are
// looked for until there are none: it starts others as they die, and refuses to
// start beside what is left of another.
func killServer(t *testing.T, own *cluster.Cluster) {
	t.Helper()
	for pids := processesIn(t, own.Data()); len(pids) > 0; pids = processesIn(t, own.Data()) {
		must(t, t.Context().Err())
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
				t.Fatal(err)
			}
		}
	}
	must(t, own.Stop())
	must(t, own.Start(t.Context()))
}

// processesIn are the processes that are at work in a folder.
func processesIn(t *testing.T, folder string) (pids []int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cwd")
	must(t, err)
	for _, name := range all {
		if at, err := os.Readlink(name); err != nil || at != folder { // an error: it has ended
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		must(t, err)
		pids = append(pids, pid)
	}
	return pids
}

// What is vetted and tested here is what the program is made of.
func TestProgramHasThisModulesDriver(t *testing.T) {
	const pgx = "github.com/jackc/pgx/v5"
	version := regexp.MustCompile(regexp.QuoteMeta(pgx) + ` (v\S+)`)
	var versions []string
	for _, name := range []string{"../../go.mod", "program/postgres/go.mod.txt"} {
		text, err := os.ReadFile(filepath.FromSlash(name))
		must(t, err)
		found := version.FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s does not require %s", name, pgx)
		}
		versions = append(versions, string(found[1]))
	}
	if versions[0] != versions[1] {
		t.Errorf("the versions of %s are %q", pgx, versions)
	}
}
