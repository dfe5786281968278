package windows

import (
	"iter"
	"math"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

var situations = slices.Concat(
	assignedSigns.Situations(), recordSigns.Situations(), watermarkSigns.Situations(), sessionSigns.Situations())

// assignedSigns are told by a time that is assigned to windows, be it a
// record's.
var assignedSigns = grading.Signs[moment]{
	{"time-at-a-start", "A time is the first of a window.", func(m moment) bool {
		return m.inWindow(func(w contract.Window) bool { return w.Start == m.time })
	}},
	{"time-at-a-last", "A time is the last of a window of more than one.", func(m moment) bool {
		return m.inWindow(func(w contract.Window) bool { return w.End-1 == m.time && w.Start < m.time })
	}},
	{"time-before-0", "A time is before 0, and is not the first of its windows.", func(m moment) bool {
		return m.time < 0 && m.inWindow(func(w contract.Window) bool { return w.Start < m.time })
	}},
	{"time-in-a-gap", "A time is in no window.", func(m moment) bool {
		return len(m.in) == 0
	}},
	{"time-in-two-windows", "A time is in more than one window.", func(m moment) bool {
		return len(m.in) > 1
	}},
	{"offset-below-0", "The offset of the windows is below 0.", func(m moment) bool {
		return m.offset() < 0
	}},
	{"offset-beyond-the-size", "The offset of the windows is larger than their size.", func(m moment) bool {
		return m.offset() > 0 && m.offset() > m.shape.Args[0]
	}},
	{"slide-that-does-not-divide-the-size", "The slide of the windows is less than their size, and does not divide it.", func(m moment) bool {
		return m.shape.Name == opSliding && m.shape.Args[1] < m.shape.Args[0] && m.shape.Args[0]%m.shape.Args[1] > 0
	}},
}

// recordSigns are told by a record that comes to an operator over fixed windows.
// Those of sessions are in situations_session.go.
var recordSigns = grading.Signs[moment]{
	{"behind-the-watermark-and-in-time", "A record is behind the watermark, and its windows have not ended.", func(m moment) bool {
		return m.time <= m.before && len(m.in) > 0 && !m.inWindow(m.ended)
	}},
	{"late-within-the-lateness", "A record comes for a window that has fired, and fires it again.", func(m moment) bool {
		return slices.ContainsFunc(m.answer.results, func(r contract.Result) bool { return r.Count > 1 })
	}},
	{"first-record-is-late", "The first record of a window comes when it has ended, and fires it at once.", func(m moment) bool {
		return slices.ContainsFunc(m.answer.results, func(r contract.Result) bool { return r.Count == 1 })
	}},
	{"two-windows-fire-again", "A late record fires two windows.", func(m moment) bool {
		return len(m.answer.results) > 1
	}},
	{"late-by-the-last-watermark", "A record comes one watermark before its window is gone.", func(m moment) bool {
		return m.owner.lateness > 0 && m.inWindow(func(w contract.Window) bool { return m.overdue(w) == m.owner.lateness-1 })
	}},
	{"late-by-one-watermark", "A record comes at the very watermark at which its only window is gone.", func(m moment) bool {
		return len(m.in) == 1 && m.overdue(m.in[0]) == m.owner.lateness
	}},
	{"late-beyond-the-lateness", "A record comes when all its windows are gone, with a lateness above 0.", func(m moment) bool {
		return m.owner.lateness > 0 && m.late()
	}},
	{"some-windows-gone", "Of the windows of a record, some are gone and some are not.", func(m moment) bool {
		return m.inWindow(m.gone) && !m.late()
	}},
	{"gap-behind-the-watermark", "A record in no window is behind the watermark.", func(m moment) bool {
		return m.time <= m.before && len(m.in) == 0
	}},
	{"late-records-out-of-order", "A late record has an earlier time than the late one before it.", func(m moment) bool {
		n := len(m.answer.late)
		return m.late() && n > 1 && m.time < m.answer.late[n-2].Time
	}},
	{"late-record-twice", "A late record equals one before it.", func(m moment) bool {
		n := len(m.answer.late)
		return m.late() && slices.Contains(m.answer.late[:n-1], m.record)
	}},
	{"lateness-beyond-the-range", "A window that has ended stays for longer than an int64 can tell.", func(m moment) bool {
		return m.inWindow(func(w contract.Window) bool { return m.ended(w) && w.End-1 > math.MaxInt64-m.owner.lateness })
	}},
	{"operators-with-other-watermarks", "A record comes to an operator, and another one's watermark is further.", func(m moment) bool {
		return m.before < m.furthest
	}},
}

// watermarkSigns are told by a watermark that comes to an operator of any kind.
var watermarkSigns = grading.Signs[moment]{
	{"watermark-at-the-last-time", "A watermark is the last time of a window with records.", func(m moment) bool {
		return slices.ContainsFunc(m.answer.results, func(r contract.Result) bool { return r.Window.End-1 == m.time })
	}},
	{"watermark-short-of-the-last-time", "A watermark is one short of the last time of a window with records.", func(m moment) bool {
		return m.time > m.before && slices.ContainsFunc(m.there(), func(r contract.Result) bool { return r.Window.End-2 == m.time })
	}},
	{"watermark-leaps-over-ends", "A watermark ends windows of different ends.", func(m moment) bool {
		return m.returned(func(r, s contract.Result) bool { return r.Window.End != s.Window.End })
	}},
	{"watermark-leaps-over-the-lateness", "A watermark ends a window and its lateness.", func(m moment) bool {
		return m.owner.lateness > 0 && slices.ContainsFunc(m.answer.results, func(r contract.Result) bool { return gone(r.Window, m.owner.lateness, m.time) })
	}},
	{"watermark-falls", "A watermark is below the one before.", func(m moment) bool {
		return m.time < m.before
	}},
	{"watermark-stays", "A watermark comes again, and a window that it ended is still there.", func(m moment) bool {
		return m.time == m.before && slices.ContainsFunc(m.there(), func(r contract.Result) bool { return m.ended(r.Window) })
	}},
	{"largest-watermark", "The watermark is the largest there is, and ends a window.", func(m moment) bool {
		return m.time == math.MaxInt64 && len(m.answer.results) > 0
	}},
	{"keys-in-one-window", "A window of two keys ends.", func(m moment) bool {
		return m.returned(func(r, s contract.Result) bool { return r.Window == s.Window && r.Key != s.Key })
	}},
	{"windows-with-one-end", "Windows with one end, and different starts, end.", func(m moment) bool {
		return m.returned(func(r, s contract.Result) bool {
			return r.Window.End == s.Window.End && r.Window.Start != s.Window.Start
		})
	}},
	{"sum-of-zero", "A window ends whose sum is 0.", func(m moment) bool {
		return slices.ContainsFunc(m.answer.results, func(r contract.Result) bool { return r.Sum == 0 })
	}},
}

// A moment is one step of a plan, and how its operator stands before it.
type moment struct {
	*step
	plan             *plan
	owner            operatorPlan      // none at an assign
	shape            schedule.Op       // of the windows, if they are fixed
	in               []contract.Window // that the time is in, if they are fixed
	time             int64             // of a record or an assign; of an advance, the watermark
	before, furthest int64             // the operator's watermark, and the largest of all
	sessions         []contract.Result // that are there when a record comes
}

// moments are the first n steps of a plan that do more than make something.
func (p *plan) moments(n int) []moment {
	var all []moment
	shape, furthest := schedule.Op{}, int64(math.MinInt64)
	for i := range p.steps[:n] {
		m := moment{step: &p.steps[i], plan: p, furthest: furthest}
		switch m.op.Name {
		case opTumbling, opSliding, opCustom:
			shape = m.op
			continue
		case opAssign:
			m.shape, m.in, m.time = shape, m.windows, m.op.Args[0]
		case opRecord:
			m.time = m.record.Time
			m.own()
		case opAdvance:
			m.time = m.op.Args[0]
			m.own()
			furthest = max(furthest, m.time)
		default:
			continue
		}
		all = append(all, m)
	}
	return all
}

// own fills in what there is of the operator.
func (m *moment) own() {
	m.owner = m.plan.operators[m.operator]
	m.before = m.owner.events[m.at].before
	switch {
	case m.op.Name == opAdvance:
	case m.owner.made.Name == opSession:
		m.sessions = sessionsThere(m.owner.made.Args[0], m.owner.lateness, m.owner.events[:m.at])
	default:
		m.shape, m.in = m.owner.windows, windowsOf(m.owner.windows)(m.time)
	}
}

// situations returns the names of those that came up in the first n steps.
func (p *plan) situations(n int) []string {
	all := p.moments(n)
	of := func(kind func(m moment) bool) iter.Seq[moment] {
		return func(yield func(moment) bool) {
			for _, m := range all {
				if kind(m) && !yield(m) {
					return
				}
			}
		}
	}
	record := func(m moment) bool { return m.op.Name == opRecord }
	session := func(m moment) bool { return m.owner.made.Name == opSession }
	return slices.Concat(
		assignedSigns.During(of(func(m moment) bool { return m.op.Name != opAdvance && !session(m) })),
		recordSigns.During(of(func(m moment) bool { return record(m) && !session(m) })),
		watermarkSigns.During(of(func(m moment) bool { return m.op.Name == opAdvance })),
		sessionSigns.During(of(func(m moment) bool { return record(m) && session(m) })),
	)
}

// inWindow tells whether the time is in a fixed window like that.
func (m moment) inWindow(like func(contract.Window) bool) bool {
	return slices.ContainsFunc(m.in, like)
}

// offset is that of the windows, as an assigner was given it.
func (m moment) offset() int64 {
	switch m.shape.Name {
	case opTumbling, opSliding:
		return m.shape.Args[len(m.shape.Args)-1]
	}
	return 0
}

// ended tells whether the watermark has reached the last time of a window, and
// gone whether it has reached the end of its lateness.
func (m moment) ended(w contract.Window) bool { return w.End-1 <= m.before }
func (m moment) gone(w contract.Window) bool  { return gone(w, m.owner.lateness, m.before) }

// overdue is how far the watermark is behind the last time of a window; -1 if it
// has not reached it.
func (m moment) overdue(w contract.Window) int64 {
	if !m.ended(w) {
		return -1
	}
	return m.before - (w.End - 1)
}

// late tells whether all windows of the time are gone.
func (m moment) late() bool {
	return len(m.in) > 0 && !m.inWindow(func(w contract.Window) bool { return !m.gone(w) })
}

// there are the windows that an operator holds.
func (m moment) there() []contract.Result {
	if m.at == 0 {
		return nil
	}
	return m.plan.there(m.owner, m.at-1)
}

// returned tells whether two results like that must be returned, one right after
// the other.
func (m moment) returned(like func(r, s contract.Result) bool) bool {
	for i := 1; i < len(m.answer.results); i++ {
		if like(m.answer.results[i-1], m.answer.results[i]) {
			return true
		}
	}
	return false
}
