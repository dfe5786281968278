// Package sqlite is a store of the encore: one SQLite database. Its driver is not
// imported here, since it takes long to compile: the program around a job does.
package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// A store keeps checkpoints and output in one database. Rows are tagged by their
// transaction, and readers look at a view of those that are committed.
//
// The open transaction is in memory until PreCommit: SQLite has one writer at a
// time, and a process that was stopped with the lock would stop all others.
type store struct {
	db    *sql.DB
	epoch contract.Epoch  // of this session
	open  []stream.Record // written, and not yet pre-committed
}

// busyMillis is for how long a writer waits for another.
const busyMillis = 5000

// No unique key is on rows, which would hide a duplicate. Numbers of transactions
// are not used again, so that an old process's handle never is another's.
const schema = `
CREATE TABLE IF NOT EXISTS job (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	owner INTEGER NOT NULL,
	session INTEGER NOT NULL,
	checkpoint TEXT);
INSERT OR IGNORE INTO job VALUES (1, 0, 0, NULL);
CREATE TABLE IF NOT EXISTS transactions (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	epoch INTEGER NOT NULL,
	id TEXT NOT NULL,
	committed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS tagged (
	number INTEGER NOT NULL,
	key TEXT NOT NULL,
	value INTEGER NOT NULL,
	time INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS ids ON transactions (id);
CREATE VIEW IF NOT EXISTS output AS
	SELECT key, value, time FROM tagged JOIN transactions USING (number) WHERE committed;
`

// Open opens the database in a folder, and makes it if it is not there. It needs a
// driver that is known to database/sql as sqlite3.
func Open(at protocol.Location) (stores.Store, error) { return open(at) }

func open(at protocol.Location) (*store, error) {
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyMillis), "journal_mode(wal)", "synchronous(full)",
	}}
	name := url.URL{Scheme: "file", Opaque: filepath.ToSlash(filepath.Join(at.Dir, "store.db")), RawQuery: options.Encode()}
	db, err := sql.Open("sqlite3", name.String())
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db.SetMaxOpenConns(1)
	s := &store{db: db}
	err = s.inTransaction(func(tx *sql.Tx) error {
		_, err := tx.Exec(schema)
		return err
	})
	if err != nil {
		db.Close() // the first error says more
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return s, nil
}

func (s *store) Close() error { return s.db.Close() }

// Drop has nothing to do: all is in the folder.
func (s *store) Drop() error { return nil }

// inTransaction does all of do, durably, or nothing.
func (s *store) inTransaction(do func(tx *sql.Tx) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (s *store) Claim() (contract.Epoch, error) {
	var epoch contract.Epoch
	err := s.db.QueryRow("UPDATE job SET owner = owner + 1 RETURNING owner").Scan(&epoch)
	return epoch, err
}

func (s *store) Latest() (contract.Checkpoint, bool, error) {
	var text sql.NullString
	if err := s.db.QueryRow("SELECT checkpoint FROM job").Scan(&text); err != nil || !text.Valid {
		return contract.Checkpoint{}, false, err
	}
	var c contract.Checkpoint
	err := json.Unmarshal([]byte(text.String), &c)
	return c, err == nil, err
}

func (s *store) Save(epoch contract.Epoch, c contract.Checkpoint) error {
	return save(s.db, epoch, c)
}

// A doer does a statement: a database, or a transaction in it.
type doer interface {
	Exec(statement string, args ...any) (sql.Result, error)
}

func save(d doer, epoch contract.Epoch, c contract.Checkpoint) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	result, err := d.Exec("UPDATE job SET checkpoint = ? WHERE owner = ?", string(text), epoch)
	return oneRow(result, err, contract.ErrFenced)
}

// oneRow returns otherwise where a statement changed no row.
func oneRow(result sql.Result, err, otherwise error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		return otherwise
	}
	return err
}

func (s *store) Open(epoch contract.Epoch) error {
	result, err := s.db.Exec("UPDATE job SET session = ? WHERE session <= ?", epoch, epoch)
	if err := oneRow(result, err, contract.ErrFenced); err != nil {
		return err
	}
	s.epoch = epoch
	return nil
}

func (s *store) Write(r stream.Record) error {
	s.open = append(s.open, r)
	return nil
}

func (s *store) PreCommit(id contract.TransactionID) (contract.Handle, error) {
	if err := stores.CheckID(id); err != nil {
		return "", err
	}
	var number int64
	err := s.inTransaction(func(tx *sql.Tx) (err error) {
		number, err = s.prepare(tx, id, s.open)
		return err
	})
	if err != nil {
		return "", err
	}
	s.open = nil
	return contract.Handle(strconv.FormatInt(number, 10)), nil
}

func (s *store) prepare(tx *sql.Tx, id contract.TransactionID, rows []stream.Record) (int64, error) {
	var session contract.Epoch
	var taken bool
	err := tx.QueryRow("SELECT session, EXISTS (SELECT 1 FROM transactions WHERE id = ?) FROM job", string(id)).Scan(&session, &taken)
	switch {
	case err != nil:
		return 0, err
	case session != s.epoch:
		return 0, contract.ErrFenced
	case taken:
		return 0, contract.ErrTaken
	}
	result, err := tx.Exec("INSERT INTO transactions (epoch, id) VALUES (?, ?)", s.epoch, string(id))
	if err != nil {
		return 0, err
	}
	number, err := result.LastInsertId()
	if err != nil {
		return 0, err
	}
	return number, insert(tx, number, rows)
}

// insert inserts rows, tagged by the number of their transaction.
func insert(tx *sql.Tx, number int64, rows []stream.Record) error {
	insert, err := tx.Prepare("INSERT INTO tagged VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	for _, r := range rows {
		if _, err := insert.Exec(number, r.Key, r.Value, r.Time); err != nil {
			return errors.Join(err, insert.Close())
		}
	}
	return insert.Close()
}

func (s *store) Commit(id contract.TransactionID, handle contract.Handle) error {
	return commit(s.db, id, string(handle))
}

func commit(d doer, id contract.TransactionID, number any) error {
	result, err := d.Exec("UPDATE transactions SET committed = 1 WHERE number = ? AND id = ?", number, string(id))
	return oneRow(result, err, contract.ErrGone)
}

func (s *store) AbortOlder(epoch contract.Epoch) (int, error) {
	var aborted int64
	err := s.inTransaction(func(tx *sql.Tx) error {
		const older = "SELECT number FROM transactions WHERE NOT committed AND epoch < ?"
		if _, err := tx.Exec("DELETE FROM tagged WHERE number IN ("+older+")", epoch); err != nil {
			return err
		}
		result, err := tx.Exec("DELETE FROM transactions WHERE number IN ("+older+")", epoch)
		if err != nil {
			return err
		}
		aborted, err = result.RowsAffected()
		return err
	})
	return int(aborted), err
}

func (s *store) Contents() (c protocol.Contents, err error) {
	rows, err := s.db.Query("SELECT key, value, time FROM output")
	if err != nil {
		return c, err
	}
	defer rows.Close()
	for rows.Next() {
		var r stream.Record
		if err := rows.Scan(&r.Key, &r.Value, &r.Time); err != nil {
			return c, err
		}
		c.Rows = append(c.Rows, r)
	}
	if err := rows.Err(); err != nil {
		return c, err
	}
	c.Orphans, err = s.orphans()
	return c, err
}

// orphans are prepared transactions, and rows of no transaction.
func (s *store) orphans() (orphans []string, err error) {
	rows, err := s.db.Query(`
		SELECT 'transaction ' || id || ' is prepared' FROM transactions WHERE NOT committed
		UNION ALL
		SELECT 'a row of transaction number ' || number || ', which is not there' FROM tagged
		WHERE number NOT IN (SELECT number FROM transactions)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var orphan string
		if err := rows.Scan(&orphan); err != nil {
			return nil, err
		}
		orphans = append(orphans, orphan)
	}
	return orphans, rows.Err()
}

func (s *store) Lock() (release func() error, err error) {
	tx, err := s.db.Begin() // immediate, by _txlock
	if err != nil {
		return nil, err
	}
	return tx.Rollback, nil
}

// Plain inserts rows of no transaction.
func (s *store) Plain(records []stream.Record, every int) error {
	for rows := range slices.Chunk(records, every) {
		if err := s.inTransaction(func(tx *sql.Tx) error { return insert(tx, 0, rows) }); err != nil {
			return err
		}
	}
	return nil
}
