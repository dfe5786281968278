package rpc

import (
	"math"

	"github.com/flk-byo/de/stages/stream"
)

// Limits of one message. They bound what an untrusted peer can make us allocate.
const (
	MaxMessage = 1 << 20 // bytes
	minRecord  = 3       // bytes of the shortest record: empty key, two one-byte numbers
)

// A Breach is what a Decoder panics with when the bytes are not what the
// protocol says. From a guest it means that the guest speaks for itself
// instead of through the shim; the host turns it into a verdict.
type Breach struct {
	Problem string
}

func (b Breach) Error() string { return "protocol breach: " + b.Problem }

// An Encoder appends values to a message. The zero value is ready to use.
type Encoder struct {
	buf []byte
}

// Bytes returns the message so far; it is the encoder's own.
func (e *Encoder) Bytes() []byte { return e.buf }

// Reset empties the message and keeps the memory.
func (e *Encoder) Reset() { e.buf = e.buf[:0] }

// Int64 appends v as a zig-zag varint.
func (e *Encoder) Int64(v int64) { e.buf = appendUvarint(e.buf, uint64(v<<1)^uint64(v>>63)) }

// Int appends v.
func (e *Encoder) Int(v int) { e.Int64(int64(v)) }

// Ref appends the name of an object.
func (e *Encoder) Ref(r Ref) { e.Int64(int64(r)) }

// Bool appends b.
func (e *Encoder) Bool(b bool) {
	if b {
		e.buf = append(e.buf, 1)
	} else {
		e.buf = append(e.buf, 0)
	}
}

// String appends s, any bytes.
func (e *Encoder) String(s string) {
	e.Len(len(s))
	e.buf = append(e.buf, s...)
}

// Blob appends bytes and how many they are.
func (e *Encoder) Blob(b []byte) {
	e.Len(len(b))
	e.buf = append(e.buf, b...)
}

// Len appends the count of a list; its items follow.
func (e *Encoder) Len(n int) { e.buf = appendUvarint(e.buf, uint64(n)) }

// Record appends r.
func (e *Encoder) Record(r stream.Record) {
	e.String(r.Key)
	e.Int64(r.Value)
	e.Int64(r.Time)
}

// Records appends rs; nil and empty are the same.
func (e *Encoder) Records(rs []stream.Record) {
	e.Len(len(rs))
	for _, r := range rs {
		e.Record(r)
	}
}

// A Decoder reads values off a message in the order they were appended. Every
// method panics with a [Breach] when the bytes run out or make no sense.
type Decoder struct {
	buf []byte
}

// NewDecoder reads from message, which must not change meanwhile.
func NewDecoder(message []byte) Decoder { return Decoder{buf: message} }

// Int64 reads what Encoder.Int64 wrote.
func (d *Decoder) Int64() int64 {
	v, n := uvarint(d.buf)
	if n == 0 {
		panic(Breach{"a number is cut short or too long"})
	}
	d.buf = d.buf[n:]
	return int64(v>>1) ^ -int64(v&1)
}

// Int reads an int that fits 32 bits, as every count and parameter does.
func (d *Decoder) Int() int {
	v := d.Int64()
	if v < math.MinInt32 || v > math.MaxInt32 {
		panic(Breach{"a count is out of range"})
	}
	return int(v)
}

// Ref reads the name of an object.
func (d *Decoder) Ref() Ref { return Ref(d.Int()) }

// Bool reads what Encoder.Bool wrote.
func (d *Decoder) Bool() bool {
	if len(d.buf) == 0 || d.buf[0] > 1 {
		panic(Breach{"a boolean is neither 0 nor 1"})
	}
	b := d.buf[0] == 1
	d.buf = d.buf[1:]
	return b
}

// String reads a string of any bytes.
func (d *Decoder) String() string {
	n := d.Len(1)
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	return s
}

// Blob reads bytes; they are part of the message.
func (d *Decoder) Blob() []byte {
	n := d.Len(1)
	b := d.buf[:n:n]
	d.buf = d.buf[n:]
	return b
}

// Record reads one record.
func (d *Decoder) Record() stream.Record {
	return stream.Record{Key: d.String(), Value: d.Int64(), Time: d.Int64()}
}

// Records reads a list of records, never nil.
func (d *Decoder) Records() []stream.Record {
	rs := make([]stream.Record, d.Len(minRecord))
	for i := range rs {
		rs[i] = d.Record()
	}
	return rs
}

// Len reads the count of a list whose items take at least itemSize bytes each,
// and refuses one that the rest of the message could not hold.
func (d *Decoder) Len(itemSize int) int {
	v, n := uvarint(d.buf)
	if n == 0 || v > uint64(len(d.buf)-n)/uint64(itemSize) {
		panic(Breach{"a length is larger than the message"})
	}
	d.buf = d.buf[n:]
	return int(v)
}

// End panics with a [Breach] unless the whole message was read.
func (d *Decoder) End() {
	if len(d.buf) != 0 {
		panic(Breach{"a message is longer than its contents"})
	}
}

// The variable-length numbers are those of encoding/binary, without that
// package: it imports reflect, which the linker would have to read for every
// guest.

func appendUvarint(to []byte, v uint64) []byte {
	for v >= 0x80 {
		to = append(to, byte(v)|0x80)
		v >>= 7
	}
	return append(to, byte(v))
}

// uvarint returns a number and how many bytes it took; 0 if there is none.
func uvarint(from []byte) (v uint64, n int) {
	for shift := 0; shift < 64 && n < len(from); shift += 7 {
		b := from[n]
		n++
		if b < 0x80 {
			if shift == 63 && b > 1 {
				return 0, 0 // more than 64 bits
			}
			return v | uint64(b)<<shift, n
		}
		v |= uint64(b&0x7f) << shift
	}
	return 0, 0
}
