package checkpointbarriers

import (
	"iter"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

var situations = append(injectionSigns.Situations(), alignerSigns.Situations()...)

// injectionSigns are those of a call of InjectBarriers.
var injectionSigns = grading.Signs[schedule.Case]{
	{"empty-source", "There are no records to put barriers into.", func(c schedule.Case) bool {
		return len(c.Records) == 0
	}},
	{"barrier-at-the-end", "The last barrier falls on the end of the source.", func(c schedule.Case) bool {
		return len(c.Records) > 0 && len(c.Records)%c.Param(barrierEvery) == 0
	}},
	{"rest-behind-the-last-barrier", "Records are left behind the last barrier.", func(c schedule.Case) bool {
		return len(c.Records) > c.Param(barrierEvery) && len(c.Records)%c.Param(barrierEvery) > 0
	}},
	{"no-barrier", "The source ends before the first barrier.", func(c schedule.Case) bool {
		return 0 < len(c.Records) && len(c.Records) < c.Param(barrierEvery)
	}},
	{"zero-record-in-a-source", "The zero record, which is what the element of a barrier holds, is in the source.", func(c schedule.Case) bool {
		return slices.Contains(c.Records, stream.Record{})
	}},
}

// alignerSigns are told by one arrival at an aligner, and how that must stand
// before and after it.
var alignerSigns = grading.Signs[moment]{
	{"one-channel", "A barrier goes downstream at once, since there is but one channel.", func(m moment) bool {
		return m.channels == 1 && m.barriersOut() > 0
	}},
	{"record-held-back", "A record comes on a channel that is held back.", func(m moment) bool {
		return m.record() && m.waits()
	}},
	{"equal-records-held-back", "A record is held back that equals the one held back before it.", func(m moment) bool {
		n := len(m.before.waiting)
		return m.record() && m.waits() && n > 0 && m.history[m.before.waiting[n-1]] == m.arrival
	}},
	{"record-beside-an-alignment", "A record comes on a channel that is not held back, while others are.", func(m moment) bool {
		return m.record() && m.before.aligning > 0 && !m.waits()
	}},
	{"zero-record-arrives", "The zero record, which is what the element of a barrier holds, arrives.", func(m moment) bool {
		return m.record() && m.item.record == stream.Record{}
	}},
	{"barrier-held-back", "The next barrier comes on a channel that is held back.", func(m moment) bool {
		return m.waits() && m.item.barrier > m.before.aligning
	}},
	{"two-barriers-held-back-on-one-channel", "A second barrier comes on a channel that holds one back already.", func(m moment) bool {
		return m.waits() && m.item.mark && m.holdsBarrierBack()
	}},
	{"barrier-repeated-by-a-channel-held-back", "A channel brings the barrier again that it is held back for.", func(m moment) bool {
		return m.waits() && m.item.mark && m.item.barrier == m.before.aligning
	}},
	{"two-channels-released", "Records of two channels were held back, and are released by one arrival.", func(m moment) bool {
		return len(m.released()) >= 2
	}},
	{"release-holds-back-again", "What one barrier releases begins the alignment of the next.", func(m moment) bool {
		return m.barriersOut() > 0 && m.after.aligning > 0
	}},
	{"two-barriers-at-one-arrival", "One arrival lets two barriers out.", func(m moment) bool {
		return m.barriersOut() >= 2
	}},

	{"newer-barrier-cancels", "A newer barrier arrives, and the one that is aligned is given up.", func(m moment) bool {
		return m.givenUpBy() == m.index()
	}},
	{"newer-barrier-cancels-with-something-held-back", "A newer barrier arrives while something is held back for the one that it cancels.", func(m moment) bool {
		return m.givenUpBy() == m.index() && len(m.before.waiting) > 0
	}},
	{"barrier-held-back-cancels", "A barrier that was held back cancels another when it has its turn.", func(m moment) bool {
		return m.givenUpBy() >= 0 && m.givenUpBy() < m.index()
	}},
	{"two-given-up", "An aligner gives up a second alignment.", func(m moment) bool {
		return m.givenUpBy() >= 0 && len(m.after.givenUp) >= 2
	}},
	{"barrier-skips-an-id", "A barrier is begun though the one before it never came.", func(m moment) bool {
		return len(m.after.skips) > len(m.before.skips)
	}},

	{"late-barrier-repeats-the-newest", "A barrier comes again that went downstream last.", func(m moment) bool {
		return m.late() && m.before.aligning == 0 && m.item.barrier == m.newest()
	}},
	{"late-barrier-is-older", "A barrier comes that is older than the one that went downstream last.", func(m moment) bool {
		return m.late() && m.before.aligning == 0 && m.item.barrier < m.newest()
	}},
	{"late-barrier-while-aligning", "An old barrier comes on a channel that is not held back, while a newer one is aligned.", func(m moment) bool {
		return m.late() && m.before.aligning > 0
	}},
	{"late-barrier-was-held-back", "A barrier that was held back is late when it has its turn, though it was none when it came.", func(m moment) bool {
		return slices.ContainsFunc(m.after.late[len(m.before.late):], func(i int) bool {
			return i < m.index() && m.history[i].item.barrier > m.before.aligning
		})
	}},
	{"late-barrier-was-given-up", "A barrier comes that was given up.", func(m moment) bool {
		return m.late() && slices.ContainsFunc(m.before.givenUp, func(g givenUp) bool { return g.id == m.item.barrier })
	}},

	{"finish-with-nothing-aligned", "A channel ends while no barrier is aligned.", func(m moment) bool {
		return m.end && m.before.aligning == 0
	}},
	{"finish-completes-an-alignment", "The end of a channel completes an alignment.", func(m moment) bool {
		return m.end && m.barriersOut() > 0
	}},
	{"finish-while-others-are-missing", "A channel ends that an alignment waits for, and it waits for another still.", func(m moment) bool {
		return m.end && !m.waits() && m.after.aligning > 0 && m.after.aligning == m.before.aligning
	}},
	{"finish-of-a-channel-held-back", "A channel ends while it is held back.", func(m moment) bool {
		return m.end && m.waits()
	}},
	{"finish-behind-a-barrier-held-back", "A channel ends while it holds a barrier back.", func(m moment) bool {
		return m.end && m.waits() && m.holdsBarrierBack()
	}},
	{"barrier-after-a-finish", "A barrier goes downstream that a channel did not deliver which had ended before.", func(m moment) bool {
		return m.barriersOut() > 0 && slices.Contains(m.before.ended, true)
	}},
	{"two-aligners", "An aligner gets an arrival while another is at an alignment.", func(m moment) bool {
		return m.beside
	}},
}

// A moment is an arrival, with what must come of all up to it.
type moment struct {
	arrival
	channels      int
	history       []arrival // of its aligner, up to it
	before, after answer
	beside        bool // another aligner is at an alignment
}

// moments are those of a plan.
func (p plan) moments() iter.Seq[moment] {
	return func(yield func(moment) bool) {
		var histories [maxAligners + 1][]arrival
		var stands [maxAligners + 1]answer
		for _, a := range p.arrivals {
			n := a.aligner
			histories[n] = append(histories[n], a)
			m := moment{
				arrival: a, channels: p.channels, history: histories[n],
				before: stands[n], after: oracle(p.channels, histories[n]),
			}
			for i, other := range stands {
				m.beside = m.beside || i != n && other.aligning > 0
			}
			if stands[n] = m.after; !yield(m) {
				return
			}
		}
	}
}

func (m moment) index() int { return len(m.history) - 1 }

func (m moment) record() bool { return !m.end && !m.item.mark }

// waits tells whether the arrival is held back.
func (m moment) waits() bool { return slices.Contains(m.after.waiting, m.index()) }

func (m moment) barriersOut() int {
	n := 0
	for _, i := range m.after.out[m.index()] {
		if i.mark {
			n++
		}
	}
	return n
}

// released are the channels of the records that were held back before.
func (m moment) released() map[int]bool {
	channels := map[int]bool{}
	for _, i := range m.before.waiting {
		if a := m.history[i]; !a.end && !a.item.mark && !slices.Contains(m.after.waiting, i) {
			channels[a.channel] = true
		}
	}
	return channels
}

// holdsBarrierBack tells whether the channel did so before.
func (m moment) holdsBarrierBack() bool {
	return slices.ContainsFunc(m.before.waiting, func(i int) bool {
		return m.history[i].item.mark && m.history[i].channel == m.channel
	})
}

// givenUpBy is the index of the barrier that just cancelled an alignment, or -1.
func (m moment) givenUpBy() int {
	n := len(m.after.givenUp)
	if n == len(m.before.givenUp) {
		return -1
	}
	return m.after.givenUp[n-1].by
}

// late tells whether the arrival is a barrier that is dropped at once.
func (m moment) late() bool { return slices.Contains(m.after.late, m.index()) }

// newest is the greatest barrier that arrived before.
func (m moment) newest() stream.CheckpointID {
	newest := stream.CheckpointID(0)
	for _, a := range m.history[:m.index()] {
		newest = max(newest, a.item.barrier)
	}
	return newest
}
