package wall

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// everything is all that Landlock can keep a process from, as far as the kernel
// knows it.
var everything = landlock.V11.BestEffort()

func closeIn() {
	// The one is no reason to leave out the other. Judge tells what can't be had.
	_ = everything.Restrict()
	_ = closeCalls()
}

// run has a thread of its own go behind the wall and start the command there,
// since a process is born with the restrictions of the thread that starts it.
// That costs no further process, which a command that restricts itself and then
// becomes another would. The thread stays until the command has ended, which
// would be killed at its end, and ends with it.
func run(cmd *exec.Cmd, may May) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: so Go gives up the thread
		_ = restrictThread(rules(may)...)
		_ = refuseOut()
		done <- cmd.Run()
	}()
	return <-done
}

// forPrograms is what those of the system need to start, the shell among them.
var forPrograms = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.preload",
	"/nix/store", "/gnu/store", "/system", // where NixOS, Guix and Android have theirs
}

func rules(may May) []landlock.Rule {
	var rules []landlock.Rule
	for _, path := range slices.Concat(forPrograms, may.Read) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			rules = append(rules, landlock.RODirs(path).IgnoreIfMissing())
		} else if err == nil {
			rules = append(rules, landlock.ROFiles(path).IgnoreIfMissing())
		}
	}
	return append(rules, landlock.PathAccess(write, may.Write...).IgnoreIfMissing(), landlock.RWFiles(os.DevNull).IgnoreIfMissing())
}

// write is what may be done where one may write: all but to run what is there.
const write = ll.AccessFSReadFile | ll.AccessFSReadDir | ll.AccessFSWriteFile | ll.AccessFSTruncate |
	ll.AccessFSMakeReg | ll.AccessFSMakeDir | ll.AccessFSMakeSym | ll.AccessFSRemoveFile | ll.AccessFSRemoveDir

// kernel is what this kernel offers to this process.
type kernel struct {
	landlock int  // version of its interface; 0 for none
	seccomp  bool // a filter of system calls
}

// Versions of Landlock since which there is
const (
	landlockFiles    = 3  // all that can be done to files
	landlockSignals  = 6  // signals, and sockets without a file
	landlockDatagram = 10 // the network, with UDP
)

// here asks the kernel by doing it: a container may show what it then refuses.
var here = sync.OnceValue(func() (k kernel) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with this
		k.landlock = landlockVersion()
		k.seccomp = canRefuse()
	}()
	<-done
	return k
})

func landlockVersion() int {
	version, err := ll.LandlockGetABIVersion()
	if err != nil || version < 1 {
		return 0
	}
	if restrictThread() != nil {
		return 0
	}
	return version
}

// restrictThread keeps this thread, and what it starts, from all but what rules
// allow.
func restrictThread(rules ...landlock.Rule) error {
	ruleset, flags, err := everything.NewRulesetFD(rules...)
	if err != nil || ruleset < 0 {
		return err
	}
	defer unix.Close(ruleset)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return ll.LandlockRestrictSelf(ruleset, flags)
}

func judgeLacks() []string { return here().judgeLacks() }

func runLacks() []string { return here().lacks() }

func (k kernel) judgeLacks() []string {
	if k.seccomp {
		return nil // what the filter refuses is all there is
	}
	return k.lacks()
}

// lacks is what one is not kept from who may open files and run programs.
func (k kernel) lacks() (lacks []string) {
	if k.landlock < landlockFiles {
		lacks = append(lacks, files)
	}
	if k.landlock < landlockDatagram && !k.seccomp {
		lacks = append(lacks, network)
	}
	if k.landlock < landlockSignals {
		lacks = append(lacks, processes)
	}
	return lacks
}
