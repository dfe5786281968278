// Package fault names the ways in which a solution fails, and reads them off
// what a Go program leaves behind when it dies: a panic value, or the text that
// its runtime printed. It judges nothing: what a fault means for the verdict is
// for grading to say.
package fault

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/flk-byo/de/stages/stream"
)

// A Kind is the way in which a solution failed. The text is what people read.
type Kind string

const (
	WrongOutput      Kind = "wrong output"
	RuleBroken       Kind = "rule broken"
	DoesNotCompile   Kind = "does not compile"
	CompileTooCostly Kind = "too expensive to compile"
	NotImplemented   Kind = "not implemented"
	Panic            Kind = "panic"
	Deadlock         Kind = "deadlock"
	StackExhausted   Kind = "stack exhausted"
	MemoryExhausted  Kind = "memory exhausted"
	TimeLimit        Kind = "time limit"
	Exited           Kind = "exited"
	Slept            Kind = "slept"
	PrintedTooMuch   Kind = "printed too much"
	TooManyCalls     Kind = "too many calls"
	ProtocolBroken   Kind = "protocol broken"
	Nondeterministic Kind = "nondeterministic"
	Refused          Kind = "refused"
	NotShown         Kind = "not shown" // whoever reads of it may not know
	Killed           Kind = "killed"    // by us, to see what comes after; see [Kill]
)

// A Fault is one death of a solution. It is an error only so that it can travel
// through a contract's methods as a panic value; see [Guard].
type Fault struct {
	Kind    Kind     `json:"kind"`
	Message string   `json:"message"`          // one line, in the solution's own words where it has some
	Where   string   `json:"where,omitempty"`  // file:line in the solution, relative to its root
	Frames  []string `json:"frames,omitempty"` // the solution's own calls, innermost first, "name file:line"
	Trap    bool     `json:"-"`                // the WebAssembly trapped, and Go's runtime left no words on it
}

func (f *Fault) Error() string {
	if f.Where == "" {
		return fmt.Sprintf("%s: %s", f.Kind, f.Message)
	}
	return fmt.Sprintf("%s at %s: %s", f.Kind, f.Where, f.Message)
}

// Folder is that of the solution in which it died, as far as is known.
func (f *Fault) Folder() string {
	folder, _, _ := strings.Cut(f.Where, "/")
	return folder
}

// Kill is what an object of the host's panics with to end a guest that calls
// it, as a crash of its process would.
var Kill = &Fault{Kind: Killed, Message: "the harness ended it here, to start it again"}

// A Bug is a panic value that is no fault of the solution's, but of ours: it
// passes through [Guard].
type Bug struct{ Err error }

func (b Bug) Error() string { return b.Err.Error() }

// Unwrap returns the error behind it.
func (b Bug) Unwrap() error { return b.Err }

// Guard runs f and returns the fault it ended by, or nil. A panic that is no
// [Fault] is one of a solution that runs natively; but an error of the Go runtime,
// such as an index out of range, is taken for one of ours, a [Bug]: models and
// oracles run in f too.
func Guard(f func()) (died *Fault) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Fault:
			died = v
		case Bug:
			panic(v)
		case runtime.Error:
			panic(Bug{fmt.Errorf("%w\n%s", v, debug.Stack())})
		case error:
			died = fromMessage(v.Error())
		default:
			died = fromMessage(fmt.Sprint(v))
		}
	}()
	f()
	return nil
}

// maxMessage bounds, in bytes, what is kept of a solution's own words.
const maxMessage = 1000

func fromMessage(message string) *Fault {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "..."
	}
	if strings.HasPrefix(message, stream.NotImplementedText) {
		return &Fault{Kind: NotImplemented, Message: message}
	}
	return &Fault{Kind: Panic, Message: message}
}

// Parse reads the fault off what a dying Go program printed, or returns nil
// where it did not die of a panic or a fatal error. Frames are kept whose file
// is below root, which is cut from them. The text is untrusted: a program can
// print what it likes, and so choose its kind of failure, but nothing else.
func Parse(printed, root string) *Fault {
	f, rest := lastWords(printed, lineBegins)
	if f == nil { // the solution's own printing may not have ended its line
		f, rest = lastWords(printed, strings.Cut)
	}
	if f == nil {
		return nil
	}
	f.Frames = frames(rest, root)
	if len(f.Frames) > 0 {
		f.Where = f.Frames[0][strings.LastIndexByte(f.Frames[0], ' ')+1:]
	}
	return f
}

// Printed returns what a program printed before its last words, if [Parse] can
// read them: its own.
func Printed(printed string) string {
	f, below := lastWords(printed, lineBegins)
	if f == nil {
		f, below = lastWords(printed, strings.Cut)
	}
	if f == nil {
		return printed
	}
	before := printed[:len(printed)-len(below)]
	begin := strings.LastIndexByte(strings.TrimRight(before, "\n"), '\n') + 1
	for _, mark := range []string{markFatal, markStack, markPanic} {
		if i := strings.Index(before[begin:], mark); i >= 0 {
			return before[:begin+i]
		}
	}
	return before[:begin]
}

// What stands before a Go program's last words.
const (
	markFatal = "fatal error: "
	markStack = "runtime: goroutine stack exceeds"
	markPanic = "panic: "
)

// lineBegins cuts a line that begins with the mark, as [strings.Cut] does one
// that has it anywhere. A panic during another is printed below it, indented.
func lineBegins(line, mark string) (before, after string, found bool) {
	after, found = strings.CutPrefix(strings.TrimPrefix(line, "\t"), mark)
	return "", after, found
}

// lastWords reads why a program died, and returns what stands below. Of several
// panics the last counts: the others were recovered from, or it came of them.
func lastWords(printed string, cut func(line, mark string) (before, after string, found bool)) (f *Fault, rest string) {
	below := printed
	for line := range strings.SplitAfterSeq(printed, "\n") {
		below = below[len(line):]
		text := strings.TrimRight(line, "\r\n")
		if _, message, ok := cut(text, markFatal); ok {
			return fatal(message), below
		}
		if _, _, ok := cut(text, markStack); ok {
			return fatal("stack overflow"), below
		}
		if _, message, ok := cut(text, markPanic); ok {
			message = strings.TrimSuffix(strings.TrimSuffix(message, " [recovered]"), " [recovered, repanicked]")
			f, rest = fromMessage(message), below
		}
	}
	return f, rest
}

func fatal(message string) *Fault {
	switch {
	case strings.HasPrefix(message, "all goroutines are asleep"), strings.HasPrefix(message, "no goroutines"):
		return &Fault{Kind: Deadlock, Message: strings.TrimRight(message, "!")}
	case strings.Contains(message, "out of memory"), strings.Contains(message, "cannot allocate memory"):
		return &Fault{Kind: MemoryExhausted, Message: message}
	case strings.HasPrefix(message, "stack overflow"):
		return &Fault{Kind: StackExhausted, Message: "a goroutine's stack outgrew its limit"}
	default:
		return &Fault{Kind: Panic, Message: message}
	}
}

// maxFrames bounds what is kept of a stack; recursion makes long ones.
const maxFrames = 8

// frames returns the calls below root of the first goroutine in a Go stack
// dump, where each is a line "name(args)" and then a line "\tfile:line +0x1f".
func frames(dump, root string) []string {
	begin := strings.Index("\n"+dump, "\ngoroutine ")
	if begin < 0 {
		return nil
	}
	dump, _, _ = strings.Cut(dump[begin:], "\n\n")
	var kept []string
	name := ""
	for line := range strings.SplitSeq(dump, "\n") {
		file, indented := strings.CutPrefix(line, "\t")
		if !indented {
			name = line
			continue
		}
		file, ok := strings.CutPrefix(file, root)
		if !ok || strings.HasPrefix(name, "created by ") {
			continue
		}
		file, _, _ = strings.Cut(file, " ")
		if i := strings.LastIndexByte(name, '('); i > 0 {
			name = name[:i]
		}
		frame := strings.TrimPrefix(name, root) + " " + file
		if len(kept) == maxFrames {
			break
		}
		if len(kept) == 0 || kept[len(kept)-1] != frame { // recursion
			kept = append(kept, frame)
		}
	}
	return kept
}
