package report

import "github.com/flk-byo/de/harness/fault"

// advice is one thing to try for a kind of failure that the case itself does
// not explain; "" for the others.
func advice(k fault.Kind) string {
	switch k {
	case fault.CompileTooCostly:
		return "Look for huge constants, arrays, generated tables or deeply nested types."
	case fault.Deadlock:
		return "Every goroutine waits for another. Look for a channel that nobody reads or closes, or a lock taken twice."
	case fault.StackExhausted:
		return "Look for a recursion that does not end."
	case fault.MemoryExhausted:
		return "Look for a slice or map that grows on every turn of a loop that does not end."
	case fault.TimeLimit:
		return "Look for a loop or recursion that makes no progress for this input, or that does far more than it must."
	case fault.Exited:
		return "A solution returns. It must not call os.Exit, log.Fatal or runtime.Goexit."
	case fault.Slept:
		return "Nothing here depends on the time of day: take time.Now, time.Sleep and timers out."
	case fault.PrintedTooMuch:
		return "Print less, or only in the case that you look at."
	case fault.TooManyCalls:
		return "Look for a loop that goes on calling what it was handed."
	case fault.ProtocolBroken:
		return "The solution's answer could not be read. Hand over only values of the contract's types, made in the usual way."
	case fault.Nondeterministic:
		return "Look for a range over a map, math/rand, or goroutines that race."
	}
	return ""
}
