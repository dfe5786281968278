package keyedstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading/diff"
)

// A model is what a state must be, written for plainness: a list of entries,
// sorted by key. It serves as the state that the host holds, as the measure of
// a learner's state, and as that of a snapshot. It shares no code with the
// reference.
type model struct{ entries []entry }

type entry struct {
	key   string
	value int64
}

// find returns where key stands, or where it would.
func (m *model) find(key string) (int, bool) {
	return slices.BinarySearchFunc(m.entries, key, func(e entry, key string) int { return strings.Compare(e.key, key) })
}

func (m *model) Get(key string) (int64, bool) {
	if i, ok := m.find(key); ok {
		return m.entries[i].value, true
	}
	return 0, false
}

func (m *model) Put(key string, value int64) {
	i, ok := m.find(key)
	if !ok {
		m.entries = slices.Insert(m.entries, i, entry{key: key})
	}
	m.entries[i].value = value
}

func (m *model) Delete(key string) {
	if i, ok := m.find(key); ok {
		m.entries = slices.Delete(m.entries, i, i+1)
	}
}

func (m *model) Keys() []string {
	var keys []string
	for _, e := range m.entries {
		keys = append(keys, e.key)
	}
	return keys
}

func (m *model) Snapshot() map[string]int64 {
	all := map[string]int64{}
	for _, e := range m.entries {
		all[e.key] = e.value
	}
	return all
}

func (m *model) Restore(snapshot map[string]int64) { *m = *modelOf(snapshot) }

// modelOf is the model of a state that holds just what a map does.
func modelOf(snapshot map[string]int64) *model {
	m := &model{}
	for key, value := range snapshot {
		m.entries = append(m.entries, entry{key, value})
	}
	slices.SortFunc(m.entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return m
}

// clone returns a model that holds the same and shares nothing.
func (m *model) clone() *model { return &model{slices.Clone(m.entries)} }

func (m *model) equal(n *model) bool { return slices.Equal(m.entries, n.entries) }

// holds tells whether m holds just what a map does.
func (m *model) holds(snapshot map[string]int64) bool {
	if len(m.entries) != len(snapshot) {
		return false
	}
	for _, e := range m.entries {
		if value, ok := snapshot[e.key]; !ok || value != e.value {
			return false
		}
	}
	return true
}

// A summary is what a model held at one time, or its beginning.
type summary struct {
	first []entry
	n     int
}

func (m *model) summary() *summary {
	n := len(m.entries)
	return &summary{slices.Clone(m.entries[:min(n, maxListed)]), n}
}

// String lists the entries by key: {a: 1, b: 2}.
func (s *summary) String() string {
	return list("{", "}", s.n, func(i int) string {
		return fmt.Sprintf("%s: %d", diff.Key(s.first[i].key), s.first[i].value)
	})
}

func (m *model) String() string { return m.summary().String() }

// maxListed is how many keys or entries a list shows.
const maxListed = 12

func list(open, end string, n int, item func(int) string) string {
	var items []string
	for i := range min(n, maxListed) {
		items = append(items, item(i))
	}
	if n > maxListed {
		items = append(items, fmt.Sprintf("and %d more", n-maxListed))
	}
	return open + strings.Join(items, ", ") + end
}

func keyList(keys []string) string {
	return list("[", "]", len(keys), func(i int) string { return diff.Key(keys[i]) })
}
