package schedule

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"

	"github.com/flk-byo/de/harness/strict"
	"github.com/flk-byo/de/stages/stream"
)

// An input is what the key records of a matrix asks for: one or more sequences
// of records, each the beginning of the longest.
type input struct {
	longest []stream.Record
	counts  []int
	listed  bool   // the counts stand in case IDs
	text    string // for Describe
}

// first returns the sequence of n records.
func (in *input) first(n int) []stream.Record { return in.longest[:n:n] }

// readInput returns nil where the input has errors.
func (l *loader) readInput(v strict.Value) *input {
	keys := v.Map("count", "distinct", "seed", "values", "file")
	count, values, file := keys.Optional("count"), keys.Optional("values"), keys.Optional("file")
	given := 0
	for _, o := range []strict.Value{count, values, file} {
		if o.Present() {
			given++
		}
	}
	if given != 1 && v.IsMap() {
		v.Errorf("records must have one of \"count\", \"values\" and \"file\"; found %d of them", given)
		return nil
	}
	distinct, seed := keys.Optional("distinct"), keys.Optional("seed")
	for _, o := range []strict.Value{distinct, seed} {
		if o.Present() && !count.Present() {
			o.Errorf("%s goes with \"count\" only; remove it", o.Name())
			return nil
		}
	}
	if distinct.Present() && seed.Present() {
		seed.Errorf("seed makes up records that repeat by chance; remove it, or \"distinct\"")
		return nil
	}
	switch {
	case count.Present():
		return l.counted(count, distinct, seed)
	case values.Present():
		return l.listed(values)
	default:
		return l.stored(file)
	}
}

// maxMade bounds the records that one file has made up, in those of the
// largest case: many matrices can each ask for many.
const maxMade = 100

// counted makes up records: all different, or, with distinct, the first few of
// them again and again, or, with seed, a stream as it may come.
func (l *loader) counted(count, distinct, seed strict.Value) *input {
	in := &input{listed: count.IsList()}
	items := count.OneOrMore()
	for _, v := range items {
		n, ok := v.Int(0, int64(l.limits.Records), "records of one case")
		switch {
		case !ok:
		case slices.Contains(in.counts, int(n)):
			v.Errorf("the count %d is in the list twice; remove one", n)
		default:
			in.counts = append(in.counts, int(n))
		}
	}
	cycle, ok := distinct.Int(1, int64(l.limits.Records), "different records among them")
	chance, seeded := seed.Int(0, math.MaxInt32, "a number to choose the records by")
	if len(in.counts) == 0 || len(in.counts) < len(items) || distinct.Present() && !ok || seed.Present() && !seeded {
		return nil
	}
	switch in.text = numbers(in.counts); {
	case seeded:
		in.text += fmt.Sprintf(", by chance from seed %d", chance)
	case !ok:
		cycle = math.MaxInt64
		in.text += ", all different"
	case cycle == 1:
		in.text += ", all equal"
	default:
		in.text += fmt.Sprintf(", %d different", cycle)
	}
	if l.made += slices.Max(in.counts); l.made > maxMade*l.limits.Records {
		count.Errorf("up to here the file asks for more than %d records; ask for fewer, or split it", maxMade*l.limits.Records)
		return nil
	}
	if seeded {
		in.longest = Seeded(uint64(chance), slices.Max(in.counts))
		return in
	}
	for i := range slices.Max(in.counts) {
		in.longest = append(in.longest, nth(i%int(cycle)))
	}
	return in
}

// nth returns the i-th record of those made up: a, b, …, z, a1, b1, …
func nth(i int) stream.Record {
	const letters = 26
	key := string(rune('a' + i%letters))
	if round := i / letters; round > 0 {
		key += strconv.Itoa(round)
	}
	return stream.Record{Key: key, Value: int64(i + 1), Time: int64(i + 1)}
}

// listed reads records that are written out, as maps or as keys only.
func (l *loader) listed(list strict.Value) *input {
	items := list.List()
	if len(items) > l.limits.Records {
		list.Errorf("the list has %d records, more than the %d allowed; shorten it", len(items), l.limits.Records)
		return nil
	}
	in := &input{counts: []int{len(items)}, text: plural(len(items), "record") + ", written out"}
	for _, v := range items {
		in.longest = append(in.longest, record(v))
	}
	return in
}

func record(v strict.Value) stream.Record {
	r := stream.Record{Value: 1}
	if !v.IsMap() {
		r.Key, _ = v.Text()
		return r
	}
	fields := v.Map("key", "value", "time")
	r.Key, _ = fields.Required("key").Text()
	if v := fields.Optional("value"); v.Present() {
		r.Value, _ = v.Int(math.MinInt64, math.MaxInt64, "")
	}
	if v := fields.Optional("time"); v.Present() {
		r.Time, _ = v.Int(math.MinInt64, math.MaxInt64, "milliseconds")
	}
	return r
}

// stored reads a file of records, once.
func (l *loader) stored(v strict.Value) *input {
	name, ok := v.Text()
	if !ok {
		return nil
	}
	if in, ok := l.loaded[name]; ok {
		return in
	}
	l.loaded[name] = nil
	src, err := l.readFile(name)
	if err != nil {
		v.Errorf("%s", err)
		return nil
	}
	doc := strict.Parse(name, src, l.limits.ofYAML())
	in := l.listed(doc.Root().Map("records").Required("records"))
	if doc.Err() != nil {
		v.Include(doc)
		return nil
	}
	in.text = plural(len(in.longest), "record") + " of " + name
	l.loaded[name] = in
	return in
}

func (l *loader) readFile(name string) ([]byte, error) {
	if l.files == nil {
		return nil, errors.New("a schedule that stands alone can't name a file; use \"values\"")
	}
	if !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("file must be a path like \"streams/orders.yaml\", without \"..\" or a leading \"/\"; found %q", name)
	}
	f, err := l.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %q; %s", name, l.near(name))
	} else if err != nil {
		return nil, fmt.Errorf("file can't be opened: %w", err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, int64(l.limits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("file can't be read: %w", err)
	}
	return src, nil
}

// near says which file may have been meant.
func (l *loader) near(name string) string {
	entries, err := fs.ReadDir(l.files, path.Dir(name))
	if err != nil {
		return "check the folder's name"
	}
	var names []string
	for _, e := range entries {
		names = append(names, path.Join(path.Dir(name), e.Name()))
	}
	if close := strict.Closest(name, names, 1); len(close) > 0 {
		return fmt.Sprintf("did you mean %q?", close[0])
	}
	return "check the path"
}
