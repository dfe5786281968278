package transactionalsink

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/rpc"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	reference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// BenchmarkModel carries out a long script on a model.
func BenchmarkModel(b *testing.B) {
	script := longCases()[0].Script
	b.ReportAllocs()
	for b.Loop() {
		m := newModel()
		for _, op := range script {
			apply(m, op)
		}
	}
	perUnit(b, len(script), "ns/operation")
}

// BenchmarkChecks judges what the reference did in a run over 100 records.
func BenchmarkChecks(b *testing.B) {
	c := exploredJob("distinct", 100, 3, 90, 5)
	t := newTrace(len(c.Records))
	t.result = native{reference.Solution{}, &wire.Kept{}}.Run(t.newSink, slices.Clone(c.Records), 3, 90, 5).Output
	b.ReportAllocs()
	for b.Loop() {
		if found := read(c, t).judge(); len(found) > 0 {
			b.Fatal(found)
		}
	}
	perUnit(b, len(t.events), "ns/event")
}

// BenchmarkProxy calls a sink through its stub, as a host and a guest do, without
// WebAssembly between them.
func BenchmarkProxy(b *testing.B) {
	s := proxied(reference.Solution{})
	r := stream.Record{Key: "user-17", Value: 1_000, Time: 1_000_000}
	sink := s.NewTransactionalSink()
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			sink.Write(r)
			if i%1000 == 999 {
				sink.AbortOpen() // or it grows without end
			}
		}
	})
	full := s.NewTransactionalSink()
	for range 100 {
		full.Write(r)
	}
	full.PreCommit(1)
	full.Commit(1)
	b.Run("committed-100-records", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			full.Committed()
		}
	})
	c := exploredJob("distinct", 100, 3, 90, 5)
	b.Run("job-of-100-records", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Run(newTrace(len(c.Records)).newSink, c.Records, 3, 90, 5)
		}
	})
}

// proxied is a solution behind the protocol.
func proxied(s contract.Stage) wire.Stage {
	var host, guest *rpc.Peer
	host = rpc.NewHost(func(ref rpc.Ref, method uint32, args []byte) []byte { return guest.Serve(ref, method, args) })
	guest = rpc.NewGuest(func(ref rpc.Ref, method uint32, args []byte) []byte { return host.Serve(ref, method, args) })
	return wire.Stage{Object: rpc.Object{Peer: host, Ref: wire.ExportStage(guest, s)}}
}

// BenchmarkSweep makes sequences, and has them run: those of one part, and with
// all that they must show.
func BenchmarkSweep(b *testing.B) {
	p := scopes[0].parts()[0]
	n := counter{p.scope, map[outlook]int{}}.size(p)
	b.Run("make", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.walk(p.length, func(script, want []byte) bool { return true })
		}
		perUnit(b, n, "ns/sequence")
	})
	b.Run("make-and-run-natively", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if wrong := p.run(runs(reference.Solution{}), func() {}, p.length); wrong != nil {
				b.Fatal(wrong.ID)
			}
		}
		perUnit(b, n, "ns/sequence")
	})
	b.Run("make-and-run-together-natively", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !p.together(runs(reference.Solution{}), func() {}, p.length) {
				b.Fatal("something went wrong")
			}
		}
		perUnit(b, n, "ns/sequence")
	})
}

// BenchmarkExplored makes all explored runs of the job.
func BenchmarkExplored(b *testing.B) {
	var cases []schedule.Case
	b.ReportAllocs()
	for b.Loop() {
		cases = slices.Collect(jobs())
	}
	perUnit(b, len(cases), "ns/case")
}

// perUnit reports the time for each of what is done n times in an operation.
func perUnit(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), unit)
}
