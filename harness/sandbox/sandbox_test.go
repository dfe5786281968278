package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flk-byo/de/harness"
	"github.com/flk-byo/de/harness/build"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/sandbox"
	"github.com/flk-byo/de/harness/workspace"
	"github.com/flk-byo/de/stages"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

const folder = "08-transactional-sink"

// Refs of the solutions in the guest.
const (
	probeRef     rpc.Ref = 1
	referenceRef rpc.Ref = 2
)

// guest is the WASM of testdata/probe and the reference of stage 08.
var guest = sync.OnceValues(func() ([]byte, error) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(stages.Files, folder+"/reference")
	if err != nil {
		return nil, err
	}
	const below = "06-checkpoint-barriers" // which it is built on
	others, err := fs.Sub(stages.Files, below+"/reference")
	if err != nil {
		return nil, err
	}
	r, err := build.Guest(context.Background(), build.Config{
		Go: goCommand, Cache: filepath.Join(cache, "flk-byo"), Path: os.Getenv("PATH"),
		Stages: stages.Files, Harness: harness.GuestFiles,
	}, []build.Package{
		{Folder: "probe", Stage: folder, Files: os.DirFS("testdata/probe")},
		{Folder: folder, Stage: folder, Files: files, Rewrite: workspace.RewriteImports},
	}, []build.Package{{Folder: below, Stage: below, Files: others, Rewrite: workspace.RewriteImports}})
	defer r.Remove()
	if err != nil {
		return nil, err
	}
	if r.WASM == "" {
		return nil, errors.New("the probe does not compile: " + r.Description)
	}
	return os.ReadFile(r.WASM)
})

func program(t testing.TB, config sandbox.Config) *sandbox.Program {
	t.Helper()
	wasm, err := guest()
	if err != nil {
		t.Fatal(err)
	}
	config.SourceRoot, config.Workers = "flkbyo/", 2
	config.Watch = []string{"time.Now", "time.Sleep"}
	p, err := sandbox.Compile(t.Context(), wasm, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

func start(t testing.TB, p *sandbox.Program, seed uint64) *sandbox.Instance {
	t.Helper()
	i, err := p.Start(t.Context(), seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

// ask has the probe do something and returns its answer or how it died.
func ask(i *sandbox.Instance, what string, n int) (answer int64, died *fault.Fault) {
	died = fault.Guard(func() {
		newSink := func() contract.TransactionalSink { return sink.Solution{}.NewTransactionalSink() }
		rs := wire.Stage{Object: rpc.Object{Peer: i.Peer, Ref: probeRef}}.RunExactlyOnceSink(newSink, []stream.Record{{Key: what}}, n, 0, 0)
		answer = rs[0].Value
	})
	return answer, died
}

func mustAnswer(t *testing.T, i *sandbox.Instance, what string, n int, want int64) {
	t.Helper()
	if got, died := ask(i, what, n); died != nil || got != want {
		t.Errorf("%s %d is %d, %v; want %d", what, n, got, died, want)
	}
}

func reset(t *testing.T, i *sandbox.Instance) {
	t.Helper()
	if !i.Reset() {
		t.Fatal("the guest can't be reset")
	}
}

// both runs a test on the compiler and on the interpreter.
func both(t *testing.T, test func(*testing.T, *sandbox.Program)) {
	for name, interpret := range map[string]bool{"compiler": false, "interpreter": true} {
		t.Run(name, func(t *testing.T) {
			test(t, program(t, sandbox.Config{Interpret: interpret, OutputBytes: 1000, HostCalls: 20}))
		})
	}
}

func TestStateOfAGuest(t *testing.T) {
	both(t, func(t *testing.T, p *sandbox.Program) {
		i := start(t, p, 1)
		mustAnswer(t, i, "count", 0, 1)
		mustAnswer(t, i, "count", 0, 2)
		i.Continue(t.Context())
		mustAnswer(t, i, "count", 0, 3)
		reset(t, i)
		mustAnswer(t, i, "count", 0, 1)
		mustAnswer(t, start(t, p, 1), "count", 0, 1)
		mustAnswer(t, i, "count", 0, 2)
	})
}

func TestDeaths(t *testing.T) {
	both(t, func(t *testing.T, p *sandbox.Program) {
		i := start(t, p, 1)
		for _, test := range []struct {
			what string
			n    int
			kind fault.Kind
			says string
		}{
			{"panic", 0, fault.Panic, "as told"},
			{"exit", 0, fault.Exited, "code 0"},
			{"exit", 3, fault.Exited, "code 3"},
			{"recurse", 0, fault.StackExhausted, ""},
			{"print", 1000, fault.PrintedTooMuch, "it prints without end"},
			{"calls", 21, fault.TooManyCalls, "it keeps calling the objects it was given"},
		} {
			_, died := ask(i, test.what, test.n)
			if died == nil || died.Kind != test.kind || !strings.Contains(died.Message, test.says) || !i.Dead() {
				t.Errorf("%s %d: %+v, dead %v; want %s", test.what, test.n, died, i.Dead(), test.kind)
			}
			if test.what == "panic" && died != nil && !strings.HasPrefix(died.Where, "probe/probe.go:") {
				t.Errorf("it panicked at %q", died.Where)
			}
			if _, again := ask(i, "count", 0); again == nil || again.Kind != fault.ProtocolBroken {
				t.Errorf("%s: a dead guest answers: %v", test.what, again)
			}
			reset(t, i)
			if i.Dead() {
				t.Errorf("%s: dead after a reset", test.what)
			}
			mustAnswer(t, i, "count", 0, 1)
			checkReference(t, i)
		}
	})
}

// checkReference has the guest's reference do a job, with a crash.
func checkReference(t *testing.T, i *sandbox.Instance) {
	t.Helper()
	records := []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "c", Value: 3}}
	newSink := func() contract.TransactionalSink { return sink.Solution{}.NewTransactionalSink() }
	var got []stream.Record
	died := fault.Guard(func() {
		got = wire.Stage{Object: rpc.Object{Peer: i.Peer, Ref: referenceRef}}.RunExactlyOnceSink(newSink, records, 1, 2, 1)
	})
	if died != nil || !reflect.DeepEqual(got, records) {
		t.Errorf("the reference's output is %v, %v; want %v", got, died, records)
	}
}

// What the host's own objects panic with is a bug of ours, whatever it is, unless
// it is a fault.
func TestPanicsOfTheHost(t *testing.T) {
	both(t, func(t *testing.T, p *sandbox.Program) {
		i := start(t, p, 1)
		for name, f := range map[string]func(){
			"text":           func() { panic("ours") },
			"an error":       func() { panic(errors.New("ours")) },
			"of the runtime": func() { func(m map[int]int) { m[1]++ }(nil) },
			"a bug":          func() { panic(fault.Bug{Err: errors.New("ours")}) },
		} {
			newSink := func() contract.TransactionalSink { f(); return nil }
			func() {
				defer func() {
					if _, ok := recover().(fault.Bug); !ok {
						t.Errorf("%s: it was taken for a fault of the guest", name)
					}
				}()
				died := fault.Guard(func() {
					wire.Stage{Object: rpc.Object{Peer: i.Peer, Ref: probeRef}}.RunExactlyOnceSink(newSink, []stream.Record{{Key: "calls"}}, 1, 0, 0)
				})
				t.Errorf("%s: died of %v", name, died)
			}()
			reset(t, i)
			mustAnswer(t, i, "count", 0, 1)
		}
	})
}

func TestMemory(t *testing.T) {
	p := program(t, sandbox.Config{MemoryPages: 1 << 11})
	i := start(t, p, 1)
	if _, died := ask(i, "memory", 0); died == nil || died.Kind != fault.MemoryExhausted {
		t.Errorf("a guest that takes all memory: %v", died)
	}
	i = start(t, p, 1)
	mustAnswer(t, i, "keep", 10<<20, 1)
	reset(t, i)
	mustAnswer(t, i, "dirt", 20<<20, 0)
	mustAnswer(t, i, "keep", 70<<20, 2)
	if i.Reset() {
		t.Error("a guest is reset that keeps more memory than it began with by far")
	}
}

func TestLimitsAreOfOneAccount(t *testing.T) {
	i := start(t, program(t, sandbox.Config{OutputBytes: 100, HostCalls: 3}), 1)
	for range 3 {
		if _, died := ask(i, "print", 2); died != nil {
			t.Error(died)
		}
		if _, died := ask(i, "calls", 3); died != nil {
			t.Error(died)
		}
		if got := i.Output(); got != "line 0\nline 1\n" {
			t.Errorf("printed %q", got)
		}
		i.Continue(t.Context())
		if got := i.Output(); got != "" {
			t.Errorf("%q is left of the account before", got)
		}
	}
	if _, died := ask(i, "print", 100); died == nil || len(i.Output()) == 0 || len(i.Output()) > 100 {
		t.Errorf("a flood ends by %v after %d bytes, want at most 100", died, len(i.Output()))
	}
}

func TestWatch(t *testing.T) {
	i := start(t, program(t, sandbox.Config{}), 1)
	for _, test := range []struct {
		what       string
		now, sleep bool
	}{{"count", false, false}, {"print", false, false}, {"now", true, false}, {"sleep", true, true}, {"count", false, false}} {
		i.Continue(t.Context())
		if _, died := ask(i, test.what, 1); died != nil {
			t.Error(died)
		}
		if now, sleep := i.Watched("time.Now"), i.Watched("time.Sleep"); now != test.now || sleep != test.sleep {
			t.Errorf("%s: time.Now %v, time.Sleep %v", test.what, now, sleep)
		}
	}
	if got, died := ask(i, "sleep", 0); died != nil || got < int64(time.Hour) || got > int64(time.Hour+time.Second) {
		t.Errorf("an hour of sleep lasts %v, %v", time.Duration(got), died)
	}
}

// A guest that is asked to tells from which of the solution's lines it calls.
func TestPlaces(t *testing.T) {
	source, err := os.ReadFile("testdata/probe/probe.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(source), "newSink()\n")
	if !found {
		t.Fatal("the probe makes no sink")
	}
	want := fmt.Sprintf("probe/probe.go:%d", strings.Count(before, "\n")+1)
	for _, asked := range []bool{true, false} {
		i := start(t, program(t, sandbox.Config{Places: asked}), 1)
		mustAnswer(t, i, "calls", 1, 1)
		if got := i.Place(); got != want && asked || got != "" && !asked {
			t.Errorf("asked for places: %v; it calls from %q instead of %q", asked, got, want)
		}
		reset(t, i)
		if i.Place() != "" {
			t.Errorf("after a reset it calls from %q", i.Place())
		}
		mustAnswer(t, i, "calls", 2, 1)
		if (i.Place() == want) != asked {
			t.Errorf("asked for places: %v; after a reset it calls from %q", asked, i.Place())
		}
	}
}

// The same seed is the same run, whatever the engine and also after a reset.
func TestSeeds(t *testing.T) {
	answers := func(i *sandbox.Instance) (all [3]int64) {
		for k, what := range []string{"chance", "now", "chance"} {
			answer, died := ask(i, what, 0)
			if died != nil {
				t.Error(died)
			}
			all[k] = answer
		}
		return all
	}
	compiled, interpreted := program(t, sandbox.Config{}), program(t, sandbox.Config{Interpret: true})
	first := start(t, compiled, 1)
	want := answers(first)
	if got := answers(start(t, compiled, 1)); got != want {
		t.Errorf("another guest of the seed answers %v, want %v", got, want)
	}
	if got := answers(start(t, interpreted, 1)); got != want {
		t.Errorf("interpreted it answers %v, want %v", got, want)
	}
	if got := answers(start(t, compiled, 2)); got[0] == want[0] {
		t.Errorf("another seed answers %v too", got)
	}
	reset(t, first)
	if got := answers(first); got != want {
		t.Errorf("after a reset it answers %v, want %v", got, want)
	}
}

func TestGuardedLoopEnds(t *testing.T) {
	for _, places := range []bool{false, true} {
		i := start(t, program(t, sandbox.Config{Guarded: true, Places: places}), 1)
		mustAnswer(t, i, "count", 0, 1)
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("it took too long"))
		defer cancel()
		i.Continue(ctx)
		_, died := ask(i, "loop", 0)
		if died == nil || died.Kind != fault.TimeLimit || died.Message != "it took too long" {
			t.Fatalf("a loop ends by %v", died)
		}
		if !i.Dead() {
			t.Error("it is not dead")
		}
		if got := strings.Join(died.Frames, ""); strings.Contains(got, "Solution.RunExactlyOnceSink ") != places || strings.Contains(got, "(*Solution)") {
			t.Errorf("with places %v: %q was running", places, got)
		}
	}
}

func TestNotWASM(t *testing.T) {
	wasm, err := guest()
	if err != nil {
		t.Fatal(err)
	}
	for name, bytes := range map[string][]byte{
		"nothing": nil, "text": []byte("not WASM at all"), "only a header": wasm[:8], "half": wasm[:len(wasm)/2],
	} {
		p, err := sandbox.Compile(t.Context(), bytes, sandbox.Config{Interpret: true})
		if err == nil {
			_, err = p.Start(t.Context(), 1)
			p.Close(t.Context())
		}
		if err == nil {
			t.Errorf("%s runs", name)
		}
	}
}

func BenchmarkReset(b *testing.B) {
	i := start(b, program(b, sandbox.Config{}), 1)
	for b.Loop() {
		if _, died := ask(i, "count", 0); died != nil {
			b.Fatal(died)
		}
		if !i.Reset() {
			b.Fatal("the guest can't be reset")
		}
	}
}

func BenchmarkStart(b *testing.B) {
	p := program(b, sandbox.Config{})
	for b.Loop() {
		i, err := p.Start(b.Context(), 1)
		if err != nil {
			b.Fatal(err)
		}
		i.Close()
	}
}
