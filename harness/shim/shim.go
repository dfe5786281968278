//go:build wasip1

// Package shim is the guest's end of the line: it is compiled into every guest
// and joins the guest's [rpc.Peer] to the two functions that host and guest
// call each other by. It stays clear of fmt, which would add 0.75 MB to a guest.
//
// Nothing here guards a secret: the solution shares this memory.
package shim

import (
	"unsafe" // also for go:linkname

	"github.com/flk-byo/de/harness/rpc"
)

// Peer is the guest's end. The generated main package exports the solutions on it.
var Peer = rpc.NewGuest(send)

//go:wasmimport de call
func hostCall(ref, method int32, args unsafe.Pointer, n int32) int32

//go:wasmimport de reply
func hostReply(to unsafe.Pointer)

func send(ref rpc.Ref, method uint32, args []byte) []byte {
	if placed {
		args = withPlace(args)
	}
	n := hostCall(int32(ref), int32(method), unsafe.Pointer(unsafe.SliceData(args)), int32(len(args)))
	if n == 0 {
		return nil
	}
	reply := make([]byte, n)
	hostReply(unsafe.Pointer(&reply[0]))
	return reply
}

// inbox is where the host writes the arguments of a call.
var inbox = make([]byte, 64<<10)

// buffer makes the inbox at least n bytes large and tells where it is.
//
//go:wasmexport de_buffer
func buffer(n int32) unsafe.Pointer {
	if int(n) > len(inbox) {
		inbox = make([]byte, n)
	}
	return unsafe.Pointer(&inbox[0])
}

// call serves one call from the host, whose arguments are the first n bytes of
// the inbox, and returns address and length of the reply.
//
//go:wasmexport de_call
func call(ref, method, n int32) int64 {
	reply := Peer.Serve(rpc.Ref(ref), uint32(method), inbox[:n])
	return int64(uintptr(unsafe.Pointer(unsafe.SliceData(reply))))<<32 | int64(len(reply))
}

// maxStack is how large a goroutine's stack may become, in bytes: deep enough
// for some 20,000 nested calls, shallow enough that endless recursion ends in a
// quarter of a second; Go's own limit lets it take four.
const maxStack = 4 << 20

// setMaxStack is debug.SetMaxStack without its package, which imports fmt.
//
//go:linkname setMaxStack runtime/debug.setMaxStack
func setMaxStack(n int) int

func init() { setMaxStack(maxStack) }
