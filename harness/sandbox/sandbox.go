// Package sandbox runs a guest: a solution that was compiled to WASM. It is the
// only package that knows wazero.
//
// A guest gets no files, no environment, no arguments, no network, a clock and
// random numbers of ours, and memory and output up to a limit, so that what it
// does is a pure function of its bytes, the calls made to it, and a seed. What
// it can't bound is time: an endless loop is for the parent process to kill, or
// for [Config.Guarded].
//
// Start reading at [Compile].
package sandbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// A Config bounds the guests of one [Program]. The zero value of each number
// means the default.
type Config struct {
	Interpret   bool     // use wazero's interpreter: loads at once, runs some 15 times slower
	Guarded     bool     // let a context end a call: calls become 4 to 8 times slower
	Workers     int      // of the compiler; default 1
	MemoryPages uint32   // of 64 KiB; default 4096, which is 256 MiB
	OutputBytes int      // that a guest may print between two calls of Reset or Continue; default 16 MiB. A print counts as at least minPrint
	HostCalls   int      // that a guest may make between two calls of Reset or Continue; default 2,000,000
	Watch       []string // Go functions whose calls are reported, e.g. "time.Now"
	SourceRoot  string   // how the paths of the solution's files begin in stack traces
	Places      bool     // let each call of the host tell where it comes from, see [Instance.Place], and a time limit what was running

	Hot []string // functions of Go's runtime to compile, sorted; nil means all. See [ColdCall]
}

func (c Config) withDefaults() Config {
	c.Workers = max(c.Workers, 1)
	if c.MemoryPages == 0 {
		c.MemoryPages = 4096
	}
	if c.OutputBytes == 0 {
		c.OutputBytes = 16 << 20
	}
	if c.HostCalls == 0 {
		c.HostCalls = 2_000_000
	}
	return c
}

// A Program is a compiled guest. It can have many instances, also at once.
type Program struct {
	config  Config
	runtime wazero.Runtime
	module  wazero.CompiledModule
	globals int
	cold    map[int]string // functions that were left out, by index
}

// Compile compiles a guest's bytes. The caller must Close the program.
func Compile(ctx context.Context, wasm []byte, config Config) (*Program, error) {
	p := &Program{config: config.withDefaults()}
	wasm, globals, err := exportGlobals(wasm)
	if err != nil {
		return nil, fmt.Errorf("compile guest: %w", err)
	}
	p.globals = globals
	if p.config.Hot != nil {
		if wasm, p.cold, err = leaveOut(wasm, p.config.Hot); err != nil {
			return nil, fmt.Errorf("compile guest: %w", err)
		}
	}
	rc := wazero.NewRuntimeConfigCompiler()
	if config.Interpret {
		rc = wazero.NewRuntimeConfigInterpreter()
	}
	rc = rc.WithMemoryLimitPages(p.config.MemoryPages).WithCloseOnContextDone(config.Guarded)
	p.runtime = wazero.NewRuntimeWithConfig(ctx, rc)
	if err := p.link(ctx); err != nil {
		p.Close(ctx)
		return nil, err
	}
	ctx = experimental.WithCompilationWorkers(ctx, p.config.Workers)
	ctx = experimental.WithFunctionListenerFactory(ctx, listeners(p.config))
	if p.module, err = p.runtime.CompileModule(ctx, wasm); err != nil {
		p.Close(ctx)
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return p, nil
}

// ErrRefused is the error of a guest that was built, but can't be loaded, e.g.
// since it asks for more memory than there is.
var ErrRefused = errors.New("the guest can't be loaded")

// link defines what a guest can import: WASI, and the two functions of the
// protocol.
func (p *Program) link(ctx context.Context) error {
	i32 := api.ValueTypeI32
	wasi := p.runtime.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(wasi)
	wasi.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(procExit), []api.ValueType{i32}, nil).Export("proc_exit")
	if _, err := wasi.Instantiate(ctx); err != nil {
		return fmt.Errorf("link guest: %w", err)
	}
	_, err := p.runtime.NewHostModuleBuilder("de").
		NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(hostCall), []api.ValueType{i32, i32, i32, i32}, []api.ValueType{i32}).Export("call").
		NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(hostReply), []api.ValueType{i32}, nil).Export("reply").
		Instantiate(ctx)
	if err != nil {
		return fmt.Errorf("link guest: %w", err)
	}
	return nil
}

// Close frees the program and ends its instances.
func (p *Program) Close(ctx context.Context) error { return p.runtime.Close(ctx) }
