// Package wall keeps processes that touch a solution from what they have no
// business with: files, the network and other processes. It is a second wall.
// The first is WebAssembly, or that a compiler runs nothing; this one is there
// for when that has a hole. It is made of what the kernel has to offer, Landlock
// and seccomp of Linux, and where that is little, it is low: nothing fails for
// it. Limits of memory and time are not its matter, see package confine.
//
// Start reading at [Close] and [Run].
package wall

import (
	"os/exec"
	"strings"
)

// Close shuts this process in, all its threads and for good: from here on it can
// open no file, make no socket, start no program, and reach no other process.
// What it has open it keeps. Where the kernel can't do some of that, the rest is
// done all the same; [Judge] tells.
func Close() { closeIn() }

// May is what a process behind the wall, and all that it starts, may do beside
// using what it was given open. What it may read it may also run. Paths that are
// not there are left out.
type May struct {
	Read  []string // files and folders
	Write []string // folders; what is in them may be read, and not be run
}

// Run runs a command behind the wall: it reaches no files but those that it may,
// no network, and no process but those that it starts. As with [Close], nothing
// fails for what the kernel can't do; [Compiler] tells.
func Run(cmd *exec.Cmd, may May) error { return run(cmd, may) }

// Judge tells what [Close] comes to on this system, in words, and whether that
// is all it should be.
func Judge() (whole bool, words string) {
	return tell("judge", judgeLacks())
}

// Compiler tells the same of [Run].
func Compiler() (whole bool, words string) {
	return tell("compiler", runLacks())
}

// What a process may be kept from.
const (
	files     = "files"
	network   = "the network"
	processes = "other processes"
)

func tell(who string, lacks []string) (whole bool, words string) {
	if len(lacks) == 0 {
		return true, "a second wall keeps the " + who + " from " + list([]string{files, network, processes})
	}
	return false, "on this system no second wall keeps the " + who + " from " + list(lacks)
}

// list joins words as a sentence does.
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
