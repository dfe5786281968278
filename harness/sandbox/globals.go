package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A Go guest keeps its stack pointer and its current goroutine in WASM globals,
// which wazero lets a host set only where they are exported. With them and the
// memory, a guest can be taken back to its start even out of a trap.

const (
	sectionGlobal = 6
	sectionExport = 7
	kindGlobal    = 3
)

func globalName(i int) string { return fmt.Sprintf("de:global:%d", i) }

var errNotWASM = errors.New("the guest is not a well-formed WASM module")

// exportGlobals returns the module with all its globals exported, each under
// its globalName, and their number. It takes for granted that no global is
// imported, as is so for Go.
func exportGlobals(wasm []byte) ([]byte, int, error) {
	if len(wasm) < 8 {
		return nil, 0, errNotWASM
	}
	out := append(make([]byte, 0, len(wasm)+256), wasm[:8]...)
	globals := 0
	for rest := wasm[8:]; len(rest) > 0; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, 0, errNotWASM
		}
		header := 1 + n
		body := rest[header : header+int(size)]
		switch id {
		case sectionGlobal:
			count, n := binary.Uvarint(body)
			if n <= 0 || count > 1000 {
				return nil, 0, errNotWASM
			}
			globals = int(count)
			out = append(out, rest[:header+int(size)]...)
		case sectionExport:
			count, n := binary.Uvarint(body)
			if n <= 0 {
				return nil, 0, errNotWASM
			}
			var exports []byte
			exports = binary.AppendUvarint(exports, count+uint64(globals))
			exports = append(exports, body[n:]...)
			for i := range globals {
				name := globalName(i)
				exports = binary.AppendUvarint(exports, uint64(len(name)))
				exports = append(exports, name...)
				exports = append(exports, kindGlobal)
				exports = binary.AppendUvarint(exports, uint64(i))
			}
			out = append(out, sectionExport)
			out = binary.AppendUvarint(out, uint64(len(exports)))
			out = append(out, exports...)
		default:
			out = append(out, rest[:header+int(size)]...)
		}
		rest = rest[header+int(size):]
	}
	return out, globals, nil
}
