//go:build unix

package worker

import (
	"syscall"
	"time"
)

// Used returns the processor time that this process has taken. Unlike the time
// of day it does not run on while others have the processor.
func Used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it fails for a wrong argument only
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
