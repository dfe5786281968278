package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// An Instance is one guest, started. It is for one goroutine at a time.
//
// Any call to it through the Peer may panic with a [*fault.Fault]; the instance
// is dead then, and only good for Output and Close.
type Instance struct {
	Peer *rpc.Peer // the host's end; new after each Reset

	program *Program
	ctx     context.Context // of the call under way
	module  api.Module
	memory  *memory
	call    []*frame // of calls of the guest, by depth of nesting
	depth   int
	buffer  api.Function
	inbox   uint32 // address of the guest's inbox
	inboxN  uint32 // its length

	clock    int64
	output   cappedOutput
	calls    int // host calls since the last Reset or Continue
	pulse    *Pulse
	maxCalls int
	reply    []byte
	place    string
	running  []string // functions of the solution's that are under way
	watched  map[string]bool
	dead     bool

	atStart state
}

// A frame is what one call of the guest needs. Calls that nest, since the host
// calls the guest while it serves a call of the guest's, have one each.
type frame struct {
	function api.Function
	stack    [3]uint64
}

// state is what Reset goes back to, beside the guest's memory.
type state struct {
	clock   int64
	inbox   uint32
	inboxN  uint32
	globals []uint64
	watched map[watchedBy]bool // during initialisation
}

// inboxSize is how large the guest's inbox is asked to be from the start.
const inboxSize = 64 << 10

// Start makes an instance whose random numbers come from seed, and runs the
// packages' initialisation. A fault of the guest is returned as a [*fault.Fault].
func (p *Program) Start(ctx context.Context, seed uint64) (*Instance, error) {
	i := &Instance{program: p, ctx: ctx, pulse: pulseOf(ctx), watched: map[string]bool{}}
	i.atStart.watched = map[watchedBy]bool{}
	i.output.keep = p.config.OutputBytes
	i.Allow(1)
	i.memory = new(memory)
	ctx = experimental.WithMemoryAllocator(i.bind(ctx), i.memory)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithStdout(&i.output).WithStderr(&i.output).
		WithRandSource(randomness(seed)).
		WithNanotime(i.nanotime, 1).WithWalltime(i.walltime, 1).
		WithNanosleep(func(ns int64) { i.clock += max(ns, 0) }).
		WithOsyield(func() { i.clock++ })
	module, err := p.runtime.InstantiateModule(ctx, p.module, config)
	if err != nil {
		return nil, errors.Join(i.diagnose(err), i.memory.release())
	}
	i.module = module
	if err := i.prepare(); err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

// prepare finds the guest's exports and takes the snapshot.
func (i *Instance) prepare() error {
	i.buffer = i.module.ExportedFunction("de_buffer")
	if i.buffer == nil || i.module.ExportedFunction("de_call") == nil {
		return &fault.Fault{Kind: fault.ProtocolBroken, Message: "the guest does not export what the harness calls"}
	}
	if died := fault.Guard(func() { i.growInbox(inboxSize) }); died != nil {
		return died
	}
	i.atStart.clock, i.atStart.inbox, i.atStart.inboxN = i.clock, i.inbox, i.inboxN
	if i.program.config.Places {
		if err := i.askPlaces(); err != nil {
			return err
		}
	}
	for g := range i.program.globals {
		i.atStart.globals = append(i.atStart.globals, i.module.ExportedGlobal(globalName(g)).Get())
	}
	i.Peer = rpc.NewHost(i.send)
	return i.memory.snapshot()
}

// askPlaces has the guest tell from where it calls.
func (i *Instance) askPlaces() error {
	f := i.module.ExportedFunction("de_place")
	if f == nil {
		return &fault.Fault{Kind: fault.ProtocolBroken, Message: "the guest does not export what the harness calls"}
	}
	if died := fault.Guard(func() { i.invoke(f, nil) }); died != nil {
		return died
	}
	return nil
}

// Reset takes the guest back to where Start left it, even when it died. It
// reports false where that can't be done: then start a new one.
func (i *Instance) Reset() bool {
	if i.module.IsClosed() || !i.memory.restore() {
		return false
	}
	for g, value := range i.atStart.globals {
		if global, ok := i.module.ExportedGlobal(globalName(g)).(api.MutableGlobal); ok {
			global.Set(value)
		}
	}
	i.call, i.depth, i.buffer = nil, 0, i.module.ExportedFunction("de_buffer")
	i.dead = false
	i.clock, i.inbox, i.inboxN = i.atStart.clock, i.atStart.inbox, i.atStart.inboxN
	i.Continue(i.ctx)
	return true
}

// Continue begins a new account of calls and output, and a new Peer without
// objects, on a guest that goes on as it is. In a guarded program, the end of
// ctx ends the calls that follow; its cause is the fault's message.
func (i *Instance) Continue(ctx context.Context) {
	i.ctx, i.pulse = ctx, pulseOf(ctx)
	i.output.reset()
	i.calls, i.place, i.running = 0, "", nil
	i.Allow(1)
	clear(i.watched)
	i.Peer = rpc.NewHost(i.send)
}

// Allow makes the limits of calls and of output n times as large, until the next
// Reset or Continue.
func (i *Instance) Allow(n int) {
	i.maxCalls = n * i.program.config.HostCalls
	i.output.limit = n * i.program.config.OutputBytes
}

// Dead tells whether the guest died; then only Reset can help.
func (i *Instance) Dead() bool { return i.dead }

// Output returns what the guest printed since the last Reset or Continue.
func (i *Instance) Output() string { return string(i.output.buf) }

// Place returns where in the solution the call comes from that the guest is
// making, or made last, as "file:line" relative to [Config.SourceRoot]; empty if
// that is not known. It is the guest's word.
func (i *Instance) Place() string { return i.place }

// Watched reports whether the guest called the named function of
// [Config.Watch] since the last Reset or Continue.
func (i *Instance) Watched(function string) bool { return i.watched[linkName(function)] }

// WatchedAtStart reports whether code of the package in a folder below
// [Config.SourceRoot] called the function while the packages were initialised.
func (i *Instance) WatchedAtStart(folder, function string) bool {
	return i.atStart.watched[watchedBy{linkName(folder), linkName(function)}]
}

// Close ends the instance and frees its memory.
func (i *Instance) Close() error {
	err := i.module.Close(context.Background())
	return errors.Join(err, i.memory.release())
}

type instanceKey struct{}

func (i *Instance) bind(ctx context.Context) context.Context {
	return context.WithValue(ctx, instanceKey{}, i)
}

// send is the host's transport: one call of the guest.
func (i *Instance) send(ref rpc.Ref, method uint32, args []byte) []byte {
	i.pulse.beat()
	if len(args) > rpc.MaxMessage {
		panic("a message of the host's is larger than the protocol allows")
	}
	if uint32(len(args)) > i.inboxN {
		i.growInbox(uint32(len(args)))
	}
	if len(args) > 0 && !i.module.Memory().Write(i.inbox, args) {
		i.breach("the inbox lies outside the memory")
	}
	if i.depth == len(i.call) {
		i.call = append(i.call, &frame{function: i.module.ExportedFunction("de_call")})
	}
	f := i.call[i.depth]
	f.stack = [3]uint64{api.EncodeI32(int32(ref)), uint64(method), uint64(len(args))}
	i.depth++
	i.invoke(f.function, f.stack[:])
	i.depth--
	address, n := uint32(f.stack[0]>>32), uint32(f.stack[0])
	if n == 0 {
		return nil
	}
	reply, ok := i.module.Memory().Read(address, n)
	if !ok || n > rpc.MaxMessage {
		i.breach("a reply lies outside the memory or is too large")
	}
	return reply
}

func (i *Instance) growInbox(n uint32) {
	stack := []uint64{uint64(n)}
	i.invoke(i.buffer, stack)
	i.inbox, i.inboxN = uint32(stack[0]), n
}

// invoke calls the guest, and panics with the fault if it dies.
func (i *Instance) invoke(f api.Function, stack []uint64) {
	if i.dead {
		panic(&fault.Fault{Kind: fault.ProtocolBroken, Message: "the guest was called after its end"})
	}
	if err := f.CallWithStack(i.bind(i.ctx), stack); err != nil {
		panic(i.diagnose(err))
	}
}

func (i *Instance) breach(problem string) {
	i.dead = true
	panic(&fault.Fault{Kind: fault.ProtocolBroken, Message: problem})
}

// diagnose names the fault that err, from wazero, stands for. It panics with a
// [fault.Bug] if it was our side of a call that broke down.
func (i *Instance) diagnose(err error) *fault.Fault {
	i.dead = true
	printed := fault.Parse(i.Output(), i.program.config.SourceRoot)
	var died *fault.Fault
	var breach rpc.Breach
	var exit exitCode
	var bug runtime.Error
	switch {
	case errors.As(err, &exit) && i.program.cold[int(exit)-coldExit] != "":
		panic(fault.Bug{Err: ColdCall{i.program.cold[int(exit)-coldExit]}})
	case i.ctx.Err() != nil:
		return &fault.Fault{Kind: fault.TimeLimit, Message: context.Cause(i.ctx).Error(), Frames: i.underWay()}
	case errors.As(err, &bug):
		panic(fault.Bug{Err: err})
	case errors.As(err, &died) && died.Kind != fault.PrintedTooMuch:
		return died
	case errors.As(err, &breach):
		return &fault.Fault{Kind: fault.ProtocolBroken, Message: breach.Problem}
	case died == nil && !errors.As(err, &exit) && hostPanicked(err):
		panic(fault.Bug{Err: err})
	case printed != nil:
		return printed // also where the runtime's own dump was the flood
	case died != nil:
		return died
	case errors.As(err, &exit):
		return &fault.Fault{Kind: fault.Exited, Message: fmt.Sprintf("it ended the process with code %d instead of returning", exit)}
	default:
		return trapped(err)
	}
}

// randomness is a source of random bytes that depends on seed alone.
func randomness(seed uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}

// The clock moves by a nanosecond at each reading, and by what is slept. A
// larger step starves Go's garbage collector, which paces itself by time.
func (i *Instance) nanotime() int64 {
	i.clock++
	return i.clock
}

func (i *Instance) walltime() (sec int64, nsec int32) {
	const epoch = 1_000_000_000 // 2001-09-09, so that no date is taken for a real one
	ns := i.nanotime()
	return epoch + ns/1e9, int32(ns % 1e9)
}

// hostCall is the guest's transport: one call of the host. Parameters are ref,
// method, and address and length of the arguments; the result is the length of
// the reply, which the guest then fetches by hostReply.
func hostCall(ctx context.Context, module api.Module, stack []uint64) {
	i := ctx.Value(instanceKey{}).(*Instance)
	i.pulse.beat()
	if i.calls++; i.calls > i.maxCalls {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling the objects it was given"})
	}
	if i.Peer == nil {
		panic(&fault.Fault{Kind: fault.ProtocolBroken, Message: "the host was called before it had called"})
	}
	ref, method := rpc.Ref(api.DecodeI32(stack[0])), uint32(stack[1])
	args, ok := module.Memory().Read(uint32(stack[2]), uint32(stack[3]))
	if !ok || len(args) > rpc.MaxMessage {
		panic(rpc.Breach{Problem: "arguments lie outside the memory or are too large"})
	}
	if i.program.config.Places {
		args = i.takePlace(args)
	}
	i.reply = append(i.reply[:0], i.Peer.Serve(ref, method, args)...)
	if len(i.reply) > math.MaxInt32 {
		panic(&fault.Fault{Kind: fault.MemoryExhausted, Message: "it asks the host for more than it can be given"})
	}
	stack[0] = uint64(len(i.reply))
}

// takePlace notes where a call comes from, and returns its arguments.
func (i *Instance) takePlace(message []byte) (args []byte) {
	d := rpc.NewDecoder(message)
	i.place = ""
	for range d.Len(2) {
		file, line := d.String(), d.Int()
		if own, ok := strings.CutPrefix(file, i.program.config.SourceRoot); ok && i.place == "" {
			i.place = fmt.Sprintf("%s:%d", own, line)
		}
	}
	args = d.Blob()
	d.End()
	return args
}

func hostReply(ctx context.Context, module api.Module, stack []uint64) {
	i := ctx.Value(instanceKey{}).(*Instance)
	if !module.Memory().Write(uint32(stack[0]), i.reply) {
		panic(rpc.Breach{Problem: "the place for a reply lies outside the memory"})
	}
}

// exitCode is what a guest that exits panics with on the host. WASI's own
// proc_exit would close the module, so that it could not be reset.
type exitCode uint32

func (c exitCode) Error() string { return fmt.Sprintf("exit %d", uint32(c)) }

func procExit(_ context.Context, _ api.Module, stack []uint64) {
	panic(exitCode(uint32(stack[0])))
}
