package schedule

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/flk-byo/de/harness/strict"
)

// readScript appends a script to the file, as a case.
func (l *loader) readScript(v strict.Value) {
	fields := v.Map("name", "ops")
	c := Case{ID: l.scriptID(fields.Required("name"))}
	list := fields.Required("ops")
	items := list.List()
	if len(items) > l.limits.Ops {
		list.Errorf("the script has %d operations, more than the %d allowed; split it", len(items), l.limits.Ops)
		return
	}
	valid := true
	for _, item := range items {
		op, ok := l.readOp(item)
		valid = valid && ok
		c.Script = append(c.Script, op)
	}
	if !valid || len(items) == 0 {
		return
	}
	if i, problem := l.spec.checkScript(c.Script); problem != "" {
		items[i].Errorf("%s", problem)
		return
	}
	if len(l.file.Cases) >= l.limits.Cases {
		if !l.full {
			v.Errorf("the file has more than %d cases; split it", l.limits.Cases)
		}
		l.full = true
		return
	}
	l.file.Cases = append(l.file.Cases, c)
	l.file.scripts++
}

// scriptID reads the name of a script, and returns the ID made of it.
func (l *loader) scriptID(v strict.Value) string {
	id := "script/" + slug(line(v))
	switch {
	case id == "script/" && v.Present():
		v.Errorf("name must have a letter a-z or a digit, since its ID is made of them; add one")
	case l.names[id]:
		v.Errorf("the name makes the ID %q, as an earlier one does; choose another", id)
	}
	l.names[id] = true
	return l.spec.Stage + "/" + id
}

// slug returns the words of text, of a-z and 0-9, joined by "-".
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}

func (l *loader) readOp(v strict.Value) (Op, bool) {
	text, ok := v.Text()
	if !ok {
		return Op{}, false
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		v.Errorf("an operation is blank; write one, or remove the item")
		return Op{}, false
	}
	op, err := l.spec.op(words[0], words[1:])
	if err != nil {
		v.Errorf("%s", err)
	}
	return op, err == nil
}

// op returns the operation of a script, if the stage has it.
func (s Spec) op(name string, args []string) (Op, error) {
	var names []string
	for _, o := range s.Ops {
		if o.Name == name {
			return o.op(args)
		}
		names = append(names, o.Name)
	}
	if near := strict.Closest(name, names, 1); len(near) > 0 {
		return Op{}, fmt.Errorf("unknown operation %q; did you mean %q?", name, near[0])
	}
	return Op{}, fmt.Errorf("unknown operation %q; there are %s", name, strings.Join(names, ", "))
}

func (o OpSpec) op(args []string) (Op, error) {
	if len(args) != len(o.Args) {
		return Op{}, fmt.Errorf("%s (%s) takes %s, as in %q; found %d",
			o.Name, o.Doc, plural(len(o.Args), "argument"), o.usage(), len(args))
	}
	op := Op{Name: o.Name}
	for i, a := range o.Args {
		n, ok := a.parse(args[i])
		if !ok {
			return Op{}, fmt.Errorf("%s of %s must be %s; found %q", a.Name, o.Name, a.allowed(), args[i])
		}
		op.Args = append(op.Args, n)
	}
	op.Words = o.words(op.Args)
	return op, nil
}

// Op returns an operation that the Spec declares, and panics if it does not.
func (s Spec) Op(name string, args ...int64) Op {
	for _, o := range s.Ops {
		if o.Name == name && len(o.Args) == len(args) {
			return Op{Name: name, Args: args, Words: o.words(args)}
		}
	}
	panic(fmt.Sprintf("stage %s has no operation %s of %d arguments", s.Stage, name, len(args)))
}

// words returns what arguments are written as, or nil if all are numbers.
func (o OpSpec) words(args []int64) []string {
	var words []string
	for i, a := range o.Args {
		word := a.word(args[i])
		if word == "" {
			continue
		}
		if words == nil {
			words = make([]string, len(args))
		}
		words[i] = word
	}
	return words
}

// word returns the word for n, of several the first in the alphabet, or "".
func (a ArgSpec) word(n int64) string {
	first := ""
	for w, value := range a.Words {
		if value == n && (first == "" || w < first) {
			first = w
		}
	}
	return first
}

func (a ArgSpec) parse(text string) (int64, bool) {
	if n, ok := a.Words[text]; ok {
		return n, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && a.Min <= n && n <= a.Max && strconv.FormatInt(n, 10) == text
}

func (a ArgSpec) allowed() string {
	words := slices.Sorted(maps.Keys(a.Words))
	if a.Max < a.Min { // words only
		return "one of " + strings.Join(words, ", ")
	}
	return strings.Join(append([]string{strict.Span(a.Min, a.Max)}, words...), ", ")
}

func (o OpSpec) usage() string {
	words := []string{o.Name}
	for _, a := range o.Args {
		words = append(words, strings.ToUpper(a.Name))
	}
	return strings.Join(words, " ")
}

func (s Spec) checkScript(script []Op) (index int, problem string) {
	if s.CheckScript == nil {
		return 0, ""
	}
	return s.CheckScript(script)
}

// ParseSequence returns the case of an ID that [SequenceID] made, if it is one
// that the stage's scripts could have.
func ParseSequence(id string, spec Spec) (Case, error) {
	script, err := parseSequence(id, spec)
	if err != nil {
		return Case{}, fmt.Errorf("case %q: %w", short(id, 60), err)
	}
	return Case{ID: id, Script: script}, nil
}

func parseSequence(id string, spec Spec) ([]Op, error) {
	prefix := SequenceID(spec.Stage, nil)
	text, ok := strings.CutPrefix(id, prefix)
	if !ok {
		return nil, fmt.Errorf("a sequence of operations must begin with %q", prefix)
	}
	parts := strings.Split(text, ",")
	if limit := spec.Limits.orDefaults().Ops; len(parts) > limit {
		return nil, fmt.Errorf("%d operations are more than the %d allowed", len(parts), limit)
	}
	var script []Op
	for i, part := range parts {
		name, args, _ := strings.Cut(part, "-")
		op, err := spec.op(name, splitArgs(args))
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i+1, err)
		}
		script = append(script, op)
	}
	if i, problem := spec.checkScript(script); problem != "" {
		return nil, fmt.Errorf("operation %d: %s", i+1, problem)
	}
	if SequenceID(spec.Stage, script) != id {
		return nil, errors.New("not written as in a report; copy it from there")
	}
	return script, nil
}

// splitArgs splits "1-2" and, with a negative first, "-1-2".
func splitArgs(text string) []string {
	if text == "" {
		return nil
	}
	var args []string
	start := 0
	for i := 1; i < len(text); i++ {
		if text[i] == '-' && text[i-1] != '-' {
			args = append(args, text[start:i])
			start = i + 1
		}
	}
	return append(args, text[start:])
}
