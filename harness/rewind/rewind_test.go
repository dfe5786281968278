package rewind

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// everything is a variable with what solutions keep things in.
type everything struct {
	number  int
	text    string
	pointer *int
	inner   *int  // in ring, at the same address, perhaps
	ring    *node // circular
	head    []int // the beginning of whole, perhaps
	whole   []int
	part    []int // of the memory of whole, perhaps
	lists   map[int64][]string
	big     map[string][200]byte // too large to stand in the map
	nested  map[string]map[int]*int
	keyed   map[[20]string]int // likewise
	array   [3][]string
	any     any
	shower  fmt.Stringer
	builder strings.Builder
	lock    sync.Mutex
	arrays  map[int][2]*node
	pair    *pair
	double  **int
}

type node struct {
	n    int
	next *node
}

type pair struct{ a, b *pair }

func (p *pair) String() string { return fmt.Sprint(p != nil, p.a == p, p.a == p.b) }

type value struct {
	n    int
	list []int
}

func (v value) String() string { return fmt.Sprint(v.n, v.list) }

// boxed and boxes are pointers, so they stand in an interface themselves.
type (
	boxed struct{ p *int }
	boxes [1]boxed
)

func (b boxed) String() string { return fmt.Sprint(*b.p) }

// changes are ways to change it, each by a number.
var changes = []func(e *everything, n int){
	func(e *everything, n int) { e.number += n },
	func(e *everything, n int) { e.text += fmt.Sprint(n) },
	func(e *everything, n int) { e.pointer = &n },
	func(e *everything, n int) {
		if e.pointer != nil {
			*e.pointer += n
		}
	},
	func(e *everything, n int) {
		if e.ring == nil {
			e.ring = &node{n: n}
			e.ring.next = e.ring
			return
		}
		e.ring.next = &node{n, e.ring.next}
		e.ring = e.ring.next
	},
	func(e *everything, n int) {
		if e.ring != nil {
			e.ring.next.n += n
			e.ring.next = e.ring.next.next
		}
	},
	func(e *everything, n int) { e.whole = append(e.whole, n) },
	func(e *everything, n int) { e.part = e.whole[len(e.whole)/2:] },
	func(e *everything, n int) { e.part = append(e.part, n) }, // perhaps over what whole has next
	func(e *everything, n int) {
		if len(e.part) > 0 {
			e.part[n%len(e.part)] = n
		}
	},
	func(e *everything, n int) { e.whole = e.whole[:len(e.whole)/2] },
	func(e *everything, n int) {
		if e.lists == nil {
			e.lists = map[int64][]string{}
		}
		e.lists[int64(n%40)] = append(e.lists[int64(n%40)], fmt.Sprint(n))
	},
	func(e *everything, n int) {
		for k := range e.lists {
			if k%3 == int64(n%3) {
				delete(e.lists, k)
			}
		}
	},
	func(e *everything, n int) { clear(e.lists) },
	func(e *everything, n int) {
		if e.big == nil {
			e.big = make(map[string][200]byte, 20)
		}
		e.big[fmt.Sprint(n%30)] = [200]byte{byte(n), 199: byte(n)}
	},
	func(e *everything, n int) {
		if e.nested == nil {
			e.nested = map[string]map[int]*int{"": {}}
		}
		e.nested[fmt.Sprint(n%3)] = map[int]*int{n: &n}
		e.nested[""][n%20] = &n
	},
	func(e *everything, n int) {
		for _, p := range e.nested[""] {
			*p += n
		}
	},
	func(e *everything, n int) {
		if e.keyed == nil {
			e.keyed = map[[20]string]int{}
		}
		e.keyed[[20]string{5: fmt.Sprint(n % 12)}] += n
	},
	func(e *everything, n int) { e.array[n%3] = append(e.array[n%3], fmt.Sprint(n)) },
	func(e *everything, n int) {
		e.any = []any{n, &n, value{n, []int{n}}, map[string]any{"x": &n}, nil, boxed{&n}, boxes{{&n}}, e.any}[n%8]
	},
	func(e *everything, n int) {
		switch v := e.any.(type) {
		case *int:
			*v += n
		case value:
			v.list[0] += n // its own copy of value, and the same list
		case boxed:
			*v.p += n
		case boxes:
			*v[0].p += n
		case map[string]any:
			v[fmt.Sprint(n)] = n
		}
	},
	func(e *everything, n int) { e.shower = []fmt.Stringer{value{n, []int{n, n}}, &pair{}, nil}[n%3] },
	func(e *everything, n int) {
		if v, ok := e.shower.(value); ok {
			v.list[n%2] += n
		}
	},
	func(e *everything, n int) { fmt.Fprint(&e.builder, n) },
	func(e *everything, n int) {
		if !e.lock.TryLock() {
			e.lock.Unlock()
		}
	},
	func(e *everything, n int) {
		if e.arrays == nil {
			e.arrays = map[int][2]*node{}
		}
		e.arrays[n%9] = [2]*node{{n: n}, e.ring}
	},
	func(e *everything, n int) {
		for _, a := range e.arrays {
			a[0].n += n
		}
	},
	func(e *everything, n int) {
		p := &pair{}
		p.a, p.b = p, e.pair
		e.pair = p
	},
	func(e *everything, n int) {
		if e.pair != nil {
			e.pair.a = e.pair.b
		}
	},
	func(e *everything, n int) { e.double = &e.pointer },
	func(e *everything, n int) { e.head = e.whole[: len(e.whole)/2 : len(e.whole)/2] },
	func(e *everything, n int) {
		if e.ring != nil {
			e.inner = &e.ring.n
		}
	},
}

// show tells all that can be seen of it.
func (e *everything) show() string {
	var s strings.Builder
	fmt.Fprintln(&s, e.number, e.text, e.whole, cap(e.whole), e.part, cap(e.part), e.whole[:cap(e.whole)])
	fmt.Fprintln(&s, e.lists, len(e.lists), e.big, e.keyed, e.array, e.builder.String(), e.shower, e.double == &e.pointer)
	number := func(p *int) any {
		if p == nil {
			return nil
		}
		return *p
	}
	fmt.Fprintln(&s, number(e.pointer), number(e.inner), e.head)
	for _, k := range []string{"", "0", "1", "2"} {
		for i := range 100 {
			fmt.Fprint(&s, " ", number(e.nested[k][i]))
		}
	}
	for i := range 9 {
		for _, n := range e.arrays[i] {
			fmt.Fprint(&s, " ", n != nil && n == e.ring)
			if n != nil {
				fmt.Fprint(&s, " ", n.n)
			}
		}
	}
	if n := e.ring; n != nil {
		for ok := true; ok; ok = n != e.ring {
			fmt.Fprint(&s, " ", n.n)
			n = n.next
		}
	}
	for p := e.pair; p != nil; p = p.b {
		fmt.Fprint(&s, " ", p)
	}
	switch v := e.any.(type) {
	case *int:
		fmt.Fprint(&s, " *", *v)
	case map[string]any:
		fmt.Fprint(&s, " map", len(v), number(v["x"].(*int)))
	default:
		fmt.Fprint(&s, " any", v)
	}
	free := e.lock.TryLock()
	if free {
		e.lock.Unlock()
	}
	return fmt.Sprint(s.String(), free)
}

// A change is one of changes, and its number.
type change struct{ which, n int }

func (c change) apply(e *everything) { changes[c.which](e, c.n) }

func someChanges(r *rand.Rand) []change {
	cs := make([]change, r.IntN(40))
	for i := range cs {
		cs[i] = change{r.IntN(len(changes)), r.IntN(100)}
	}
	return cs
}

// After Back a variable is as if what came after the mark had never been, and
// goes on like one to which nothing else was ever done.
func TestBackIsAsIfNew(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what is freed too early should show
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		e := new(everything)
		s := New(e)
		var done []change // since the beginning
		var marks []int   // how much was done then
		for range 30 {
			switch r.IntN(4) {
			case 0:
				if !s.Mark() {
					t.Fatalf("seed %d: nothing in it is refused", seed)
				}
				marks = append(marks, len(done))
			case 1:
				if len(marks) > 0 {
					s.Back()
					done = done[:marks[len(marks)-1]]
				}
			case 2:
				if len(marks) > 0 && r.IntN(2) == 0 {
					s.Drop()
					marks = marks[:len(marks)-1]
				}
			default:
				for _, c := range someChanges(r) {
					c.apply(e)
					done = append(done, c)
				}
			}
			if seed%10 == 0 {
				runtime.GC()
			}
			again := new(everything)
			for _, c := range done {
				c.apply(again)
			}
			if got, want := e.show(), again.show(); got != want {
				t.Fatalf("seed %d, after %d changes: it is\n%s\ninstead of\n%s", seed, len(done), got, want)
			}
		}
	}
}

// What can't be taken back is refused, and a mark is then not there.
func TestRefused(t *testing.T) {
	n := 1
	for name, v := range map[string]any{
		"a function":              func() {},
		"a channel":               make(chan int),
		"an unsafe pointer":       unsafe.Pointer(&n),
		"a method":                (&pair{}).String,
		"in a slice":              []func(){nil, func() {}},
		"behind its length":       append([]func(){}, func() {})[:0],
		"in a map's element":      map[int]func(){1: func() {}},
		"in a map's key":          map[any]int{make(chan int): 1},
		"in a large map":          map[[30]int]chan int{{}: make(chan int)},
		"behind a pointer":        &struct{ f func() }{func() {}},
		"in an array":             [2]chan int{1: make(chan int)},
		"more than is worthwhile": make([]byte, 1<<20),
		"too many":                manyNodes(1000),
	} {
		t.Run(name, func(t *testing.T) {
			s := New(&v)
			if s.Mark() {
				t.Error("it is not refused")
			}
			if len(s.marks)+len(s.regions)+len(s.saved)+len(s.alive) > 0 {
				t.Errorf("it leaves behind %+v", s)
			}
		})
	}
}

func manyNodes(n int) (first *node) {
	for range n {
		first = &node{next: first}
	}
	return first
}

// Nil is nothing that can't be taken back.
func TestNilIsFine(t *testing.T) {
	v := struct {
		f func()
		c chan int
		p unsafe.Pointer
		m map[int]func()
		s []func()
		i fmt.Stringer
	}{m: map[int]func(){1: nil}}
	s := New(&v)
	if !s.Mark() {
		t.Fatal("it is refused")
	}
	v.f, v.m[2] = func() {}, func() {}
	s.Back()
	if v.f != nil || len(v.m) != 1 {
		t.Errorf("it is %+v", v)
	}
}

func BenchmarkMarkAndBack(b *testing.B) {
	e := struct {
		open     []value
		prepared map[int64][]value
		shown    []value
	}{make([]value, 2, 4), map[int64][]value{1: make([]value, 1), 2: nil}, make([]value, 3, 4)}
	s := New(&e)
	b.ReportAllocs()
	for b.Loop() {
		if !s.Mark() {
			b.Fatal("it is refused")
		}
		for range 8 {
			s.Back()
		}
		s.Drop()
	}
}
