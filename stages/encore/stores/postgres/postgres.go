// Package postgres is a store of the encore: a schema on a PostgreSQL server. Its
// two phases are the server's own, PREPARE TRANSACTION and COMMIT PREPARED. Start
// reading at [Open]; why an old process is kept out stands at the sink's Open.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// A store keeps checkpoints and output in one schema. It has two connections: in
// one the open transaction is written, and by the other goes all else, which must
// take effect at once, whatever is open.
type store struct {
	config  *pgx.ConnConfig
	name    string // of the schema, and the first word of all that has a name on the server
	control *pgx.Conn
	epoch   contract.Epoch // of this session; 0 before Open

	writer *pgx.Conn // of this session, since its first transaction
	open   bool      // a transaction is
	rows   []stream.Record
}

// No unique key is on output, which would hide a duplicate. The row of a
// transaction in ledger is written in the transaction itself: it is there once
// that is committed, and never if it was aborted.
const schema = `
CREATE TABLE job (
	owner bigint NOT NULL,
	session bigint NOT NULL,
	checkpoint text);
INSERT INTO job VALUES (0, 0, NULL);
CREATE TABLE ledger (id text PRIMARY KEY, epoch bigint NOT NULL);
CREATE TABLE output (key text NOT NULL, value bigint NOT NULL, time bigint NOT NULL);
CREATE TABLE plain (LIKE output)`

const (
	lockTimeout      = "5s"  // for a lock that another holds
	statementTimeout = "30s" // for all else
)

// Open opens the schema with the name of the location, and makes it if it is not
// there. The location's server is a connection string, as a URL or in words.
func Open(at protocol.Location) (stores.Store, error) {
	if err := stores.CheckID(contract.TransactionID(at.Name)); err != nil {
		return nil, fmt.Errorf("the name of the store: %w", err)
	}
	config, err := pgx.ParseConfig(at.Server)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	for name, value := range map[string]string{
		"search_path": quoted(at.Name), "default_transaction_isolation": "read committed", "synchronous_commit": "on",
		"lock_timeout": lockTimeout, "statement_timeout": statementTimeout,
	} {
		config.RuntimeParams[name] = value
	}
	s := &store{config: config, name: at.Name}
	if s.control, err = s.connect(0); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := errors.Join(s.able(), s.make()); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), s.Close())
	}
	return s, nil
}

// quoted is a checked name as an identifier of SQL.
func quoted(name string) string { return `"` + name + `"` }

// connect makes a connection that bears the name of the store and of an epoch.
func (s *store) connect(epoch contract.Epoch) (*pgx.Conn, error) {
	config := s.config.Copy()
	config.RuntimeParams["application_name"] = s.prefix() + strconv.FormatInt(int64(epoch), 10)
	return pgx.ConnectConfig(background, config)
}

// background is the context of all statements: the server's timeouts end them.
var background = context.Background()

// prefix is what names on the server begin with: NAME/EPOCH of connections, and
// NAME/EPOCH/ID of prepared transactions.
func (s *store) prefix() string { return s.name + "/" }

// able says whether the server can prepare transactions: as it is installed, it
// can't.
func (s *store) able() error {
	var most int
	err := s.control.QueryRow(background, "SELECT current_setting('max_prepared_transactions')::int").Scan(&most)
	if err == nil && most == 0 {
		return errors.New("the server prepares no transactions: set max_prepared_transactions = 64 in its postgresql.conf, and restart it")
	}
	return err
}

// make makes the schema, unless another process has done so.
func (s *store) make() error {
	const there = "SELECT to_regclass('job') IS NOT NULL"
	var made bool
	if err := s.control.QueryRow(background, there).Scan(&made); err != nil || made {
		return err
	}
	return pgx.BeginFunc(background, s.control, func(tx pgx.Tx) error {
		if _, err := tx.Exec(background, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", s.name); err != nil {
			return err
		}
		if err := tx.QueryRow(background, there).Scan(&made); err != nil || made {
			return err
		}
		_, err := tx.Exec(background, "CREATE SCHEMA "+quoted(s.name)+";"+schema)
		return err
	})
}

func (s *store) Close() error {
	err := s.control.Close(background)
	if s.writer != nil {
		err = errors.Join(err, s.writer.Close(background))
	}
	return err
}

// Drop removes the schema, after all that could still hold it.
func (s *store) Drop() error {
	if err := s.terminate(func(contract.Epoch) bool { return true }); err != nil {
		return err
	}
	if _, err := s.rollBack(func(contract.Epoch) bool { return true }); err != nil {
		return err
	}
	_, err := s.control.Exec(background, "DROP SCHEMA "+quoted(s.name)+" CASCADE")
	return err
}

// Lock keeps others from writing; they can read.
func (s *store) Lock() (release func() error, err error) {
	tx, err := s.control.Begin(background)
	if err != nil {
		return nil, err
	}
	if _, err := tx.Exec(background, "LOCK TABLE job, ledger, output IN EXCLUSIVE MODE"); err != nil {
		return nil, errors.Join(err, tx.Rollback(background))
	}
	return func() error { return tx.Rollback(background) }, nil
}

// Plain inserts rows of no transaction.
func (s *store) Plain(records []stream.Record, every int) error {
	for len(records) > 0 {
		n := min(every, len(records))
		err := pgx.BeginFunc(background, s.control, func(tx pgx.Tx) error { return insert(tx, "plain", records[:n]) })
		if err != nil {
			return err
		}
		records = records[n:]
	}
	return nil
}

// code is the server's code of an error; empty where it is none of the server's.
func code(err error) string {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code
	}
	return ""
}

// Codes of errors, as PostgreSQL's Appendix A names them.
const (
	undefinedObject = "42704"
	objectNotReady  = "55000" // object_not_in_prerequisite_state
)

// A prepared transaction, as pg_prepared_xacts has it.
type prepared struct {
	gid   string
	epoch contract.Epoch
	id    contract.TransactionID
}

func (s *store) gid(epoch contract.Epoch, id contract.TransactionID) string {
	return fmt.Sprintf("%s%d/%s", s.prefix(), epoch, id)
}

// prepared lists this store's prepared transactions. The list is of the whole
// server: another database can have the same names.
func (s *store) prepared() ([]prepared, error) {
	rows, err := s.control.Query(background, `SELECT gid FROM pg_prepared_xacts
		WHERE database = current_database() AND starts_with(gid, $1) ORDER BY prepared, gid`, s.prefix())
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p prepared, err error) {
		if err := row.Scan(&p.gid); err != nil {
			return p, err
		}
		p.epoch, p.id, err = s.parse(p.gid)
		return p, err
	})
}

// parse takes a name on the server apart. That of a connection has no ID.
func (s *store) parse(name string) (contract.Epoch, contract.TransactionID, error) {
	epoch, id, _ := strings.Cut(strings.TrimPrefix(name, s.prefix()), "/")
	number, err := strconv.ParseInt(epoch, 10, 64)
	return contract.Epoch(number), contract.TransactionID(id), err
}
