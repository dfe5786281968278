package confine_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/flk-byo/de/harness/confine"
)

func printLimits() {
	for _, limit := range []struct {
		name     string
		resource int
	}{{"memory", unix.RLIMIT_AS}, {"cpu", unix.RLIMIT_CPU}, {"core", unix.RLIMIT_CORE}, {"file", unix.RLIMIT_FSIZE}} {
		var is unix.Rlimit
		if err := unix.Getrlimit(limit.resource, &is); err != nil {
			fmt.Println(err)
		}
		fmt.Println(limit.name, int64(is.Cur), int64(is.Max))
	}
	fmt.Println("group", unix.Getpgrp() == os.Getpid())
	fmt.Println("arguments", os.Args[2:])
}

func limited(t *testing.T, limits confine.Limits, args ...string) *exec.Cmd {
	t.Helper()
	return confine.Command(t.Context(), limits, self(t), args...)
}

func TestLimitsAreSet(t *testing.T) {
	tests := []struct {
		name   string
		limits confine.Limits
		want   []string
	}{
		{"both", confine.Limits{Memory: 1 << 42, CPU: 70 * time.Second}, []string{"memory 4398046511104 4398046511104", "cpu 70 70"}},
		{"memory", confine.Limits{Memory: 1 << 42}, []string{"memory 4398046511104 4398046511104"}},
		{"a part of a second", confine.Limits{CPU: 69*time.Second + 1}, []string{"cpu 70 70"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if raceEnabled && test.limits.Memory > 0 {
				t.Skip("the race detector reserves more address space than the limit")
			}
			out, err := limited(t, test.limits, wordLimits, "x", "a b").CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, want := range append(test.want, "core 0 0", "group true", "arguments [x a b]") {
				if !strings.Contains("\n"+string(out), "\n"+want+"\n") {
					t.Errorf("the child says\n%s, want a line %q", out, want)
				}
			}
		})
	}
}

// A limit of the system's that is lower already stays as it is.
func TestLowerLimitStays(t *testing.T) {
	cmd := limited(t, confine.Limits{CPU: time.Hour}, wordLimits)
	cmd.Args[2] = "ulimit -t 60; " + cmd.Args[2]
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "cpu 60 60\n") || !strings.Contains(string(out), "arguments []") {
		t.Errorf("the child says\n%s%v, want a limit of 60", out, err)
	}
}

// Files are not limited: the compiler writes large ones.
func TestNothingElseIsLimited(t *testing.T) {
	var ours unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &ours); err != nil {
		t.Fatal(err)
	}
	out, err := limited(t, confine.Limits{CPU: time.Hour}, wordLimits).CombinedOutput()
	want := fmt.Sprintln("file", int64(ours.Cur), int64(ours.Max))
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("the child says\n%s%v, want %q", out, err, want)
	}
}

func TestProcessorTimeEnds(t *testing.T) {
	err := limited(t, confine.Limits{CPU: time.Second}, wordCountUp).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("it ended by %v", err)
	}
	if status := exit.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGKILL && status.Signal() != syscall.SIGXCPU {
		t.Errorf("it ended by %v, want the signal of the limit", exit)
	}
}
