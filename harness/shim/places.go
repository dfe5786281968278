//go:build wasip1

package shim

import (
	"runtime"

	"github.com/flk-byo/de/harness/rpc"
)

// placed tells whether calls of the host say where they come from.
var placed bool

// place makes them do so from now on.
//
//go:wasmexport de_place
func place() { placed = true }

// maxFrames is how many frames of the stack a call tells.
const maxFrames = 24

// withPlace puts the stack before the arguments of a call: of each frame file
// and line, innermost first.
func withPlace(args []byte) []byte {
	var pcs [maxFrames]uintptr
	n := runtime.Callers(3, pcs[:])
	var e rpc.Encoder
	e.Len(n)
	frames := runtime.CallersFrames(pcs[:n])
	for range n {
		frame, _ := frames.Next() // those that inlining hides may push the outermost out
		e.String(frame.File)
		e.Int(frame.Line)
	}
	e.Blob(args)
	return e.Bytes()
}
