package stages_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages"
	transactionalsinkreference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

var update = flag.Bool("update", false, "rewrite the recorded counts in testdata")

const countsFile = "testdata/counts.txt"

// A measure is one line of the file of counts.
type measure struct {
	name   string
	n      int
	within float64 // the share by which it may differ from what is recorded
}

// Times differ from machine to machine; how much there is to do does not. A
// change that makes a run do more, or less, shows here, and is a decision.
func TestCounts(t *testing.T) {
	all := counts(t)
	if !raceEnabled { // the detector allocates, too
		all = append(all, allocations(t)...)
	}
	if *update {
		if raceEnabled {
			t.Fatal("-update wants a run without the race detector")
		}
		record(t, all)
	}
	recorded, toolchain := readCounts(t)
	for _, m := range all {
		was, ok := recorded[m.name]
		delete(recorded, m.name)
		switch {
		case m.within > 0 && toolchain != release():
			continue // another release of Go allocates otherwise
		case !ok:
			t.Errorf("%s is %d, and not recorded", m.name, m.n)
		case math.Abs(float64(m.n-was)) > m.within*float64(was):
			t.Errorf("%s is %d, and was %d", m.name, m.n, was)
		}
	}
	for name := range recorded {
		if !raceEnabled {
			t.Errorf("%s is recorded, and not counted any more", name)
		}
	}
	if t.Failed() {
		t.Log("Find out why first: what learners wait for, or what is tried, has changed. " +
			"If it is meant, record it, and say why in the commit: go test ./stages -run TestCounts -update")
	}
}

// counts are how much is run and what crosses the line to a guest.
func counts(t *testing.T) []measure {
	var all []measure
	for _, suite := range stages.All() {
		all = append(all,
			measure{suite.ID + " cases of schedules", len(cases(t, suite)), 0},
			measure{suite.ID + " explored cases", len(slices.Collect(suite.ExploredCases())), 0})
		if suite.Sweep != nil {
			n := 0
			for _, size := range suite.Sweep(0).Parts {
				n += size
			}
			all = append(all, measure{suite.ID + " swept sequences", n, 0})
		}
	}
	return append(all, crossings(t)...)
}

// crossings are the calls of one case of stage 08, and their bytes.
func crossings(t *testing.T) []measure {
	const id = "08/large/every=7,crash=1499,lag=40"
	suite := stages.All()[7]
	c, err := schedule.Find(cases(t, suite), id)
	if err != nil {
		t.Fatal(err)
	}
	var into, out, size int
	var host, guest *rpc.Peer
	host = rpc.NewHost(func(ref rpc.Ref, method uint32, args []byte) []byte {
		into++
		reply := guest.Serve(ref, method, args)
		size += len(args) + len(reply)
		return reply
	})
	guest = rpc.NewGuest(func(ref rpc.Ref, method uint32, args []byte) []byte {
		out++
		reply := host.Serve(ref, method, args)
		size += len(args) + len(reply)
		return reply
	})
	root := rpc.Object{Peer: host, Ref: wire.ExportStage(guest, transactionalsinkreference.Solution{})}
	o := suite.Bind(grading.Guest{Solution: root, Watched: func(string) bool { return false }}).Run(c)
	if len(o.Findings) > 0 {
		t.Fatal(o.Findings)
	}
	return []measure{{"calls of the guest in " + id, into, 0}, {"calls of the host in " + id, out, 0}, {"bytes across the line in " + id, size, 0}}
}

// allocations are those of the parts of a run, of one go of each.
func allocations(t *testing.T) []measure {
	const within = 0.05 // maps grow as chance has it
	var all []measure
	add := func(name string, do func()) {
		all = append(all, measure{"allocations: " + name, int(testing.AllocsPerRun(3, do)), within})
	}
	for _, suite := range stages.All() {
		add("load the schedules of "+suite.ID, func() { cases(t, suite) })
		loaded, reference := cases(t, suite), stages.References()[suite.ID]
		add("run and judge the cases of "+suite.ID, func() {
			for _, c := range loaded {
				if o := reference.Run(c); len(o.Findings) > 0 {
					t.Fatal(c.ID, o.Findings)
				}
			}
		})
	}
	records := slices.Repeat([]stream.Record{{Key: "user-17", Value: 1_000, Time: 1_000_000}}, 100)
	var e rpc.Encoder
	add("encode 100 records", func() {
		e.Reset()
		e.Records(records)
	})
	add("decode 100 records", func() {
		d := rpc.NewDecoder(e.Bytes())
		d.Records()
	})
	return all
}

// release is that of Go, as in "go1.26".
func release() string {
	parts := strings.SplitN(runtime.Version(), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

func record(t *testing.T, all []measure) {
	t.Helper()
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\n", release())
	for _, m := range all {
		fmt.Fprintf(&text, "%d\t%s\n", m.n, m.name)
	}
	if err := os.WriteFile(countsFile, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// readCounts returns what is recorded, and under which release of Go.
func readCounts(t *testing.T) (recorded map[string]int, toolchain string) {
	t.Helper()
	text, err := os.ReadFile(countsFile)
	if err != nil {
		t.Fatal(err)
	}
	toolchain, rest, _ := strings.Cut(string(text), "\n")
	recorded = map[string]int{}
	for line := range strings.Lines(rest) {
		var n int
		number, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatalf("%s: %q: %v", countsFile, line, err)
		}
		recorded[name] = n
	}
	return recorded, toolchain
}
