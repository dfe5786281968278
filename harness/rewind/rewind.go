// Package rewind takes what Go code holds in memory back to how it was, so that
// what may follow one beginning can be tried without beginning anew each time.
//
// It runs inside a guest. What code holds elsewhere than in the memory that is
// reachable from one variable, it does not know: package variables, goroutines,
// files. Whether there is such a thing is for the caller to know.
package rewind

import "unsafe"

// A Stack holds marks of what is reachable from a variable: each a copy of its
// bytes. To go back is to put these where they were, so every pointer and
// every slice keeps its meaning, whatever they share.
type Stack struct {
	root    unsafe.Pointer
	plan    *plan
	marks   []mark // oldest first, as the next three
	regions []region
	saved   []byte           // of the regions, one behind another
	alive   []unsafe.Pointer // what the regions point to beside each other, for the garbage collector
}

// A mark tells where it begins in the fields of Stack.
type mark struct{ regions, saved, alive int }

// A region is n values of one type, one behind another in memory.
type region struct {
	plan   *plan
	n      uintptr
	memory []byte // in place
}

// New returns a stack without marks of the variable that root points to.
func New[T any](root *T) *Stack {
	pointer := (*elemType)(unsafe.Pointer(typeOf(root)))
	return &Stack{root: unsafe.Pointer(root), plan: planOf(pointer.elem)}
}

// Limits of a mark. What holds more is run anew in less time.
const (
	maxRegions = 256
	maxBytes   = 64 << 10
)

// Mark adds a mark. It reports false, and adds none, where something is
// reachable that it can't take back: a function, a channel, a pointer of package
// unsafe, or too much.
func (s *Stack) Mark() bool {
	if !known {
		return false
	}
	m := mark{len(s.regions), len(s.saved), len(s.alive)}
	s.marks = append(s.marks, m)
	if !s.save(s.root, s.plan, 1) {
		s.Drop()
		return false
	}
	return true
}

// Back takes everything back to the newest mark, which stays.
func (s *Stack) Back() {
	m := s.marks[len(s.marks)-1]
	saved := s.saved[m.saved:]
	for _, r := range s.regions[m.regions:] {
		saved = saved[copy(r.memory, saved):]
	}
}

// Drop removes the newest mark.
func (s *Stack) Drop() {
	m := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	s.regions, s.saved, s.alive = s.regions[:m.regions], s.saved[:m.saved], s.alive[:m.alive]
}

// save notes n values at an address and what they lead to, unless it has.
func (s *Stack) save(at unsafe.Pointer, p *plan, n uintptr) bool {
	fresh, ok := s.note(at, p, n)
	return ok && (!fresh || s.follow(at, p, n))
}

// note notes the values alone.
func (s *Stack) note(at unsafe.Pointer, p *plan, n uintptr) (fresh, ok bool) {
	if at == nil || n*p.size == 0 {
		return false, true
	}
	m := s.marks[len(s.marks)-1]
	regions := s.regions[m.regions:]
	for i := range regions {
		if r := &regions[i]; &r.memory[0] == (*byte)(at) && r.plan == p && r.n >= n {
			return false, true
		}
	}
	if len(regions) == maxRegions || n > maxBytes || uintptr(len(s.saved)-m.saved)+n*p.size > maxBytes {
		return false, false
	}
	memory := unsafe.Slice((*byte)(at), n*p.size)
	s.regions, s.saved = append(s.regions, region{p, n, memory}), append(s.saved, memory...)
	return true, true
}

// follow notes what n values at an address lead to.
func (s *Stack) follow(at unsafe.Pointer, p *plan, n uintptr) bool {
	if len(p.links) == 0 {
		return true
	}
	for i := range n {
		value := unsafe.Add(at, i*p.size)
		for k := range p.links {
			l := &p.links[k]
			if !s.link(unsafe.Add(value, l.offset), l) {
				return false
			}
		}
	}
	return true
}

// link notes what one link at an address leads to.
func (s *Stack) link(at unsafe.Pointer, l *link) bool {
	first := *(*unsafe.Pointer)(at)
	if first == nil && l.kind != kindArray {
		return true
	}
	switch l.kind {
	case kindString: // never changes
		s.alive = append(s.alive, first)
		return true
	case kindPointer:
		return s.save(first, l.to, 1)
	case kindSlice:
		return s.save(first, l.to, uintptr((*slice)(at).cap))
	case kindArray:
		return s.follow(at, l.to, l.n)
	case kindMap:
		return s.mapped((*mapHeader)(first), l.entries)
	case kindInterface:
		return s.inside((*[2]unsafe.Pointer)(at), l.methods)
	default:
		return false
	}
}

// inside notes what an interface's value leads to. The value itself never
// changes.
func (s *Stack) inside(words *[2]unsafe.Pointer, methods bool) bool {
	t := (*typ)(words[0])
	if methods {
		t = (*itab)(words[0]).typ
	}
	value := words[1]
	if t.flags&flagDirect != 0 {
		value = unsafe.Pointer(&words[1])
	} else {
		s.alive = append(s.alive, value)
	}
	return s.follow(value, planOf(t), 1)
}

// mapped notes a map with all its entries.
func (s *Stack) mapped(h *mapHeader, e *entries) bool {
	fresh, ok := s.note(unsafe.Pointer(h), headerPlan, 1)
	if !fresh || h.directory == nil {
		return ok
	}
	if h.directoryLen == 0 {
		return s.groups(h.directory, 1, e)
	}
	if _, ok := s.note(h.directory, wordPlan, uintptr(h.directoryLen)); !ok {
		return false
	}
	for _, t := range unsafe.Slice((**mapTable)(h.directory), h.directoryLen) {
		fresh, ok := s.note(unsafe.Pointer(t), tablePlan, 1)
		if !ok || fresh && !s.groups(t.groups, uintptr(t.lengthMask)+1, e) {
			return false
		}
	}
	return true
}

// groups notes n groups of a map's entries.
func (s *Stack) groups(at unsafe.Pointer, n uintptr, e *entries) bool {
	fresh, ok := s.note(at, e.group, n)
	if !fresh || e.flat() {
		return ok
	}
	return e.each(at, n, func(key, elem unsafe.Pointer) bool {
		return s.follow(key, e.key, 1) && s.follow(elem, e.elem, 1)
	})
}
