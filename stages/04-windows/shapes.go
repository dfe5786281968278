package windows

import (
	"math"

	"github.com/flk-byo/de/stages/04-windows/contract"
)

// Assigners of the judge's: legal ones, that no solution could guess.
const (
	shapeNested = iota + 1
	shapeSquares
	shapeGaps
	shapeFan
)

var shapeWords = map[string]int64{"nested": shapeNested, "squares": shapeSquares, "gaps": shapeGaps, "fan": shapeFan}

// shapeDocs say to a learner what the windows of a shape are.
var shapeDocs = map[int64]string{
	shapeNested:  "of each time, the windows of 5, 10 and 20 from 0 on",
	shapeSquares: "windows from one square number to the next: [0,1), [1,4), [4,9)",
	shapeGaps:    "windows of 10, every 20, from 0 on",
	shapeFan:     "of each time, windows of 10, 20 and 30 with one end, a multiple of 10",
}

// shaped returns the windows of a shape that contain t.
func shaped(shape, t int64) []contract.Window {
	if t < -farthest || t > farthest { // no case has it; a solution may ask for it
		return nil
	}
	switch shape {
	case shapeNested: // each is the left or the right half of the next
		return append(append(every(5, 5, 0, t), every(10, 10, 0, t)...), every(20, 20, 0, t)...)
	case shapeSquares:
		return []contract.Window{squares(t)}
	case shapeGaps: // of two tumbling windows, one is missing
		return every(10, 20, 0, t)
	default: // all end where the tumbling one does
		w := every(10, 10, 0, t)[0]
		return []contract.Window{{Start: w.Start - 20, End: w.End}, w, {Start: w.Start - 10, End: w.End}}
	}
}

// squares returns the window from one square number to the next, or from one
// negated square number to the next, that contains t.
func squares(t int64) contract.Window {
	if t < 0 {
		w := squares(-t - 1)
		return contract.Window{Start: -w.End, End: -w.Start}
	}
	root := int64(math.Sqrt(float64(t)))
	for root*root > t {
		root--
	}
	for (root+1)*(root+1) <= t {
		root++
	}
	return contract.Window{Start: root * root, End: (root + 1) * (root + 1)}
}
