package watermarks

import (
	"slices"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// The oracle answers for a whole history at once: what it says of a call is
// worked out from all calls up to it, and keeps nothing from one to the next.

// An answer is what a call returns: a watermark, if there is one to tell.
type answer struct {
	watermark stream.Watermark
	told      bool
}

func (a answer) equal(b answer) bool {
	return a.told == b.told && (!a.told || a.watermark == b.watermark)
}

// generatorAnswers returns the answer to each record of a stream.
func generatorAnswers(times []int64, maxDelay int64) []answer {
	return answers(len(times), func(i int) answer {
		w, _ := bound(slices.Max(times[:i+1]), maxDelay)
		return answer{w, true}
	})
}

// bound returns time - maxDelay - 1, or the least watermark, and false, where
// that is beyond the range. It counts from the least time on, without a sign.
func bound(time, maxDelay int64) (stream.Watermark, bool) {
	const least = 1 << 63
	since, back := uint64(time)+least, uint64(maxDelay)+1
	return stream.Watermark(max(since, back) - back - least), since >= back
}

// mergerAnswers returns the answer to each call of a new merger.
func mergerAnswers(channels int, calls []schedule.Op) []answer {
	return answers(len(calls), func(i int) answer { return merged(channels, calls[:i+1]) })
}

// answers are those of n calls, where current is the watermark that there is
// after call i: it is told where it is larger than any before.
func answers(n int, current func(i int) answer) []answer {
	all := make([]answer, n)
	var before []answer
	for i := range n {
		now := current(i)
		all[i] = now
		for _, b := range before {
			if b.watermark >= now.watermark {
				all[i] = answer{}
			}
		}
		if now.told && all[i].told {
			before = append(before, now)
		}
	}
	return all
}

// merged returns the merged watermark after a history of calls, if there is one.
func merged(channels int, history []schedule.Op) answer {
	slowest, active, over := stream.MaxWatermark, false, true
	for _, s := range standings(channels, history) {
		if s.silent() {
			return answer{}
		}
		if s.active() {
			slowest, active = min(slowest, s.watermark), true
		}
		over = over && s.finished
	}
	return answer{slowest, active || over}
}

// A standing is what a history amounts to for one channel.
type standing struct {
	watermark      stream.Watermark // the largest of its updates before it finished
	reported       bool             // there was one
	idle, finished bool
	resumed        bool // it was idle, and then updated
	lowered        bool // it was updated with less than before
}

func (s standing) active() bool { return !s.idle && !s.finished }
func (s standing) silent() bool { return s.active() && !s.reported }

// standings returns that of each channel.
func standings(channels int, history []schedule.Op) []standing {
	all := make([]standing, channels)
	for _, op := range history {
		s := &all[op.Args[0]]
		switch {
		case s.finished:
		case op.Name == opFinish:
			s.finished = true
		case op.Name == opIdle:
			s.idle = true
		default:
			w := stream.Watermark(op.Args[1])
			s.lowered = s.lowered || s.reported && w < s.watermark
			s.resumed = s.resumed || s.idle
			s.idle = false
			if !s.reported || w > s.watermark {
				s.watermark, s.reported = w, true
			}
		}
	}
	return all
}
