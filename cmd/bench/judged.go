package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A judged is one run of de.
type judged struct {
	told    time.Duration // until it said on the terminal that something fails; 0 if it didn't
	first   time.Duration // until the first byte of its output
	whole   time.Duration
	used    time.Duration // of processors, by all its processes
	out     []byte
	words   []byte // what it said beside that
	largest int64  // bytes of the largest of its processes, where the system tells
}

// test runs de test, with time enough for a machine that is busy.
func (l *learner) test(code int, args ...string) (judged, error) {
	return l.must(code, append([]string{"test", "--budget", "10m"}, args...)...)
}

// must runs de, which must exit with code.
func (l *learner) must(code int, args ...string) (r judged, err error) {
	cmd := exec.CommandContext(l.ctx, l.de, args...)
	cmd.Dir, cmd.Env = l.dir, append(os.Environ(), "TERM=xterm")
	if l.cache != "" {
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+l.cache, "HOME="+l.cache)
	}
	words := &heard{start: time.Now()}
	cmd.Stderr = words
	if l.onTerminal {
		done, err := words.onTerminal(cmd)
		if err != nil {
			return r, err
		}
		defer done()
	}
	if err := l.clocked(cmd, words.start, &r); err != nil {
		return r, err
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return r, fmt.Errorf("de %s: exit %d, want %d\n%s%s", strings.Join(args, " "), got, code, r.out, words.all)
	}
	r.told, r.words = words.told, words.all
	return r, nil
}

// clocked runs a command to its end, whatever its exit code.
func (l *learner) clocked(cmd *exec.Cmd, start time.Time, r *judged) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if l.started != nil {
		l.started(cmd.Process.Pid)
	}
	first := make([]byte, 1)
	n, _ := io.ReadFull(out, first)
	r.first = time.Since(start)
	rest, readErr := io.ReadAll(out)
	r.out = append(first[:n], rest...)
	err = cmd.Wait()
	r.whole = time.Since(start)
	r.used = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	r.largest = largest(cmd.ProcessState)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = nil
	}
	return errors.Join(readErr, err)
}

// heard is what de says beside its output.
type heard struct {
	start time.Time
	all   []byte
	told  time.Duration
}

func (h *heard) Write(p []byte) (int, error) {
	h.all = append(h.all, p...)
	if h.told == 0 && bytes.Contains(h.all, []byte(" fails: ")) {
		h.told = time.Since(h.start)
	}
	return len(p), nil
}

// onTerminal has a command write to a terminal instead, until done is called.
func (h *heard) onTerminal(cmd *exec.Cmd) (done func(), err error) {
	ours, its, err := openTerminal()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = its
	read := make(chan bool)
	go func() {
		_, _ = io.Copy(h, ours) // it ends with an error once nobody has the other end
		close(read)
	}()
	return func() {
		its.Close()
		<-read
		ours.Close()
	}, nil
}
