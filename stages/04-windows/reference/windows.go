// Package windows is the model answer of stage 04.
package windows

import (
	"github.com/flk-byo/de/stages/04-windows/contract"
)

// Solution solves stage 04.
type Solution struct{}

var _ contract.Stage = Solution{}

// Tumbling returns windows that follow one another.
func (s Solution) Tumbling(size, offset int64) contract.Assigner {
	return s.Sliding(size, size, offset)
}

// Sliding returns windows of one size, of which one begins every slide.
func (Solution) Sliding(size, slide, offset int64) contract.Assigner {
	return sliding{size, slide, offset}
}

type sliding struct {
	size, slide, offset int64
}

// Assign begins with the last window that starts at t or before.
func (s sliding) Assign(t int64) []contract.Window {
	var windows []contract.Window
	for start := t - floorMod(t-s.offset, s.slide); start > t-s.size; start -= s.slide {
		windows = append(windows, contract.Window{Start: start, End: start + s.size})
	}
	return windows
}

// floorMod is a modulo b in 0 to b-1, for a negative a too.
func floorMod(a, b int64) int64 {
	return (a%b + b) % b
}
