package worker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Lines is the child's end: it writes values as lines of JSON, each at once.
type Lines struct {
	out *bufio.Writer
}

// NewLines writes to out.
func NewLines(out io.Writer) *Lines { return &Lines{bufio.NewWriter(out)} }

// Write writes one line.
func (l *Lines) Write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("report to the parent process: %w", err)
	}
	l.out.Write(line) // bufio keeps the first error for Flush
	l.out.WriteByte('\n')
	if err := l.out.Flush(); err != nil {
		return fmt.Errorf("report to the parent process: %w", err)
	}
	return nil
}

// Job reads what the parent sent: what it had the child prepare, if it did, and
// the job.
func Job(in io.Reader, values ...any) error {
	from := json.NewDecoder(in)
	for _, v := range values {
		if err := from.Decode(v); err != nil {
			return fmt.Errorf("read the job from the parent process: %w", err)
		}
	}
	return nil
}
