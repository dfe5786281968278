// Command example is the stream processor of this course at work: it sums a
// shop's orders per customer and ten seconds, crashes on the way, and shows what
// readers of its output see, without and with exactly-once.
//
//	go run ./example               # orders.txt, beside this file
//	go run ./example my-orders.txt
package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	operators "github.com/flk-byo/de/stages/01-operators/reference"
	keyedstate "github.com/flk-byo/de/stages/02-keyed-state/reference"
	watermarks "github.com/flk-byo/de/stages/03-watermarks/reference"
	windows "github.com/flk-byo/de/stages/04-windows/reference"
	exchange "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	barriers "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	checkpointing "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
	sink "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/stream"
)

//go:embed orders.txt
var orders string

const (
	windowMillis = 10_000
	delayMillis  = 5_000 // by so much an order may come late
	barrierEvery = 2
	crashAfter   = 5
	commitLag    = 1
)

func main() {
	if len(os.Args) > 1 {
		text, err := os.ReadFile(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		orders = string(text)
	}
	paid := payments(parse(orders))
	sums := perWindow(exchanged(paid))
	fmt.Printf("%d orders with an amount make %d sums. The job crashes after %d of them.\n", len(paid), len(sums), crashAfter)
	show("At least once: what was out is written again", atLeastOnce(sums))
	show("Exactly once, through the transactional sink", exactlyOnce(sums))
	fmt.Println("\nTotals, from state that survived a crash:")
	totals := keyedstate.Solution{}.NewState()
	totals.Restore(checkpointing.Solution{}.RunExactlyOnceState(&store{}, paid, barrierEvery, crashAfter))
	for _, customer := range totals.Keys() {
		total, _ := totals.Get(customer)
		fmt.Printf("  %-4s %7.2f\n", customer, float64(total)/100)
	}
}

// payments drops the orders without an amount (stage 01).
func payments(source []stream.Record) []stream.Record {
	var ops operators.Solution
	return ops.Run(source, ops.Filter(func(r stream.Record) bool { return r.Value > 0 }))
}

// exchanged deals the orders out to two channels by customer (stage 05), as if
// to two machines, and brings them together again, aligned by barriers (06).
func exchanged(paid []stream.Record) []stream.Record {
	const groups, channels = 128, 2
	var ex exchange.Solution
	var waiting [channels][]stream.Element
	for ch, part := range ex.Partition(paid, groups, channels) {
		waiting[ch] = barriers.Solution{}.InjectBarriers(part, barrierEvery)
	}
	aligner := barriers.Solution{}.NewAligner(channels)
	var arrived []stream.Element
	for _, r := range paid {
		ch := ex.Subtask(ex.KeyGroup(r.Key, groups), groups, channels)
		arrived = append(arrived, aligner.Receive(ch, waiting[ch][0])...)
		for waiting[ch] = waiting[ch][1:]; len(waiting[ch]) > 0 && waiting[ch][0].Barrier != nil; waiting[ch] = waiting[ch][1:] {
			arrived = append(arrived, aligner.Receive(ch, waiting[ch][0])...)
		}
	}
	for ch := range channels {
		arrived = append(arrived, aligner.Finish(ch)...)
	}
	var together []stream.Record
	for _, e := range arrived {
		if e.Barrier == nil {
			together = append(together, e.Record)
		}
	}
	return together
}

// perWindow sums the orders of each customer by ten seconds (stage 04), as far
// as the watermark tells that they are complete (03).
func perWindow(rs []stream.Record) []stream.Record {
	var sums []stream.Record
	window := windows.Solution{}.NewWindowOperator(windows.Solution{}.Tumbling(windowMillis, 0), 0)
	clock := watermarks.Solution{}.BoundedOutOfOrderness(delayMillis)
	advance := func(w stream.Watermark) {
		for _, r := range window.Advance(w) {
			sums = append(sums, stream.Record{Key: r.Key, Value: r.Sum, Time: r.Window.Start})
		}
	}
	for _, r := range rs {
		window.Process(r)
		if w, ok := clock.Observe(r); ok {
			advance(w)
		}
	}
	advance(stream.MaxWatermark)
	return sums
}

// exactlyOnce writes the sums through a sink that commits in two phases (08).
func exactlyOnce(sums []stream.Record) []stream.Record {
	return sink.Solution{}.RunExactlyOnceSink(sink.Solution{}.NewTransactionalSink, sums, barrierEvery, crashAfter, commitLag)
}

// atLeastOnce writes each sum at once: what came after the last complete
// checkpoint is replayed.
func atLeastOnce(sums []stream.Record) []stream.Record {
	written := min(crashAfter, len(sums))
	complete := max(written/barrierEvery-commitLag, 0) * barrierEvery
	return slices.Concat(sums[:written], sums[complete:])
}

// show prints sums, and marks those that are there twice.
func show(title string, sums []stream.Record) {
	fmt.Printf("\n%s\n", title)
	seen := map[stream.Record]bool{}
	for _, r := range sums {
		again := ""
		if seen[r] {
			again = "  again"
		}
		seen[r] = true
		fmt.Printf("  from second %2d  %-4s %7.2f%s\n", r.Time/1000, r.Key, float64(r.Value)/100, again)
	}
}

// parse reads lines of a second, a customer and an amount.
func parse(text string) []stream.Record {
	var rs []stream.Record
	for line := range strings.Lines(text) {
		var second, cents int64
		var customer string
		if n, _ := fmt.Sscan(line, &second, &customer, &cents); n == 3 {
			rs = append(rs, stream.Record{Key: customer, Value: cents, Time: second * 1000})
		}
	}
	return rs
}

// A store keeps checkpoints in memory; a real one outlives the process.
type store struct{ saved []contract.Checkpoint }

func (s *store) Save(c contract.Checkpoint) {
	c.State = maps.Clone(c.State)
	s.saved = append(s.saved, c)
}

func (s *store) Latest() (contract.Checkpoint, bool) {
	if len(s.saved) == 0 {
		return contract.Checkpoint{}, false
	}
	c := s.saved[len(s.saved)-1]
	c.State = maps.Clone(c.State)
	return c, true
}
