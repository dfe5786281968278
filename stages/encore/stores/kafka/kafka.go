// Package kafka is a store of the encore: a source and a sink of topics, on any
// cluster that speaks Kafka's protocol. Checkpoints are in files beside it, for
// Kafka has no compare-and-set.
//
// Kafka's client API ties a transaction to the process that began it: who takes
// over first aborts it. The protocol does not. A transaction is known by its
// transactional ID, producer ID and producer epoch, and whoever knows the three
// can end it. They are the handle.
//
// Start reading at sink.go. What decides is in ledger.go.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/encore/stores"
	"github.com/flk-byo/de/stages/encore/stores/file"
	"github.com/flk-byo/de/stages/stream"
)

// A store has four topics of one partition each, and producers.
type store struct {
	contract.CheckpointStore
	seeds  []string
	name   string
	client *kgo.Client // for requests, and for what is written in no transaction
	admin  *kadm.Client
	ledger *ledger
	source *source
	sink
}

// Topics of a store, after its name and a dot.
const (
	sourceTopic = "source"
	outputTopic = "output"
	ledgerTopic = "ledger"
	plainTopic  = "plain"
)

var topics = []string{sourceTopic, outputTopic, ledgerTopic, plainTopic}

// patience is how long a call waits for a cluster that does not answer.
const patience = 20 * time.Second

// Open opens the store of a name on the brokers that are listed in at.Server,
// with commas, and makes its topics if they are not there.
func Open(at protocol.Location) (stores.Store, error) {
	checkpoints, err := file.OpenCheckpoints(filepath.Join(at.Dir, "checkpoints"))
	if err != nil {
		return nil, err
	}
	s := &store{CheckpointStore: checkpoints, seeds: strings.Split(at.Server, ","), name: at.Name}
	if s.client, err = s.newClient(); err != nil {
		return nil, err
	}
	s.admin = kadm.NewClient(s.client)
	if err := s.makeTopics(); err != nil {
		return nil, errors.Join(fmt.Errorf("open the store: %w", err), s.Close())
	}
	if s.ledger, err = s.openLedger(); err != nil {
		return nil, errors.Join(fmt.Errorf("open the ledger: %w", err), s.Close())
	}
	return s, nil
}

func (s *store) newClient(more ...kgo.Opt) (*kgo.Client, error) {
	return kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(s.seeds...),
		kgo.ProducerLinger(0),
		kgo.RetryTimeout(patience),
		kgo.RecordDeliveryTimeout(patience),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), // there is only 0
	}, more...)...)
}

// waiting is the context of one call.
func waiting() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), patience)
}

func (s *store) topic(which string) string { return s.name + "." + which }

func (s *store) makeTopics() error {
	ctx, cancel := waiting()
	defer cancel()
	var names []string
	for _, topic := range topics {
		names = append(names, s.topic(topic))
	}
	made, err := s.admin.CreateTopics(ctx, 1, -1, nil, names...)
	if err != nil {
		return err
	}
	for _, topic := range made.Sorted() {
		if topic.Err != nil && !errors.Is(topic.Err, kerr.TopicAlreadyExists) {
			return fmt.Errorf("make the topic %s: %w", topic.Topic, topic.Err)
		}
	}
	return nil
}

// Drop removes the topics. Transactional IDs are forgotten by brokers after a time.
func (s *store) Drop() error {
	ctx, cancel := waiting()
	defer cancel()
	for _, topic := range topics {
		if _, err := s.admin.DeleteTopic(ctx, s.topic(topic)); err != nil {
			return fmt.Errorf("remove the topic %s: %w", s.topic(topic), err)
		}
	}
	return nil
}

// Close ends connections. What is open or prepared stays so.
func (s *store) Close() error {
	s.sink.close()
	if s.source != nil {
		s.source.close()
	}
	if s.ledger != nil {
		s.ledger.close()
	}
	s.client.Close()
	return nil
}

// Lock has nothing to do: no writer of Kafka's waits for another.
func (s *store) Lock() (release func() error, err error) {
	return func() error { return nil }, nil
}

// Plain writes records outside of any transaction.
func (s *store) Plain(records []stream.Record, every int) error {
	return s.writePlain(plainTopic, records, every)
}
