package strict_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flk-byo/de/harness/strict"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// A walked document has a title, a count, a mode and a list of items.
type walked struct {
	title string
	count int64
	mode  string
	items []string
}

func walk(d *strict.Document) walked {
	var w walked
	fields := d.Root().Map("title", "count", "mode", "items", "inner")
	w.title, _ = fields.Required("title").Text()
	w.count, _ = fields.Optional("count").Int(-1, 9, "how many")
	w.mode, _ = fields.Optional("mode").Word("fast", "slow")
	for _, v := range fields.Optional("items").List() {
		text, _ := v.Text()
		w.items = append(w.items, text)
	}
	fields.Optional("inner").Map("a", "b").Optional("a").Text()
	return w
}

func TestRead(t *testing.T) {
	tests := []struct {
		name, src string
		want      walked
	}{
		{"plain", "title: a b\ncount: -1\nmode: fast\nitems: [x, 'true', \"7\"]\n", walked{"a b", -1, "fast", []string{"x", "true", "7"}}},
		{"only what is required", "title: x", walked{title: "x"}},
		{"windows", "\ufefftitle: x\r\ncount: 2\r\n", walked{title: "x", count: 2}},
		{"a marked document", "# about\n---\ntitle: x\n...\n", walked{title: "x"}},
		{"text of several lines, with tabs", "title: |\n  func f() {\n  \tg()\n  }\n", walked{title: "func f() {\n\tg()\n}\n"}},
		{"quoted words", "title: x\nmode: \"slow\"\n", walked{title: "x", mode: "slow"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := strict.Parse("x.yaml", []byte(test.src), strict.Limits{})
			got := walk(d)
			if err := d.Err(); err != nil {
				t.Fatal(err)
			}
			if got.title != test.want.title || got.count != test.want.count || got.mode != test.want.mode || !slices.Equal(got.items, test.want.items) {
				t.Errorf("read %+v, want %+v", got, test.want)
			}
		})
	}
}

var wrong = []struct{ name, src string }{
	{"values", "title: 7\ncount: 10\nmode: slwo\nitems: {a: b}\ninner: [a]\n"},
	{"numbers", "title: true\ncount: 0x1\n"},
	{"numbers-quoted", "title:\n  - a\ncount: '1'\n"},
	{"keys", "titel: x\ncounts: 7\nother: 1\n? [a]\n: b\n"},
	{"duplicate-keys", "title: x\ntitle: y\ninner: {a: x, a: y}\n"},
	{"anchors", "title: &t x\nitems: [*t, *t]\n"},
	{"unknown-alias", "title: x\nitems: [*t]\n"},
	{"bomb", "title: x\nitems: &a [x, x]\ninner: {a: &b [*a, *a], b: &c [*b, *b]}\n"},
	{"merge-keys", "title: x\ninner:\n  <<: {a: b}\n"},
	{"tags", "title: !!binary aGk=\ncount: !!int 1\ninner: !x {}\n"},
	{"second-document", "title: x\n---\ntitle: y\n"},
	{"empty", ""},
	{"only-comments", "# nothing\n\n"},
	{"only-a-mark", "---\n"},
	{"no-map", "just text\n"},
	{"tab", "title: x\ninner:\n\ta: b\n"},
	{"tab-after-spaces", "title: x\ninner:\n  \ta: b\n"},
	{"nul", "title: x\ncount: 1\x00\nmode: \x1b[31mfast\n"},
	{"line-separator", "title: a\u2028b\nmode: a\u0085b\n"},
	{"latin-1", "title: x\ninner: {a: caf\xe9}\n"},
	{"utf-16", "\xff\xfet\x00i\x00t\x00l\x00e\x00"},
	{"unclosed-quote", "title: x\ninner:\n  a: \"b\n  b: c\nmode: fast\n"},
	{"unclosed-quote-in-the-first-line", "title: \"x\nmode: fast\n\n"},
	{"unclosed-list-at-the-end", "title: x\nitems: [a,\n"},
	{"missing-value", "title: x\nitems: [\n  a,\n  , b]\nmode: fast\n"},
	{"line-100000", strings.Repeat("\n", 99_999) + "titel: x\n"},
	{"unclosed-list", "title: x\nitems: [a, b\nmode: fast\n"},
	{"unclosed-list-of-lines", "title: x\nitems: [\n  a,\n  b\nmode: fast\n"},
	{"unclosed-list-in-the-first-line", "items: [a, b\n\ntitle: x\nmode: fast\n"},
	{"unclosed-map", "title: x\ninner: {a: b\nmode: fast\n"},
	{"indented-too-far", "title: x\n  count: 1\nmode: fast\n"},
	{"indented-too-little", "title: x\ninner:\n    a: b\n  b: c\nmode: fast\n"},
	{"item-indented-wrongly", "title: x\nitems:\n  - a\n - b\nmode: fast\n"},
	{"no-colon", "title: x\ncount\nmode: fast\n"},
	{"colon-in-text", "title: x: y\nmode: fast\n"},
	{"list-in-a-line", "title: x\nitems: - a\n"},
	{"list-after-map", "title: x\n- a\n"},
	{"reserved", "title: @x\n"},
	{"escape", "title: \"C:\\q\"\n"},
	{"text-after-quote", "title: 'it's'\nmode: fast\n"},
	{"bracket-too-many", "title: x\nitems: [a]]\nmode: fast\n"},
	{"directive", "%YAML 9.9\n---\ntitle: x\n"},
	{"wide-characters", "title: x\ninner: {a: 日本語 e\u0301 🛒, c: 1}\n"},
	{"a-tab-before-the-caret", "title: x\ninner: {a:\tb,\tc: 1}\n"},
	{"hidden-characters", "title: x\ninner: {\"a\u202eb\u200b\": 1}\n"},
	{"a-long-line", "title: x\ninner: {a: " + strings.Repeat("0123456789", 30) + ", c: 1, b: " + strings.Repeat("日本", 90) + "}\n"},
	{"an-unbroken-word", "title: x\ncount: " + strings.Repeat("word", 60) + "\n"},
	{"deep", "title: x\nitems: " + strings.Repeat("[", 30) + strings.Repeat("]", 30) + "\n"},
	{"very-deep", "title: x\nitems: " + strings.Repeat("[", 20000) + "\n"},
	{"many", "title: x\nitems: [" + strings.Repeat("1, ", 25) + "]\n"},
	{"very-many", "title: x\nitems: [" + strings.Repeat("1, ", 250) + "]\n"},
}

func TestErrors(t *testing.T) {
	for _, test := range wrong {
		t.Run(test.name, func(t *testing.T) {
			d := strict.Parse("x.yaml", []byte(test.src), strict.Limits{})
			walk(d)
			err := d.Err()
			if err == nil {
				t.Fatal("no errors")
			}
			got, path := err.Error()+"\n", filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (rewrite it with -update):\n%s", path, got)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	const src = "title: x\nitems: [a, b]\n" // 7 nodes, 3 deep
	tests := []struct {
		name         string
		fits, breaks strict.Limits
	}{
		{"bytes", strict.Limits{Bytes: len(src)}, strict.Limits{Bytes: len(src) - 1}},
		{"depth", strict.Limits{Depth: 3}, strict.Limits{Depth: 2}},
		{"nodes", strict.Limits{Nodes: 7}, strict.Limits{Nodes: 6}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := strict.Parse("x.yaml", []byte(src), test.fits).Err(); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			d := strict.Parse("x.yaml", []byte(src), test.breaks)
			if d.Err() == nil || d.Root().Present() {
				t.Errorf("past the limit: %v", d.Err())
			}
		})
	}
}

func TestErrorsComeInTheOrderOfTheFile(t *testing.T) {
	d := strict.Parse("x.yaml", []byte("a: 1\nb: 1\n"), strict.Limits{})
	fields := d.Root().Map("a", "b")
	other := strict.Parse("another.yaml", []byte("c: 1\n"), strict.Limits{})
	other.Root().Map("c").Required("c").Text()
	fields.Required("b").Include(other)
	fields.Required("b").Text()
	fields.Required("a").Text()
	var errs strict.Errors
	if !errors.As(d.Err(), &errs) {
		t.Fatalf("%v", d.Err())
	}
	var places []string
	for _, e := range errs {
		places = append(places, e.File+e.Message[:1])
	}
	if want := []string{"x.yamla", "x.yamlb", "another.yamlc"}; !slices.Equal(places, want) {
		t.Errorf("errors of %q, want %q", places, want)
	}
}

func TestClosest(t *testing.T) {
	choices := []string{"barrier_every", "crash_after", "commit_lag", "key", "every", "none"}
	tests := []struct {
		word string
		want []string
	}{
		{"barier_every", []string{"barrier_every"}},
		{"evrey", []string{"every"}},
		{"crash", []string{"crash_after"}},
		{"every", []string{"every", "barrier_every"}},
		{"kye", nil},
		{"ky", []string{"key"}},
		{"zzz", nil},
		{"", nil},
		{strings.Repeat("key", 100), nil},
	}
	for _, test := range tests {
		t.Run(test.word, func(t *testing.T) {
			if got := strict.Closest(test.word, choices, 2); !slices.Equal(got, test.want) {
				t.Errorf("Closest = %q, want %q", got, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, test := range wrong {
		f.Add([]byte(test.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d := strict.Parse("x.yaml", src, strict.Limits{})
		walk(d)
		var errs strict.Errors
		if err := d.Err(); err == nil || !errors.As(err, &errs) {
			return
		}
		lines := strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
		for _, e := range errs {
			if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1 {
				t.Errorf("error outside the file: %v", e)
			}
		}
		for line := range strings.SplitSeq(errs.Error(), "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x202e || 0x7f <= r && r < 0xa0 }) {
				t.Errorf("line not fit to print: %q", line)
			}
		}
	})
}

func TestHundredths(t *testing.T) {
	tests := []struct {
		src  string
		want int64 // -1: refused
	}{
		{"0", 0}, {"7", 700}, {"7.5", 750}, {"7.05", 705}, {"0.01", 1}, {"9.00", 900},
		{"9.01", -1}, {"10", -1}, {"-1", -1}, {"1.125", -1}, {"1.", -1}, {".5", -1}, {"07", -1}, {"1e0", -1},
		{"0x1", -1}, {"1_0", -1}, {"'7'", -1}, {"seven", -1}, {"[7]", -1}, {"null", -1}, {"99999999999999999999", -1},
	}
	for _, test := range tests {
		d := strict.Parse("x.yaml", []byte("a: "+test.src), strict.Limits{})
		n, ok := d.Root().Map("a").Required("a").Hundredths(0, 9)
		if refused := d.Err() != nil; ok == refused || refused != (test.want < 0) || ok && n != test.want {
			t.Errorf("%s is read as %d, %v with the error %v; want %d", test.src, n, ok, d.Err(), test.want)
		}
	}
}
