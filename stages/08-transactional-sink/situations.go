package transactionalsink

import (
	"cmp"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

var situations = append(jobSigns.Situations(), sinkSigns.Situations()...)

// jobSigns are those of a run of the job, told by its account. Those of a sink
// are in situations_sink.go.
var jobSigns = grading.Signs[*account]{
	{"empty-source", "The source of a job has no records.", func(a *account) bool {
		return len(a.records) == 0
	}},
	{"no-barrier", "The source ends before the first barrier.", func(a *account) bool {
		return 0 < len(a.records) && len(a.records) < a.every
	}},
	{"trailing-records-at-the-finish", "A clean run ends with records behind the last barrier.", func(a *account) bool {
		return a.clean() && len(a.records)%a.every > 0
	}},
	{"no-trailing-records-at-the-finish", "A clean run ends on a barrier, with nothing open.", func(a *account) bool {
		return a.clean() && len(a.records) > 0 && len(a.records)%a.every == 0
	}},
	{"several-pending-at-the-finish", "A clean run ends with two or more checkpoints that were not notified.", func(a *account) bool {
		return a.clean() && a.flushed() >= 2
	}},
	{"lag-beyond-the-barriers", "No notification comes, since the lag is larger than the count of barriers.", func(a *account) bool {
		return len(a.pieces) > 0 && 0 < len(a.records)/a.every && len(a.records)/a.every < a.lag
	}},
	{"notified-barriers-later", "A notification arrives two or more barriers after its own.", func(a *account) bool {
		return a.lag >= 2 && a.notified() > 0
	}},
	{"crash-at-0", "The crash comes before the first record.", func(a *account) bool {
		return a.crashes && a.crash == 0
	}},
	{"crash-before-the-first-barrier", "The crash comes when records were written, and before the first barrier.", func(a *account) bool {
		return a.crashes && 0 < a.crash && a.crash < a.every
	}},
	{"crash-on-a-barrier", "The crash falls on a barrier.", func(a *account) bool {
		return a.crashes && a.barrier(a.crash) > 0
	}},
	{"crash-right-after-a-barrier", "The crash comes one record after a barrier, and on none.", func(a *account) bool {
		return a.crashes && a.every > 1 && a.barrier(a.crash-1) > 0
	}},
	{"crash-right-before-a-barrier", "The crash comes one record before a barrier, and on none.", func(a *account) bool {
		return a.crashes && a.every > 1 && a.barrier(a.crash+1) > 0
	}},
	{"crash-at-the-end", "The crash comes after the last record.", func(a *account) bool {
		return a.crash > 0 && a.crash == len(a.records)
	}},
	{"crash-beyond-the-end", "The crash would come after more records than there are.", func(a *account) bool {
		return a.crash > len(a.records)
	}},
	{"crash-with-nothing-to-abort", "At the crash everything that was written is committed.", func(a *account) bool {
		return a.crashes && a.crash > 0 && len(a.aborts) == 0
	}},
	{"crash-with-two-prepared", "At the crash two or more transactions are prepared.", func(a *account) bool {
		return a.crashes && a.aborted(false) >= 2
	}},
	{"crash-with-open-and-prepared", "At the crash one transaction is open and another is prepared.", func(a *account) bool {
		return a.crashes && a.aborted(true) > 0 && a.aborted(false) > 0
	}},
	{"crash-with-committed-and-prepared", "At the crash one transaction is committed and another is prepared.", func(a *account) bool {
		return a.crashes && a.visible > 0 && a.aborted(false) > 0
	}},
	{"notification-lost-in-the-crash", "A checkpoint would have been notified before the end, but the crash came first.", func(a *account) bool {
		return slices.ContainsFunc(a.pieces, a.lostNotification)
	}},
	{"equal-records", "The source holds the same record twice.", func(a *account) bool {
		return len(distinct(a.records)) < len(a.records)
	}},
	{"replayed-record-equals-a-committed-one", "A record is replayed that equals one which was visible before the crash.", func(a *account) bool {
		seen := distinct(a.records[:min(a.visible, len(a.records))])
		return a.crashes && slices.ContainsFunc(a.written(a.limit, len(a.writes)), func(r stream.Record) bool { return seen[r] })
	}},
	{"record-without-a-key", "A record has the empty key.", func(a *account) bool {
		return slices.ContainsFunc(a.records, func(r stream.Record) bool { return r.Key == "" })
	}},
	{"times-out-of-order", "A record has an earlier time than the one before it.", func(a *account) bool {
		return !slices.IsSortedFunc(a.records, func(r, s stream.Record) int { return cmp.Compare(r.Time, s.Time) })
	}},
}

// clean tells whether the run was to come to its end without a crash.
func (a *account) clean() bool { return a.crash == contract.NoCrash }

// aborted counts the aborts of open transactions, or of prepared ones.
func (a *account) aborted(open bool) int {
	n := 0
	for _, ab := range a.aborts {
		if ab.open == open {
			n++
		}
	}
	return n
}

// notified counts the commits that came at a barrier after that of the
// pre-commit.
func (a *account) notified() int {
	n := 0
	for _, p := range a.pieces {
		if p.event < a.replay && p.committed >= 0 && p.committed < a.replay && a.position[p.committed] == (a.barrier(p.at)+a.lag)*a.every {
			n++
		}
	}
	return n
}

// flushed counts the checkpoints that were committed at the end, and whose
// notification had not arrived.
func (a *account) flushed() int {
	n := 0
	for _, p := range a.pieces {
		k := a.barrier(p.at)
		if k > 0 && p.size > 0 && p.committed >= 0 && a.position[p.committed] == len(a.records) && (k+a.lag)*a.every > len(a.records) {
			n++
		}
	}
	return n
}

// lostNotification tells whether p was prepared at the crash, and would have been
// notified but for that.
func (a *account) lostNotification(p piece) bool {
	k := a.barrier(p.at)
	return a.crashes && k > 0 && p.event < a.replay && p.committed < 0 && (k+a.lag)*a.every <= len(a.records)
}

func distinct(records []stream.Record) map[stream.Record]bool {
	seen := map[stream.Record]bool{}
	for _, r := range records {
		seen[r] = true
	}
	return seen
}
