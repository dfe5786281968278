// Package confine starts the processes that touch a solution, the Go compiler
// and the guest's runner, so that they end when they should and take no more
// than they may. It does not look at what they do.
//
// Limits of the operating system can only be set by a process on itself, so a
// command is started through this same binary: it sets the limits and then
// becomes the command; see [Become].
package confine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// Limits of one process and its children. Zero means none.
type Limits struct {
	Memory  uint64        // bytes of address space
	CPU     time.Duration // whole seconds of processor time, rounded up
	Enforce []string      // the command that calls Become, e.g. the binary's path and a word; nil: no limits
}

// Command returns a command that runs under limits in a process group of its
// own, which is killed as a whole when ctx ends or this process dies.
func Command(ctx context.Context, limits Limits, name string, args ...string) *exec.Cmd {
	line := append([]string{name}, args...)
	if limits.Enforce != nil && supported {
		cpu := int64((limits.CPU + time.Second - 1) / time.Second)
		line = append(append([]string(nil), limits.Enforce...),
			append([]string{strconv.FormatUint(limits.Memory, 10), strconv.FormatInt(cpu, 10)}, line...)...)
	}
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	return cmd
}

// Become sets the limits that stand in args, memory and seconds, on this
// process and turns it into the command that follows them. It returns only
// with an error.
func Become(args []string, environ []string) error {
	if len(args) < 3 {
		return errors.New("confine: want MEMORY SECONDS COMMAND [ARG ...]")
	}
	memory, err := strconv.ParseUint(args[0], 10, 63)
	if err != nil {
		return fmt.Errorf("confine: memory limit: %w", err)
	}
	seconds, err := strconv.ParseUint(args[1], 10, 31)
	if err != nil {
		return fmt.Errorf("confine: processor limit: %w", err)
	}
	path, err := exec.LookPath(args[2])
	if err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	if err := setLimits(memory, seconds); err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	return become(path, args[2:], environ)
}

// Supported tells which limits this platform enforces, in words, for de doctor
// and reports.
func Supported() (enforced bool, words string) {
	if supported {
		return true, "memory, processor time and wall time of builds and runs are limited"
	}
	return false, "only wall time is limited on this system; memory and processor time are not"
}

// KillGroup ends cmd and all that it started. A process that has ended already
// is no error.
func KillGroup(cmd *exec.Cmd) error {
	if err := killGroup(cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
