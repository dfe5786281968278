package postgres

import (
	"encoding/json"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/flk-byo/de/stages/encore/contract"
)

func (s *store) Claim() (epoch contract.Epoch, err error) {
	err = s.control.QueryRow(background, "UPDATE job SET owner = owner + 1 RETURNING owner").Scan(&epoch)
	return epoch, err
}

func (s *store) Latest() (c contract.Checkpoint, ok bool, err error) {
	var text *string
	if err := s.control.QueryRow(background, "SELECT checkpoint FROM job").Scan(&text); err != nil || text == nil {
		return c, false, err
	}
	err = json.Unmarshal([]byte(*text), &c)
	return c, err == nil, err
}

func (s *store) Save(epoch contract.Epoch, c contract.Checkpoint) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	done, err := s.control.Exec(background, "UPDATE job SET checkpoint = $1 WHERE owner = $2", string(text), epoch)
	return oneRow(done, err, contract.ErrFenced)
}

// oneRow returns otherwise where a statement changed no row.
func oneRow(done pgconn.CommandTag, err, otherwise error) error {
	if err == nil && done.RowsAffected() == 0 {
		return otherwise
	}
	return err
}
