package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A place is a folder of folders that is watched: one, two, and plan.yaml.
type place struct {
	t       *testing.T
	dir     string
	changes <-chan []string
}

// eachWay runs a test where the system tells of changes, and where files are
// looked at.
func eachWay(t *testing.T, test func(*testing.T, *place)) {
	t.Run("notified", func(t *testing.T) {
		p := newPlace(t)
		w := Start(t.Context(), p.config())
		if w.Polling != "" {
			t.Skipf("%s; .ci/run runs this where events come", w.Polling)
		}
		p.changes = w.Changes
		test(t, p)
	})
	t.Run("polling", func(t *testing.T) {
		p := newPlace(t)
		changes, touched := make(chan []string), make(chan string)
		poll(t.Context(), p.config(), touched)
		go settle(t.Context(), p.config().Quiet, touched, changes)
		p.changes = changes
		test(t, p)
	})
}

func newPlace(t *testing.T) *place {
	p := &place{t: t, dir: t.TempDir()}
	for _, name := range []string{"one", "two"} {
		p.must(os.Mkdir(p.path(name), 0o777))
		p.write(name+"/a.go", "package a")
	}
	p.write("plan.yaml", "cases: []")
	return p
}

func (p *place) config() Config {
	return Config{
		Folders: []string{p.path("one"), p.path("two")}, Files: []string{p.path("plan.yaml")},
		Counts: func(name string) bool { return filepath.Ext(name) == ".go" },
		Quiet:  20 * time.Millisecond, Every: 20 * time.Millisecond,
	}
}

func (p *place) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) write(name, text string) { p.must(os.WriteFile(p.path(name), []byte(text), 0o666)) }

func (p *place) rename(from, to string) { p.must(os.Rename(p.path(from), p.path(to))) }

// want waits until just these were told of, in however many parts.
func (p *place) want(names ...string) {
	p.t.Helper()
	var told []string
	for !slices.Equal(told, names) {
		select {
		case some, ok := <-p.changes:
			if !ok {
				p.t.Fatal("the watcher ended")
			}
			for _, path := range some {
				name, _ := filepath.Rel(p.dir, path)
				if !slices.Contains(names, name) {
					p.t.Fatalf("%s is told, want %q", name, names)
				}
				told = append(told, name)
			}
			slices.Sort(told)
			told = slices.Compact(told)
		case <-time.After(time.Minute):
			p.t.Fatalf("only %q is told of %q", told, names)
		}
	}
}

func TestChanges(t *testing.T) {
	tests := map[string]struct {
		change func(*place)
		want   []string
	}{
		"in place": {func(p *place) { p.write("one/a.go", "package a // changed") }, []string{"one"}},
		"an atomic save": {func(p *place) {
			p.write("one/.a.go.tmp", "package a // changed")
			p.rename("one/.a.go.tmp", "one/a.go")
		}, []string{"one"}},
		"a save with a backup": {func(p *place) {
			p.rename("one/a.go", "one/a.go~")
			p.write("one/a.go", "package a // changed")
			p.must(os.Remove(p.path("one/a.go~")))
		}, []string{"one"}},
		"a new file":       {func(p *place) { p.write("two/b.go", "package a") }, []string{"two"}},
		"a file that goes": {func(p *place) { p.must(os.Remove(p.path("two/a.go"))) }, []string{"two"}},
		"several at once": {func(p *place) {
			for _, name := range []string{"one/a.go", "one/b.go", "two/a.go", "two/b.go", "plan.yaml"} {
				p.write(name, "package a // one of several")
			}
		}, []string{"one", "plan.yaml", "two"}},
		"a file by itself": {func(p *place) {
			p.write("plan.tmp", "cases: [one]")
			p.rename("plan.tmp", "plan.yaml")
		}, []string{"plan.yaml"}},
		"what does not count": {func(p *place) {
			p.write("one/notes.md", "changed")
			p.write("other.yaml", "changed")
			p.must(os.Mkdir(p.path("one/deep"), 0o777))
			p.write("one/deep/a.go", "changed")
			p.write("two/b.go", "package a")
		}, []string{"two"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, p *place) {
				test.change(p)
				p.want(test.want...)
			})
		})
	}
}

// A file that was saved as a new one, and a folder that another took the place
// of, are watched as before.
func TestWatchedOn(t *testing.T) {
	eachWay(t, func(t *testing.T, p *place) {
		for _, text := range []string{"1", "22", "333"} {
			p.write("one/new", text)
			p.rename("one/new", "one/a.go")
			p.want("one")
		}
		p.must(os.Mkdir(p.path("fresh"), 0o777))
		p.write("fresh/a.go", "package fresh")
		p.rename("one", "old")
		p.rename("fresh", "one")
		p.want("one")
		p.drain()
		p.write("old/a.go", "package old // nobody watches this any more")
		p.write("one/a.go", "package fresh // and this still")
		p.want("one")
	})
}

// drain waits until nothing more comes of what was done: a change of the other
// folder is told alone.
func (p *place) drain() {
	p.t.Helper()
	p.write("two/drain.go", "package two")
	for {
		select {
		case some := <-p.changes:
			if slices.Contains(some, p.path("two")) {
				return
			}
		case <-time.After(time.Minute):
			p.t.Fatal("nothing is told any more")
		}
	}
}

// A change is told when it has been quiet for a while, with all that came before.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes, touched := make(chan []string), make(chan string)
		ctx, cancel := context.WithCancel(t.Context())
		go settle(ctx, 40*time.Millisecond, touched, changes)
		start := time.Now()
		for _, path := range []string{"b", "a", "b"} {
			time.Sleep(30 * time.Millisecond)
			touched <- path
		}
		if got, after := <-changes, time.Since(start); !slices.Equal(got, []string{"a", "b"}) || after != 130*time.Millisecond {
			t.Errorf("%q after %v, want a and b after 130ms", got, after)
		}
		touched <- "c"
		time.Sleep(time.Second) // whoever is told may be busy
		touched <- "d"
		if got := <-changes; !slices.Equal(got, []string{"c", "d"}) {
			t.Errorf("%q, want c and d", got)
		}
		cancel()
		if got, ok := <-changes; ok {
			t.Errorf("%q after the end", got)
		}
	})
}

// Where the system refuses to tell of changes, files are looked at, and the
// watcher says why.
func TestFallback(t *testing.T) {
	p := newPlace(t)
	config := p.config()
	config.Folders = append(config.Folders, p.path("later"))
	w := Start(t.Context(), config)
	if !strings.Contains(w.Polling, "no notice of changes: ") {
		t.Fatalf("polling: %q", w.Polling)
	}
	p.changes = w.Changes
	p.must(os.Mkdir(p.path("later"), 0o777))
	p.write("later/a.go", "package later")
	p.want("later")
}
