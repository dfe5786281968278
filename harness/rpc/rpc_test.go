package rpc_test

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/rpc"
)

// line returns both ends of a line, without WASM between them.
func line() (host, guest *rpc.Peer) {
	host = rpc.NewHost(func(ref rpc.Ref, method uint32, args []byte) []byte { return guest.Serve(ref, method, args) })
	guest = rpc.NewGuest(func(ref rpc.Ref, method uint32, args []byte) []byte { return host.Serve(ref, method, args) })
	return host, guest
}

const (
	methodAdd uint32 = iota + 1
	methodDown
)

// adder replies the sum of its arguments.
func adder(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
	a, b := args.Int(), args.Int()
	args.End()
	reply.Int(a + b)
}

func add(o rpc.Object, a, b int) int {
	c := o.Begin(methodAdd)
	c.Int(a)
	c.Int(b)
	d := c.Do()
	sum := d.Int()
	d.End()
	return sum
}

func TestCall(t *testing.T) {
	host, guest := line()
	tests := []struct {
		name   string
		caller *rpc.Peer
		ref    rpc.Ref
		want   rpc.Ref
	}{
		{"host calls guest", host, guest.Export(adder), 1},
		{"guest calls host", guest, host.Export(adder), -1},
		{"the host's second", guest, host.Export(adder), -2},
		{"the guest's second", host, guest.Export(adder), 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.ref != test.want {
				t.Errorf("ref %d, want %d", test.ref, test.want)
			}
			o := rpc.Object{Peer: test.caller, Ref: test.ref}
			if got := add(o, 2, -5); got != -3 {
				t.Errorf("2 + -5 is %d", got)
			}
			if got := add(o, 1, 1); got != 2 {
				t.Errorf("1 + 1 is %d in the second call", got)
			}
		})
	}
}

// down returns a handler that calls the object it is given with one less, until
// zero, and adds its own argument to what comes back. A caller that is still to
// read its arguments or reply must not lose them to the calls in between.
func down(self *rpc.Peer) rpc.Handler {
	return func(method uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		n := args.Int()
		mine, other := args.Ref(), args.Ref()
		args.End()
		reply.Int(n)
		if n == 0 {
			reply.Int(0)
			return
		}
		reply.Int(n + callDown(rpc.Object{Peer: self, Ref: other}, n-1, other, mine))
	}
}

func callDown(o rpc.Object, n int, mine, other rpc.Ref) int {
	c := o.Begin(methodDown)
	c.Int(n)
	c.Ref(mine)
	c.Ref(other)
	d := c.Do()
	if d.Int() != n {
		panic("the reply is another's")
	}
	sum := d.Int()
	d.End()
	return sum
}

func TestNestedCalls(t *testing.T) {
	host, guest := line()
	inHost, inGuest := host.Export(down(host)), guest.Export(down(guest))
	for _, depth := range []int{0, 1, 2, 50, 3} {
		want := depth * (depth + 1) / 2
		if got := callDown(rpc.Object{Peer: host, Ref: inGuest}, depth, inGuest, inHost); got != want {
			t.Errorf("%d calls deep the sum is %d, want %d", depth, got, want)
		}
	}
}

// A call that is begun while another's arguments are being written has its own.
func TestCallInsideArguments(t *testing.T) {
	host, guest := line()
	o := rpc.Object{Peer: host, Ref: guest.Export(adder)}
	c := o.Begin(methodAdd)
	c.Int(1)
	c.Int(add(o, 2, 3))
	if d := c.Do(); d.Int() != 6 {
		t.Error("1 + (2 + 3) is not 6")
	}
}

func TestRelease(t *testing.T) {
	host, guest := line()
	first, second := guest.Export(adder), guest.Export(adder)
	rpc.Object{Peer: host, Ref: first}.Release()
	if got := breach(t, func() { add(rpc.Object{Peer: host, Ref: first}, 1, 1) }); got != "a call to an object that does not exist" {
		t.Errorf("a released object is called: breach %q", got)
	}
	if got := add(rpc.Object{Peer: host, Ref: second}, 1, 1); got != 2 {
		t.Errorf("another object says 1 + 1 is %d after the release", got)
	}
	minus := func(_ uint32, args *rpc.Decoder, reply *rpc.Encoder) {
		a, b := args.Int(), args.Int()
		reply.Int(a - b)
	}
	if again := guest.Export(minus); again != first {
		t.Errorf("ref %d for a new object, want the released %d", again, first)
	}
	if got := add(rpc.Object{Peer: host, Ref: first}, 5, 3); got != 2 {
		t.Errorf("the new object under the old ref says %d, want 2", got)
	}
	if next := guest.Export(adder); next != 3 {
		t.Errorf("ref %d for the next object, want 3: no ref is given twice", next)
	}
}

func TestUnknownObject(t *testing.T) {
	host, guest := line()
	host.Export(adder)
	guest.Export(adder)
	released := guest.Export(adder)
	rpc.Object{Peer: host, Ref: released}.Release()
	for _, test := range []struct {
		name string
		peer *rpc.Peer
		ref  rpc.Ref
	}{
		{"none, of the host", host, 0},
		{"none, of the guest", guest, 0},
		{"one of the guest, of the host", host, 1},
		{"one of the host, of the guest", guest, -1},
		{"too large", guest, 3},
		{"released", guest, released},
		{"largest", guest, 1<<31 - 1},
		{"smallest, of the host", host, -1 << 31},
		{"smallest, of the guest", guest, -1 << 31},
	} {
		for _, method := range []uint32{rpc.Release, methodAdd} {
			if got := breach(t, func() { test.peer.Serve(test.ref, method, []byte{2, 2}) }); got != "a call to an object that does not exist" {
				t.Errorf("%s, method %d: breach %q", test.name, method, got)
			}
		}
	}
}

// A peer that served a breach serves the next call as if nothing had been.
func TestServeAfterBreach(t *testing.T) {
	_, guest := line()
	ref := guest.Export(adder)
	for range 3 {
		if got := breach(t, func() { guest.Serve(ref, methodAdd, []byte{2}) }); got == "" {
			t.Fatal("an argument too few is no breach")
		}
		if got := guest.Serve(ref, methodAdd, []byte{2, 4}); !slices.Equal(got, []byte{6}) {
			t.Errorf("reply %v, want [6]", got)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	host, guest := line()
	o := rpc.Object{Peer: host, Ref: guest.Export(adder)}
	b.ReportAllocs()
	for b.Loop() {
		add(o, 2, 3)
	}
}

// A function that goes there and back is the one that was sent.
func TestFunctionsAndOwn(t *testing.T) {
	host, guest := line()
	double := guest.ExportFunc(func(args *rpc.Decoder, reply *rpc.Encoder) { reply.Int(2 * args.Int()) })
	c := rpc.Object{Peer: host, Ref: double}.Begin(rpc.Invoke)
	c.Int(21)
	if d := c.Do(); d.Int() != 42 {
		t.Error("twice 21 is not 42")
	}
	if problem := breach(t, func() { rpc.Object{Peer: host, Ref: double}.Begin(rpc.Invoke + 1).Do() }); problem == "" {
		t.Error("a function has a second method")
	}
	named := guest.ExportAs("mine", adder)
	if v, ok := guest.Own(named); !ok || v != "mine" {
		t.Errorf("the guest finds %v, %v", v, ok)
	}
	for _, ref := range []rpc.Ref{0, host.Export(adder)} {
		if v, ok := guest.Own(ref); ok {
			t.Errorf("ref %d is the guest's own: %v", ref, v)
		}
	}
	if problem := breach(t, func() { guest.Own(named + 1) }); problem == "" {
		t.Error("an object that does not exist has a value")
	}
}
