package plain

import (
	"slices"
	"testing"

	reference "github.com/flk-byo/de/stages/08-transactional-sink/reference"
	"github.com/flk-byo/de/stages/stream"
)

// source is what the jobs of these tests read.
var source = []stream.Record{reproRecord(1), reproRecord(2), reproRecord(3), reproRecord(4), reproRecord(5)}

// rules asks for all rules of a run.
func rules(r *reproRun, every, crash, lag int) map[string]string {
	end, crashes := len(source), crash >= 0
	if crashes {
		end = min(crash, end)
	}
	return map[string]string{
		"notification": r.notification(end, every, lag),
		"barriers":     r.barriers(end, every, crashes),
		"recovery":     r.recovery(source, end, every, lag, crashes),
		"dangling":     r.dangling(),
	}
}

// A right job breaks no rule, whatever the barriers, the crash and the lag.
func TestRightJob(t *testing.T) {
	for every := 1; every <= 6; every++ {
		for crash := -1; crash <= 6; crash++ {
			for lag := range 7 {
				var r reproRun
				result := reference.Solution{}.RunExactlyOnceSink(r.newSink, source, every, crash, lag)
				for rule, wrong := range rules(&r, every, crash, lag) {
					if wrong != "" {
						t.Errorf("every %d, crash %d, lag %d: %s: %s", every, crash, lag, rule, wrong)
					}
				}
				if !reproSame(result, source) || !reproSame(r.visible(), source) {
					t.Errorf("every %d, crash %d, lag %d: the result is %v, the sinks show %v", every, crash, lag, result, r.visible())
				}
			}
		}
	}
}

// Each breaks the rule that is named, and no other: a barrier comes after every
// 2 records of 5, and with lag 1; where a crash comes, it comes after 3.
func TestWrongJobs(t *testing.T) {
	write := func(s *reproSink, records []stream.Record) {
		for _, r := range records {
			s.Write(r)
		}
	}
	tests := []struct {
		name, rule string
		crash      int
		do         func(r *reproRun, s *reproSink)
	}{
		{"committed too early", "notification", -1, func(_ *reproRun, s *reproSink) {
			write(s, source[:2])
			s.PreCommit(1)
			s.Commit(1)
			write(s, source[2:4])
			s.PreCommit(2)
			write(s, source[4:])
			s.PreCommit(3)
			s.Commit(2)
			s.Commit(3)
		}},
		{"between barriers", "barriers", -1, func(_ *reproRun, s *reproSink) {
			write(s, source[:2])
			s.PreCommit(1)
			write(s, source[2:3])
			s.PreCommit(2)
			write(s, source[3:4])
			s.PreCommit(3)
			s.Commit(1)
			write(s, source[4:])
			s.PreCommit(4)
			s.Commit(2)
			s.Commit(3)
			s.Commit(4)
		}},
		{"committed on recovery", "recovery", 3, func(r *reproRun, s *reproSink) {
			write(s, source[:2])
			s.PreCommit(1)
			write(s, source[2:3])
			s.AbortOpen()
			s.Commit(1)
			fresh := r.sink()
			write(fresh, source[2:])
			fresh.PreCommit(1)
			fresh.Commit(1)
		}},
		{"replayed from elsewhere", "recovery", 3, func(r *reproRun, s *reproSink) {
			write(s, source[:2])
			s.PreCommit(1)
			write(s, source[2:3])
			s.AbortOpen()
			s.Abort(1)
			fresh := r.sink()
			write(fresh, source[2:])
			fresh.PreCommit(1)
			fresh.Commit(1)
		}},
		{"left as it was", "dangling", 3, func(r *reproRun, s *reproSink) {
			write(s, source[:2])
			s.PreCommit(1)
			write(s, source[2:3])
			fresh := r.sink()
			write(fresh, source)
			fresh.PreCommit(1)
			fresh.Commit(1)
		}},
	}
	for _, test := range tests {
		var r reproRun
		test.do(&r, r.sink())
		for rule, wrong := range rules(&r, 2, test.crash, 1) {
			if (wrong != "") != (rule == test.rule) {
				t.Errorf("%s: %s: %q", test.name, rule, wrong)
			}
		}
	}
}

// The reference's sinks show what right ones do, also where their slices are
// overwritten.
func TestRightSinks(t *testing.T) {
	var r reproRun
	var kept reproKept
	s := &reproOwnSink{t, reference.Solution{}.NewTransactionalSink(), r.sink()}
	s.Write(reproRecord(1))
	s.PreCommit(1)
	s.Write(reproRecord(2))
	s.PreCommit(2)
	s.Write(reproRecord(3))
	s.AbortOpen()
	s.Commit(1)
	kept.shows(t, s, 1)
	s.Abort(2)
	s.Commit(2)
	reproShows(t, s, 1)
	kept.intact(t)
	r.log(t)
	if !slices.Equal(r.visible(), source[:1]) {
		t.Errorf("the right sink shows %v", r.visible())
	}
}
