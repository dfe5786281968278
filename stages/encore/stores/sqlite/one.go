package sqlite

import (
	"database/sql"
	"errors"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// A onePhase is a store that needs no second phase, since checkpoints and output
// are in one database: Save writes a checkpoint, and the rows of the transactions
// that it names, in one transaction of SQLite's. Until then they are in memory.
//
// So PreCommit makes nothing durable, against the contract, and no job can tell: a
// kill before Save leaves neither the rows nor a checkpoint that names them. There
// is never anything prepared to be found again, or to be aborted.
type onePhase struct {
	*store
	held map[contract.TransactionID][]stream.Record // pre-committed, and not saved
}

// OpenOnePhase opens the same database as Open does, to be used in one phase.
func OpenOnePhase(at protocol.Location) (stores.Store, error) {
	s, err := open(at)
	if err != nil {
		return nil, err
	}
	return &onePhase{s, map[contract.TransactionID][]stream.Record{}}, nil
}

func (s *onePhase) PreCommit(id contract.TransactionID) (contract.Handle, error) {
	if err := stores.CheckID(id); err != nil {
		return "", err
	}
	if _, taken := s.held[id]; taken {
		return "", contract.ErrTaken
	}
	s.held[id], s.open = s.open, nil
	return contract.Handle(id), nil
}

func (s *onePhase) Save(epoch contract.Epoch, c contract.Checkpoint) error {
	err := s.inTransaction(func(tx *sql.Tx) error {
		for _, p := range c.Pending {
			if err := s.write(tx, p.ID); err != nil {
				return err
			}
		}
		return save(tx, epoch, c)
	})
	if err != nil {
		return err
	}
	for _, p := range c.Pending {
		delete(s.held, p.ID)
	}
	return nil
}

// write writes the rows of a transaction, visibly. One that is not held was written
// with an earlier checkpoint.
func (s *onePhase) write(tx *sql.Tx, id contract.TransactionID) error {
	rows, held := s.held[id]
	if !held {
		return nil
	}
	number, err := s.prepare(tx, id, rows)
	if err != nil {
		return err
	}
	return commit(tx, id, number)
}

// Commit finds the transaction committed, by Save.
func (s *onePhase) Commit(id contract.TransactionID, _ contract.Handle) error {
	var number int64
	err := s.db.QueryRow("SELECT number FROM transactions WHERE id = ? AND committed", string(id)).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return contract.ErrGone
	}
	return err
}
