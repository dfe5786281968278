package plain

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A reproOwnSink is a sink of the solution's, with a right one beside it that is
// told the same.
type reproOwnSink struct {
	t     *testing.T
	own   contract.TransactionalSink
	right *reproSink
}

func (s *reproOwnSink) Write(r stream.Record) {
	s.right.Write(r)
	s.own.Write(r)
}

func (s *reproOwnSink) PreCommit(id stream.CheckpointID) {
	s.right.PreCommit(id)
	s.own.PreCommit(id)
}

func (s *reproOwnSink) Commit(id stream.CheckpointID) {
	s.right.Commit(id)
	s.own.Commit(id)
	s.Committed()
}

func (s *reproOwnSink) Abort(id stream.CheckpointID) {
	s.right.Abort(id)
	s.own.Abort(id)
}

func (s *reproOwnSink) AbortOpen() {
	s.right.AbortOpen()
	s.own.AbortOpen()
}

// Committed returns what the solution's sink shows, which the right one shows, too.
func (s *reproOwnSink) Committed() []stream.Record {
	got := s.own.Committed()
	if want := s.right.visible; !slices.Equal(got, want) {
		s.t.Errorf("in the run, sink %d shows %v, want %v", s.right.number, got, want)
	}
	return got
}
