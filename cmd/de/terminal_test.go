package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/stages"
)

// A terminal is one of tmux, in which a shell waits for commands.
type terminal struct {
	t      *testing.T
	socket string
}

func newTerminal(t *testing.T, dir string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux here; .ci/run installs it and runs this")
	}
	short, err := os.MkdirTemp("", "de") // the path of a socket has a limit that t.TempDir may pass
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t, filepath.Join(short, "tmux")}
	t.Cleanup(func() {
		term.tmux("kill-server")
		os.RemoveAll(short)
	})
	term.tmux("new-session", "-d", "-x", "90", "-y", "50", "-c", dir, "env", "PS1=$ ", "TERM=screen", "sh")
	return term
}

func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket, "-f", os.DevNull}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Errorf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// types types into a window of the terminal.
func (term *terminal) types(window, text string) {
	term.t.Helper()
	term.tmux("send-keys", "-t", window, "-l", text)
}

// await waits until the first window shows all of the texts, and returns what it
// shows.
func (term *terminal) await(texts ...string) string {
	term.t.Helper()
	shown := ""
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		shown = term.tmux("capture-pane", "-p", "-t", ":0")
		all := true
		for _, text := range texts {
			all = all && strings.Contains(shown, text)
		}
		if all {
			return shown
		}
	}
	term.t.Fatalf("no %q; it shows:\n%s", texts, shown)
	return ""
}

// In a real terminal, with real edits from a second window: each save is judged,
// only the newest result is there to see, q ends with its exit code, and the
// terminal is as it was.
func TestJudgingInATerminal(t *testing.T) {
	dir := t.TempDir()
	term := newTerminal(t, dir)
	de := filepath.Join(t.TempDir(), "de")
	if out, err := exec.Command("go", "build", "-o", de, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if code, _, stderr := in(dir, "start", "01"); code != 0 {
		t.Fatal(stderr)
	}
	reference := referenceFiles(t, stages.All()[0])["operators.go"]
	if err := os.WriteFile(filepath.Join(dir, "right.go.txt"), []byte(reference), 0o666); err != nil {
		t.Fatal(err)
	}
	const status = "watching 01-operators, "

	term.types(":0", de+" test --watch; echo code $?\n")
	shown := term.await("FAIL  01 Operators: not implemented yet", "FAIL  "+status, ", q ends")
	if strings.Contains(shown, "--watch") {
		t.Errorf("it is not cleared:\n%s", shown)
	}
	term.tmux("new-window", "-d", "-c", dir, "env", "PS1=$ ", "sh")
	term.types(":1", "cp right.go.txt 01-operators/operators.go\n") // in place
	term.await("PASS  01 Operators: ", "PASS  "+status)
	term.types(":1", "sed -i.bak 's/if keep(r)/if !keep(r)/' 01-operators/operators.go\n") // by another file
	shown = term.await("FAIL  01 Operators: check operators", "hint  de hint 01", status)
	if strings.Contains(shown, "PASS") {
		t.Errorf("there is more than the newest result:\n%s", shown)
	}
	term.types(":1", "cat right.go.txt > 01-operators/operators.go\n")
	shown = term.await("PASS  01 Operators: ", status)
	if strings.Contains(shown, "FAIL") || !strings.HasPrefix(shown, "PASS") {
		t.Errorf("there is more than the newest result:\n%s", shown)
	}
	term.types(":0", "q")
	if shown := term.await("code 0"); strings.Contains(shown, status) {
		t.Errorf("it still says that it watches:\n%s", shown)
	}
	term.types(":0", "stty -a; echo done\n") // the terminal shows what is typed, and works line by line
	shown = term.await("\ndone")
	if strings.Contains(shown, "-icanon") || strings.Contains(shown, "-opost") || !strings.Contains(shown, "$ stty -a; echo done") {
		t.Errorf("the terminal is not as it was:\n%s", shown)
	}
}
