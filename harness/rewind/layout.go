package rewind

import "unsafe"

// How Go lays out its values and describes its types, as of 1.26: from
// internal/abi and internal/runtime/maps of its source. Package reflect would
// tell some of it, and make each guest take longer to link and to compile.
type (
	slice struct {
		data     unsafe.Pointer
		len, cap int
	}

	mapHeader struct {
		used         uint64
		seed         uintptr
		directory    unsafe.Pointer // of tables, or, without a length, the only group
		directoryLen int
		_            [4]uint8
		_            uint64
	}

	mapTable struct {
		_          [3]uint16
		_          uint8
		_          int
		groups     unsafe.Pointer
		lengthMask uint64 // the number of groups, less 1
	}

	itab struct {
		_   unsafe.Pointer
		typ *typ
	}

	typ struct {
		size, _ uintptr
		_       uint32
		flags   uint8
		_, _    uint8
		kind    kind
		_, _    unsafe.Pointer
		_, _    int32
	}

	elemType struct { // of pointers and slices
		typ
		elem *typ
	}

	arrayType struct {
		typ
		elem, _ *typ
		len     uintptr
	}

	structType struct {
		typ
		_      unsafe.Pointer
		fields []struct {
			_      unsafe.Pointer
			typ    *typ
			offset uintptr
		}
	}

	interfaceType struct {
		typ
		_       unsafe.Pointer
		methods []struct{ _, _ int32 }
	}

	mapType struct {
		typ
		key, elem, _                    *typ
		_                               unsafe.Pointer
		groupSize, slotSize, elemOffset uintptr
		_                               uint32
	}
)

// A kind is a [reflect.Kind].
type kind uint8

const (
	kindArray kind = iota + 17
	kindChan
	kindFunc
	kindInterface
	kindMap
	kindPointer
	kindSlice
	kindString
	kindStruct
	kindUnsafePointer
)

const (
	flagDirect = 1 << 5 // of a type whose values stand in the second word of an interface

	groupSlots = 8      // of a group of a map, and as many control bytes before them
	slotFree   = 1 << 7 // in a control byte

	maxInline = 128 // bytes of a key or an element; a larger one stands elsewhere
)

// typeOf returns the type of a value.
func typeOf(v any) *typ { return *(**typ)(unsafe.Pointer(&v)) }

// known tells whether values and types are laid out here as above: in another
// version of Go they may not be.
var known = typesKnown() && interfacesKnown() && mapsKnown(1) && mapsKnown(100)

// sample has parts of all kinds that matter.
type sample struct {
	array   [3]*int16
	channel chan int
	fun     func()
	face    interface{ method() }
	bare    any
	table   map[int32]int64
	pointer *int16
	list    []int16
	text    string
	inner   struct{ n int8 }
	address unsafe.Pointer
	number  int
}

func (sample) method() {}

// typesKnown looks for the parts of sample in its type.
func typesKnown() bool {
	var s sample
	t := (*structType)(unsafe.Pointer(typeOf(s)))
	kinds := []kind{kindArray, kindChan, kindFunc, kindInterface, kindInterface, kindMap, kindPointer, kindSlice, kindString, kindStruct, kindUnsafePointer, 2}
	if t.size != unsafe.Sizeof(s) || t.kind != kindStruct || len(t.fields) != len(kinds) {
		return false
	}
	for i, f := range t.fields {
		if f.typ.kind != kinds[i] {
			return false
		}
	}
	field := func(i int) unsafe.Pointer { return unsafe.Pointer(t.fields[i].typ) }
	elem := typeOf(int16(0))
	a, m := (*arrayType)(field(0)), (*mapType)(field(5))
	return t.fields[11].offset == unsafe.Offsetof(s.number) && t.fields[9].offset == unsafe.Offsetof(s.inner) &&
		a.len == 3 && (*elemType)(unsafe.Pointer(a.elem)).elem == elem && a.size == unsafe.Sizeof(s.array) &&
		len((*interfaceType)(field(3)).methods) == 1 && len((*interfaceType)(field(4)).methods) == 0 &&
		(*elemType)(field(6)).elem == elem && (*elemType)(field(7)).elem == elem &&
		m.key == typeOf(int32(0)) && m.elem == typeOf(int64(0)) &&
		m.slotSize == 16 && m.elemOffset == 8 && m.groupSize == groupSlots+groupSlots*m.slotSize
}

// interfacesKnown looks for types and values in interfaces.
func interfacesKnown() bool {
	p := &sample{number: 7}
	var v interface{ method() } = p
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	if t := (*itab)(words[0]).typ; t != typeOf(p) || t.flags&flagDirect == 0 || words[1] != unsafe.Pointer(p) {
		return false
	}
	v = *p
	t := (*itab)(words[0]).typ
	return t == typeOf(*p) && t.flags&flagDirect == 0 && (*sample)(words[1]).number == 7
}

// mapsKnown looks for the entries of a map with n of them.
func mapsKnown(n int) bool {
	m := map[int64]int64{} // as solutions have them: their functions are compiled in any case
	for i := range n {
		m[int64(i)] = -int64(i)
	}
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h.used != uint64(n) || h.directoryLen < 0 || h.directoryLen > n || (h.directoryLen == 0) != (n <= groupSlots) {
		return false
	}
	e := entriesOf((*mapType)(unsafe.Pointer(typeOf(m))))
	s := &Stack{marks: []mark{{}}}
	if !s.mapped(h, e) {
		return false
	}
	found := 0
	for _, r := range s.regions {
		if r.plan == e.group {
			e.each(unsafe.Pointer(&r.memory[0]), r.n, func(key, elem unsafe.Pointer) bool {
				if v, ok := m[*(*int64)(key)]; ok && v == *(*int64)(elem) {
					found++
				}
				return true
			})
		}
	}
	return found == n
}
