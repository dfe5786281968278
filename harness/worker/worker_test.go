package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flk-byo/de/harness/confine"
	"github.com/flk-byo/de/harness/worker"
)

// A job tells the test binary, run as a child, what to do.
type job struct {
	Say  []string // lines, as they are
	Then string   // see child
	Size int      // of a line, in bytes
}

const wordChild, wordWait = "__child", "__wait"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == wordWait {
		forever()
	}
	if len(os.Args) > 1 && os.Args[1] == wordChild {
		os.Exit(child())
	}
	os.Exit(m.Run())
}

func child() int {
	var j job
	if err := worker.Job(os.Stdin, &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	for _, line := range j.Say {
		fmt.Println(line)
	}
	switch j.Then {
	case "environment":
		fmt.Println(len(os.Environ()))
	case "die":
		fmt.Fprint(os.Stderr, strings.Repeat("-", 10_000), "\nmy last words")
		return 7
	case "be silent":
		forever()
	case "long line":
		fmt.Println(strings.Repeat("x", j.Size))
	case "talk without end":
		for {
			fmt.Println("and")
		}
	case "leave output", "leave errors":
		left := exec.Command(os.Args[0], wordWait)
		left.Stderr = os.Stderr
		if j.Then == "leave output" {
			left.Stdout, left.Stderr = os.Stdout, nil
		}
		if err := left.Start(); err != nil {
			return 8
		}
		if j.Then == "leave output" {
			forever()
		}
	}
	return 0
}

// forever waits for a signal; with a bare select, Go would see a deadlock.
func forever() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	<-signals
}

// patience is what no slow machine needs.
const patience = time.Hour

func config(t testing.TB, silence time.Duration) worker.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return worker.Config{Command: []string{self, wordChild}, Silence: silence}
}

// run returns the lines that the child wrote, and how it ended.
func run(t *testing.T, j job) ([]string, error) {
	t.Helper()
	var lines []string
	err := worker.Run(t.Context(), config(t, patience), j, func(line []byte) (time.Duration, error) {
		lines = append(lines, string(line))
		return patience, nil
	})
	return lines, err
}

func TestLinesCome(t *testing.T) {
	tests := []struct {
		name string
		job  job
		want []string
	}{
		{"none", job{}, nil},
		{"in order", job{Say: []string{`{"a":1}`, `{"a":2}`}}, []string{`{"a":1}`, `{"a":2}`}},
		{"garbage too", job{Say: []string{"no JSON", "", "\x00\xff"}}, []string{"no JSON", "", "\x00\ufffd"}},
		{"no environment", job{Then: "environment"}, []string{"0"}},
		{"long", job{Then: "long line", Size: 1 << 20}, []string{strings.Repeat("x", 1<<20)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := run(t, test.job)
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%d lines %.100q, %v; want %d lines %.100q", len(got), got, err, len(test.want), test.want)
			}
		})
	}
}

func TestDeath(t *testing.T) {
	lines, err := run(t, job{Say: []string{"one"}, Then: "die"})
	var death *worker.Death
	if !errors.As(err, &death) {
		t.Fatalf("ended by %v, want a death", err)
	}
	var exit *exec.ExitError
	if !errors.As(death.Err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("died of %v, want code 7", death.Err)
	}
	if !strings.HasSuffix(death.Words, "---\nmy last words") || len(death.Words) != 8<<10 {
		t.Errorf("%d bytes of last words, ending in %.40q", len(death.Words), death.Words[max(0, len(death.Words)-40):])
	}
	if got := death.Error(); got != "the child process died: exit status 7" {
		t.Errorf("the death reads %q", got)
	}
	if len(lines) != 1 {
		t.Errorf("lines %q before the death, want one", lines)
	}
}

func TestTooLongALine(t *testing.T) {
	lines, err := run(t, job{Then: "long line", Size: 17 << 20})
	if err == nil || !strings.Contains(err.Error(), "too long") || len(lines) != 0 {
		t.Errorf("%d lines and %v, want an error about the line", len(lines), err)
	}
}

func TestSilence(t *testing.T) {
	silent := job{Say: []string{"one", "two"}, Then: "be silent"}
	t.Run("from the start", func(t *testing.T) {
		err := worker.Run(t.Context(), config(t, time.Millisecond), job{Then: "be silent"}, func([]byte) (time.Duration, error) { return patience, nil })
		if silence := (*worker.Silence)(nil); !errors.Is(err, worker.ErrSilent) || !errors.As(err, &silence) || silence.Used > time.Second {
			t.Errorf("ended by %v, %+v; want one that hardly had the processor", err, silence)
		}
	})
	t.Run("after a line that allowed little", func(t *testing.T) {
		n := 0
		err := worker.Run(t.Context(), config(t, patience), silent, func([]byte) (time.Duration, error) {
			if n++; n == 2 {
				return time.Millisecond, nil
			}
			return patience, nil
		})
		if !errors.Is(err, worker.ErrSilent) || n != 2 {
			t.Errorf("ended by %v after %d lines, want silence after 2", err, n)
		}
	})
	t.Run("with a grandchild that holds the output", func(t *testing.T) {
		needGroups(t)
		err := worker.Run(t.Context(), config(t, patience), job{Say: []string{"one"}, Then: "leave output"}, func([]byte) (time.Duration, error) { return time.Millisecond, nil })
		if !errors.Is(err, worker.ErrSilent) {
			t.Errorf("ended by %v", err)
		}
	})
}

// A child that ended well did so, though what it left behind is ended too.
func TestGrandchildLeftBehind(t *testing.T) {
	needGroups(t)
	lines, err := run(t, job{Say: []string{"one"}, Then: "leave errors"})
	if err != nil || len(lines) != 1 {
		t.Errorf("lines %q, %v", lines, err)
	}
}

// needGroups skips a test that would leave a process behind.
func needGroups(t *testing.T) {
	t.Helper()
	if enforced, words := confine.Supported(); !enforced {
		t.Skip("there are no process groups here: " + words)
	}
}

func TestHandlerError(t *testing.T) {
	enough := errors.New("enough")
	n := 0
	err := worker.Run(t.Context(), config(t, patience), job{Then: "talk without end"}, func([]byte) (time.Duration, error) {
		if n++; n == 3 {
			return 0, enough
		}
		return patience, nil
	})
	if err != enough || n != 3 {
		t.Errorf("ended by %v after %d lines, want the handler's error after 3", err, n)
	}
}

func TestCancel(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := worker.Run(ctx, config(t, patience), job{Say: []string{"one"}, Then: "be silent"}, func([]byte) (time.Duration, error) {
		cancel(stop)
		return patience, nil
	})
	if err != stop {
		t.Errorf("ended by %v, want the cause", err)
	}
	if err := worker.Run(ctx, config(t, patience), job{}, nil); !errors.Is(err, stop) && !errors.Is(err, context.Canceled) {
		t.Errorf("begun after the end, it ended by %v", err)
	}
}

// A child that was started may wait for its job, or be sent away without.
func TestStartedBefore(t *testing.T) {
	c, err := worker.Start(t.Context(), config(t, patience))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = c.Run(job{Say: []string{"one"}}, func([]byte) (time.Duration, error) { n++; return patience, nil })
	if err != nil || n != 1 {
		t.Errorf("it says %d lines and ends by %v", n, err)
	}
	if c, err = worker.Start(t.Context(), config(t, patience)); err != nil {
		t.Fatal(err)
	}
	c.Stop() // returns: the child is gone
}

func TestNoSuchCommand(t *testing.T) {
	c := worker.Config{Command: []string{"./no-such-command"}, Silence: patience}
	err := worker.Run(t.Context(), c, job{}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "start child process: ") {
		t.Errorf("ended by %v", err)
	}
}

func TestJobAndLines(t *testing.T) {
	var out bytes.Buffer
	lines := worker.NewLines(&out)
	for _, v := range []any{map[string]int{"a": 1}, "x\ny"} {
		if err := lines.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	if want := "{\"a\":1}\n\"x\\ny\"\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", &out, want)
	}
	if err := lines.Write(func() {}); err == nil || !strings.HasPrefix(err.Error(), "report to the parent process: ") {
		t.Errorf("a value that is no JSON: %v", err)
	}
	if err := worker.NewLines(broken{}).Write(1); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a parent that is gone: %v", err)
	}
	var j job
	if err := worker.Job(strings.NewReader(`{"Size": "x"}`), &j); err == nil || !strings.HasPrefix(err.Error(), "read the job from the parent process: ") {
		t.Errorf("a job of the wrong kind: %v", err)
	}
	if err := worker.Job(strings.NewReader(`{"Size": 3}`), &j); err != nil || j.Size != 3 {
		t.Errorf("job %+v, %v", j, err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func BenchmarkRun(b *testing.B) {
	c := config(b, patience)
	for b.Loop() {
		err := worker.Run(b.Context(), c, job{Say: []string{`{}`}}, func(line []byte) (time.Duration, error) {
			return patience, json.Unmarshal(line, new(struct{}))
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
