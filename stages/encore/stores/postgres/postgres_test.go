package postgres_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/flk-byo/de/stages/encore/cluster"
	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/encore/stores/postgres"
	"github.com/flk-byo/de/stages/stream"
)

// Each test has a store of its own on one server, by the name of the test.
func TestPostgres(t *testing.T) {
	own, err := cluster.Make(t.Context(), "max_prepared_transactions=0")
	if errors.Is(err, cluster.ErrAbsent) && os.Getenv("DE_TEST_POSTGRES") == "" {
		t.Skipf("%v: apt-get install postgresql, and this test runs", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := own.Remove(); err != nil {
			t.Error(err)
		}
	}()
	t.Run("as it is installed", func(t *testing.T) { unprepared(t, own) })
	own.Options = []string{"max_prepared_transactions=16", "fsync=off"} // no machine is lost here
	if err := errors.Join(own.Stop(), own.Start(t.Context())); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(world){
		"commit": world.commit, "ids": world.ids, "cut": world.cut, "fence": world.fence,
		"under-way": world.underWay, "databases": world.databases, "drop": world.drop,
	} {
		t.Run(name, func(t *testing.T) { test(world{t, own.Server(), name}) })
	}
}

type world struct {
	*testing.T
	server, name string
}

// open opens the store, and a session in it if the epoch is not 0.
func (w world) open(epoch contract.Epoch) stores.Store {
	w.Helper()
	s, err := postgres.Open(protocol.Location{Server: w.server, Name: w.name})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = s.Close() }) // of some the connection was terminated
	if epoch > 0 {
		w.must(s.Open(epoch), nil)
	}
	return s
}

func (w world) must(got, want error) {
	w.Helper()
	if !errors.Is(got, want) {
		w.Fatalf("the error is %v, and not %v", got, want)
	}
}

// prepare writes a row and prepares it.
func (w world) prepare(s stores.Store, id contract.TransactionID) contract.Handle {
	w.Helper()
	w.must(s.Write(stream.Record{Key: string(id), Value: 1}), nil)
	handle, err := s.PreCommit(id)
	w.must(err, nil)
	return handle
}

// holds fails unless so many rows are visible, and so many transactions prepared.
func (w world) holds(s stores.Store, rows, prepared int) {
	w.Helper()
	c, err := s.Contents()
	w.must(err, nil)
	if len(c.Rows) != rows || len(c.Orphans) != prepared {
		w.Errorf("rows %v and prepared %q, want %d and %d", c.Rows, c.Orphans, rows, prepared)
	}
}

// sql runs a statement on a connection of its own.
func (w world) sql(statement string, args ...any) {
	w.Helper()
	conn, err := pgx.Connect(context.Background(), w.server)
	w.must(err, nil)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), statement, args...)
	w.must(err, nil)
}

// What was committed can be committed again, and what was aborted can't.
func (w world) commit() {
	s := w.open(1)
	kept, lost := w.prepare(s, "a"), w.prepare(s, "b")
	w.must(s.Commit("a", kept), nil)
	w.must(s.Commit("a", kept), nil)
	later := w.open(2)
	n, err := later.AbortOlder(2)
	w.must(err, nil)
	if n != 1 {
		w.Errorf("%d were aborted, not 1", n)
	}
	w.must(later.Commit("a", kept), nil)
	w.must(later.Commit("b", lost), contract.ErrGone)
	w.must(later.Commit("b", kept), contract.ErrGone)
	w.must(later.Commit("a", "it's another's/a"), contract.ErrGone)
	w.holds(later, 1, 0)
}

// An ID that is prepared or committed is taken, for later epochs, too; that of an
// aborted transaction is not.
func (w world) ids() {
	s := w.open(1)
	w.must(s.Commit("a", w.prepare(s, "a")), nil)
	w.prepare(s, "b")
	for _, id := range []contract.TransactionID{"a", "b"} {
		later := w.open(2)
		w.must(later.Write(stream.Record{}), nil)
		_, err := later.PreCommit(id)
		w.must(err, contract.ErrTaken)
	}
	later := w.open(3)
	_, err := later.AbortOlder(3)
	w.must(err, nil)
	w.must(later.Commit("b", w.prepare(later, "b")), nil)
	w.holds(later, 2, 0)
}

// A session whose connection was cut does not go on without what it had written.
func (w world) cut() {
	s := w.open(1)
	w.must(s.Write(stream.Record{Key: "lost"}), nil)
	w.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = $1", w.name+"/1")
	for range 2 {
		if handle, err := s.PreCommit("a"); err == nil || errors.Is(err, contract.ErrFenced) {
			w.Fatalf("the pre-commit returned %q, %v", handle, err)
		}
	}
	if err := s.Write(stream.Record{}); err != nil {
		return
	}
	if _, err := s.PreCommit("b"); err == nil {
		w.Error("the session goes on without what it had written")
	}
	w.holds(s, 0, 0)
}

func (w world) fence() {
	idle, writing, ended := w.open(1), w.open(1), w.open(1)
	w.must(writing.Write(stream.Record{}), nil)
	w.prepare(ended, "a")
	w.open(2)
	for _, old := range []stores.Store{idle, writing, ended} {
		_ = old.Write(stream.Record{}) // it may say so here, or later
		_, err := old.PreCommit("b")
		w.must(err, contract.ErrFenced)
		w.must(old.Open(1), contract.ErrFenced)
	}
	w.holds(writing, 0, 1)
}

// A newer session is opened while an older one is between the look at the row of
// the job and PREPARE, where it waits for a lock on the ledger. That the older one
// was the newest when it looked must not help it.
func (w world) underWay() {
	s := w.open(1)
	w.must(s.Write(stream.Record{}), nil)
	locker, err := pgx.Connect(context.Background(), w.server)
	w.must(err, nil)
	defer locker.Close(context.Background())
	_, err = locker.Exec(context.Background(), `BEGIN; LOCK TABLE "`+w.name+`".ledger IN SHARE MODE`)
	w.must(err, nil)
	ended := make(chan error)
	go func() {
		_, err := s.PreCommit("a")
		ended <- err
	}()
	w.awaitBlocked()
	later := w.open(2)
	_, err = locker.Exec(context.Background(), "COMMIT")
	w.must(err, nil)
	w.must(<-ended, contract.ErrFenced)
	w.holds(later, 0, 0)
}

// awaitBlocked waits until the session of epoch 1 waits for a lock.
func (w world) awaitBlocked() {
	w.Helper()
	conn, err := pgx.Connect(context.Background(), w.server)
	w.must(err, nil)
	defer conn.Close(context.Background())
	for blocked := false; !blocked; time.Sleep(10 * time.Millisecond) {
		w.must(w.Context().Err(), nil)
		err := conn.QueryRow(context.Background(),
			"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock')", w.name+"/1").Scan(&blocked)
		w.must(err, nil)
	}
}

// The list of prepared transactions is of the whole server.
func (w world) databases() {
	w.sql("CREATE DATABASE other")
	other := world{w.T, strings.Replace(w.server, "dbname=postgres", "dbname=other", 1), w.name}
	theirs := other.open(1)
	handle := other.prepare(theirs, "a")
	ours := w.open(2)
	if n, err := ours.AbortOlder(2); n != 0 || err != nil {
		w.Errorf("%d transactions of another database were aborted: %v", n, err)
	}
	w.holds(ours, 0, 0)
	w.must(theirs.Commit("a", handle), nil)
	other.holds(theirs, 1, 0)
}

// Drop leaves nothing, whoever is still there.
func (w world) drop() {
	s := w.open(1)
	w.prepare(s, "a")
	w.must(s.Write(stream.Record{}), nil)
	w.must(w.open(0).Drop(), nil)
	w.holds(w.open(0), 0, 0) // it was made anew
}

// unprepared finds a server that has max_prepared_transactions = 0.
func unprepared(t *testing.T, own *cluster.Cluster) {
	_, err := postgres.Open(protocol.Location{Server: own.Server(), Name: "none"})
	if err == nil || !strings.Contains(err.Error(), "set max_prepared_transactions = 64 in its postgresql.conf, and restart it") {
		t.Errorf("the error is %v", err)
	}
}
