package strict

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Value is one place in a document. Its methods ask for what should be there;
// if it isn't, they record an error and return a zero value. Of an absent
// place, or one with an error already, they return zero values and no error:
// whoever asked for it has reported it.
type Value struct {
	doc  *Document
	node *yaml.Node // nil if absent
	name string     // for messages: the key, also of the items of its list
	item bool       // of a list
}

// Name returns the key of the value, or of the list it is in, for messages.
func (v Value) Name() string { return v.name }

// kind names what the value is one of.
func (v Value) kind() string {
	if v.item {
		return "an item of " + v.name
	}
	return v.name
}

// Present reports whether the file has the value.
func (v Value) Present() bool { return v.node != nil }

// Errorf records an error at the value. The message says what is wrong, and
// after a semicolon what to do.
func (v Value) Errorf(format string, args ...any) {
	if v.node != nil {
		v.doc.report(v.node.Line, v.node.Column, fmt.Sprintf(format, args...))
	}
}

// Include takes over the errors of another file that this value names.
func (v Value) Include(other *Document) { v.doc.Include(other) }

// open reports whether there is something here that can be looked at.
func (v Value) open() bool {
	return v.node != nil && !v.doc.closed[v.node]
}

// A Map holds the values of a map. The zero Map is absent, as a Value can be.
type Map struct {
	at     Value
	values map[string]Value
}

// Map asks for a map, with none but these keys. An unknown key that is close to
// one of them stands for it, so that one slip is one error.
func (v Value) Map(keys ...string) Map {
	if !v.open() {
		return Map{}
	}
	if v.node.Kind != yaml.MappingNode {
		v.Errorf("%s must be a map with %s; found %s", v.kind(), list("and", keys), v.found())
		return Map{}
	}
	m := Map{at: v, values: map[string]Value{}}
	var unknown []Value
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key, value := v.node.Content[i], v.node.Content[i+1]
		switch {
		case v.doc.closed[key] || key.Kind != yaml.ScalarNode:
		case slices.Contains(keys, key.Value):
			m.values[key.Value] = Value{doc: v.doc, node: value, name: key.Value}
		default:
			unknown = append(unknown, Value{doc: v.doc, node: key}, Value{doc: v.doc, node: value})
		}
	}
	for i := 0; i < len(unknown); i += 2 {
		m.unknown(unknown[i], unknown[i+1], keys)
	}
	return m
}

func (m Map) unknown(key, value Value, keys []string) {
	near := Closest(key.node.Value, keys, 1)
	if len(near) == 0 {
		key.Errorf("unknown key %s; the keys here are %s", show(key.node.Value), list("and", keys))
		return
	}
	key.Errorf("unknown key %s; did you mean %q?", show(key.node.Value), near[0])
	if _, ok := m.values[near[0]]; !ok {
		value.name = near[0]
		m.values[near[0]] = value
	}
}

// Required returns the value of a key, which must be there.
func (m Map) Required(key string) Value {
	v, ok := m.values[key]
	if !ok {
		m.at.Errorf("the key %q is missing; add it here", key)
	}
	return v
}

// Optional returns the value of a key, absent if it isn't there.
func (m Map) Optional(key string) Value { return m.values[key] }

// Entry returns the value of one required key of a map, whatever the others.
func (v Value) Entry(key string) Value {
	if !v.open() {
		return Value{}
	}
	for i := 0; v.IsMap() && i+1 < len(v.node.Content); i += 2 {
		if v.node.Content[i].Value == key {
			return Value{doc: v.doc, node: v.node.Content[i+1], name: key}
		}
	}
	return Map{at: v}.Required(key)
}

// List asks for a list of one or more, and returns its items.
func (v Value) List() []Value {
	if !v.open() {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		v.Errorf("%s must be a list, as in [a, b]; found %s", v.kind(), v.found())
		return nil
	}
	if len(v.node.Content) == 0 {
		v.Errorf("%s is an empty list; give it an item", v.name)
	}
	items := make([]Value, len(v.node.Content))
	for i, n := range v.node.Content {
		items[i] = Value{v.doc, n, v.name, true}
	}
	return items
}

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.open() && v.node.Kind == yaml.SequenceNode }

// IsMap reports whether the value is a map.
func (v Value) IsMap() bool { return v.open() && v.node.Kind == yaml.MappingNode }

// OneOrMore returns the items of a list, or a single value as the only item.
func (v Value) OneOrMore() []Value {
	if v.open() && !v.IsList() {
		return []Value{v}
	}
	return v.List()
}

// Text asks for text, of one or more lines, and reports whether it is there.
func (v Value) Text() (string, bool) {
	switch {
	case !v.open():
		return "", false
	case v.node.Kind == yaml.ScalarNode && v.node.Tag == "!!str":
		return v.node.Value, true
	case v.node.Kind == yaml.ScalarNode && v.node.Tag != "!!null":
		v.Errorf("%s must be text; found %s, so put quotes around it", v.kind(), v.found())
	default:
		v.Errorf("%s must be text; found %s", v.kind(), v.found())
	}
	return "", false
}

// Int asks for a whole number from low to high. Doc says in a phrase what it
// is, for messages; it may be empty.
func (v Value) Int(low, high int64, doc string) (int64, bool) {
	n, _, ok := v.IntOrWord(low, high, doc)
	return n, ok
}

// IntOrWord asks for a whole number as [Value.Int] does, or one of some words.
// The word is empty if it is a number.
func (v Value) IntOrWord(low, high int64, doc string, words ...string) (n int64, word string, ok bool) {
	if !v.open() {
		return 0, "", false
	}
	scalar := v.node.Kind == yaml.ScalarNode
	if scalar && slices.Contains(words, v.node.Value) {
		return 0, v.node.Value, true
	}
	if scalar && v.node.Style == 0 && decimal.MatchString(v.node.Value) {
		n, err := strconv.ParseInt(v.node.Value, 10, 64)
		if err == nil && low <= n && n <= high {
			return n, "", true
		}
	}
	v.Errorf("%s must be %s; found %s", v.name, numberOr(low, high, doc, words), v.foundFor(words))
	return 0, "", false
}

var decimal = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

func numberOr(low, high int64, doc string, words []string) string {
	what := Span(low, high)
	if doc != "" {
		what += " (" + doc + ")"
	}
	switch len(words) {
	case 0:
		return what
	case 1:
		return what + " or " + list("", words)
	default:
		return what + ", " + list("or", words)
	}
}

// Span names the whole numbers from low to high.
func Span(low, high int64) string {
	if low == math.MinInt64 && high == math.MaxInt64 {
		return "a whole number of 64 bits"
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// Word asks for one of some words.
func (v Value) Word(words ...string) (string, bool) {
	if !v.open() {
		return "", false
	}
	if v.node.Kind == yaml.ScalarNode && slices.Contains(words, v.node.Value) {
		return v.node.Value, true
	}
	if len(words) == 1 {
		v.Errorf("%s must be %q here; found %s", v.name, words[0], v.found())
	} else {
		v.Errorf("%s must be %s; found %s", v.name, list("or", words), v.foundFor(words))
	}
	return "", false
}

// foundFor names what is there, and what may have been meant.
func (v Value) foundFor(words []string) string {
	if v.node.Kind != yaml.ScalarNode {
		return v.found()
	}
	if v.node.Style != 0 && decimal.MatchString(v.node.Value) {
		return v.found() + ", so take the quotes off"
	}
	if v.node.Tag == "!!int" && !decimal.MatchString(v.node.Value) {
		return v.found() + ", so write it in plain digits"
	}
	if near := Closest(v.node.Value, words, 1); len(near) > 0 {
		return fmt.Sprintf("%s; did you mean %q?", v.found(), near[0])
	}
	return v.found()
}

// found names what is there.
func (v Value) found() string {
	switch {
	case v.node.Kind == yaml.MappingNode:
		return "a map"
	case v.node.Kind == yaml.SequenceNode:
		return "a list"
	case v.node.Tag == "!!null":
		return "nothing"
	case v.node.Tag == "!!str":
		return show(v.node.Value)
	default: // numbers, booleans, dates: as they are written
		return clean(cut(v.node.Value))
	}
}

const maxQuoted = 40 // characters of a value, in a message

// show quotes text for a message.
func show(text string) string { return strconv.Quote(cut(text)) }

func cut(text string) string {
	if runes := []rune(text); len(runes) > maxQuoted {
		return string(runes[:maxQuoted]) + "…"
	}
	return text
}

// list joins words as in "a", "b" or "c".
func list(conjunction string, words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	if n := len(quoted); n > 1 {
		quoted = append(quoted[:n-2], quoted[n-2]+" "+conjunction+" "+quoted[n-1])
	}
	return strings.Join(quoted, ", ")
}
