package kafka

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/stream"
)

// States of transactional IDs in which brokers are, or will be, at work.
const (
	ongoing       = "Ongoing"
	prepareCommit = "PrepareCommit"
	prepareAbort  = "PrepareAbort"
)

// Contents is what a reader sees that skips what is not committed. It sees nothing
// behind the first open transaction, whatever has been committed there.
func (s *store) Contents() (c protocol.Contents, err error) {
	ctx, cancel := waiting()
	defer cancel()
	left, err := s.leftOpen(ctx)
	if err != nil {
		return c, err
	}
	for _, t := range left {
		c.Orphans = append(c.Orphans, fmt.Sprintf("the transaction of %s is open", t.TxnID))
	}
	c.Rows, err = s.visible(ctx)
	return c, err
}

// leftOpen lists transactions that nobody has ended. Brokers say that a transaction
// is committed before it is visible: those at work are waited for.
func (s *store) leftOpen(ctx context.Context) (left []kadm.ListedTransaction, err error) {
	const pause = 20 * time.Millisecond
	for {
		list, err := s.transactions(ctx)
		if err != nil {
			return nil, err
		}
		ending := false
		left = nil
		for _, t := range list {
			switch t.State {
			case ongoing:
				left = append(left, t)
			case prepareCommit, prepareAbort:
				ending = true
			}
		}
		if !ending {
			return left, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (s *store) visible(ctx context.Context) (rows []stream.Record, err error) {
	ends, err := s.admin.ListCommittedOffsets(ctx, s.topic(outputTopic))
	end, err := endOf(ends, s.topic(outputTopic), err)
	if err != nil {
		return nil, err
	}
	output, err := s.openPartition(outputTopic, 0, kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords())
	if err != nil {
		return nil, err
	}
	defer output.close()
	err = output.readTo(ctx, end, func(r *kgo.Record) error {
		if r.Attrs.IsControl() {
			return nil
		}
		var row stream.Record
		err := json.Unmarshal(r.Value, &row)
		rows = append(rows, row)
		return err
	})
	return rows, err
}
