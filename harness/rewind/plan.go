package rewind

import "unsafe"

// A plan tells how large the values of a type are, and what in them leads to
// other memory.
type plan struct {
	size  uintptr
	links []link
}

// A link is a part of a value that leads to other memory.
type link struct {
	offset  uintptr
	kind    kind
	to      *plan    // of a pointer, a slice or an array
	n       uintptr  // of an array, its length
	entries *entries // of a map
	methods bool     // of an interface: it has some
}

// entries are how a type of maps keeps keys and elements.
type entries struct {
	group, key, elem     *plan
	slotSize, elemOffset uintptr
}

// Plans of parts of maps.
var (
	wordPlan   = &plan{size: unsafe.Sizeof(uintptr(0))}
	headerPlan = &plan{size: unsafe.Sizeof(mapHeader{})}
	tablePlan  = &plan{size: unsafe.Sizeof(mapTable{})}
)

// plans are those that were made, by the addresses of their types, which never
// move. A guest has one goroutine that is ours.
var plans = map[uintptr]*plan{}

func planOf(t *typ) *plan {
	p := plans[uintptr(unsafe.Pointer(t))]
	if p == nil {
		p = &plan{size: t.size}
		plans[uintptr(unsafe.Pointer(t))] = p // first, as a type can lead to itself
		p.add(t, 0)
	}
	return p
}

// add adds the links of a part of type t.
func (p *plan) add(t *typ, offset uintptr) {
	l := link{offset: offset, kind: t.kind}
	at := unsafe.Pointer(t)
	switch t.kind {
	case kindStruct:
		for _, f := range (*structType)(at).fields {
			p.add(f.typ, offset+f.offset)
		}
		return
	case kindArray:
		a := (*arrayType)(at)
		l.to, l.n = planOf(a.elem), a.len
		if len(l.to.links) == 0 || l.n == 0 {
			return
		}
	case kindPointer, kindSlice:
		l.to = planOf((*elemType)(at).elem)
	case kindMap:
		l.entries = entriesOf((*mapType)(at))
	case kindInterface:
		l.methods = len((*interfaceType)(at).methods) > 0
	case kindString, kindFunc, kindChan, kindUnsafePointer:
	default:
		return
	}
	p.links = append(p.links, l)
}

func entriesOf(m *mapType) *entries {
	return &entries{
		group:    &plan{size: m.groupSize},
		key:      inline(m.key),
		elem:     inline(m.elem),
		slotSize: m.slotSize, elemOffset: m.elemOffset,
	}
}

// inline is the plan of what stands in a map for a value of type t.
func inline(t *typ) *plan {
	if t.size <= maxInline {
		return planOf(t)
	}
	return &plan{size: wordPlan.size, links: []link{{kind: kindPointer, to: planOf(t)}}}
}

func (e *entries) flat() bool { return len(e.key.links) == 0 && len(e.elem.links) == 0 }

// each calls do with the entries of n groups, as long as it reports true.
func (e *entries) each(groups unsafe.Pointer, n uintptr, do func(key, elem unsafe.Pointer) bool) bool {
	for g := range n {
		group := unsafe.Add(groups, g*e.group.size)
		for slot, control := range *(*[groupSlots]byte)(group) {
			key := unsafe.Add(group, groupSlots+uintptr(slot)*e.slotSize)
			if control&slotFree == 0 && !do(key, unsafe.Add(key, e.elemOffset)) {
				return false
			}
		}
	}
	return true
}
