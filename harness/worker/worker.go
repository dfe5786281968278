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

// ErrSilent is returned when the child was killed because it fell silent.
var ErrSilent = errors.New("the child process fell silent")

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

// Run starts the child, gives it job as JSON on its standard input, and calls
// handle with its lines. It returns once the child and all that it started are
// gone: nil if the child exited with code 0, ErrSilent, a *Death, the error of
// handle, or the cause of ctx's end.
func Run(ctx context.Context, config Config, job any, handle Handler) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := confine.Command(ctx, config.Limits, config.Command[0], config.Command[1:]...)
	cmd.Env = []string{} // a child has no business with ours
	words := &tail{limit: 8 << 10}
	cmd.Stderr = words
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("start child process: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start child process: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start child process: %w", err)
	}
	// What the child left behind may hold its output open.
	defer context.AfterFunc(ctx, func() { stdout.Close() })()
	var sent sync.WaitGroup
	sent.Go(func() {
		// An error here is the child's death, which Wait tells better.
		_ = json.NewEncoder(stdin).Encode(job)
		_ = stdin.Close()
	})
	handleErr := listen(stdout, config.Silence, cancel, handle)
	if handleErr != nil {
		cancel(handleErr)
	}
	waitErr := cmd.Wait()
	_ = confine.KillGroup(cmd) // whatever it may have left behind
	sent.Wait()
	return outcome(ctx, handleErr, waitErr, words)
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
