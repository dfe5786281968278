package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/stream"
)

// A sink has a producer for each transaction that is not known to be committed. A
// transactional ID has one transaction at a time, so that of a producer is used
// again only then: to begin is to abort what is prepared.
//
// An old process is fenced like this. It begins a transaction in three steps: it
// makes its producer known to the brokers, then looks for a newer fence in the
// ledger, then writes. A new one raises its fence, then lists the producers that
// are known, then takes the epoch of all those that have prepared nothing. Either
// the old one sees the fence, or the new one sees the producer.
type sink struct {
	epoch    contract.Epoch // of this session
	open     *producer      // has the open transaction; nil: there is none
	prepared map[contract.Handle]*producer
	idle     []*producer
	opened   int // producers in this session, for their IDs
}

// transactionTimeout is the longest that brokers allow by default. They abort what
// is open for longer, be it prepared or not: they can't tell.
const transactionTimeout = 15 * time.Minute

// A producer has a transactional ID of its own: the store's name, the epoch and a
// number.
type producer struct {
	*kgo.Client
	transactional string
	holds         contract.TransactionID // prepared

	mu  sync.Mutex
	err error // the first of the records that were not written
}

// A handle is what it takes to end a transaction, from whichever process.
type handle struct {
	transactional string
	producer      int64
	epoch         int16 // of the producer; not that of an owner
}

func (h handle) String() contract.Handle {
	return contract.Handle(fmt.Sprintf("%s %d %d", h.transactional, h.producer, h.epoch))
}

func parseHandle(text contract.Handle) (h handle, err error) {
	if _, err := fmt.Sscanf(string(text), "%s %d %d", &h.transactional, &h.producer, &h.epoch); err != nil {
		return h, fmt.Errorf("the handle %.100q: %w", string(text), err)
	}
	return h, nil
}

func (s *store) Open(epoch contract.Epoch) error {
	ctx, cancel := waiting()
	defer cancel()
	s.epoch, s.sink.prepared = epoch, map[contract.Handle]*producer{}
	if err := s.raise(ctx, epoch); err != nil {
		return fmt.Errorf("raise the fence: %w", err)
	}
	older, err := s.older(ctx, epoch)
	if err != nil {
		return err
	}
	if err := s.notFenced(ctx); err != nil {
		return err
	}
	for _, t := range older {
		if s.ledger.unmarked[t.ProducerID] != nil {
			continue // it can be named by a checkpoint; what is prepared later can't
		}
		if err := s.takeOver(ctx, t.TxnID); err != nil {
			return err
		}
	}
	return nil
}

// older lists the transactional IDs of owners before an epoch.
func (s *store) older(ctx context.Context, epoch contract.Epoch) ([]kadm.ListedTransaction, error) {
	list, err := s.transactions(ctx)
	var older []kadm.ListedTransaction
	for _, t := range list {
		if s.owner(t.TxnID) < epoch {
			older = append(older, t)
		}
	}
	return older, err
}

// transactions lists all transactional IDs of this store.
func (s *store) transactions(ctx context.Context) ([]kadm.ListedTransaction, error) {
	list, err := s.admin.ListTransactions(ctx, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("list the transactions: %w", err)
	}
	var ours []kadm.ListedTransaction
	for _, t := range list.Sorted() {
		if strings.HasPrefix(t.TxnID, s.name+".") {
			ours = append(ours, t)
		}
	}
	return ours, nil
}

func (s *store) transactional(number int) string {
	return fmt.Sprintf("%s.%d.%d", s.name, s.epoch, number)
}

// owner is the epoch in a transactional ID of this store.
func (s *store) owner(transactional string) contract.Epoch {
	epoch, _, _ := strings.Cut(strings.TrimPrefix(transactional, s.name+"."), ".")
	n, _ := strconv.ParseInt(epoch, 10, 64) // always: it is one of ours
	return contract.Epoch(n)
}

// takeOver takes a transactional ID from whoever has it: what is open or prepared
// under it is aborted, and its producer can write no more.
func (s *store) takeOver(ctx context.Context, transactional string) error {
	request := kmsg.NewPtrInitProducerIDRequest()
	request.TransactionalID = &transactional
	request.TransactionTimeoutMillis = int32(transactionTimeout.Milliseconds())
	err := settled(ctx, func() (int16, error) {
		answer, err := request.RequestWith(ctx, s.client)
		if err != nil {
			return 0, err
		}
		return answer.ErrorCode, nil
	})
	if err != nil {
		return fmt.Errorf("take over %s: %w", transactional, err)
	}
	return nil
}

// settled asks again while the brokers are busy with the end of a transaction.
func settled(ctx context.Context, ask func() (code int16, err error)) error {
	const pause = 20 * time.Millisecond
	for {
		code, err := ask()
		if err == nil {
			err = kerr.ErrorForCode(code)
		}
		if !errors.Is(err, kerr.ConcurrentTransactions) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(pause):
		}
	}
}

func (s *store) Write(r stream.Record) error {
	if err := s.begin(); err != nil {
		return err
	}
	record, err := s.record(outputTopic, r)
	if err != nil {
		return err
	}
	s.open.send(record)
	return nil
}

// begin begins a transaction, unless one is open.
func (s *store) begin() error {
	if s.open != nil {
		return nil
	}
	ctx, cancel := waiting()
	defer cancel()
	if len(s.idle) == 0 {
		p, err := s.newProducer(ctx)
		if err != nil {
			return err
		}
		s.idle = append(s.idle, p)
	}
	if err := s.notFenced(ctx); err != nil {
		return err
	}
	last := len(s.idle) - 1
	s.open, s.idle = s.idle[last], s.idle[:last]
	if err := s.open.BeginTransaction(); err != nil {
		return s.refused(ctx, fmt.Errorf("begin a transaction: %w", err))
	}
	return nil
}

// newProducer returns a producer that is known to the brokers.
func (s *store) newProducer(ctx context.Context) (*producer, error) {
	s.opened++
	p := &producer{transactional: s.transactional(s.opened)}
	var err error
	if p.Client, err = s.newClient(kgo.TransactionalID(p.transactional), kgo.TransactionTimeout(transactionTimeout)); err != nil {
		return nil, err
	}
	if _, _, err := p.ProducerID(ctx); err != nil {
		p.Close()
		return nil, fmt.Errorf("make %s known: %w", p.transactional, err)
	}
	return p, nil
}

// send adds a record to the transaction. Whether it is written is told by flush.
func (p *producer) send(r *kgo.Record) {
	p.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.err == nil {
			p.err = err
		}
	})
}

// flush waits until all records are written.
func (p *producer) flush(ctx context.Context) error {
	err := p.Flush(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.err, err)
}

// PreCommit writes what is left and the record in the ledger, and leaves the
// transaction to be ended by whoever has the handle.
func (s *store) PreCommit(id contract.TransactionID) (contract.Handle, error) {
	if err := stores.CheckID(id); err != nil {
		return "", err
	}
	if err := s.begin(); err != nil { // an empty transaction is one, too
		return "", err
	}
	if s.ledger.entries[id] != nil { // it was read when the transaction began
		return "", contract.ErrTaken
	}
	ctx, cancel := waiting()
	defer cancel()
	s.open.send(&kgo.Record{Topic: s.topic(ledgerTopic), Key: []byte(id)})
	if err := s.open.flush(ctx); err != nil {
		return "", s.refused(ctx, fmt.Errorf("pre-commit: %w", err))
	}
	producer, epoch, err := s.open.ProducerID(ctx)
	if err != nil {
		return "", err
	}
	h := handle{s.open.transactional, producer, epoch}.String()
	s.open.holds = id
	s.sink.prepared[h], s.open = s.open, nil
	return h, nil
}

// refused tells a refusal because of a newer owner from all others.
func (s *store) refused(ctx context.Context, err error) error {
	if fenced := s.notFenced(ctx); errors.Is(fenced, contract.ErrFenced) {
		return fmt.Errorf("%w (%v)", fenced, err)
	}
	return err
}

// Commit ends a transaction of this process through its producer, which is idle
// then. If that fails the brokers may have done it or not: the ledger tells.
func (s *store) Commit(id contract.TransactionID, text contract.Handle) error {
	ctx, cancel := waiting()
	defer cancel()
	if p := s.sink.prepared[text]; p != nil && p.holds == id {
		delete(s.sink.prepared, text)
		if err := p.EndTransaction(ctx, kgo.TryCommit); err == nil {
			s.idle = append(s.idle, p)
			return nil
		}
		p.Close() // for good: its ID is not used again
	}
	h, err := parseHandle(text)
	if err != nil {
		return err
	}
	if done, err := s.isCommitted(ctx, id, h); done || err != nil {
		return err
	}
	refused := s.commit(ctx, h)
	if refused == nil {
		return nil
	}
	if done, err := s.isCommitted(ctx, id, h); done || err != nil {
		return err
	}
	return fmt.Errorf("commit %s: %w", id, refused)
}

// isCommitted tells whether a transaction was committed; ErrGone if it was aborted
// or never was prepared.
func (s *store) isCommitted(ctx context.Context, id contract.TransactionID, h handle) (bool, error) {
	if err := s.ledger.read(ctx); err != nil {
		return false, err
	}
	e := s.ledger.entries[id]
	if e == nil || e.producer != h.producer || e.state == aborted {
		return false, contract.ErrGone
	}
	return e.state == committed, nil
}

// commit ends a transaction that any process began.
func (s *store) commit(ctx context.Context, h handle) error {
	request := kmsg.NewPtrEndTxnRequest()
	request.TransactionalID, request.ProducerID, request.ProducerEpoch = h.transactional, h.producer, h.epoch
	request.Commit = true
	return settled(ctx, func() (int16, error) {
		answer, err := request.RequestWith(ctx, s.client)
		if err != nil {
			return 0, err
		}
		return answer.ErrorCode, nil
	})
}

func (s *store) AbortOlder(epoch contract.Epoch) (int, error) {
	ctx, cancel := waiting()
	defer cancel()
	older, err := s.older(ctx, epoch)
	if err != nil {
		return 0, err
	}
	aborted := 0
	for _, t := range older {
		if t.State != ongoing {
			continue
		}
		if err := s.takeOver(ctx, t.TxnID); err != nil {
			return aborted, err
		}
		aborted++
	}
	return aborted, nil
}

func (s *sink) close() {
	if s.open != nil {
		s.open.Close()
	}
	for _, p := range s.prepared {
		p.Close()
	}
	for _, p := range s.idle {
		p.Close()
	}
}
