package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// Open fences older sessions in two steps: their number in the job's row is
// raised, and then their connections are terminated, and waited for until their
// server processes are gone.
//
// A PreCommit reads the number and then prepares. If it reads after the first step
// it is fenced. If it read before, its connection was there by then, so the second
// step finds it: when Open returns, the transaction is either prepared, and
// AbortOlder sees it, or never will be. A lock on the row would not do in place of
// that: a prepared transaction keeps its locks, and the next Open would wait for
// what it is there to abort.
func (s *store) Open(epoch contract.Epoch) error {
	done, err := s.control.Exec(background, "UPDATE job SET session = $1 WHERE session <= $1", epoch)
	if err := oneRow(done, err, contract.ErrFenced); err != nil {
		return err
	}
	s.epoch = epoch
	return s.terminate(func(of contract.Epoch) bool { return 0 < of && of < epoch })
}

// goneMillis is for how long a connection is waited for that was terminated.
const goneMillis = 10_000

// terminate ends other connections of this store, and returns when their server
// processes are gone. A connection that does not write bears the epoch 0.
func (s *store) terminate(which func(contract.Epoch) bool) error {
	pids, err := s.connections(which)
	if err != nil {
		return err
	}
	for _, pid := range pids { // false also where it has ended by itself
		if _, err := s.control.Exec(background, "SELECT pg_terminate_backend($1, $2)", pid, goneMillis); err != nil {
			return err
		}
	}
	left, err := s.connections(which)
	for _, pid := range left {
		if slices.Contains(pids, pid) {
			return fmt.Errorf("the server process %d of an older session does not end", pid)
		}
	}
	return err
}

// connections lists the server processes of other connections of this store.
func (s *store) connections(which func(contract.Epoch) bool) (pids []int, err error) {
	rows, err := s.control.Query(background, `SELECT pid, application_name FROM pg_stat_activity
		WHERE datname = current_database() AND starts_with(application_name, $1) AND pid <> pg_backend_pid()`, s.prefix())
	if err != nil {
		return nil, err
	}
	var pid int
	var name string
	_, err = pgx.ForEachRow(rows, []any{&pid, &name}, func() error {
		if epoch, _, err := s.parse(name); err == nil && which(epoch) {
			pids = append(pids, pid)
		}
		return nil
	})
	return pids, err
}

// batch is how many rows go to the server at once.
const batch = 500

func (s *store) Write(r stream.Record) error {
	if err := s.begin(); err != nil {
		return err
	}
	s.rows = append(s.rows, r)
	if len(s.rows) < batch {
		return nil
	}
	return s.flush()
}

// begin begins a transaction, unless one is open.
func (s *store) begin() (err error) {
	if s.open {
		return nil
	}
	if s.writer == nil {
		if s.writer, err = s.connect(s.epoch); err != nil {
			return err
		}
	}
	_, err = s.writer.Exec(background, "BEGIN")
	s.open = err == nil
	return s.lost(err)
}

func (s *store) flush() error {
	err := insert(s.writer, "output", s.rows)
	if err == nil {
		s.rows = nil
	}
	return s.lost(err)
}

// insert inserts rows by one statement.
func insert(to interface {
	Exec(context.Context, string, ...any) (pgconn.CommandTag, error)
}, table string, rows []stream.Record) error {
	if len(rows) == 0 {
		return nil
	}
	var keys []string
	var values, times []int64
	for _, r := range rows {
		keys, values, times = append(keys, r.Key), append(values, r.Value), append(times, r.Time)
	}
	_, err := to.Exec(background, "INSERT INTO "+table+" SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])", keys, values, times)
	return err
}

// lost ends the session after an error: what was written to the open transaction
// is gone, and only a new session can tell from where to write it again. It tells
// a connection that a newer owner has terminated from all other errors.
func (s *store) lost(err error) error {
	if err == nil {
		return nil
	}
	_ = s.writer.Close(background) // the first error says more
	var newer bool
	if s.control.QueryRow(background, "SELECT session > $1 FROM job", s.epoch).Scan(&newer) == nil && newer {
		return contract.ErrFenced
	}
	return err
}

func (s *store) PreCommit(id contract.TransactionID) (contract.Handle, error) {
	if err := stores.CheckID(id); err != nil {
		return "", err
	}
	if err := s.begin(); err != nil { // an empty transaction is one, too
		return "", err
	}
	if err := s.flush(); err != nil {
		return "", err
	}
	if err := s.enter(id); err != nil {
		return "", s.lost(err)
	}
	gid := s.gid(s.epoch, id)
	if _, err := s.writer.Exec(background, "PREPARE TRANSACTION '"+gid+"'"); err != nil {
		return "", s.lost(err)
	}
	s.open = false
	return contract.Handle(gid), nil
}

// enter enters the open transaction in the ledger, if this session is the newest
// and the ID is new. It can only be prepared with what is in it by then.
func (s *store) enter(id contract.TransactionID) error {
	var session contract.Epoch
	var taken bool
	err := s.writer.QueryRow(background, "SELECT session, EXISTS (SELECT FROM ledger WHERE id = $1) FROM job", id).Scan(&session, &taken)
	switch {
	case err != nil:
		return err
	case session != s.epoch:
		return contract.ErrFenced
	case taken:
		return contract.ErrTaken
	}
	all, err := s.prepared()
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.id == id {
			return contract.ErrTaken
		}
	}
	_, err = s.writer.Exec(background, "INSERT INTO ledger VALUES ($1, $2)", id, s.epoch)
	return err
}

// Commit asks the ledger where there is no such prepared transaction: it has a
// row of what is committed, and none of what is lost.
func (s *store) Commit(id contract.TransactionID, handle contract.Handle) error {
	gid := string(handle)
	if stores.CheckID(id) != nil || !strings.HasPrefix(gid, s.prefix()) || !strings.HasSuffix(gid, "/"+string(id)) || strings.ContainsAny(gid, `'\`) {
		return contract.ErrGone // no PreCommit returned that
	}
	err := s.end("COMMIT", gid)
	if code(err) != undefinedObject {
		return err
	}
	var committed bool
	err = s.control.QueryRow(background, "SELECT EXISTS (SELECT FROM ledger WHERE id = $1)", id).Scan(&committed)
	if err == nil && !committed {
		return contract.ErrGone
	}
	return err
}

// ends is how often it is tried to end a transaction that is busy, 50 ms apart.
const ends = 100

// end commits or rolls back a prepared transaction. While the server still does so
// for a process that was killed meanwhile, the transaction is busy.
func (s *store) end(how, gid string) (err error) {
	for range ends {
		_, err = s.control.Exec(background, how+" PREPARED '"+gid+"'")
		if code(err) != objectNotReady {
			return err
		}
		if _, err := s.control.Exec(background, "SELECT pg_sleep(0.05)"); err != nil {
			return err
		}
	}
	return err
}

// AbortOlder has only prepared transactions to abort: open ones have gone with
// their connections.
func (s *store) AbortOlder(epoch contract.Epoch) (int, error) {
	return s.rollBack(func(of contract.Epoch) bool { return of < epoch })
}

func (s *store) rollBack(which func(contract.Epoch) bool) (n int, err error) {
	all, err := s.prepared()
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if !which(p.epoch) {
			continue
		}
		switch err := s.end("ROLLBACK", p.gid); {
		case code(err) == undefinedObject: // by another, meanwhile
		case err != nil:
			return n, err
		default:
			n++
		}
	}
	return n, nil
}

func (s *store) Contents() (c protocol.Contents, err error) {
	rows, err := s.control.Query(background, "SELECT key, value, time FROM output")
	if err != nil {
		return c, err
	}
	if c.Rows, err = pgx.CollectRows(rows, pgx.RowToStructByPos[stream.Record]); err != nil {
		return c, err
	}
	left, err := s.prepared()
	for _, p := range left {
		c.Orphans = append(c.Orphans, fmt.Sprintf("transaction %s of epoch %d is prepared", p.id, p.epoch))
	}
	return c, err
}
