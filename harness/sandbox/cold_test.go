package sandbox

import (
	"slices"
	"testing"
)

func TestListsAreSorted(t *testing.T) {
	for list, names := range map[string][]string{"hot": Hot(), "warm": Warm()} {
		if len(names) < 100 || !slices.IsSorted(names) {
			t.Errorf("%s: %d functions, sorted %v", list, len(names), slices.IsSorted(names))
		}
		for _, name := range names {
			if !leavable(name) {
				t.Errorf("%s: %s is never left out", list, name)
			}
		}
	}
}

// A module with an import of proc_exit, and functions that are named: of the two
// that may be left out the cold one gets a stub.
func TestLeaveOut(t *testing.T) {
	body := "\x03" + "\x03\x00\x41\x0b" + "\x03\x00\x42\x0b" + "\x03\x00\x43\x0b"
	wasm := header + section(2, "\x01\x01w\x09proc_exit\x00\x00") + section(10, body) +
		section(0, "\x04name"+section(1, "\x03\x01\x09runtime.a\x02\x09runtime.b\x03\x08solution"))
	got, names, err := leaveOut([]byte(wasm), []string{"runtime.b"})
	if err != nil {
		t.Fatal(err)
	}
	stubbed := stub(1, 0)
	want := header + section(2, "\x01\x01w\x09proc_exit\x00\x00") +
		section(10, "\x03"+string(rune(len(stubbed)))+string(stubbed)+"\x03\x00\x42\x0b"+"\x03\x00\x43\x0b") +
		section(0, "\x04name"+section(1, "\x03\x01\x09runtime.a\x02\x09runtime.b\x03\x08solution"))
	if string(got) != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	if len(names) != 1 || names[1] != "runtime.a" {
		t.Errorf("left out are %v", names)
	}
}

func section(id byte, body string) string { return string(id) + string(rune(len(body))) + body }

func FuzzLeaveOut(f *testing.F) {
	f.Add([]byte(header + section(2, "\x01\x01w\x09proc_exit\x00\x00") + section(10, "\x01\x02\x00\x0b") + section(0, "\x04name"+section(1, "\x01\x01\x09runtime.a"))))
	f.Add([]byte(header + "\x0a\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, wasm []byte) {
		before := slices.Clone(wasm)
		got, _, err := leaveOut(wasm, nil)
		if !slices.Equal(wasm, before) {
			t.Error("the module it was given is changed")
		}
		if err == nil && len(got) < 8 {
			t.Errorf("%d bytes out of %d", len(got), len(wasm))
		}
	})
}
