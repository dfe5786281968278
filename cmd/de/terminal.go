package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/charmbracelet/x/term"
)

// widthNow is the width of the terminal, in columns, which may change while de
// runs.
func (e *env) widthNow() int {
	if width, err := strconv.Atoi(e.getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	if f, ok := e.stdout.(*os.File); ok && e.stdoutIsTerminal {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			return width
		}
	}
	return e.width
}

// takeKeys calls end when the user types q, Ctrl-C or Ctrl-D, or the terminal is
// gone. Until restore is called the terminal hands over each key as it is typed,
// and takes lines as they are.
func (w *watching) takeKeys(end func()) (restore func(), err error) {
	if !w.stdinIsTerminal {
		return func() {}, nil
	}
	restore = func() {}
	if f, ok := w.stdin.(*os.File); ok {
		was, err := term.MakeRaw(f.Fd())
		if err != nil {
			return nil, fmt.Errorf("take keys from the terminal: %w", err)
		}
		restore = func() { _ = term.Restore(f.Fd(), was) } // an error is one of a terminal that is gone
		if w.stdoutIsTerminal {
			w.stdout = rawLines{w.stdout}
		}
		if w.stderrIsTerminal {
			w.stderr = rawLines{w.stderr}
		}
	}
	go func() { // it ends with the process: nothing ends a read of a terminal
		defer end()
		waitForEnd(w.stdin)
	}()
	return restore, nil
}

// waitForEnd reads keys until one that ends, or none can be read.
func waitForEnd(from io.Reader) {
	const ctrlC, ctrlD = 3, 4
	var key [1]byte
	for {
		_, err := io.ReadFull(from, key[:])
		if err != nil || key[0] == 'q' || key[0] == ctrlC || key[0] == ctrlD {
			return
		}
	}
}

// rawLines ends lines as a terminal wants them that does so no more by itself.
type rawLines struct{ to io.Writer }

func (r rawLines) Write(p []byte) (int, error) {
	if _, err := r.to.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// canErase tells whether what was printed can be taken away again.
func (w *watching) canErase() bool {
	return w.stdoutIsTerminal && w.getenv("TERM") != "dumb"
}

// clear makes room for a new result: on a terminal all of it, elsewhere a line
// that sets it off from the one before.
func (w *watching) clear() {
	if w.canErase() {
		fmt.Fprint(w.stdout, "\x1b[H\x1b[2J")
	} else {
		fmt.Fprintf(w.stdout, "\n---- %s\n\n", w.now().Format("15:04:05"))
	}
}

// eraseLine takes away the line that the cursor is in.
func (w *watching) eraseLine() {
	if w.canErase() {
		fmt.Fprint(w.stdout, "\r\x1b[2K")
	}
}
