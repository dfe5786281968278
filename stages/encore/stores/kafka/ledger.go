package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/flk-byo/de/stages/encore/contract"
)

// A ledger is what its topic says: a record of each transaction, written in that
// transaction when it is pre-committed, and a fence of each owner's session,
// written in none. Since it is one partition, all agree on what came first.
//
// A reader that skips what is not committed would stop before the first open
// transaction, so this one reads all, and the markers that the brokers write
// behind a transaction when it ends: they tell a committed one from an aborted
// one.
type ledger struct {
	partition
	admin    *kadm.Client
	fence    contract.Epoch // the highest
	entries  map[contract.TransactionID]*entry
	unmarked map[int64]*entry // by producer: it has one transaction at a time
}

// An entry is a transaction that is or was pre-committed.
type entry struct {
	producer int64
	state    state
}

type state int

const (
	prepared state = iota
	committed
	aborted
)

func (s *store) openLedger() (*ledger, error) {
	p, err := s.openPartition(ledgerTopic, 0, kgo.KeepControlRecords())
	return &ledger{
		partition: p, admin: s.admin,
		entries: map[contract.TransactionID]*entry{}, unmarked: map[int64]*entry{},
	}, err
}

// read reads on, up to what is there now.
func (l *ledger) read(ctx context.Context) error {
	ends, err := l.admin.ListEndOffsets(ctx, l.topic)
	end, err := endOf(ends, l.topic, err)
	if err == nil {
		err = l.readTo(ctx, end, l.take)
	}
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	return nil
}

func (l *ledger) take(r *kgo.Record) error {
	switch {
	case r.Attrs.IsControl():
		return l.mark(r)
	case r.Key == nil:
		epoch, err := strconv.ParseInt(string(r.Value), 10, 64)
		l.fence = max(l.fence, contract.Epoch(epoch))
		return err
	}
	e := &entry{producer: r.ProducerID}
	l.unmarked[r.ProducerID] = e
	if id := contract.TransactionID(r.Key); l.entries[id] == nil {
		l.entries[id] = e
	}
	return nil
}

func (l *ledger) mark(r *kgo.Record) error {
	e := l.unmarked[r.ProducerID]
	if e == nil {
		return nil // it added nothing to the ledger
	}
	var key kmsg.ControlRecordKey
	if err := key.ReadFrom(r.Key); err != nil {
		return err
	}
	e.state = aborted
	if key.Type == kmsg.ControlRecordKeyTypeCommit {
		e.state = committed
	}
	delete(l.unmarked, r.ProducerID)
	return nil
}

// raise writes the fence of an owner's session.
func (s *store) raise(ctx context.Context, epoch contract.Epoch) error {
	fence := &kgo.Record{Topic: s.topic(ledgerTopic), Value: strconv.AppendInt(nil, int64(epoch), 10)}
	return s.client.ProduceSync(ctx, fence).FirstErr()
}

// notFenced reads the ledger, and returns ErrFenced if a newer owner is in it.
func (s *store) notFenced(ctx context.Context) error {
	if err := s.ledger.read(ctx); err != nil {
		return err
	}
	if s.ledger.fence > s.epoch {
		return contract.ErrFenced
	}
	return nil
}

// endOf is the offset in a list that has it for the one partition of a topic.
func endOf(list kadm.ListedOffsets, topic string, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	end, ok := list.Lookup(topic, 0)
	if !ok {
		return 0, errors.New("no broker told where " + topic + " ends")
	}
	return end.Offset, end.Err
}
