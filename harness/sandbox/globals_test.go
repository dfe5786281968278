package sandbox

import (
	"bytes"
	"testing"
)

const header = "\x00asm\x01\x00\x00\x00"

func TestExportGlobals(t *testing.T) {
	tests := []struct {
		name, wasm string
		want       string // empty: refused
		globals    int
	}{
		{"empty module", header, header, 0},
		{"another section", header + "\x01\x02ab", header + "\x01\x02ab", 0},
		{"exports without globals", header + "\x07\x01\x00", header + "\x07\x01\x00", 0},
		{"a global", header + "\x06\x02\x01g\x07\x01\x00", header + "\x06\x02\x01g\x07\x0f\x01\x0bde:global:0\x03\x00", 1},
		{"beside another export", header + "\x06\x02\x01g\x07\x02\x01e", header + "\x06\x02\x01g\x07\x10\x02e\x0bde:global:0\x03\x00", 1},
		{"nothing", "", "", 0},
		{"cut in the header", header[:7], "", 0},
		{"section without size", header + "\x06", "", 0},
		{"section longer than the module", header + "\x06\x05\x00", "", 0},
		{"size without end", header + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "", 0},
		{"size of 2^64-1", header + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "", 0},
		{"globals without count", header + "\x06\x00", "", 0},
		{"too many globals", header + "\x06\x02\xe9\x07", "", 0},
		{"exports without count", header + "\x07\x00", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, n, err := exportGlobals([]byte(test.wasm))
			if (err != nil) != (test.want == "") || string(got) != test.want || n != test.globals {
				t.Errorf("%q, %d, %v; want %q, %d", got, n, err, test.want, test.globals)
			}
		})
	}
}

func FuzzExportGlobals(f *testing.F) {
	f.Add([]byte(header + "\x06\x02\x01g\x07\x02\x01e"))
	f.Add([]byte(header + "\x01\x02ab\x06\x03\xe8\x07g\x07\x01\x00\x07\x01\x00"))
	f.Fuzz(func(t *testing.T, wasm []byte) {
		before := bytes.Clone(wasm)
		got, n, err := exportGlobals(wasm)
		if !bytes.Equal(wasm, before) {
			t.Error("the module it was given is changed")
		}
		if err != nil {
			return
		}
		if n > 1000 || len(got) < 8 {
			t.Errorf("%d globals, %d bytes out of %d", n, len(got), len(wasm))
		}
		if _, _, err := exportGlobals(got); err != nil && n < 500 {
			t.Errorf("what it returns is no module: %v", err)
		}
	})
}
