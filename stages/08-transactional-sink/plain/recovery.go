package plain

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// recovery tells what breaks the rule: before the crash or the end exactly
// records[:end] are written; after a crash what is not committed is aborted, and
// exactly the rest of the source, from the last committed offset, is replayed.
func (r *reproRun) recovery(records []stream.Record, end, every, lag int, crashes bool) string {
	crashed := crashes && (end < len(records) || slices.ContainsFunc(r.calls, reproCall.drops) || r.written() > end)
	if wrong := r.beforeCrash(records[:end], crashes); wrong != "" {
		return wrong
	}
	if crashed {
		if wrong := r.committedOnRecovery(end, every, lag); wrong != "" {
			return wrong
		}
	}
	if end == len(records) && r.written() == end {
		return "" // nothing was left to replay
	}
	if want, got := records[min(r.visibleAt(end), len(records)):], r.writes()[end:]; !reproSame(want, got) {
		return fmt.Sprintf("after the crash %v was written, want %v: all that was not visible by then", got, want)
	}
	return ""
}

// beforeCrash tells what is wrong with the writes up to the crash or the end.
func (r *reproRun) beforeCrash(want []stream.Record, crashes bool) string {
	writer := 0
	for _, c := range r.calls {
		switch {
		case c.drops() && !crashes:
			return "a transaction was aborted, and there is no crash"
		case c.drops() && c.written < len(want):
			return fmt.Sprintf("a transaction was aborted after %d records, before the crash", c.written)
		case c.name != "write" || c.written > len(want):
		case c.records[0] != want[c.written-1]:
			return fmt.Sprintf("write %d is %v, want %v", c.written, c.records[0], want[c.written-1])
		case writer != 0 && c.sink != writer:
			return fmt.Sprintf("write %d goes to sink %d, those before to sink %d", c.written, c.sink, writer)
		default:
			writer = c.sink
		}
	}
	if r.written() < len(want) {
		return fmt.Sprintf("%d records were written, want %d", r.written(), len(want))
	}
	return ""
}

// committedOnRecovery tells which transaction was committed though the crash,
// after end records, came before its notification.
func (r *reproRun) committedOnRecovery(end, every, lag int) string {
	for i, p := range r.calls {
		at, committed := 0, false
		if p.name == "pre-commit" && len(p.records) > 0 && p.begun < end {
			at, committed = r.settled(i)
		}
		switch {
		case !committed:
		case p.written > end || p.written%every != 0:
			return "what was open when the crash came was committed"
		case at >= end && p.written+lag*every > end:
			return fmt.Sprintf("checkpoint %d was committed on recovery, though its notification had not arrived", p.written/every)
		case at > end:
			return fmt.Sprintf("checkpoint %d was committed when the replay had begun", p.written/every)
		}
	}
	return ""
}

// drops tells whether the call aborts what has records.
func (c reproCall) drops() bool {
	return (c.name == "abort" || c.name == "abort open") && len(c.records) > 0
}

func (r *reproRun) writes() []stream.Record {
	var all []stream.Record
	for _, c := range r.calls {
		if c.name == "write" {
			all = append(all, c.records...)
		}
	}
	return all
}

// visibleAt is how many records were visible when the replay, which comes after
// so many written records, began.
func (r *reproRun) visibleAt(end int) int {
	n := 0
	for _, c := range r.calls {
		if c.written > end {
			break
		}
		if c.name == "commit" {
			n += len(c.records)
		}
	}
	return n
}
