//go:build !unix

package cluster

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

func (c *Cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	return cmd
}

func giveAway(string) error { return nil }

func quit(p *os.Process) error { return p.Kill() }
