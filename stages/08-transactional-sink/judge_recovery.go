package transactionalsink

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

// checkRecovery looks at what was written before the crash or the end, what was
// done with the transactions that the crash left, and what was replayed.
func checkRecovery(a *account) *grading.Finding {
	for _, check := range []func(*account) *grading.Finding{
		beforeCrash, unnoticedCrash, committedOnRecovery, wrongReplay,
	} {
		if f := check(a); f != nil {
			return f
		}
	}
	return nil
}

// beforeCrash: exactly records[:limit] are written, into one sink, and nothing
// is given up.
func beforeCrash(a *account) *grading.Finding {
	for _, ab := range a.aborts {
		if a.crash < 0 {
			return grading.Broken(recovery, ab.event, "A transaction was aborted in a run without a crash.")
		}
		if at := a.position[ab.event]; at < a.limit {
			return grading.Broken(recovery, ab.event, "A transaction was aborted after %s, but the crash comes after %d.", grading.Plural(at, "record"), a.crash)
		}
	}
	if len(a.writes) < a.limit {
		return grading.Broken(recovery, -1, "Only %s written, where %d should be.", wereOf(len(a.writes), "record"), a.limit)
	}
	for i, w := range a.writes[:a.limit] {
		if w.record != a.records[i] {
			return grading.Broken(recovery, w.event, "Write %d is %s, but record %d of the source is %s.",
				i+1, diff.Record(w.record), i+1, diff.Record(a.records[i]))
		}
		if w.sink != a.writes[0].sink {
			return grading.Broken(recovery, w.event, "Write %d goes to sink %d; until a crash a job has one sink.", i+1, w.sink)
		}
	}
	return nil
}

func wereOf(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return fmt.Sprintf("%d %ss were", n, what)
}

// unnoticedCrash: what is written into the same sink after a crash that left
// something open or prepared, and of which nothing was aborted, is the replay.
func unnoticedCrash(a *account) *grading.Finding {
	if !a.crashes || a.replay == len(a.events) || a.limit == 0 {
		return nil
	}
	last, next := a.writes[a.limit-1].event, a.replay
	signs := slices.ContainsFunc(a.events[last:next], func(e event) bool { return e.op == opAbort || e.op == opAbortOpen })
	if signs || a.events[next].sink != a.events[last].sink || a.visible == a.limit || same(a.tail(), a.replayed()) {
		return nil
	}
	return grading.Broken(recovery, next, "The crash after %s went by unnoticed: the next record was written into the same sink as if nothing had happened.",
		grading.Plural(a.crash, "record"))
}

// committedOnRecovery: neither what was open at the crash nor what had not been
// notified is ever committed, be it at once or after the replay; and what had
// been is not committed any more once the replay has begun.
func committedOnRecovery(a *account) *grading.Finding {
	if !a.crashed() {
		return nil
	}
	for _, p := range a.pieces {
		if p.committed < 0 || p.size == 0 || p.first >= a.limit {
			continue // the replay's own
		}
		k := a.barrier(p.at)
		if k == 0 || p.at > a.limit {
			return grading.Broken(recovery, p.committed,
				"What was open when the crash came, after %s, was pre-committed and committed. A crash loses it: abort it, and let the replay bring it again.",
				grading.Plural(a.limit, "record"))
		}
		if due := k + a.lag; a.position[p.committed] >= a.limit && due*a.every > a.limit {
			return grading.Broken(recovery, p.committed,
				"Checkpoint %d was committed on recovery, though its notification (due at barrier %d) had not arrived. That is Flink's way; here the rule is to abort it and replay.",
				k, due)
		}
		if p.committed > a.replay {
			return grading.Broken(recovery, p.committed,
				"Checkpoint %d was committed when the replay had begun, which brings its records again: what is not committed before is aborted.", k)
		}
	}
	return nil
}

// wrongReplay: the writes after the crash are the source from the last committed
// offset on, in any order.
func wrongReplay(a *account) *grading.Finding {
	if !a.crashes && a.replay == len(a.events) {
		return nil // nothing was left to replay
	}
	want, got := a.tail(), a.replayed()
	if same(want, got) {
		return nil
	}
	f := grading.Broken(recovery, min(a.replay, len(a.events)-1),
		"After the crash %s replayed; from offset %d, up to which all was committed, there are %d.",
		wereOf(len(got), "record"), len(a.records)-len(want), len(want))
	if a.crash < 0 {
		f.Problem = fmt.Sprintf("%s written, where the source has %d.", wereOf(len(a.writes), "record"), len(a.records))
	}
	f.Diff = diff.Multiset(want, got)
	return f
}

// tail is what a replay has to bring: the source from the last committed offset on.
func (a *account) tail() []stream.Record { return a.records[min(a.visible, len(a.records)):] }

// replayed is what was written after the crash.
func (a *account) replayed() []stream.Record { return a.written(a.limit, len(a.writes)) }

// checkDangling: at the end nothing is open or prepared anywhere.
func checkDangling(a *account) *grading.Finding {
	for i, m := range a.sinks {
		crashed := ""
		if i == 0 && a.crashes && len(a.sinks) > 1 {
			crashed = " That a fresh sink is used for the replay does not end it."
		}
		if n := len(m.open); n > 0 {
			return grading.Broken(noDangling, -1, "Sink %d was left with an open transaction of %s: abort it.%s", i+1, grading.Plural(n, "record"), crashed)
		}
		if n := len(m.prepared); n > 0 {
			return grading.Broken(noDangling, -1, "Sink %d was left with %s, the first of ID %d: commit or abort each.%s",
				i+1, grading.Plural(n, "prepared transaction"), m.prepared[0].id, crashed)
		}
	}
	return nil
}
