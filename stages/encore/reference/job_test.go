package job

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/stream"
)

// These tests are a start, and yours to extend: add a case, or a test. The stores
// are in memory, and a kill is a panic in one of their methods. The judge, de
// encore, kills a process, and has two at once, too.

var source = records{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 3}, {Key: "a", Value: 0}, {Key: "b", Value: 5}}

const want = "a=1 a=4 a=4 b=2 b=7"

func TestCleanRun(t *testing.T) {
	for _, every := range []int{1, 2, 5, 9} {
		t.Run(fmt.Sprintf("every %d", every), func(t *testing.T) {
			defer notImplemented(t)
			s := newStore()
			if err := (Solution{}).RunJob(source, s, s, every); err != nil {
				t.Fatal(err)
			}
			s.check(t)
		})
	}
}

func TestKilledOnce(t *testing.T) {
	for n := 1; ; n++ {
		s := newStore()
		s.killAt = n
		if !killed(t, s) {
			return // it ended before the call that it would have been killed at
		}
		s.killAt = 0
		if killed(t, s); t.Failed() {
			t.Fatalf("killed after the calls:\n  %s", strings.Join(s.calls[:n], "\n  "))
		}
		s.check(t)
	}
}

// killed runs the job, and tells whether it was killed.
func killed(t *testing.T, s *store) (was bool) {
	t.Helper()
	defer func() {
		if v := recover(); v == errKilled {
			was = true
			s.open = nil // which was in the process
		} else if v != nil {
			t.Fatal(v)
		}
	}()
	if err := (Solution{}).RunJob(source, s, s, 2); err != nil {
		t.Errorf("RunJob: %v", err)
	}
	return false
}

var errKilled = errors.New("killed")

type records []stream.Record

func (rs records) Read(offset int) (stream.Record, bool, error) {
	if offset >= len(rs) {
		return stream.Record{}, false, nil
	}
	return rs[offset], true, nil
}

// A store is a checkpoint store and a sink, in memory.
type store struct {
	calls  []string
	killAt int // after that many calls; 0 is never

	owner      contract.Epoch
	checkpoint *contract.Checkpoint
	session    contract.Epoch
	open       []stream.Record
	prepared   map[contract.TransactionID]transaction
	visible    map[contract.TransactionID]transaction
}

type transaction struct {
	epoch   contract.Epoch
	records []stream.Record
}

func newStore() *store {
	return &store{prepared: map[contract.TransactionID]transaction{}, visible: map[contract.TransactionID]transaction{}}
}

// did notes a call that is done, and kills the process if it is its turn.
func (s *store) did(format string, args ...any) {
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
	if len(s.calls) == s.killAt {
		panic(errKilled)
	}
}

func (s *store) Claim() (contract.Epoch, error) {
	s.owner++
	s.did("claim epoch %d", s.owner)
	return s.owner, nil
}

func (s *store) Latest() (contract.Checkpoint, bool, error) {
	s.did("load")
	if s.checkpoint == nil {
		return contract.Checkpoint{}, false, nil
	}
	return clone(*s.checkpoint), true, nil
}

func (s *store) Save(epoch contract.Epoch, c contract.Checkpoint) error {
	if epoch != s.owner {
		return contract.ErrFenced
	}
	c = clone(c)
	s.checkpoint = &c
	s.did("save offset %d, pending %v", c.Offset, c.Pending)
	return nil
}

func clone(c contract.Checkpoint) contract.Checkpoint {
	c.State, c.Pending = maps.Clone(c.State), slices.Clone(c.Pending)
	return c
}

func (s *store) Open(epoch contract.Epoch) error {
	s.session = epoch
	s.did("open epoch %d", epoch)
	return nil
}

func (s *store) Write(r stream.Record) error {
	s.open = append(s.open, r)
	s.did("write %s=%d", r.Key, r.Value)
	return nil
}

func (s *store) PreCommit(id contract.TransactionID) (contract.Handle, error) {
	_, isPrepared := s.prepared[id]
	if _, isVisible := s.visible[id]; isVisible || isPrepared {
		return "", contract.ErrTaken
	}
	s.prepared[id] = transaction{s.session, s.open}
	s.open = nil
	s.did("pre-commit %s", id)
	return "handle of " + contract.Handle(id), nil
}

func (s *store) Commit(id contract.TransactionID, handle contract.Handle) error {
	if handle != "handle of "+contract.Handle(id) {
		return fmt.Errorf("commit %s: %q is not its handle", id, handle)
	}
	t, isPrepared := s.prepared[id]
	if _, isVisible := s.visible[id]; !isPrepared && !isVisible {
		return contract.ErrGone
	}
	if isPrepared {
		s.visible[id] = t
		delete(s.prepared, id)
	}
	s.did("commit %s", id)
	return nil
}

func (s *store) AbortOlder(epoch contract.Epoch) (int, error) {
	before := len(s.prepared)
	maps.DeleteFunc(s.prepared, func(_ contract.TransactionID, t transaction) bool { return t.epoch < epoch })
	s.did("abort older than %d", epoch)
	return before - len(s.prepared), nil
}

// check fails if not each record is visible once, or something is left.
func (s *store) check(t *testing.T) {
	t.Helper()
	var seen []stream.Record
	for _, tx := range s.visible {
		seen = append(seen, tx.records...)
	}
	slices.SortFunc(seen, func(a, b stream.Record) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
	var words []string
	for _, r := range seen {
		words = append(words, fmt.Sprintf("%s=%d", r.Key, r.Value))
	}
	if got := strings.Join(words, " "); got != want || len(s.prepared) > 0 || len(s.open) > 0 {
		t.Fatalf("visible: [%s], want [%s]; %d transactions are left prepared, %d records open; the calls were:\n  %s",
			got, want, len(s.prepared), len(s.open), strings.Join(s.calls, "\n  "))
	}
}

// notImplemented turns the panic of a method not written yet into a plain
// failure. Other panics pass.
func notImplemented(t *testing.T) {
	v := recover()
	if v == nil {
		return
	}
	if text := fmt.Sprint(v); strings.HasPrefix(text, stream.NotImplementedText) {
		t.Fatal(text)
	}
	panic(v)
}
