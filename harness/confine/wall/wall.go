// Package wall keeps processes that touch a solution from what they have no
// business with: files, the network and other processes. It is a second wall.
// The first is WebAssembly, or that a compiler runs nothing; this one is there
// for when that has a hole. It is made of what the kernel has to offer, Landlock
// and seccomp of Linux, and where that is little, it is low: nothing fails for
// it. Limits of memory and time are not its matter, see package confine.
//
// Start reading at [Close].
package wall

import "strings"

// Close shuts this process in, all its threads and for good: from here on it can
// open no file, make no socket, start no program, and reach no other process.
// What it has open it keeps. Where the kernel can't do some of that, the rest is
// done all the same; [Judge] tells.
func Close() { closeIn() }

// Judge tells what [Close] comes to on this system, in words, and whether that
// is all it should be.
func Judge() (whole bool, words string) { return tell("the judge", judgeLacks()) }

// tell puts into words what a process is kept from, but for what lacks.
func tell(who string, lacks []string) (whole bool, words string) {
	if len(lacks) == 0 {
		return true, who + " is kept from files, the network and other processes, should the sandbox have a hole"
	}
	return false, "should the sandbox have a hole, " + who + " is not kept from " + list(lacks) + " on this system"
}

// list joins words as a sentence does.
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// What a process may be kept from.
const (
	files     = "files"
	network   = "the network"
	processes = "other processes"
)
