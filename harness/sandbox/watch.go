package sandbox

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/flk-byo/de/harness/fault"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// listeners reports calls of the Go functions of [Config.Watch], and with
// [Config.Places] those of the solution's own. WASI's own counters can't tell of
// the clock: the runtime reads it through the same calls.
func listeners(config Config) experimental.FunctionListenerFactory {
	linked := make([]string, len(config.Watch))
	for i, name := range config.Watch {
		linked[i] = linkName(name)
	}
	root := linkName(config.SourceRoot)
	return experimental.FunctionListenerFactoryFunc(func(def api.FunctionDefinition) experimental.FunctionListener {
		switch {
		case slices.Contains(linked, def.Name()):
			return experimental.FunctionListenerFunc(watch)
		case config.Places && strings.HasPrefix(def.Name(), root):
			return running{}
		default:
			return nil
		}
	})
}

// running keeps which of the solution's functions are under way.
type running struct{}

func (running) Before(ctx context.Context, _ api.Module, def api.FunctionDefinition, _ []uint64, _ experimental.StackIterator) {
	i := ctx.Value(instanceKey{}).(*Instance)
	i.running = append(i.running, def.Name())
}

func (running) After(ctx context.Context, _ api.Module, _ api.FunctionDefinition, _ []uint64) {
	i := ctx.Value(instanceKey{}).(*Instance)
	i.running = i.running[:max(len(i.running)-1, 0)]
}

// Abort leaves the calls as they are: they are what was under way.
func (running) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// maxRunning is how many of the functions under way are told, from the innermost.
const maxRunning = 8

// underWay names the solution's functions that are under way, innermost first,
// as [fault.Fault.Frames] does, but without their packages and lines.
func (i *Instance) underWay() []string {
	var names []string
	for _, name := range slices.Backward(i.running) {
		_, name, _ = strings.Cut(name, ".") // the package
		name = pointerReceiver.ReplaceAllString(name, "(*$1).")
		if len(names) == 0 || !isAround(name+" ", names[len(names)-1]) {
			names = append(names, name+" ")
		}
		if len(names) == maxRunning {
			break
		}
	}
	return names
}

// isAround tells whether a function need not be told beside the one that it calls:
// in a recursion, or where Go made it for pointers out of a method of values.
func isAround(name, called string) bool {
	return name == called || strings.Replace(strings.TrimPrefix(name, "(*"), ").", ".", 1) == called
}

// pointerReceiver is how Go's linker writes one.
var pointerReceiver = regexp.MustCompile(`^__([0-9A-Za-z]+)_\.`)

func watch(ctx context.Context, _ api.Module, def api.FunctionDefinition, _ []uint64, stack experimental.StackIterator) {
	i := ctx.Value(instanceKey{}).(*Instance)
	by, folders := callers(stack, linkName(i.program.config.SourceRoot))
	switch {
	case slices.ContainsFunc(excused, func(prefix string) bool { return strings.HasPrefix(by, linkName(prefix)) }):
	case i.Peer == nil: // initialisation, also of the standard library
		for _, folder := range folders {
			i.atStart.watched[watchedBy{folder, def.Name()}] = true
		}
	default:
		i.watched[def.Name()] = true
	}
}

// watchedBy is a watched function, as called by the package of a folder. Both
// names are the linker's.
type watchedBy struct{ folder, function string }

// excused is how the names of functions begin that have reasons of their own to
// use the clock: a log stamps its lines, crypto/rand watches over its source,
// what package time does was asked of another of its functions, and Go's
// scheduler does not call a function but goes on with one that was called.
var excused = []string{"log.", "log/slog.", "crypto/", "time.", "wasm_pc_f_loop"}

// callers returns the function that made the call at the top of the stack, and
// the folders below root whose functions are on it. Only the caller itself is
// sure to be there: Go takes a goroutine off the stack when it switches, or lets
// it grow, and goes on with the innermost function alone.
func callers(stack experimental.StackIterator, root string) (by string, folders []string) {
	stack.Next() // the function itself
	for stack.Next() {
		name := stack.Function().Definition().Name()
		if by == "" {
			by = name
		}
		if below, ok := strings.CutPrefix(name, root); ok {
			folder, _, _ := strings.Cut(below, ".")
			folders = append(folders, folder)
		}
	}
	return by, folders
}

// linkName is a Go function's name, or the start of one, as Go's linker writes
// it in a WASM module: other characters than letters, digits and dots are
// underscores there.
func linkName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// cappedOutput keeps what a guest prints, and ends a guest that floods. It must
// not embed bytes.Buffer, whose ReadFrom would get around the cap.
type cappedOutput struct {
	buf   []byte // the first of it
	keep  int    // how long buf may become
	size  int    // of all of it
	limit int    // of size
}

// minPrint is what a print counts at least, in bytes, so that a flood of small ones
// ends as soon as any.
const minPrint = 16

func (o *cappedOutput) Write(p []byte) (int, error) {
	o.buf = append(o.buf, p[:min(len(p), o.keep-len(o.buf))]...)
	if o.size += max(len(p), minPrint); o.size > o.limit {
		panic(&fault.Fault{Kind: fault.PrintedTooMuch, Message: "it prints without end"})
	}
	return len(p), nil
}

func (o *cappedOutput) reset() { o.buf, o.size = o.buf[:0], 0 }

// hostPanicked tells whether err is of a panic on the host's side of a call.
func hostPanicked(err error) bool {
	return strings.Contains(err.Error(), " (recovered by wazero)\n")
}

// trapped names the fault behind a trap that the Go runtime left no words on.
// wazero has no exported values for them, only texts.
func trapped(err error) *fault.Fault {
	first, _, _ := strings.Cut(err.Error(), "\n")
	first = strings.TrimPrefix(first, "wasm error: ")
	if strings.Contains(first, "stack overflow") {
		return &fault.Fault{Kind: fault.StackExhausted, Message: "calls nest too deeply"}
	}
	return &fault.Fault{Kind: fault.Panic, Message: first, Trap: true}
}
