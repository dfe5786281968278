package encore

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// A Broker is a fake cluster of Kafka's, in a process of its own that outlives
// those of jobs. It ends with the process that started it, however that ends.
type Broker struct {
	Addresses string // for Runner.Server
	in        io.Closer
	cmd       *exec.Cmd
	words     *opening
}

// StartBroker starts one by a program for the store kafka.
func StartBroker(program string) (*Broker, error) {
	b := &Broker{cmd: exec.Command(program, "broker"), words: &opening{}}
	apart(b.cmd)
	b.cmd.Stderr = b.words
	in, errIn := b.cmd.StdinPipe()
	out, errOut := b.cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		return nil, err
	}
	if err := b.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the broker: %w", err)
	}
	b.in = in
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("start the broker: %w", errors.Join(err, b.Stop()))
	}
	b.Addresses = strings.TrimSpace(line)
	return b, nil
}

// Stop ends the broker, with all that it has.
func (b *Broker) Stop() error {
	_ = b.in.Close() // which tells it to end; it may have
	if err := b.cmd.Wait(); err != nil {
		return fmt.Errorf("stop the broker: %w %s", err, b.words.first())
	}
	return nil
}
