// Package cluster runs a PostgreSQL server of one's own, out of what is installed
// on this machine: in a folder for it alone, reached through a socket there and
// not by the network, and gone when it is stopped. It knows nothing of the encore.
package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrAbsent says that PostgreSQL is not installed here.
var ErrAbsent = errors.New("PostgreSQL is not installed")

// A Cluster is a server with its data.
type Cluster struct {
	// Options are settings, as max_prepared_transactions=64. They may be changed
	// between Stop and Start.
	Options []string

	dir string // of all that is this cluster's
	bin string // where initdb and postgres are
	cmd *exec.Cmd

	ended chan struct{} // closed when the server has ended
}

// Make makes a cluster, and starts it. Initdb refuses to be run by root: then both
// are run as another user.
func Make(ctx context.Context, options ...string) (*Cluster, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(base(), "de-postgres-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{Options: options, dir: dir, bin: bin}
	if err := c.begin(ctx); err != nil {
		return nil, errors.Join(err, c.Remove())
	}
	return c, nil
}

// base is a folder that each user can reach, and that is on a disk where there is
// such a one: where /tmp is in memory an fsync does nothing. Its path is short, as
// that of a socket must be.
func base() string {
	const kept = "/var/tmp"
	if _, err := os.Stat(kept); err == nil {
		return kept
	}
	return os.TempDir()
}

// programs finds initdb and postgres: Debian keeps them out of PATH.
func programs() (string, error) {
	if name, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			return filepath.Dir(real), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrAbsent
	}
	return filepath.Dir(slices.MaxFunc(found, byVersion)), nil
}

func byVersion(a, b string) int {
	version := func(name string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(name)))) // 0 for an odd one
		return n
	}
	return version(a) - version(b)
}

func (c *Cluster) begin(ctx context.Context) error {
	if err := giveAway(c.dir); err != nil {
		return err
	}
	initdb := c.command(ctx, "initdb", "-D", c.Data(), "-U", role, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if words, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("make a cluster: initdb: %w\n%s", err, bytes.TrimSpace(words))
	}
	return c.Start(ctx)
}

// role is the server's one role, who may do everything. Nobody else can reach the
// socket.
const role = "postgres"

// Data is the folder of the server's data, which its processes are in.
func (c *Cluster) Data() string { return filepath.Join(c.dir, "data") }

// Server is a connection string.
func (c *Cluster) Server() string {
	return fmt.Sprintf("host=%s user=%s dbname=postgres sslmode=disable", c.dir, role)
}

// startLimit is far more than a server takes, one that recovers included.
const startLimit = time.Minute

// Start starts the server, and returns when it can be reached.
func (c *Cluster) Start(ctx context.Context) error {
	args := []string{"-D", c.Data(), "-k", c.dir, "-c", "listen_addresses="}
	for _, option := range c.Options {
		args = append(args, "-c", option)
	}
	log, err := os.Create(filepath.Join(c.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close() // the server has its own
	c.cmd = c.command(context.WithoutCancel(ctx), "postgres", args...)
	c.cmd.Stdout, c.cmd.Stderr = log, log
	if err := c.cmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	ended := make(chan struct{})
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait() // how it ended is in its log
		close(ended)
	}(c.cmd)
	c.ended = ended
	return c.await(ctx)
}

// await waits until the server says in its file that it is ready.
func (c *Cluster) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-c.ended:
			words, err := os.ReadFile(filepath.Join(c.dir, "log"))
			return errors.Join(fmt.Errorf("start PostgreSQL: it ended:\n%s", bytes.TrimSpace(words)), err)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), c.Stop())
		case <-tick.C:
			if c.ready() {
				return nil
			}
		}
	}
}

// ready reads what pg_ctl reads: the eighth line of postmaster.pid; the first is
// the number of the process that wrote it.
func (c *Cluster) ready() bool {
	text, err := os.ReadFile(filepath.Join(c.Data(), "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	return err == nil && len(lines) > 7 && lines[0] == strconv.Itoa(c.cmd.Process.Pid) && strings.TrimSpace(lines[7]) == "ready"
}

// Stop ends the server at once, as if the power had gone, and waits for its end:
// whoever is connected sees that. It does nothing where there is no server.
func (c *Cluster) Stop() error {
	if c.ended == nil {
		return nil
	}
	err := quit(c.cmd.Process)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	if err == nil {
		<-c.ended
	}
	return err
}

// Remove stops the server and removes all that is the cluster's.
func (c *Cluster) Remove() error {
	return errors.Join(c.Stop(), os.RemoveAll(c.dir))
}
