package transactionalsink

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

// Phases of a run, as the timeline names them.
const (
	phaseCrash  = "crash"
	phaseReplay = "replay"
)

// timeline is the trace in rows that people can read.
func (a *account) timeline() []grading.Step {
	label := labels(a.records)
	sinks := make([]*model, len(a.sinks))
	steps := make([]grading.Step, 0, len(a.events))
	phase := ""
	for i, e := range a.events {
		if sinks[e.sink-1] == nil {
			sinks[e.sink-1] = newModel()
		}
		m := sinks[e.sink-1]
		note := effect(m, e)
		m.do(e)
		phase = a.phase(i, phase)
		steps = append(steps, grading.Step{
			Phase: phase, At: a.at(i), Object: fmt.Sprintf("sink %d", e.sink),
			Action: e.action(label), State: m.state(label), Note: note, Place: e.place,
		})
	}
	return steps
}

// phase of event i, where that of the one before is given. The crash itself
// leaves no trace; it shows in what is done about it.
func (a *account) phase(i int, before string) string {
	switch {
	case !a.crashes:
		return ""
	case i >= a.replay:
		return phaseReplay
	case before == phaseCrash:
		return phaseCrash
	case a.position[i] != a.limit:
		return ""
	}
	switch e := a.events[i]; e.op {
	case opAbort, opAbortOpen, opCommitted:
		return phaseCrash
	case opNewSink:
		if e.sink > 1 {
			return phaseCrash
		}
	}
	return ""
}

// at is the source position after event i.
func (a *account) at(i int) string {
	position := min(a.position[i], a.limit)
	if i >= a.replay {
		position = min(a.replayFrom()+a.position[i]-a.limit, len(a.records))
	}
	return fmt.Sprintf("%d of %d", position, len(a.records))
}

// replayFrom is the offset at which the replay begins: the one that was committed,
// unless what it writes first stands elsewhere.
func (a *account) replayFrom() int {
	first := a.events[a.replay].record
	if a.visible < len(a.records) && a.records[a.visible] == first {
		return a.visible
	}
	return max(slices.Index(a.records, first), 0)
}

func (e event) action(label func(stream.Record) string) string {
	switch e.op {
	case opWrite:
		return "write " + label(e.record)
	case opPreCommit:
		return fmt.Sprintf("pre-commit %d", e.id)
	case opCommit, opAbort:
		return fmt.Sprintf("%s %d", e.op, e.id)
	case opAbortOpen:
		return "abort open"
	case opCommitted:
		return "read output"
	default:
		return e.op
	}
}

// effect says so where e has none.
func effect(m *model, e event) string {
	if e.op != opCommit && e.op != opAbort {
		return ""
	}
	if _, ok := m.holds(e.id); ok && !m.done[e.id] {
		return ""
	}
	switch {
	case !m.used[e.id]:
		return fmt.Sprintf("no effect: %d is unknown", e.id)
	default:
		return fmt.Sprintf("no effect: %d is over", e.id)
	}
}

// state is the contents of a sink: "open [c]  prepared {2: [b]}  visible [a]".
func (m *model) state(label func(stream.Record) string) string {
	var prepared []string
	for i, t := range m.prepared {
		if i == maxListed {
			prepared = append(prepared, fmt.Sprintf("and %d more", len(m.prepared)-i))
			break
		}
		prepared = append(prepared, fmt.Sprintf("%d: %s", t.id, list(t.records, label)))
	}
	return fmt.Sprintf("open %s  prepared {%s}  visible %s",
		list(m.open, label), strings.Join(prepared, ", "), list(m.visible, label))
}

// maxListed is how many records or transactions a list shows.
const maxListed = 12

func list(rs []stream.Record, label func(stream.Record) string) string {
	words := make([]string, 0, maxListed+1)
	for i, r := range rs {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(rs)-i))
			break
		}
		words = append(words, label(r))
	}
	return "[" + strings.Join(words, " ") + "]"
}

// labels names records as shortly as the input allows: by key where that tells
// them apart.
func labels(records []stream.Record) func(stream.Record) string {
	byKey := map[string]stream.Record{}
	for _, r := range records {
		if other, ok := byKey[r.Key]; ok && other != r {
			return diff.Record
		}
		byKey[r.Key] = r
	}
	return func(r stream.Record) string {
		if byKey[r.Key] == r && r.Key != "" && isWord(r.Key) {
			return r.Key
		}
		return diff.Record(r)
	}
}

func isWord(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
	}) < 0
}
