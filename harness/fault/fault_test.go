package fault_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/stream"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

const root = "flkbyo/"

// What a program printed itself is told apart from its last words.
func TestPrinted(t *testing.T) {
	for _, test := range [][2]string{
		{"", ""},
		{"hello\nworld", "hello\nworld"},
		{"hello\npanic: x\n\ngoroutine 1 [running]:\nmain.main()\n", "hello\n"},
		{"panic: x\n\ngoroutine 1 [running]:\n", ""},
		{"a\n\nfatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select]:\n", "a\n\n"},
		{"so far so good panic: x\n\ngoroutine 1 [running]:\n", "so far so good "},
	} {
		if got := fault.Printed(test[0]); got != test[1] {
			t.Errorf("of %q the program printed %q, not %q", test[0], got, test[1])
		}
	}
	for _, file := range crashes(t) {
		text := read(t, file)
		if own := fault.Printed("mine\n" + text); fault.Parse(text, root) != nil && (!strings.HasPrefix(own, "mine\n") || strings.Contains(own, "goroutine ")) {
			t.Errorf("%s: the program's own is %q", file, own)
		}
	}
}

// crashes are what programs printed that died under Go 1.26 with -trimpath.
func crashes(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d crash texts in testdata: %v", len(files), err)
	}
	return files
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParseCrashes(t *testing.T) {
	for _, file := range crashes(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			got, err := json.MarshalIndent(fault.Parse(read(t, file), root), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want := read(t, golden); string(got)+"\n" != want {
				t.Errorf("read %s\nwant %s", got, want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	const stack = "\n\ngoroutine 1 [running]:\nflkbyo/08.Run()\n\tflkbyo/08/a.go:3 +0x1\n"
	frames := []string{"08.Run 08/a.go:3"}
	tests := []struct {
		name, printed string
		want          *fault.Fault
	}{
		{"nothing", "", nil},
		{"no death", "all is well\npanicking: no\n", nil},
		{"a stack alone", stack, nil},
		{"no stack", "panic: x", &fault.Fault{Kind: fault.Panic, Message: "x"}},
		{"cut off in the stack", "panic: x\n\ngoroutine 1 [run", &fault.Fault{Kind: fault.Panic, Message: "x"}},
		{"windows", strings.ReplaceAll("panic: x"+"\n\ngoroutine 1 [running]:\n", "\n", "\r\n"), &fault.Fault{Kind: fault.Panic, Message: "x"}},
		{"stack", "panic: x" + stack, &fault.Fault{Kind: fault.Panic, Message: "x", Where: "08/a.go:3", Frames: frames}},
		{"a mark inside the value", "panic: the sink panic: x" + stack, &fault.Fault{Kind: fault.Panic, Message: "the sink panic: x", Where: "08/a.go:3", Frames: frames}},
		{"not implemented", "panic: not implemented yet: Solution.Run" + stack, &fault.Fault{Kind: fault.NotImplemented, Message: "not implemented yet: Solution.Run", Where: "08/a.go:3", Frames: frames}},
		{"another fatal error", "fatal error: concurrent map writes" + stack, &fault.Fault{Kind: fault.Panic, Message: "concurrent map writes", Where: "08/a.go:3", Frames: frames}},
		{"out of memory, in the words of a child", "fatal error: runtime: cannot allocate memory" + stack, &fault.Fault{Kind: fault.MemoryExhausted, Message: "runtime: cannot allocate memory", Where: "08/a.go:3", Frames: frames}},
		{"the stack's end comes first", "runtime: goroutine stack exceeds 16-byte limit\npanic: x" + stack, &fault.Fault{Kind: fault.StackExhausted, Message: "a goroutine's stack outgrew its limit", Where: "08/a.go:3", Frames: frames}},
		{"another goroutine's frames", "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/elsewhere/a.go:1\n\ngoroutine 2 [running]:\nflkbyo/08.Run()\n\tflkbyo/08/a.go:3\n", &fault.Fault{Kind: fault.Panic, Message: "x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := fault.Parse(test.printed, root); !reflect.DeepEqual(got, test.want) {
				t.Errorf("read %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestGuard(t *testing.T) {
	given := &fault.Fault{Kind: fault.TimeLimit, Message: "too long"}
	tests := []struct {
		name string
		f    func()
		want *fault.Fault
	}{
		{"returns", func() {}, nil},
		{"a fault", func() { panic(given) }, given},
		{"text", func() { panic("lost") }, &fault.Fault{Kind: fault.Panic, Message: "lost"}},
		{"an error", func() { panic(errors.New("lost")) }, &fault.Fault{Kind: fault.Panic, Message: "lost"}},
		{"a number", func() { panic(7) }, &fault.Fault{Kind: fault.Panic, Message: "7"}},
		{"not implemented", func() { panic(stream.NotImplemented("Solution.Run")) }, &fault.Fault{Kind: fault.NotImplemented, Message: "not implemented yet: Solution.Run"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := fault.Guard(test.f); !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	f := &fault.Fault{Kind: fault.Panic, Message: "lost"}
	if got := f.Error(); got != "panic: lost" {
		t.Errorf("without a place it reads %q", got)
	}
	f.Where = "08/a.go:3"
	if got := f.Error(); got != "panic at 08/a.go:3: lost" {
		t.Errorf("with a place it reads %q", got)
	}
}

// FuzzParse: whatever a program prints, a fault is bounded, has a kind that a
// death can have, and frames that the text holds.
func FuzzParse(f *testing.F) {
	for _, file := range crashes(f) {
		f.Add(read(f, file))
	}
	f.Fuzz(func(t *testing.T, printed string) {
		died := fault.Parse(printed, root)
		if died == nil {
			return
		}
		if strings.ContainsRune(died.Message, '\n') || len(died.Message) > max(len(printed), 50) {
			t.Errorf("the message is no line of the text: %q", died.Message)
		}
		switch died.Kind {
		case fault.Panic, fault.NotImplemented, fault.Deadlock, fault.MemoryExhausted, fault.StackExhausted:
		default:
			t.Errorf("kind %q out of a text", died.Kind)
		}
		checkFrames(t, died, printed)
	})
}

func checkFrames(t *testing.T, died *fault.Fault, printed string) {
	if len(died.Frames) > 8 {
		t.Errorf("%d frames", len(died.Frames))
	}
	if (died.Where == "") != (len(died.Frames) == 0) && !strings.HasSuffix(died.Frames[0], " ") {
		t.Errorf("where %q, but %d frames", died.Where, len(died.Frames))
	}
	for i, frame := range died.Frames {
		_, file, _ := strings.Cut(frame, " ")
		file = file[strings.LastIndexByte(file, ' ')+1:]
		if !strings.Contains(printed, fmt.Sprint("\t", root, file)) {
			t.Errorf("frame %q is not below %s", frame, root)
		}
		if i > 0 && died.Frames[i-1] == frame {
			t.Errorf("frame %q comes twice in a row", frame)
		}
	}
}

func TestGuardLetsBugsThrough(t *testing.T) {
	for name, f := range map[string]func(){
		"a bug":          func() { panic(fault.Bug{Err: errors.New("ours")}) },
		"of the runtime": func() { func(m map[int]int) { m[1]++ }(nil) },
		"nil":            func() { panic(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if _, ok := recover().(fault.Bug); !ok {
					t.Error("a bug of ours was taken for a fault of the solution")
				}
			}()
			fault.Guard(f)
		})
	}
}
