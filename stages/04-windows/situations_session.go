package windows

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/04-windows/contract"
)

// sessionSigns are told by a record that comes to an operator over sessions.
var sessionSigns = grading.Signs[moment]{
	{"session-touches", "A record begins where a session ends, or ends where one begins.", func(m moment) bool {
		return m.merges(func(w contract.Window) bool { return w.End == m.time || w.Start == m.time+m.gap() })
	}},
	{"session-just-misses", "A record comes one after a session of its key has ended.", func(m moment) bool {
		return slices.ContainsFunc(m.sessions, func(s contract.Result) bool { return s.Key == m.record.Key && s.Window.End+1 == m.time })
	}},
	{"session-grows-at-its-start", "A record comes before the start of a session that it merges with.", func(m moment) bool {
		return m.merges(func(w contract.Window) bool { return m.time < w.Start })
	}},
	{"record-within-a-session", "A record comes that a session spans already.", func(m moment) bool {
		return m.merges(func(w contract.Window) bool { return w.Start <= m.time && m.time+m.gap() <= w.End })
	}},
	{"sessions-merged-from-both-sides", "A record makes two sessions one.", func(m moment) bool {
		return len(m.merged()) > 1
	}},
	{"session-of-another-key", "A record overlaps a session of another key.", func(m moment) bool {
		return slices.ContainsFunc(m.sessions, func(s contract.Result) bool { return s.Key != m.record.Key && m.touches(s.Window) })
	}},
	{"session-of-sum-zero-merges", "A record merges with a session whose sum is 0.", func(m moment) bool {
		return slices.ContainsFunc(m.merged(), func(s contract.Result) bool { return s.Sum == 0 })
	}},
	{"fired-session-fires-again", "A record merges with a session that has fired, and the whole fires at once.", func(m moment) bool {
		return m.merges(m.ended) && len(m.answer.results) > 0
	}},
	{"fired-session-waits-again", "A record merges with a session that has fired, and the whole has not ended yet.", func(m moment) bool {
		return m.merges(m.ended) && len(m.answer.results) == 0
	}},
	{"fired-session-joins-a-waiting-one", "A record makes one of a session that has fired and one that has not.", func(m moment) bool {
		return m.merges(m.ended) && m.merges(func(w contract.Window) bool { return !m.ended(w) })
	}},
	{"late-record-saved-by-its-session", "A record would be late on its own, but merges with a session.", func(m moment) bool {
		return m.gone(m.alone()) && len(m.merged()) > 0
	}},
	{"late-for-its-session", "A record is late, since no session is there to merge with.", func(m moment) bool {
		return m.gone(m.alone()) && len(m.merged()) == 0
	}},
	{"session-that-is-gone", "A record is not late that touches records whose session is gone.", func(m moment) bool {
		return !m.gone(m.alone()) && m.touchesLost()
	}},
}

func (m moment) gap() int64 { return m.owner.made.Args[0] }

// alone is the window of the record before it merges.
func (m moment) alone() contract.Window { return contract.Window{Start: m.time, End: m.time + m.gap()} }

// touches tells whether the record's window touches or overlaps w.
func (m moment) touches(w contract.Window) bool { return m.time <= w.End && w.Start <= m.time+m.gap() }

// merged are the sessions that the record merges with.
func (m moment) merged() []contract.Result {
	var all []contract.Result
	for _, s := range m.sessions {
		if s.Key == m.record.Key && m.touches(s.Window) {
			all = append(all, s)
		}
	}
	return all
}

// merges tells whether one of them is like that.
func (m moment) merges(like func(contract.Window) bool) bool {
	return slices.ContainsFunc(m.merged(), func(s contract.Result) bool { return like(s.Window) })
}

// touchesLost tells whether the record touches one of its key that counted, and
// is in no session any more.
func (m moment) touchesLost() bool {
	late := 0
	for _, s := range m.plan.steps {
		if s.op.Name != opRecord && s.op.Name != opAdvance || s.operator != m.operator || s.at >= m.at {
			continue
		}
		counted := len(s.answer.late) == late
		late = len(s.answer.late)
		if s.op.Name != opRecord || !counted || s.record.Key != m.record.Key || !m.touches(contract.Window{Start: s.record.Time, End: s.record.Time + m.gap()}) {
			continue
		}
		there := func(r contract.Result) bool {
			return r.Key == s.record.Key && r.Window.Start <= s.record.Time && s.record.Time < r.Window.End
		}
		if !slices.ContainsFunc(m.sessions, there) {
			return true
		}
	}
	return false
}
