// Package worker runs a job in a child process that reports line by line, and
// ends the child when it falls silent. It knows neither what the job is nor
// what the lines mean. Start reading at [Run].
package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/flk-byo/de/harness/confine"
)

// maxLine bounds one line of a child's report.
const maxLine = 16 << 20

// A Config says how to start the child.
type Config struct {
	Command []string // the child's command line
	Limits  confine.Limits
	Silence time.Duration // for which the child may say nothing before its first line
}

// ErrSilent is the error of a child that was killed because it fell silent. What
// is returned is a [*Silence].
var ErrSilent = errors.New("the child process fell silent")

// A Silence is ErrSilent with what the child had done by then: one that hardly had
// the processor was given no chance.
type Silence struct{ Used time.Duration } // of the processor

func (s *Silence) Error() string { return ErrSilent.Error() }

// Is tells that it is ErrSilent.
func (s *Silence) Is(err error) bool { return err == ErrSilent }

// A Death is the error of a child that ended by itself before its job was done.
type Death struct {
	Err   error  // from the operating system
	Words string // the end of what it wrote to standard error
}

// OutOfMemory tells whether it was the limit of its memory that the child ran into.
func (d *Death) OutOfMemory() bool {
	return strings.Contains(d.Words, "out of memory") || strings.Contains(d.Words, "cannot allocate memory")
}

func (d *Death) Error() string { return fmt.Sprintf("the child process died: %v", d.Err) }

// A Handler is called with every line that the child writes, in order, and
// tells for how long the child may then be silent. The line is valid only
// during the call.
type Handler func(line []byte) (silence time.Duration, err error)

// Run starts the child and has it do job; see [Child.Run].
func Run(ctx context.Context, config Config, job any, handle Handler) error {
	c, err := Start(ctx, config)
	if err != nil {
		return err
	}
	return c.Run(job, handle)
}

// A Child is a process that waits for its job.
type Child struct {
	config Config
	sent   sync.WaitGroup
	send   chan any // what the child is to be given, in order
	ctx    context.Context
	cancel context.CancelCauseFunc
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	words  *tail
}

// Start starts the child, so that it is ready when there is a job. It must be
// Run or Stopped; it ends when ctx does.
func Start(ctx context.Context, config Config) (*Child, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &Child{config: config, send: make(chan any, 2), ctx: ctx, cancel: cancel, words: &tail{limit: 8 << 10}}
	if err := c.start(); err != nil {
		cancel(nil)
		return nil, fmt.Errorf("start child process: %w", err)
	}
	c.sent.Go(func() {
		to := json.NewEncoder(c.stdin)
		for v := range c.send {
			_ = to.Encode(v) // an error is the child's death, which Wait tells better
		}
		_ = c.stdin.Close()
	})
	return c, nil
}

// Prepare gives the child, before its job, something that it can read while it
// waits. It may be called once, and returns at once.
func (c *Child) Prepare(v any) { c.send <- v }

func (c *Child) start() (err error) {
	c.cmd = confine.Command(c.ctx, c.config.Limits, c.config.Command[0], c.config.Command[1:]...)
	c.cmd.Env = []string{} // a child has no business with ours
	c.cmd.Stderr = c.words
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	if c.stdout, err = c.cmd.StdoutPipe(); err != nil {
		return err
	}
	return c.cmd.Start()
}

var errStopped = errors.New("the child process was stopped")

// Stop ends a child that there is no job for.
func (c *Child) Stop() {
	c.cancel(errStopped)
	close(c.send)
	_ = c.cmd.Wait() // it says no more than that it was killed
	_ = confine.KillGroup(c.cmd)
	c.sent.Wait()
}

// Run gives the child the job as JSON on its standard input, and calls handle
// with its lines. It returns once the child and all that it started are gone:
// nil if the child exited with code 0, a *Silence, a *Death, the error of handle,
// or the cause of the context's end.
func (c *Child) Run(job any, handle Handler) error {
	defer c.cancel(nil)
	// What the child left behind may hold its output open.
	defer context.AfterFunc(c.ctx, func() { c.stdout.Close() })()
	c.send <- job
	close(c.send)
	handleErr := listen(c.stdout, c.config.Silence, c.cancel, handle)
	if handleErr != nil {
		c.cancel(handleErr)
	}
	waitErr := c.cmd.Wait()
	_ = confine.KillGroup(c.cmd) // whatever it may have left behind
	c.sent.Wait()
	err := outcome(c.ctx, handleErr, waitErr, c.words)
	if state := c.cmd.ProcessState; state != nil && err == ErrSilent {
		return &Silence{state.UserTime() + state.SystemTime()}
	}
	return err
}

// listen reads lines until the child closes its output.
func listen(from io.Reader, silence time.Duration, cancel context.CancelCauseFunc, handle Handler) error {
	silent := time.AfterFunc(silence, func() { cancel(ErrSilent) })
	defer silent.Stop()
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		silent.Stop() // the time that handle takes is not the child's
		silence, err := handle(lines.Bytes())
		if err != nil {
			return err
		}
		silent.Reset(silence)
	}
	return lines.Err()
}

func outcome(ctx context.Context, handleErr, waitErr error, words *tail) error {
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case handleErr != nil && cause == handleErr:
		return handleErr
	case cause != nil:
		return cause
	case errors.As(waitErr, &exit):
		return &Death{waitErr, string(words.kept)}
	case errors.Is(waitErr, exec.ErrWaitDelay):
		return nil // it exited with code 0 and left something behind that was ended
	default:
		return waitErr
	}
}

// tail keeps the last bytes of what is written to it.
type tail struct {
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}
