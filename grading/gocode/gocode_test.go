package gocode

import (
	"go/parser"
	"math"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages/stream"
)

func TestLiterals(t *testing.T) {
	a := stream.Record{Key: "a\n", Value: math.MinInt64, Time: -1}
	tests := []struct{ got, want string }{
		{Record(a), `stream.Record{Key: "a\n", Value: -9223372036854775808, Time: -1}`},
		{Record(stream.Record{}), "stream.Record{}"},
		{Records(nil), "[]stream.Record{}"},
		{Records([]stream.Record{a, {}}), "[]stream.Record{\n{Key: \"a\\n\", Value: -9223372036854775808, Time: -1},\n{},\n}"},
		{Strings([]string{`say "a"`, "`\n"}), "[]string{`say \"a\"`, \"`\\n\"}"},
		{State(map[string]int64{"b": 2, "a\"": 1}), `map[string]int64{"a\"": 1, "b": 2}`},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s\ninstead of\n%s", test.got, test.want)
		}
		if _, err := parser.ParseExpr(test.got); err != nil {
			t.Errorf("%s: %v", test.got, err)
		}
	}
}

func TestText(t *testing.T) {
	var text Text
	text.Add("%d lines", 2)
	text.Block("100% as it is")
	text.Rounds(1, func() { text.Add("once") })
	once := text.String()
	text.Rounds(9, func() { text.Add("often") })
	if got, want := once, "2 lines\n\n100% as it is\nonce\n"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := text.String()[len(once):], "for range 9 {\noften\n}\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

func TestComment(t *testing.T) {
	got := Comment("%s", strings.Repeat("word ", 30)+strings.Repeat("x", 100))
	for line := range strings.SplitSeq(got, "\n") {
		if !strings.HasPrefix(line, "// ") || len(line) > commentWidth && strings.Contains(line, "word") {
			t.Errorf("a line is %q", line)
		}
	}
	if n := strings.Count(got, "word"); n != 30 {
		t.Errorf("%d words instead of 30", n)
	}
}

func TestUnused(t *testing.T) {
	var text Text
	text.Add("a, b, bb := f(), g(), h()\nuse(b)")
	text.Unused("a", "b", "bb")
	if got := text.String(); !strings.HasSuffix(got, "use(b)\n_ = a // it is not used\n_ = bb // it is not used\n") {
		t.Errorf("%q", got)
	}
}
