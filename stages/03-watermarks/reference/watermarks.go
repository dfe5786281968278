// Package watermarks is the model answer of stage 03.
package watermarks

import (
	"math"

	"github.com/flk-byo/de/stages/03-watermarks/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 03.
type Solution struct{}

var _ contract.Stage = Solution{}

// BoundedOutOfOrderness returns a generator that has seen nothing.
func (Solution) BoundedOutOfOrderness(maxDelay int64) contract.Generator {
	return &generator{maxDelay: maxDelay}
}

// NewMerger returns a merger of active channels that have not reported.
func (Solution) NewMerger(channels int) contract.Merger {
	return &merger{channels: make([]channel, channels)}
}

// A progress is a watermark that only advances.
type progress struct {
	watermark stream.Watermark
	begun     bool // there is one
}

// advance moves it to w and returns that and true, unless it is there already.
func (p *progress) advance(w stream.Watermark) (stream.Watermark, bool) {
	if p.begun && w <= p.watermark {
		return 0, false
	}
	*p = progress{w, true}
	return w, true
}

type generator struct {
	maxDelay int64
	told     progress
}

func (g *generator) Observe(r stream.Record) (stream.Watermark, bool) {
	w := int64(math.MinInt64)
	if r.Time > w+g.maxDelay { // else the difference would be below w
		w = r.Time - g.maxDelay - 1
	}
	return g.told.advance(stream.Watermark(w))
}

type merger struct {
	channels []channel
	told     progress
}

type channel struct {
	progress
	idle, finished bool
}

func (m *merger) Update(ch int, w stream.Watermark) (stream.Watermark, bool) {
	c := &m.channels[ch]
	c.advance(w)
	c.idle = false
	return m.tell()
}

func (m *merger) Idle(ch int) (stream.Watermark, bool) {
	m.channels[ch].idle = true
	return m.tell()
}

func (m *merger) Finish(ch int) (stream.Watermark, bool) {
	m.channels[ch].finished = true
	return m.tell()
}

// tell returns the minimum over the active channels, if there is one and it has
// advanced.
func (m *merger) tell() (stream.Watermark, bool) {
	minimum := stream.MaxWatermark
	active, finished := 0, 0
	for _, c := range m.channels {
		switch {
		case c.finished:
			finished++
		case c.idle:
		case !c.begun:
			return 0, false
		default:
			active++
			minimum = min(minimum, c.watermark)
		}
	}
	if active == 0 && finished < len(m.channels) {
		return 0, false
	}
	return m.told.advance(minimum)
}
