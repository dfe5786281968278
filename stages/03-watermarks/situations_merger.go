package watermarks

import (
	"iter"
	"math"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/stream"
)

// mergerSigns are told by one call, and the channels before and after it.
var mergerSigns = grading.Signs[merging]{
	{"more-than-eight-channels", "A merger of more than eight channels tells a watermark.", func(m merging) bool {
		return len(m.before) > 8 && m.want.told
	}},
	{"held-back-by-a-silent-channel", "A channel reports while another has not.", func(m merging) bool {
		return m.is(opUpdate) && slices.ContainsFunc(m.after, standing.silent)
	}},
	{"silent-channel-reports-last", "The last channel that was waited for reports, and is not the slowest.", func(m merging) bool {
		return m.is(opUpdate) && !m.begun && m.want.told && m.want.watermark < m.channel(m.after).watermark
	}},
	{"fastest-advances", "A channel advances that is ahead of the slowest, and there is nothing to tell.", func(m merging) bool {
		return m.is(opUpdate) && m.begun && m.channel(m.before).active() && m.channel(m.before).watermark > m.last && m.raises() && !m.want.told
	}},
	{"slowest-overtakes", "The slowest channel overtakes another, whose watermark is told.", func(m merging) bool {
		return m.is(opUpdate) && m.begun && m.want.told && m.want.watermark < m.watermark()
	}},
	{"update-that-equals", "An active channel is updated with the watermark that it is at.", func(m merging) bool {
		return m.is(opUpdate) && m.channel(m.before).active() && m.channel(m.before).reported && m.watermark() == m.channel(m.before).watermark
	}},
	{"channel-goes-back", "An active channel is updated with less than it was at.", func(m merging) bool {
		return m.is(opUpdate) && m.channel(m.before).active() && m.lowers()
	}},
	{"least-watermark-told", "The watermark that is told is math.MinInt64.", func(m merging) bool {
		return m.want.told && m.want.watermark == math.MinInt64
	}},
	{"largest-watermark-before-the-end", "The watermark that is told is stream.MaxWatermark, and a channel is not finished.", func(m merging) bool {
		return m.want.told && m.want.watermark == stream.MaxWatermark && !all(m.after, finished)
	}},

	{"idle-tells", "A channel becomes idle that held the others back, and a watermark is told.", func(m merging) bool {
		return m.is(opIdle) && m.want.told
	}},
	{"idle-of-a-silent-channel", "A channel becomes idle that has not reported, and a watermark is told.", func(m merging) bool {
		return m.is(opIdle) && m.want.told && m.channel(m.before).silent()
	}},
	{"idle-again", "A channel is idle already, and becomes so again.", func(m merging) bool {
		return m.is(opIdle) && m.channel(m.before).idle && !m.channel(m.before).finished
	}},
	{"idle-channel-is-the-slowest", "A watermark is told that is above that of an idle channel.", func(m merging) bool {
		return m.is(opUpdate) && m.want.told && slices.ContainsFunc(m.after, func(s standing) bool {
			return s.idle && !s.finished && s.reported && s.watermark < m.want.watermark
		})
	}},
	{"all-idle", "The last active channel becomes idle, and none is finished.", func(m merging) bool {
		return m.is(opIdle) && m.channel(m.before).active() && all(m.after, func(s standing) bool { return s.idle && !s.finished })
	}},
	{"all-idle-the-slowest-last", "The last active channel becomes idle, and one that is idle already is ahead of what was told.", func(m merging) bool {
		return m.is(opIdle) && m.channel(m.before).active() && m.begun && all(m.after, func(s standing) bool { return s.idle }) &&
			slices.ContainsFunc(m.after, func(s standing) bool { return s.reported && s.watermark > m.last })
	}},
	{"only-idle-and-finished-left", "No channel is active any more, some are idle and some are finished.", func(m merging) bool {
		return m.channel(m.before).active() && !slices.ContainsFunc(m.after, standing.active) &&
			slices.ContainsFunc(m.after, finished) && !all(m.after, finished)
	}},

	{"resumed-behind", "An idle channel resumes with less than was told.", func(m merging) bool {
		return m.resumes() && m.begun && m.watermark() < m.last
	}},
	{"resumed-ahead", "An idle channel resumes with more than was told.", func(m merging) bool {
		return m.resumes() && m.begun && m.watermark() > m.last
	}},
	{"resumed-where-it-was", "An idle channel resumes with the watermark that it is at.", func(m merging) bool {
		return m.resumes() && m.channel(m.before).reported && m.watermark() == m.channel(m.before).watermark
	}},
	{"resumed-with-less", "An idle channel resumes with less than it was at.", func(m merging) bool {
		return m.resumes() && m.lowers()
	}},
	{"resumed-after-all-were-idle", "A channel resumes when all are idle.", func(m merging) bool {
		return m.resumes() && all(m.before, func(s standing) bool { return s.idle && !s.finished })
	}},
	{"channel-goes-back-after-it-resumed", "A channel that resumed is updated with less than it was at.", func(m merging) bool {
		return m.is(opUpdate) && m.channel(m.before).active() && m.channel(m.before).resumed && m.lowers()
	}},
	{"resumed-channel-is-waited-for", "A channel advances, and there is nothing to tell, since one that resumed is behind what was told.", func(m merging) bool {
		return m.is(opUpdate) && m.raises() && !m.want.told && m.begun && m.watermark() > m.last && slices.ContainsFunc(m.after, func(s standing) bool {
			return s.active() && s.resumed && s.reported && s.watermark < m.last
		})
	}},

	{"finish-tells", "A channel finishes that held the others back, and a watermark is told.", func(m merging) bool {
		return m.is(opFinish) && m.want.told && !all(m.after, finished)
	}},
	{"finish-of-a-silent-channel", "A channel finishes that has not reported, and others are not finished.", func(m merging) bool {
		return m.is(opFinish) && m.channel(m.before).silent() && !all(m.after, finished)
	}},
	{"finish-of-an-idle-channel", "A channel finishes while it is idle.", func(m merging) bool {
		return m.is(opFinish) && m.channel(m.before).idle && !m.channel(m.before).finished
	}},
	{"finish-of-the-last", "The last channel finishes, and stream.MaxWatermark is told.", func(m merging) bool {
		return m.is(opFinish) && m.want.told && all(m.after, finished)
	}},
	{"finish-of-the-last-with-nothing-to-tell", "The last channel finishes when stream.MaxWatermark has been told.", func(m merging) bool {
		return m.is(opFinish) && !m.want.told && all(m.after, finished) && !all(m.before, finished)
	}},
	{"finish-again", "A channel finishes that is finished, and others are not.", func(m merging) bool {
		return m.is(opFinish) && m.channel(m.before).finished && !all(m.before, finished)
	}},
	{"update-after-the-finish", "A finished channel is updated while others are not finished.", func(m merging) bool {
		return m.is(opUpdate) && m.channel(m.before).finished && !all(m.before, finished)
	}},
	{"idle-after-the-finish", "A finished channel becomes idle while others are not finished.", func(m merging) bool {
		return m.is(opIdle) && m.channel(m.before).finished && !all(m.before, finished)
	}},
	{"call-after-the-end", "A call comes when all channels are finished.", func(m merging) bool {
		return all(m.before, finished)
	}},
	{"two-mergers", "A merger is called for the first time, and another has told a watermark.", func(m merging) bool {
		return m.nth == 0 && m.beside
	}},
}

// A merging is a call of a merger, and how its channels stand before and after.
type merging struct {
	call
	before, after []standing
	last          stream.Watermark // that was told before
	begun         bool             // there was one
	beside        bool             // another merger has told one
}

// mergings are the first n calls of a plan, those of generators left out.
func (p *plan) mergings(n int) iter.Seq[merging] {
	return func(yield func(merging) bool) {
		told := map[int]stream.Watermark{} // by merger
		for _, c := range p.calls[:n] {
			o := p.objects[c.object]
			if c.nth < 0 || o.generator() {
				continue
			}
			m := merging{call: c, before: o.standings(o.calls[:c.nth]), after: o.standings(o.calls[:c.nth+1])}
			m.last, m.begun = told[c.object]
			m.beside = len(told) > 1 || len(told) == 1 && !m.begun
			if !yield(m) {
				return
			}
			if c.want.told {
				told[c.object] = c.want.watermark
			}
		}
	}
}

func (m merging) is(op string) bool { return m.op.Name == op }

// channel is how the channel of the call stands.
func (m merging) channel(all []standing) standing { return all[m.op.Args[0]] }

// watermark is that of an update.
func (m merging) watermark() stream.Watermark { return stream.Watermark(m.op.Args[1]) }

// resumes tells whether an idle channel becomes active.
func (m merging) resumes() bool {
	s := m.channel(m.before)
	return m.is(opUpdate) && s.idle && !s.finished
}

// raises tells whether an update advances its channel, and lowers whether it is
// less than what its channel is at.
func (m merging) raises() bool {
	return m.channel(m.after).watermark > m.channel(m.before).watermark
}

func (m merging) lowers() bool {
	s := m.channel(m.before)
	return s.reported && m.watermark() < s.watermark
}

func finished(s standing) bool { return s.finished }

// all tells whether all channels stand so.
func all(channels []standing, so func(standing) bool) bool {
	return !slices.ContainsFunc(channels, func(s standing) bool { return !so(s) })
}
