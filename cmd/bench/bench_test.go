package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		all  []time.Duration
		want time.Duration
	}{
		{[]time.Duration{5}, 5},
		{[]time.Duration{9, 1}, 1},
		{[]time.Duration{3, 90, 1}, 3},
	} {
		if got := median(test.all); got != test.want {
			t.Errorf("the median of %v is %v, want %v", test.all, got, test.want)
		}
	}
}

func TestChoose(t *testing.T) {
	usual, err := choose(nil)
	if err != nil || len(usual) == 0 || len(usual) == len(sections()) {
		t.Errorf("without a name: %d of %d sections, %v", len(usual), len(sections()), err)
	}
	for _, s := range sections() {
		one, err := choose([]string{s.name})
		if err != nil || len(one) != 1 || one[0].name != s.name {
			t.Errorf("%s is %v, %v", s.name, one, err)
		}
	}
	if _, err := choose([]string{"verdicts"}); err == nil || !strings.Contains(err.Error(), `"verdicts"`) {
		t.Errorf("a name that there is not: %v", err)
	}
}

// The table tests that de is compared with must do what de does: pass what is
// right, and find the mistakes.
func TestPlain(t *testing.T) {
	b := &bench{ctx: t.Context(), out: new(bytes.Buffer), dir: t.TempDir(), runs: 1}
	if err := b.install(); err != nil {
		t.Fatal(err)
	}
	l, err := b.newLearner("plain")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.layPlain(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		wrong string
		code  int
	}{{"", 0}, {wrongJob, 1}, {wrongSink, 1}} {
		if err := l.edit(lastSuite(), test.wrong); err != nil {
			t.Fatal(err)
		}
		if _, err := l.goTest(test.code, "-vet=off", "./"+lastSuite().Folder()); err != nil {
			t.Errorf("%q: %v", test.wrong, err)
		}
	}
}
