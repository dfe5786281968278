//go:build !linux

package main

import (
	"errors"
	"os"
)

// openTerminal is known on Linux only.
func openTerminal() (ours, its *os.File, err error) { return nil, nil, errors.ErrUnsupported }
