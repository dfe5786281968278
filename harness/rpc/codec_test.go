package rpc_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/stages/stream"
)

// values are one of each kind that a message can hold, with a way to write and
// to read it.
var values = []struct {
	name  string
	value any
}{
	{"zero", int64(0)},
	{"one", int64(1)},
	{"minus one", int64(-1)},
	{"largest number", int64(math.MaxInt64)},
	{"smallest number", int64(math.MinInt64)},
	{"count", 7},
	{"largest count", math.MaxInt32},
	{"smallest count", math.MinInt32},
	{"no object", rpc.Ref(0)},
	{"object of the guest", rpc.Ref(3)},
	{"object of the host", rpc.Ref(-3)},
	{"true", true},
	{"false", false},
	{"empty text", ""},
	{"text", "größe"},
	{"bytes that are no text", "\x00\xff\n"},
	{"long text", strings.Repeat("x", 300)},
	{"zero record", stream.Record{}},
	{"record", stream.Record{Key: "a", Value: math.MinInt64, Time: -1}},
	{"no bytes", []byte{}},
	{"bytes", []byte{0, 255, 'a'}},
	{"no records", []stream.Record{}},
	{"records", []stream.Record{{Key: "a", Value: 1}, {}, {Time: math.MaxInt64}}},
}

func encode(e *rpc.Encoder, value any) {
	switch v := value.(type) {
	case int64:
		e.Int64(v)
	case int:
		e.Int(v)
	case rpc.Ref:
		e.Ref(v)
	case bool:
		e.Bool(v)
	case string:
		e.String(v)
	case []byte:
		e.Blob(v)
	case stream.Record:
		e.Record(v)
	case []stream.Record:
		e.Records(v)
	}
}

func decode(d *rpc.Decoder, like any) any {
	switch like.(type) {
	case int64:
		return d.Int64()
	case int:
		return d.Int()
	case rpc.Ref:
		return d.Ref()
	case bool:
		return d.Bool()
	case string:
		return d.String()
	case []byte:
		return d.Blob()
	case stream.Record:
		return d.Record()
	default:
		return d.Records()
	}
}

func TestValuesComeBack(t *testing.T) {
	var all rpc.Encoder
	for _, test := range values {
		t.Run(test.name, func(t *testing.T) {
			var e rpc.Encoder
			encode(&e, test.value)
			d := rpc.NewDecoder(e.Bytes())
			if got := decode(&d, test.value); !reflect.DeepEqual(got, test.value) {
				t.Errorf("read %v, wrote %v", got, test.value)
			}
			d.End()
		})
		encode(&all, test.value)
	}
	d := rpc.NewDecoder(all.Bytes())
	for _, test := range values {
		if got := decode(&d, test.value); !reflect.DeepEqual(got, test.value) {
			t.Errorf("%s: read %v after the others, wrote %v", test.name, got, test.value)
		}
	}
	d.End()
}

func TestNilRecordsComeBackEmpty(t *testing.T) {
	var e rpc.Encoder
	e.Records(nil)
	d := rpc.NewDecoder(e.Bytes())
	if got := d.Records(); got == nil || len(got) != 0 {
		t.Errorf("read %#v, want an empty list", got)
	}
}

func TestResetKeepsNothing(t *testing.T) {
	var e rpc.Encoder
	e.String("old")
	e.Reset()
	e.Bool(true)
	if got := e.Bytes(); len(got) != 1 || got[0] != 1 {
		t.Errorf("the message is %v, want [1]", got)
	}
}

// A message cut short at any place is a breach, whatever it holds.
func TestCutShort(t *testing.T) {
	for _, test := range values {
		var e rpc.Encoder
		encode(&e, test.value)
		for n := range len(e.Bytes()) {
			if problem := breach(t, func() {
				d := rpc.NewDecoder(e.Bytes()[:n])
				decode(&d, test.value)
			}); problem == "" {
				t.Errorf("%s: %d of %d bytes are taken for all", test.name, n, len(e.Bytes()))
			}
		}
	}
}

func TestBreach(t *testing.T) {
	tests := []struct {
		name    string
		message string
		read    func(*rpc.Decoder)
		want    string
	}{
		{"boolean of 2", "\x02", func(d *rpc.Decoder) { d.Bool() }, "a boolean is neither 0 nor 1"},
		{"number without end", strings.Repeat("\xff", 11), func(d *rpc.Decoder) { d.Int64() }, "a number is cut short or too long"},
		{"count of 33 bits", "\x80\x80\x80\x80\x20", func(d *rpc.Decoder) { d.Int() }, "a count is out of range"},
		{"ref of 33 bits", "\x80\x80\x80\x80\x20", func(d *rpc.Decoder) { d.Ref() }, "a count is out of range"},
		{"text longer than the message", "\x03ab", func(d *rpc.Decoder) { _ = d.String() }, "a length is larger than the message"},
		{"text of 2^63 bytes", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", func(d *rpc.Decoder) { _ = d.String() }, "a length is larger than the message"},
		{"more records than bytes", "\x02\x00\x00\x00\x00\x00", func(d *rpc.Decoder) { d.Records() }, "a length is larger than the message"},
		{"bytes left over", "\x00\x00", func(d *rpc.Decoder) { d.Int(); d.End() }, "a message is longer than its contents"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := breach(t, func() {
				d := rpc.NewDecoder([]byte(test.message))
				test.read(&d)
			})
			if got != test.want {
				t.Errorf("breach %q, want %q", got, test.want)
			}
		})
	}
	if got := (rpc.Breach{Problem: "x"}).Error(); got != "protocol breach: x" {
		t.Errorf("a breach reads %q", got)
	}
}

// breach runs f and returns the problem of the breach that it panics with, or
// nothing. Any other panic is a failure of the test.
func breach(t *testing.T, f func()) (problem string) {
	t.Helper()
	defer func() {
		t.Helper()
		switch v := recover().(type) {
		case nil:
		case rpc.Breach:
			problem = v.Problem
		default:
			t.Errorf("panic %v, want a breach", v)
		}
	}()
	f()
	return ""
}

// FuzzDecoder: of any bytes, a decoder makes values that the bytes could hold
// or a breach, and what it makes comes back when written again.
func FuzzDecoder(f *testing.F) {
	for _, test := range values {
		var e rpc.Encoder
		encode(&e, test.value)
		f.Add(e.Bytes())
	}
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, like := range []any{int64(0), 0, rpc.Ref(0), false, "", stream.Record{}, []stream.Record(nil)} {
			breach(t, func() {
				d := rpc.NewDecoder(message)
				for range len(message) { // every read takes at least a byte
					checkDecoded(t, decode(&d, like), len(message))
				}
				d.End()
			})
		}
	})
}

func checkDecoded(t *testing.T, value any, size int) {
	switch v := value.(type) {
	case string:
		if len(v) > size {
			t.Errorf("a text of %d bytes out of %d", len(v), size)
		}
	case []stream.Record:
		if cap(v) > size {
			t.Errorf("room for %d records out of %d bytes", cap(v), size)
		}
	}
	var e rpc.Encoder
	encode(&e, value)
	d := rpc.NewDecoder(e.Bytes())
	if again := decode(&d, value); !reflect.DeepEqual(again, value) {
		t.Errorf("read %v, and %v when written again", value, again)
	}
}

func BenchmarkCodec(b *testing.B) {
	records := make([]stream.Record, 100)
	for i := range records {
		records[i] = stream.Record{Key: "user-17", Value: int64(i) * 1_000, Time: int64(i) * 1_000_000}
	}
	var e rpc.Encoder
	b.Run("encode-100-records", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e.Reset()
			e.Records(records)
		}
	})
	b.Run("decode-100-records", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d := rpc.NewDecoder(e.Bytes())
			d.Records()
		}
	})
}

// The numbers are those of encoding/binary, in both directions.
func TestNumbersAreThoseOfEncodingBinary(t *testing.T) {
	for shift := range 64 {
		for _, v := range []int64{1 << shift, -1 << shift, 1<<shift - 1, 1<<shift + 1} {
			var e rpc.Encoder
			e.Int64(v)
			if want := binary.AppendVarint(nil, v); !bytes.Equal(e.Bytes(), want) {
				t.Errorf("%d is written as %x, want %x", v, e.Bytes(), want)
			}
		}
	}
	e := binary.AppendUvarint(nil, math.MaxUint64)
	d := rpc.NewDecoder(append(e, 0))
	if got := d.Int64(); got != math.MinInt64 {
		t.Errorf("the largest is read as %d", got)
	}
}
