package kafka

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A partition is read in order, from an offset on. No group of consumers is
// needed: how far it was read is in our checkpoint.
type partition struct {
	client *kgo.Client
	topic  string
	next   int64
}

func (s *store) openPartition(topic string, from int64, more ...kgo.Opt) (partition, error) {
	name := s.topic(topic)
	at := map[string]map[int32]kgo.Offset{name: {0: kgo.NewOffset().At(from)}}
	client, err := s.newClient(append(more, kgo.ConsumePartitions(at))...)
	return partition{client, name, from}, err
}

func (p *partition) close() { p.client.Close() }

// poll waits for records and hands them on.
func (p *partition) poll(ctx context.Context, each func(*kgo.Record) error) error {
	fetches := p.client.PollFetches(ctx)
	if err := fetches.Err(); err != nil {
		return err
	}
	for _, r := range fetches.Records() {
		if err := each(r); err != nil {
			return fmt.Errorf("offset %d of %s: %w", r.Offset, p.topic, err)
		}
		p.next = r.Offset + 1
	}
	return nil
}

// readTo reads all before an offset. If the partition can have control records,
// they must be kept: else the last one is waited for in vain.
func (p *partition) readTo(ctx context.Context, end int64, each func(*kgo.Record) error) error {
	for p.next < end {
		if err := p.poll(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// A source is a topic that is read by offset.
type source struct {
	partition
	store *store
	end   int64
	ahead []stream.Record // that were read; the last is the one before next
}

// Fill writes the records of the source, once and for all.
func (s *store) Fill(records []stream.Record) error {
	return s.writePlain(sourceTopic, records, max(1, len(records)))
}

// Source returns the source as it was filled.
func (s *store) Source() (contract.Source, error) {
	ctx, cancel := waiting()
	defer cancel()
	ends, err := s.admin.ListEndOffsets(ctx, s.topic(sourceTopic))
	end, err := endOf(ends, s.topic(sourceTopic), err)
	if err != nil {
		return nil, fmt.Errorf("open the source: %w", err)
	}
	p, err := s.openPartition(sourceTopic, 0)
	s.source = &source{partition: p, store: s, end: end}
	return s.source, err
}

func (s *source) Read(offset int) (stream.Record, bool, error) {
	at := int64(offset)
	switch {
	case at < 0 || at > s.end:
		return stream.Record{}, false, fmt.Errorf("there is no offset %d in a source of %d records", offset, s.end)
	case at == s.end:
		return stream.Record{}, false, nil
	}
	if err := s.seek(at); err != nil {
		return stream.Record{}, false, fmt.Errorf("read the source: %w", err)
	}
	return s.ahead[at-s.first()], true, nil
}

// first is the offset of the first record that was read ahead.
func (s *source) first() int64 { return s.next - int64(len(s.ahead)) }

// seek sees to it that the record at an offset is among those read ahead.
func (s *source) seek(at int64) (err error) {
	if at >= s.first() && at < s.next {
		return nil
	}
	if at != s.next {
		s.close()
		if s.partition, err = s.store.openPartition(sourceTopic, at); err != nil {
			return err
		}
	}
	ctx, cancel := waiting()
	defer cancel()
	for s.ahead = nil; len(s.ahead) == 0 && err == nil; {
		err = s.poll(ctx, func(r *kgo.Record) error {
			var record stream.Record
			err := json.Unmarshal(r.Value, &record)
			s.ahead = append(s.ahead, record)
			return err
		})
	}
	return err
}

// record is a record for a topic.
func (s *store) record(topic string, r stream.Record) (*kgo.Record, error) {
	value, err := json.Marshal(r)
	return &kgo.Record{Topic: s.topic(topic), Key: []byte(r.Key), Value: value}, err
}

// writePlain writes records in no transaction, so many before it waits.
func (s *store) writePlain(topic string, records []stream.Record, every int) error {
	for chunk := range slices.Chunk(records, every) {
		var batch []*kgo.Record
		for _, r := range chunk {
			record, err := s.record(topic, r)
			if err != nil {
				return err
			}
			batch = append(batch, record)
		}
		ctx, cancel := waiting()
		err := s.client.ProduceSync(ctx, batch...).FirstErr()
		cancel()
		if err != nil {
			return fmt.Errorf("write to %s: %w", s.topic(topic), err)
		}
	}
	return nil
}
