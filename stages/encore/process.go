package encore

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/flk-byo/de/stages/encore/protocol"
)

// A process is one run of the program.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	words  *opening // what it printed
	cancel context.CancelFunc

	epoch   int64 // that it claimed; 0 before
	open    int   // rows in its open transaction
	reading bool  // it has begun to read: recovery is over
}

// start starts the program. It is killed when it has run for limit.
func start(ctx context.Context, program string, limit time.Duration) (*process, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	p := &process{cmd: exec.CommandContext(ctx, program), words: &opening{}, cancel: cancel}
	p.cmd.Stderr = p.words
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("start the job: %w", err)
	}
	return p, nil
}

// send gives the process a task. An error means that it has died, which is seen
// when it is listened to.
func (p *process) send(task protocol.Task) {
	if text, err := json.Marshal(task); err == nil { // always: a Task is plain
		_, _ = p.in.Write(append(text, '\n'))
	}
}

// goOn lets the process go on from where it waits.
func (p *process) goOn() { _, _ = p.in.Write([]byte{'\n'}) }

// hear reads a line from the process; false if it has none any more.
func (p *process) hear(into any) bool {
	text, err := p.out.ReadBytes('\n')
	return err == nil && json.Unmarshal(text, into) == nil
}

// kill ends the process at once, as kill -9 does, and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	p.wait()
}

// wait waits for the end of the process, and says how it died if it did.
func (p *process) wait() error {
	_ = p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	err := p.cmd.Wait()
	p.cancel()
	if err != nil && p.words.Len() > 0 {
		return errors.New(p.words.first())
	}
	return err
}

// An opening keeps the beginning of what a process prints: a panic says what it is
// in its first lines.
type opening struct{ strings.Builder }

const openingBytes = 4 << 10

func (o *opening) Write(p []byte) (int, error) {
	o.Builder.Write(p[:min(len(p), max(0, openingBytes-o.Len()))])
	return len(p), nil
}

// first is the first line that says something.
func (o *opening) first() string {
	for line := range strings.Lines(o.String()) {
		if line := strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
