package kafka

import (
	"cmp"
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	job "github.com/flk-byo/de/stages/encore/reference"
	"github.com/flk-byo/de/stages/stream"
)

// records are a source; summed are what the reference makes of it.
var (
	records = []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 0}, {Key: "a", Value: 4}, {Key: "b", Value: -1}}
	summed  = []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 1}, {Key: "a", Value: 5}, {Key: "b", Value: 1}}
)

// A world is a fake cluster, and a place for a store on it.
type world struct {
	t       *testing.T
	cluster *kfake.Cluster
	at      protocol.Location
}

func newWorld(t *testing.T, more ...kfake.Opt) world {
	t.Helper()
	cluster, err := kfake.NewCluster(append(more, kfake.MaxVersions(kversion.V3_9_0()))...) // as Broker does
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	at := protocol.Location{Dir: t.TempDir(), Server: strings.Join(cluster.ListenAddrs(), ","), Name: "test"}
	return world{t, cluster, at}
}

// start is a process: all in it is lost at its end.
func (w world) start() *store {
	w.t.Helper()
	s, err := Open(w.at)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { must(w.t, s.Close()) })
	return s.(*store)
}

// own starts a process that owns the job and has opened the sink.
func (w world) own() (*store, contract.Epoch) {
	w.t.Helper()
	s := w.start()
	epoch, err := s.Claim()
	must(w.t, err, s.Open(epoch))
	return s, epoch
}

// run runs the reference to its end.
func (w world) run() error {
	w.t.Helper()
	s := w.start()
	source, err := s.Source()
	must(w.t, err)
	return job.Solution{}.RunJob(source, s, s, 2)
}

// mustShow fails unless readers see just these rows, and nothing is left open.
func (w world) mustShow(want ...stream.Record) {
	w.t.Helper()
	seen, err := w.start().Contents()
	must(w.t, err)
	if !slices.Equal(sorted(seen.Rows), sorted(want)) || len(seen.Orphans) > 0 {
		w.t.Errorf("readers see %v, want %v; left: %q", seen.Rows, want, seen.Orphans)
	}
}

func sorted(rows []stream.Record) []stream.Record {
	return slices.SortedFunc(slices.Values(rows), func(a, b stream.Record) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func mustBe(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("the error is %v, want %v", err, want)
	}
}

// prepare pre-commits a transaction of one record.
func prepare(t *testing.T, s *store, id contract.TransactionID, r stream.Record) contract.Handle {
	t.Helper()
	must(t, s.Write(r))
	handle, err := s.PreCommit(id)
	must(t, err)
	return handle
}

func TestAnotherProcessCommits(t *testing.T) {
	w := newWorld(t)
	old, _ := w.own()
	handle := prepare(t, old, "1-1", records[0])
	prepare(t, old, "1-2", records[1])
	fresh, epoch := w.own()
	must(t, fresh.Commit("1-1", handle), fresh.Commit("1-1", handle), old.Commit("1-1", handle))
	aborted, err := fresh.AbortOlder(epoch)
	must(t, err, fresh.Commit("1-1", handle))
	if aborted != 1 {
		t.Errorf("%d transactions were aborted, want 1", aborted)
	}
	w.mustShow(records[0])
}

func TestOldProcessIsFenced(t *testing.T) {
	tests := []struct {
		name   string
		before func(t *testing.T, old *store) (after func() error)
	}{
		{"it has begun nothing", func(*testing.T, *store) func() error { return func() error { return nil } }},
		{"it has a transaction open", func(t *testing.T, old *store) func() error {
			must(t, old.Write(records[0]))
			return func() error { return nil }
		}},
		{"its producer is idle", func(t *testing.T, old *store) func() error {
			must(t, old.Commit("1-1", prepare(t, old, "1-1", records[0])))
			return func() error { return nil }
		}},
		{"its producer is idle when it has committed", func(t *testing.T, old *store) func() error {
			handle := prepare(t, old, "1-1", records[0])
			return func() error { return old.Commit("1-1", handle) }
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			old, _ := w.own()
			after := test.before(t, old)
			w.own()
			must(t, after())
			_, err := old.PreCommit("1-9")
			mustBe(t, err, contract.ErrFenced)
			mustBe(t, old.Open(1), contract.ErrFenced)
			if left, err := w.start().Contents(); err != nil || len(left.Orphans) > 0 {
				t.Errorf("left open: %q, %v", left.Orphans, err)
			}
		})
	}
}

func TestNewerTransactionsAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	_, epoch := w.own()
	newer, _ := w.own()
	handle := prepare(t, newer, "2-1", records[0])
	aborted, err := w.start().AbortOlder(epoch)
	must(t, err, newer.Commit("2-1", handle))
	if aborted != 0 {
		t.Errorf("%d transactions were aborted, want none", aborted)
	}
	w.mustShow(records[0])
}

// A transactional ID has one transaction at a time.
func TestProducerWaitsForItsCommit(t *testing.T) {
	w := newWorld(t)
	s, _ := w.own()
	first := prepare(t, s, "1-1", records[0])
	second := prepare(t, s, "1-2", records[1])
	must(t, s.Commit("1-1", first), s.Commit("1-2", second))
	third := prepare(t, s, "1-3", records[2])
	must(t, s.Commit("1-3", third))
	w.mustShow(records[:3]...)
	if s.opened != 2 {
		t.Errorf("there were %d producers, want 2", s.opened)
	}
}

func TestTransactionsAreKnownByTheirIDs(t *testing.T) {
	w := newWorld(t)
	s, _ := w.own()
	handle := prepare(t, s, "1-1", records[0])
	_, err := s.PreCommit("1-1")
	mustBe(t, err, contract.ErrTaken)
	mustBe(t, s.Commit("1-2", handle), contract.ErrGone)
	other, _ := w.own()
	mustBe(t, other.Commit("1-2", handle), contract.ErrGone)
}

// Brokers abort what is prepared for longer than a transaction may take, or when
// an operator tells them to.
func TestAbortedByTheBrokers(t *testing.T) {
	w := newWorld(t)
	s, _ := w.own()
	handle := prepare(t, s, "1-1", records[0])
	ctx, cancel := waiting()
	defer cancel()
	must(t, w.start().takeOver(ctx, s.transactional(1)))
	mustBe(t, s.Commit("1-1", handle), contract.ErrGone)
	fresh, _ := w.own()
	mustBe(t, fresh.Commit("1-1", handle), contract.ErrGone)
	w.mustShow()
}

// The brokers have committed, and all that is heard of it is an error.
func TestAnswerOfCommitIsLost(t *testing.T) {
	w := newWorld(t)
	s, _ := w.own()
	handle := prepare(t, s, "1-1", records[0])
	h, err := parseHandle(handle)
	ctx, cancel := waiting()
	defer cancel()
	must(t, err, w.start().commit(ctx, h))
	w.cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.EndTxn}, Err: kerr.UnknownServerError, Count: -1})
	must(t, s.Commit("1-1", handle))
	w.mustShow(records[0])
}

// The connection is cut while the commit is on its way.
func TestConnectionIsCut(t *testing.T) {
	w := newWorld(t)
	must(t, w.start().Fill(records))
	cut := 0
	w.cluster.ControlKey(int16(kmsg.EndTxn), func(kmsg.Request) (kmsg.Response, error, bool) {
		if cut == 3 {
			return nil, nil, false
		}
		cut++
		w.cluster.KeepControl()
		return nil, errors.New("cut"), true
	})
	must(t, w.run())
	if cut < 3 {
		t.Errorf("the connection was cut %d times, want 3", cut)
	}
	w.mustShow(summed...)
}

// The brokers are stopped and started between a pre-commit and its commit.
func TestBrokersRestart(t *testing.T) {
	kept := kfake.DataDir(t.TempDir())
	w := newWorld(t, kept)
	s, _ := w.own()
	handle := prepare(t, s, "1-1", records[0])
	orphan, _ := w.own()
	prepare(t, orphan, "2-1", records[1])
	w.cluster.Close()
	again := newWorld(t, kept, kfake.Ports(ports(t, w.at.Server)...))
	again.at.Dir = w.at.Dir
	fresh, epoch := again.own()
	must(t, fresh.Commit("1-1", handle))
	if aborted, err := fresh.AbortOlder(epoch); aborted != 1 || err != nil {
		t.Errorf("%d transactions were aborted, %v; want 1", aborted, err)
	}
	again.mustShow(records[0])
}

func ports(t *testing.T, server string) (ports []int) {
	t.Helper()
	for address := range strings.SplitSeq(server, ",") {
		_, text, err := net.SplitHostPort(address)
		port, bad := strconv.Atoi(text)
		must(t, err, bad)
		ports = append(ports, port)
	}
	return ports
}

// The brokers refuse a request. The job says so, and goes on from there when they
// refuse no more.
func TestBrokersRefuse(t *testing.T) {
	tests := []struct {
		name  string
		fault kfake.Fault
	}{
		{"a commit", kfake.Fault{Keys: []kmsg.Key{kmsg.EndTxn}}},
		{"a record", kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: "test.output"}},
		{"the record of the ledger", kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: "test.ledger"}},
		{"a producer", kfake.Fault{Keys: []kmsg.Key{kmsg.InitProducerID}, TxnID: "test.1.1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			must(t, w.start().Fill(records))
			test.fault.Err, test.fault.Count = kerr.PolicyViolation, -1
			refusal := w.cluster.Fault(test.fault)
			if err := w.run(); err == nil || !strings.Contains(err.Error(), "POLICY_VIOLATION") {
				t.Errorf("the job ended with %v", err)
			}
			refusal.Remove()
			must(t, w.run())
			w.mustShow(summed...)
		})
	}
}

func TestSourceIsReadFromAnyOffset(t *testing.T) {
	w := newWorld(t)
	s := w.start()
	must(t, s.Fill(records))
	source, err := s.Source()
	must(t, err)
	for _, offset := range []int{0, 1, 4, 2, 3, 0} {
		if got, ok, err := source.Read(offset); got != records[offset] || !ok || err != nil {
			t.Errorf("record %d is %v, %t, %v; want %v", offset, got, ok, err, records[offset])
		}
	}
	if _, ok, err := source.Read(len(records)); ok || err != nil {
		t.Errorf("at the end: %t, %v", ok, err)
	}
	for _, offset := range []int{-1, len(records) + 1} {
		if _, _, err := source.Read(offset); err == nil {
			t.Errorf("offset %d is no error", offset)
		}
	}
}

func TestDropLeavesNoTopic(t *testing.T) {
	w := newWorld(t)
	s := w.start()
	must(t, s.Drop())
	ctx, cancel := waiting()
	defer cancel()
	left, err := s.admin.ListTopics(ctx)
	must(t, err)
	if len(left.Names()) > 0 {
		t.Errorf("left: %q", left.Names())
	}
}
