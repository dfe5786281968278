package wall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// wordDo tells the test binary to be a child that closes itself in, by the way
// that the next word names, and then does the deed that the one after that names
// to what the last one does.
const wordDo = "__do"

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == wordDo {
		os.Exit(do(os.Args[2], os.Args[3], os.Args[4]))
	}
	os.Exit(m.Run())
}

// Exit codes of a child.
const (
	couldDo = iota
	wasRefused
	wentWrong
)

// ways to be closed in.
var ways = map[string]func(){
	"not at all":    func() {},
	behind:          func() {},
	"whole":         Close,
	"Landlock only": func() { _ = everything.Restrict() },
	"calls only":    func() { _ = closeCalls() },
}

func do(way, name, to string) int {
	closed, done := make(chan struct{}), make(chan error)
	go func() {
		runtime.LockOSThread() // one that was there before must be closed in as well
		<-closed
		for _, d := range deeds {
			if d.name == name {
				done <- d.do(to)
			}
		}
	}()
	runtime.Gosched()
	ways[way]()
	close(closed)
	switch err := <-done; {
	case err == nil:
		return couldDo
	case errors.Is(err, fs.ErrPermission): // EPERM or EACCES
		return wasRefused
	default:
		fmt.Fprintln(os.Stderr, err)
		return wentWrong
	}
}

// deeds are what none may do that runs a guest.
var deeds = []struct {
	name  string
	since int  // the version of Landlock that refuses it; 0 for none yet
	out   bool // it leads out, so that the filter for compilers refuses it too
	on    func(t *testing.T) string
	do    func(to string) error
}{
	{"read a file", 1, false, system("/etc/passwd"), func(to string) error { _, err := os.ReadFile(to); return err }},
	{"list a folder", 1, false, system("/etc"), func(to string) error { _, err := os.ReadDir(to); return err }},
	{"write a file", 1, false, file, func(to string) error { return os.WriteFile(to, []byte("mine"), 0o666) }},
	{"make a file", 1, false, file, func(to string) error { return os.WriteFile(to+"-new", nil, 0o666) }},
	{"remove a file", 1, false, file, os.Remove},
	{"rename a file", 1, false, file, func(to string) error { return os.Rename(to, to+"-new") }},
	{"empty a file", 3, false, file, func(to string) error { return os.Truncate(to, 0) }},
	{"make a folder", 1, false, file, func(to string) error { return os.Mkdir(to+"-new", 0o777) }},
	{"make a link", 1, false, file, func(to string) error { return os.Symlink("/etc", to+"-new") }},
	{"change a mode", 0, false, file, func(to string) error { return os.Chmod(to, 0o600) }},
	{"run a program", 1, false, system("/bin/true"), func(to string) error { return exec.Command(to).Run() }},
	{"connect by TCP", 4, true, listener("tcp", "127.0.0.1:0"), func(to string) error { return dial("tcp", to) }},
	{"listen by TCP", 4, true, system("127.0.0.1:0"), func(to string) error { return listen("tcp", to) }},
	{"listen by UDP", 10, true, system("127.0.0.1:0"), func(to string) error {
		c, err := net.ListenPacket("udp", to)
		if err == nil {
			err = c.Close()
		}
		return err
	}},
	{"connect to a socket without a file", 6, true, listener("unix", "@de-wall-test-"), func(to string) error { return dial("unix", to) }},
	{"look into the parent", 1, false, parent, func(to string) error {
		f, err := os.Open("/proc/" + to + "/mem")
		if err == nil {
			err = f.Close()
		}
		return err
	}},
	{"signal the parent", 6, false, parent, func(to string) error { return unix.Kill(number(to), unix.SIGCONT) }},
	{"signal a thread of the parent", 6, false, parent, func(to string) error { return unix.Tgkill(number(to), number(to), unix.SIGCONT) }},
	{"signal the parent by a handle", 6, false, parent, func(to string) error {
		fd, err := unix.PidfdOpen(number(to), 0)
		if err == nil {
			err = unix.PidfdSendSignal(fd, unix.SIGCONT, nil, 0)
		}
		return err
	}},
	{"trace the parent", 1, true, parent, func(to string) error {
		runtime.LockOSThread()
		if err := unix.PtraceSeize(number(to)); err != nil {
			return err
		}
		return nil // the end of this process lets it go
	}},
	{"leave the group", 0, false, parent, func(string) error { return unix.Setpgid(0, 0) }},
	{"ask for another kind of numbers", 0, false, parent, func(string) error {
		const x32 = 0x40000000
		_, _, errno := unix.RawSyscall(x32|unix.SYS_GETPID, 0, 0, 0)
		if errno == unix.ENOSYS { // the kernel knows them no more
			errno = 0
		}
		return orNil(errno)
	}},
	{"have the kernel do it", 0, true, parent, func(string) error {
		_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		if errno == unix.EFAULT { // it was about to
			errno = 0
		}
		return orNil(errno)
	}},
}

func orNil(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

func number(text string) int {
	n, _ := strconv.Atoi(text) // 0 names none
	return n
}

func dial(network, to string) error {
	c, err := net.Dial(network, to)
	if err == nil {
		err = c.Close()
	}
	return err
}

func listen(network, to string) error {
	var config net.ListenConfig
	config.SetMultipathTCP(false) // which Landlock does not look at
	l, err := config.Listen(context.Background(), network, to)
	if err == nil {
		err = l.Close()
	}
	return err
}

func system(name string) func(*testing.T) string {
	return func(*testing.T) string { return name }
}

func file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("ours"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func listener(network, at string) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		if network == "unix" {
			at += strconv.Itoa(os.Getpid())
		}
		l, err := net.Listen(network, at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l.Addr().String()
	}
}

func parent(*testing.T) string { return strconv.Itoa(os.Getpid()) }

// behind is the way of a child that does not close itself in, but is run behind
// the wall.
const behind = "behind"

// child does a deed and returns the exit code.
func child(t *testing.T, way, deed, to string, may May) int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, wordDo, way, deed, to)
	var words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &words, &words
	start := cmd.Run
	if way == behind {
		may.Read = append(may.Read, self)
		start = func() error { return Run(cmd, may) }
	}
	if err := start(); err != nil && cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("the child died: %v\n%s", err, &words)
	}
	code := cmd.ProcessState.ExitCode()
	if code == wentWrong {
		t.Logf("it ended by: %s", strings.TrimSpace(words.String()))
	}
	return code
}

// Each deed can be done here, and is refused to one who is closed in, by either
// half of the wall where the kernel has it.
func TestDeedsAreRefused(t *testing.T) {
	k := here()
	t.Logf("Landlock %d, filter of calls %v", k.landlock, k.seccomp)
	has := map[string]func(since int) bool{
		"whole":         func(since int) bool { return k.seccomp || since > 0 && k.landlock >= since },
		"Landlock only": func(since int) bool { return since > 0 && k.landlock >= since },
		"calls only":    func(int) bool { return k.seccomp },
		behind:          func(since int) bool { return since > 0 && k.landlock >= since },
	}
	for _, d := range deeds {
		t.Run(d.name, func(t *testing.T) {
			if code := child(t, "not at all", d.name, d.on(t), May{}); code != couldDo {
				t.Skipf("it can't be done here anyway: %d", code)
			}
			for way, can := range has {
				t.Run(way, func(t *testing.T) {
					if way == behind && d.name == "run a program" {
						t.Skip("a compiler may start those of the system")
					}
					if !can(d.since) && !(way == behind && d.out && k.seccomp) {
						t.Skipf("this kernel can't refuse it: Landlock %d, filter of calls %v", k.landlock, k.seccomp)
					}
					if code := child(t, way, d.name, d.on(t), May{}); code != wasRefused {
						t.Errorf("exit code %d, want %d, refused", code, wasRefused)
					}
				})
			}
		})
	}
}

// Behind the wall one may do what is named, and no missing path keeps one from it.
func TestMay(t *testing.T) {
	for _, d := range deeds {
		switch d.name {
		case "read a file", "list a folder", "write a file", "make a file", "remove a file", "empty a file", "rename a file", "make a folder", "make a link":
			to := d.on(t)
			may := May{Read: []string{"/no/such/folder"}, Write: []string{"/no/such/file"}}
			if strings.HasPrefix(to, "/etc") {
				may.Read = append(may.Read, to)
			} else {
				may.Write = append(may.Write, filepath.Dir(to))
			}
			if code := child(t, behind, d.name, to, may); code != couldDo {
				t.Errorf("%s: exit code %d", d.name, code)
			}
		}
	}
}

// The wall is around the child alone: whatever thread we come to is as before.
func TestWallIsNotAroundUs(t *testing.T) {
	child(t, behind, "read a file", "/etc/passwd", May{})
	here()
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if _, err := os.ReadFile("/etc/passwd"); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// What the system has is told as it is.
func TestTell(t *testing.T) {
	tests := []struct {
		has             kernel
		judge, compiler string // what they are not kept from
	}{
		{kernel{7, true}, "", ""},
		{kernel{11, false}, "", ""},
		{kernel{7, false}, "the network", "the network"},
		{kernel{4, true}, "", "other processes"},
		{kernel{1, true}, "", "files and other processes"},
		{kernel{0, true}, "", "files and other processes"},
		{kernel{0, false}, "files, the network and other processes", "files, the network and other processes"},
	}
	for _, test := range tests {
		if judge, compiler := list(test.has.judgeLacks()), list(test.has.lacks()); judge != test.judge || compiler != test.compiler {
			t.Errorf("%+v: the judge lacks %q, want %q; the compiler %q, want %q", test.has, judge, test.judge, compiler, test.compiler)
		}
	}
}
