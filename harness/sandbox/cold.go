package sandbox

import (
	_ "embed"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// Nearly all of a guest is Go's runtime, and half of that is never called: to
// compile it takes longer than anything else. So a program can be compiled
// without the functions of the runtime that no run has called so far. A stub in
// their place ends the guest with a [ColdCall], upon which it has to be compiled
// whole, and what was done with it to be done again.
//
// That an exit of the solution's own may look like a stub's is no harm: in the
// whole guest it is seen for what it is.

// A ColdCall is the error of a guest that called a function that was left out. It
// is the Err of a [fault.Bug], so that it passes for no fault of the solution's.
type ColdCall struct {
	Function string // as the linker writes it
}

func (c ColdCall) Error() string { return "the guest called " + c.Function + ", which was left out" }

//go:embed hot.txt
var hotList string

//go:embed warm.txt
var warmList string

// Hot returns the functions that guests of the course's own solutions call, also
// when they panic, sorted. With another version of Go there are others: that
// costs no more than time.
func Hot() []string { return strings.Fields(hotList) }

// Warm returns those that more unusual solutions call beside them: with
// goroutines, channels, maps of all kinds, floating point, and so on. Who calls
// one of them will call others.
func Warm() []string { return strings.Fields(warmList) }

// leavable tells whether a function is of those that may be left out, by its
// name as the linker writes it.
func leavable(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal_")
}

// coldExit marks the exit codes by which stubs end a guest.
const coldExit = 1 << 30

const (
	sectionCustom = 0
	sectionImport = 2
	sectionCode   = 10
	kindFunction  = 0
)

// leaveOut returns the module with stubs for the functions that may be left out
// and whose names are not among hot, which is sorted. It also returns the names
// of those functions, by index.
func leaveOut(wasm []byte, hot []string) ([]byte, map[int]string, error) {
	m := reader{rest: wasm}
	m.bytes(8)
	var names map[int]string
	imported, exit := 0, -1
	for !m.empty() {
		id, body := m.section()
		switch id {
		case sectionImport:
			imported, exit = readImports(body)
		case sectionCustom:
			if n := readNames(body); n != nil {
				names = n
			}
		}
	}
	if m.bad || exit < 0 {
		return nil, nil, errNotWASM
	}
	maps.DeleteFunc(names, func(_ int, name string) bool {
		_, isHot := slices.BinarySearch(hot, name)
		return !leavable(name) || isHot
	})
	m = reader{rest: wasm}
	out := append(make([]byte, 0, len(wasm)), m.bytes(8)...)
	for !m.empty() {
		before := m.rest
		id, body := m.section()
		if m.bad {
			return nil, nil, errNotWASM
		}
		if id != sectionCode {
			out = append(out, before[:len(before)-len(m.rest)]...)
			continue
		}
		code, err := stubs(body, imported, exit, names)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, sectionCode)
		out = binary.AppendUvarint(out, uint64(len(code)))
		out = append(out, code...)
	}
	return out, names, nil
}

// stubs returns a code section with stubs for the functions with those indices.
func stubs(body []byte, imported, exit int, cold map[int]string) ([]byte, error) {
	r := reader{rest: body}
	count := r.number()
	out := binary.AppendUvarint(make([]byte, 0, len(body)), uint64(count))
	for i := range count {
		function := r.bytes(r.number())
		if r.bad {
			return nil, errNotWASM
		}
		if _, ok := cold[imported+i]; ok {
			function = stub(imported+i, exit)
		}
		out = binary.AppendUvarint(out, uint64(len(function)))
		out = append(out, function...)
	}
	return out, nil
}

// stub is the body of a function that calls exit with a code of its own.
func stub(index, exit int) []byte {
	const i32const, call, unreachable, end = 0x41, 0x10, 0x00, 0x0b
	b := []byte{0, i32const} // no locals
	for v := uint32(coldExit | index); ; v >>= 7 {
		if v < 0x40 {
			b = append(b, byte(v))
			break
		}
		b = append(b, byte(v&0x7f)|0x80)
	}
	b = binary.AppendUvarint(append(b, call), uint64(exit))
	return append(b, unreachable, end)
}

// readImports returns how many functions are imported, and the index of WASI's
// proc_exit, or -1.
func readImports(body []byte) (functions, exit int) {
	r := reader{rest: body}
	exit = -1
	for range r.number() {
		r.bytes(r.number()) // the module's name
		name := r.bytes(r.number())
		if kind := r.bytes(1); r.bad || kind[0] != kindFunction {
			return 0, -1 // Go imports nothing else
		}
		r.number() // the type
		if string(name) == "proc_exit" {
			exit = functions
		}
		functions++
	}
	return functions, exit
}

// readNames returns the names of functions by index, if body is the custom
// section that has them.
func readNames(body []byte) map[int]string {
	r := reader{rest: body}
	if string(r.bytes(r.number())) != "name" {
		return nil
	}
	for !r.empty() {
		kind, part := r.section()
		if kind != 1 {
			continue
		}
		names := map[int]string{}
		p := reader{rest: part}
		for range p.number() {
			index := p.number()
			names[index] = string(p.bytes(p.number()))
			if p.bad {
				return nil
			}
		}
		return names
	}
	return nil
}

// A reader reads a WASM module. Once something is amiss, it is bad and empty.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) empty() bool { return len(r.rest) == 0 }

func (r *reader) fail() {
	r.rest, r.bad = nil, true
}

func (r *reader) number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > 1<<31 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) section() (id byte, body []byte) {
	if b := r.bytes(1); b != nil {
		id = b[0]
	}
	return id, r.bytes(r.number())
}
