package worker

import (
	"fmt"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A source, checkpoints and a sink hand calls on, and announce them.
type (
	source struct {
		log  contract.Source
		line *line
	}
	checkpoints struct {
		store contract.CheckpointStore
		line  *line
	}
	sink struct {
		store contract.Sink
		line  *line
	}
)

func (s source) Read(offset int) (r stream.Record, ok bool, err error) {
	s.line.call("Read", func() (int64, error) {
		r, ok, err = s.log.Read(offset)
		return 0, err
	}, offset)
	return r, ok, err
}

// records are a source in memory.
type records []stream.Record

func (rs records) Read(offset int) (stream.Record, bool, error) {
	switch {
	case offset < 0 || offset > len(rs):
		return stream.Record{}, false, fmt.Errorf("there is no offset %d in a source of %d records", offset, len(rs))
	case offset == len(rs):
		return stream.Record{}, false, nil
	}
	return rs[offset], true, nil
}

func (c checkpoints) Claim() (epoch contract.Epoch, err error) {
	c.line.call("Claim", func() (int64, error) {
		epoch, err = c.store.Claim()
		return int64(epoch), err
	})
	return epoch, err
}

func (c checkpoints) Latest() (latest contract.Checkpoint, ok bool, err error) {
	c.line.call("Latest", func() (int64, error) {
		latest, ok, err = c.store.Latest()
		return 0, err
	})
	return latest, ok, err
}

func (c checkpoints) Save(epoch contract.Epoch, latest contract.Checkpoint) (err error) {
	c.line.call("Save", func() (int64, error) {
		err = c.store.Save(epoch, latest)
		return int64(epoch), err
	}, "at offset", latest.Offset)
	return err
}

func (s sink) Open(epoch contract.Epoch) (err error) {
	s.line.call("Open", func() (int64, error) {
		err = s.store.Open(epoch)
		return int64(epoch), err
	}, "epoch", epoch)
	return err
}

func (s sink) Write(r stream.Record) (err error) {
	s.line.call("Write", func() (int64, error) {
		err = s.store.Write(r)
		return 0, err
	}, r.Key, r.Value)
	return err
}

func (s sink) PreCommit(id contract.TransactionID) (handle contract.Handle, err error) {
	s.line.call("PreCommit", func() (int64, error) {
		handle, err = s.store.PreCommit(id)
		return 0, err
	}, id)
	return handle, err
}

func (s sink) Commit(id contract.TransactionID, handle contract.Handle) (err error) {
	s.line.call("Commit", func() (int64, error) {
		err = s.store.Commit(id, handle)
		return 0, err
	}, id)
	return err
}

func (s sink) AbortOlder(epoch contract.Epoch) (aborted int, err error) {
	s.line.call("AbortOlder", func() (int64, error) {
		aborted, err = s.store.AbortOlder(epoch)
		return int64(aborted), err
	}, "than epoch", epoch)
	return aborted, err
}
