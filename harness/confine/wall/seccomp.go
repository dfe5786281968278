//go:build linux && (amd64 || arm64)

package wall

import (
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where a filter finds what it may look at; see struct seccomp_data.
const (
	atNumber   = 0
	atArch     = 4
	atArgument = 16 // the lower half of the first
)

// What a filter says of a call.
const (
	allow  = uint32(unix.SECCOMP_RET_ALLOW)
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
)

// closeCalls has the kernel refuse system calls to this process, all its threads.
func closeCalls() error {
	calls := slices.Concat(callsOut, callsFiles, callsRun, callsOlder)
	return install(filter(refuse, calls, ownThreads(os.Getpid())), unix.SECCOMP_FILTER_FLAG_TSYNC)
}

// filter refuses some calls, and has the last lines decide on all others. Those
// by the numbers of another architecture, of which the kernel may know a second,
// are not looked up in the list: foreign says what becomes of them.
func filter(foreign uint32, calls []uint32, last []unix.SockFilter) []unix.SockFilter {
	const x32 = 0x40000000 // numbers from here on are of a second kind on amd64
	lines := []unix.SockFilter{
		load(atArch), {Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: arch, Jf: 2},
		load(atNumber), {Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: x32, Jf: 1}, end(foreign),
	}
	for _, call := range calls {
		lines = append(lines, unless(call, 1), end(refuse))
	}
	return append(lines, last...)
}

// ownThreads allows all, but that a thread signals one that is not of this
// process. Go's runtime signals its own all the time.
func ownThreads(pid int) []unix.SockFilter {
	return []unix.SockFilter{
		unless(unix.SYS_TGKILL, 2), load(atArgument), unless(uint32(pid), 1), end(allow), end(refuse),
	}
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func end(as uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: as} }

// unless skips lines if what was loaded is not k.
func unless(k uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jf: skip}
}

// install puts a filter on this thread, or with a flag on all.
func install(lines []unix.SockFilter, flags uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The kernel takes filters from none that could gain rights by them.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(lines)), Filter: &lines[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	switch {
	case errno != 0:
		return errno
	case thread != 0: // one that could not be brought along
		return unix.EBUSY
	}
	return nil
}

// refuseOut has the kernel refuse to this thread, and what it starts, what leads
// out. Programs of another architecture are not held up.
func refuseOut() error { return install(filter(allow, callsOut, []unix.SockFilter{end(allow)}), 0) }

// canRefuse tells whether this thread, which is not to be used afterwards, can be
// given a filter, by giving it one.
func canRefuse() bool { return install(filter(allow, nil, []unix.SockFilter{end(allow)}), 0) == nil }
