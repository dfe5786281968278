//go:build !unix

package worker

import "time"

var began = time.Now()

// Used returns for how long this process has run, where its processor time
// can't be had.
func Used() time.Duration { return time.Since(began) }
