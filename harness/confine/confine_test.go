package confine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/harness/confine"
)

// Words by which the test binary is told to be a child.
const (
	wordLimits  = "__limits"  // print the limits of this process
	wordParent  = "__parent"  // start a child that holds the output open, and wait
	wordWait    = "__wait"    // say "waiting", and wait for the end of the input
	wordCountUp = "__countup" // use the processor without end
)

func TestMain(m *testing.M) {
	if len(os.Args) < 2 {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case wordLimits:
		printLimits()
	case wordParent:
		child := exec.Command(os.Args[0], wordWait)
		child.Stdin, child.Stdout = os.Stdin, os.Stdout
		if err := child.Run(); err != nil {
			os.Exit(1)
		}
	case wordWait:
		fmt.Println("waiting")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case wordCountUp:
		for n := 0; ; n++ {
			_ = n
		}
	default:
		os.Exit(m.Run())
	}
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// The end of the context ends a child and what it started: the output, which
// the grandchild holds too, comes to its end.
func TestKilledAsAGroup(t *testing.T) {
	if enforced, words := confine.Supported(); !enforced {
		t.Skip("there are no process groups here: " + words)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := confine.Command(ctx, confine.Limits{}, self(t), wordParent)
	stdin, err := cmd.StdinPipe() // left open: nobody ends by himself
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); err != nil || line != "waiting\n" {
		t.Fatalf("the grandchild says %q, %v", line, err)
	}
	cancel()
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("after the end comes %q, %v; want the end of the output by the grandchild's death", rest, err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("a child that was killed ended well")
	}
	if err := confine.KillGroup(cmd); err != nil {
		t.Errorf("to kill what is gone is an error: %v", err)
	}
}

func TestWithoutLimits(t *testing.T) {
	cmd := confine.Command(t.Context(), confine.Limits{}, "prog", "a", "b")
	if want := []string{"prog", "a", "b"}; !slices.Equal(cmd.Args, want) {
		t.Errorf("with no limits it runs %v, want %v", cmd.Args, want)
	}
}

func TestNoSuchCommand(t *testing.T) {
	for _, limits := range []confine.Limits{{}, {CPU: time.Second}} {
		if err := confine.Command(t.Context(), limits, "./no-such-command").Start(); err == nil {
			t.Errorf("with limits %+v, a command that does not exist starts", limits)
		}
	}
}

func TestSupportedSaysSo(t *testing.T) {
	enforced, words := confine.Supported()
	if words == "" || enforced == strings.Contains(words, "only") {
		t.Errorf("%v: %q", enforced, words)
	}
}
