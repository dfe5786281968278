// Package rpc lets the host and a guest call each other's objects through one
// small symmetric protocol: an object is a number, a method is a number,
// arguments and results are bytes. Both ends run this same code, so a stage
// writes each interface once: a stub that calls, and a dispatcher that serves.
//
// It knows neither WASM nor any stage. Start reading at [Peer].
package rpc

// A Ref names an object of one side: zero is none, positive is the guest's,
// negative the host's.
type Ref int32

// A Handler serves one object: it reads all arguments of the call before it
// calls anything else, since the message is valid only until then, and
// appends the results to reply.
type Handler func(method uint32, args *Decoder, reply *Encoder)

// Release is the method number by which an owner is told that an object will
// not be called again. Peers serve it themselves; stages count from 1.
const Release uint32 = 0

// Invoke is the only method of an object that is a function; see [Peer.ExportFunc].
const Invoke uint32 = 1

// A Transport carries one call to the other side and returns the reply, which
// is valid until the next call.
type Transport func(ref Ref, method uint32, args []byte) []byte

// A Peer is one end of the line. Calls may nest, and goroutines may take turns
// even between a Begin and its Do, but not run at the same time.
type Peer struct {
	send    Transport
	sign    Ref // of this side's refs
	objects []exported
	free    []Ref
	idle    []*Call // not under way, kept for reuse
	replies []*Encoder
	serving int
}

// An exported object is one of this side's that the other can call.
type exported struct {
	serve Handler
	value any
}

// NewHost returns the host's end; objects it exports have negative refs.
func NewHost(send Transport) *Peer { return &Peer{send: send, sign: -1} }

// NewGuest returns the guest's end; objects it exports have positive refs.
func NewGuest(send Transport) *Peer { return &Peer{send: send, sign: 1} }

// Export gives an object a ref that the other side can call.
func (p *Peer) Export(h Handler) Ref { return p.ExportAs(nil, h) }

// ExportAs is Export of an object that the other side may hand back: then Own
// returns value.
func (p *Peer) ExportAs(value any, h Handler) Ref {
	if n := len(p.free); n > 0 {
		ref := p.free[n-1]
		p.free = p.free[:n-1]
		p.objects[p.sign*ref-1] = exported{h, value}
		return ref
	}
	p.objects = append(p.objects, exported{h, value})
	return p.sign * Ref(len(p.objects))
}

// ExportFunc gives a function a ref. The other side calls it by the method [Invoke].
func (p *Peer) ExportFunc(f func(args *Decoder, reply *Encoder)) Ref {
	return p.Export(func(method uint32, args *Decoder, reply *Encoder) {
		if method != Invoke {
			panic(Breach{"unknown method of a function"})
		}
		f(args, reply)
	})
}

// Own returns the value that this side exported under ref, if ref is of this side.
func (p *Peer) Own(ref Ref) (value any, ok bool) {
	if p.sign*ref <= 0 {
		return nil, false
	}
	return p.object(ref).value, true
}

func (p *Peer) object(ref Ref) exported {
	i := int(p.sign*ref) - 1
	if i < 0 || i >= len(p.objects) || p.objects[i].serve == nil {
		panic(Breach{"a call to an object that does not exist"})
	}
	return p.objects[i]
}

// Serve handles a call from the other side. The reply is valid until the next
// call that this side serves at the same depth.
func (p *Peer) Serve(ref Ref, method uint32, args []byte) []byte {
	called := p.object(ref)
	if method == Release {
		p.objects[p.sign*ref-1] = exported{}
		p.free = append(p.free, ref)
		return nil
	}
	if p.serving == len(p.replies) {
		p.replies = append(p.replies, new(Encoder))
	}
	reply := p.replies[p.serving]
	reply.Reset()
	p.serving++
	defer func() { p.serving-- }()
	d := NewDecoder(args)
	called.serve(method, &d, reply)
	return reply.Bytes()
}

// An Object is the other side's, to be called. Stubs embed it.
type Object struct {
	Peer *Peer
	Ref  Ref
}

// Begin starts a call; append the arguments to it, then Do it.
func (o Object) Begin(method uint32) *Call {
	p := o.Peer
	c := new(Call)
	if n := len(p.idle); n > 0 {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	c.Reset()
	c.object, c.method = o, method
	return c
}

// Release tells the owner that o will not be called again.
func (o Object) Release() { o.Begin(Release).Do() }

// A Call is one call under way: an encoder for its arguments.
type Call struct {
	Encoder
	object Object
	method uint32
}

// Do makes the call and returns its results, valid until the next call.
func (c *Call) Do() Decoder {
	p := c.object.Peer
	reply := p.send(c.object.Ref, c.method, c.Bytes())
	p.idle = append(p.idle, c) // not where send panics: the other side is gone then
	return NewDecoder(reply)
}
