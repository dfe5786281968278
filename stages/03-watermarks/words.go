package watermarks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/stream"
)

// words say what was told.
func (a answer) words(tells string) string {
	if !a.told {
		return tells + " nothing"
	}
	return tells + " " + number(a.watermark)
}

// number shows a watermark.
func number(w stream.Watermark) string {
	if w == stream.MaxWatermark {
		return "stream.MaxWatermark"
	}
	return millis(int64(w))
}

// millis shows a time; one that is near an end of the range by how near.
func millis(t int64) string {
	const near = 1000
	switch {
	case t == math.MinInt64:
		return "math.MinInt64"
	case t < math.MinInt64+near:
		return fmt.Sprintf("math.MinInt64 + %d", t-math.MinInt64)
	case t == math.MaxInt64:
		return "math.MaxInt64"
	case t > math.MaxInt64-near:
		return fmt.Sprintf("math.MaxInt64 - %d", math.MaxInt64-t)
	}
	return strconv.FormatInt(t, 10)
}

// paren puts a term of a difference in parentheses where it has parts.
func paren(term string) string {
	if strings.Contains(term, " ") || strings.HasPrefix(term, "-") {
		return "(" + term + ")"
	}
	return term
}

// reason says what the right answer after a history comes of.
func (o object) reason(history []schedule.Op) string {
	now := merged(int(o.made.Args[0]), history)
	last, begun := o.lastTold(len(history) - 1)
	all := o.standings(history)
	slow := slices.IndexFunc(all, func(s standing) bool { return s.active() && (s.silent() || s.watermark == now.watermark) })
	switch {
	case slow < 0 && now.told && begun && last == stream.MaxWatermark:
		return "every channel is finished, but that has been told"
	case slow < 0 && now.told:
		return "every channel is finished"
	case slow < 0:
		return "no channel is active, " + idleWords(all)
	case !now.told:
		return fmt.Sprintf("channel %d is active and has not reported", slices.IndexFunc(all, standing.silent))
	case begun && now.watermark == last:
		return fmt.Sprintf("channel %d is still at %s, which has been told", slow, number(last))
	case begun && now.watermark < last:
		return fmt.Sprintf("channel %d is at %s, behind what was told", slow, number(now.watermark))
	default:
		return fmt.Sprintf("the slowest active channel is %d, at %s", slow, number(now.watermark))
	}
}

// idleWords say how it is that no channel is active.
func idleWords(all []standing) string {
	if slices.ContainsFunc(all, func(s standing) bool { return s.finished }) {
		return "but not all are finished"
	}
	return "all are idle"
}
