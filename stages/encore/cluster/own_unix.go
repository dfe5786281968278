//go:build unix

package cluster

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// command is one of PostgreSQL's programs, run by its owner, in a process group of
// its own: a Ctrl-C at the terminal is for the command that started it. That one
// stops it.
func (c *Cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	if uid, gid, err := owner(); err == nil && os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	}
	return cmd
}

// owner is the user that stands in for root.
func owner() (uid, gid uint32, err error) {
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		return 0, 0, err
	}
	u, errUID := strconv.ParseUint(who.Uid, 10, 32)
	g, errGID := strconv.ParseUint(who.Gid, 10, 32)
	return uint32(u), uint32(g), cmp.Or(errUID, errGID)
}

// giveAway gives a folder to whoever is to run the server.
func giveAway(dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid, err := owner()
	if err != nil {
		return fmt.Errorf("root can't run PostgreSQL, and there is no other user: %w", err)
	}
	return os.Chown(dir, int(uid), int(gid))
}

// quit is PostgreSQL's "immediate shutdown".
func quit(p *os.Process) error { return p.Signal(syscall.SIGQUIT) }
