package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// cold times the first run of de on a machine, where its caches are empty, without
// and with de doctor --warm before it.
func (b *bench) cold() error {
	l, err := b.newLearner("cold")
	if err != nil {
		return err
	}
	if its, ours, err := openTerminal(); err == nil {
		its.Close()
		ours.Close()
		l.onTerminal = true
	}
	rows := []string{"empty caches\ttook\tprocessor\tgoal"}
	var words []byte
	test := []string{"test", "--budget", "10m"}
	for _, c := range []struct {
		cache, name, goal string
		args              []string
	}{
		{"unwarmed", "the first de test", "15 s", test},
		{"unwarmed", "the second, of another program", "", test},
		{"warmed", "de doctor --warm", "", []string{"doctor", "--warm"}},
		{"warmed", "then the first de test", "", test},
	} {
		l.cache = filepath.Join(b.dir, c.cache)
		if err := os.MkdirAll(l.cache, 0o777); err != nil {
			return err
		}
		if err := l.edit(lastSuite(), ""); err != nil {
			return err
		}
		r, err := l.must(0, c.args...)
		if err != nil {
			return err
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s", c.name, millis(r.whole), millis(r.used), c.goal))
		if words == nil {
			words = r.words
		}
	}
	b.table(rows...)
	fmt.Fprintln(b.out, "\n  What the terminal said in the first:")
	for _, line := range said(words) {
		fmt.Fprintf(b.out, "    %.76s\n", line)
	}
	return nil
}

var (
	escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]|\r`)
	turning = regexp.MustCompile(`^[^a-zA-Z]*|  *[0-9]*%| *\[[0-9msh]*\]\s*$`)
)

// said is what stood on a terminal, each thing once, without what moves.
func said(words []byte) []string {
	var all []string
	for line := range strings.SplitSeq(escapes.ReplaceAllString(string(words), "\n"), "\n") {
		line = strings.TrimSpace(turning.ReplaceAllString(line, ""))
		if line != "" && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}
