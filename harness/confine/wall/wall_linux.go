package wall

import (
	"runtime"
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

func judgeLacks() (lacks []string) {
	k := here()
	if k.seccomp {
		return nil
	}
	if k.landlock < landlockFiles {
		lacks = append(lacks, files)
	}
	if k.landlock < landlockDatagram {
		lacks = append(lacks, network)
	}
	if k.landlock < landlockSignals {
		lacks = append(lacks, processes)
	}
	return lacks
}
